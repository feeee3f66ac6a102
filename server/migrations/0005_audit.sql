-- One chain a tenant root: hash = sha256(hash before || position || digest of the row's content). The head row is
-- locked by the writer to its commit, so that order of position = order of commit and a chain cannot fork.
create table audit_head (
  root_id uuid primary key references root,
  position bigint not null,
  previous_hash bytea not null,
  hash bytea not null
);

create table audit_log (
  root_id uuid not null,
  position bigint not null,
  id uuid not null,
  organization_id uuid,
  at timestamptz not null,
  action text not null,
  resource_type text not null,
  resource_id text,
  actor_kind text not null check (actor_kind in ('person', 'key', 'operator', 'service')),
  actor_id uuid,
  metadata jsonb not null,
  -- Salted digests of names, addresses and e-mails; their clear values are in audit_clear and can be erased.
  sealed jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (root_id, position, at)
) partition by range (at);
create index audit_log_of_organization on audit_log (root_id, organization_id, position);
create table audit_log_default partition of audit_log default;

create table audit_clear (
  root_id uuid not null,
  position bigint not null,
  person_id uuid,
  clear jsonb not null,
  primary key (root_id, position)
);
create index audit_clear_of_person on audit_clear (root_id, person_id) where person_id is not null;

-- Months are made ahead by the worker. Rows that came before their month are taken over from the default partition.
create function audit_log_make_month(month date) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  name text := 'audit_log_' || to_char(month, 'YYYY_MM');
  first timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  after timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
begin
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
revoke execute on function audit_log_make_month from public;
grant execute on function audit_log_make_month to scholiast_worker;

call isolate_by_root('audit_head');
call isolate_by_organization('audit_log');
alter table audit_log_default enable row level security;
call isolate_by_root('audit_clear');
grant select, insert, update on audit_head to scholiast_api, scholiast_worker;
grant select, insert on audit_log to scholiast_api, scholiast_worker;
grant select, insert on audit_clear to scholiast_api, scholiast_worker;
grant delete on audit_clear to scholiast_worker;
