-- A row that had chosen the default partition before its month was attached was refused there. Rows now wait for the
-- month, which is made once; those that come after it find it.
create or replace function audit_log_make_month(month date) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  name text := 'audit_log_' || to_char(month, 'YYYY_MM');
  first timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  after timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(name) is not null then
    return;
  end if;
  lock table audit_log in access exclusive mode;
  if to_regclass(name) is not null then
    return;
  end if;
  execute format('create table %I (like audit_log including defaults including constraints)', name);
  execute format('alter table %I enable row level security', name);
  execute format('with early as (delete from audit_log_default where at >= %L and at < %L returning *)
    insert into %I select * from early', first, after, name);
  execute format('alter table audit_log attach partition %I for values from (%L) to (%L)', name, first, after);
end
$$;
