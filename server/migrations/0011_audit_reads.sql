-- Reading the audit log at a hundred million rows: an index for each way in, and counts that are kept when rows are
-- written, so that nothing is counted when they are read.
create index audit_log_of_action on audit_log (root_id, action, position);
create index audit_log_of_organization_action on audit_log (root_id, organization_id, action, position);
create index audit_log_of_actor on audit_log (root_id, actor_id, position);

-- Of the whole root (neither organization nor instance), of an organization, or of all organizations of an instance;
-- of a day in UTC, or of all days ('-infinity'). The positions bound where the rows of a day lie.
create table audit_count (
  root_id uuid not null,
  organization_id uuid,
  instance_id uuid,
  day date not null,
  action text not null,
  resource_type text not null,
  rows bigint not null,
  first_position bigint not null,
  last_position bigint not null,
  unique nulls not distinct (root_id, organization_id, instance_id, day, action, resource_type)
) with (fillfactor = 70);

-- Who has ever done something where: names are looked for among these only.
create table audit_actor (
  root_id uuid not null,
  organization_id uuid,
  actor_kind text not null,
  actor_id uuid,
  unique nulls not distinct (root_id, organization_id, actor_kind, actor_id)
);

-- Runs as the owner: whoever appends a row of one organization must not see, nor change, the counts of its siblings. The
-- appending transaction holds the head of the chain, so no two of them count in one root at a time.
create function audit_log_count() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_count as c (root_id, organization_id, instance_id, day, action, resource_type, rows,
    first_position, last_position)
  select f.root_id, s.organization_id, s.instance_id, d.day, f.action, f.resource_type, count(*), min(f.position),
    max(f.position)
  from fresh f
  left join organization o on o.root_id = f.root_id and o.id = f.organization_id
  cross join lateral (values
    (null::uuid, null::uuid, true),
    (f.organization_id, null, f.organization_id is not null),
    (null, o.instance_id, o.instance_id is not null)) s (organization_id, instance_id, counted)
  cross join lateral (values (date '-infinity'), ((f.at at time zone 'UTC')::date)) d (day)
  where s.counted
  group by 1, 2, 3, 4, 5, 6
  on conflict (root_id, organization_id, instance_id, day, action, resource_type) do update
    set rows = c.rows + excluded.rows, first_position = least(c.first_position, excluded.first_position),
      last_position = greatest(c.last_position, excluded.last_position);
  insert into audit_actor (root_id, organization_id, actor_kind, actor_id)
  select distinct root_id, organization_id, actor_kind, actor_id from fresh
  on conflict do nothing;
  return null;
end
$$;
revoke execute on function audit_log_count from public;
create trigger audit_log_count after insert on audit_log
  referencing new table as fresh for each statement execute function audit_log_count();

-- The rows that are there already are counted by being written once more.
with earlier as (delete from audit_log returning *) insert into audit_log select * from earlier;

alter table audit_count enable row level security;
create policy tenant on audit_count for select to scholiast_api, scholiast_worker using (
  root_id = (select app_root())
  and ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
  and ((select app_instance()) is null or instance_id = (select app_instance())
    or organization_id in (select id from organization where instance_id = (select app_instance()))));
call isolate_by_organization('audit_actor');
grant select on audit_count, audit_actor to scholiast_api, scholiast_worker;

-- What was dropped because of its age: everything up to this position. The rows that are left follow on its hash.
create table audit_checkpoint (
  root_id uuid primary key,
  position bigint not null,
  hash bytea not null,
  at timestamptz not null
);
call isolate_by_root('audit_checkpoint');
grant select on audit_checkpoint to scholiast_worker;

-- Retention is done in two steps, so that no single statement grows with the number of roots: first each root lets go of
-- its rows from before a day that begins a month, some roots at a time, then the months are dropped.
-- A row takes its time when its change begins and its position when it is committed, so at the turn of a month a few older
-- rows lie behind younger ones: the checkpoint stands before the first row that is kept, and these stay until the next time.
-- What it returns is computed from the rows, not read from the checkpoints, and is signed before anything is dropped:
-- whoever writes a checkpoint by hand does not get it signed.
create function audit_retire(first_kept date, after uuid, most integer)
  returns table (root_id uuid, "position" bigint, hash bytea)
  language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  kept_from timestamptz := first_kept::timestamp at time zone 'UTC';
  roots uuid[];
begin
  if first_kept <> date_trunc('month', first_kept) or first_kept > (now() at time zone 'UTC')::date then
    raise exception 'only whole months that have ended can be dropped';
  end if;
  roots := array(select h.root_id from audit_head h
    where h.root_id > after and exists (select from audit_log l where l.root_id = h.root_id and l.at < kept_from)
    order by h.root_id limit most);
  -- Whoever appends counts while holding the head: held here too, nobody waits for the other in turn.
  perform from audit_head where root_id = any (roots) order by root_id for update;
  return query with computed as (
    select h.root_id, coalesce(k.position - 1, h.position) as position, coalesce(k.previous_hash, h.hash) as hash
    from audit_head h
    left join lateral (
      select position, previous_hash from audit_log l where l.root_id = h.root_id and l.at >= kept_from
      order by position limit 1) k on true
    where h.root_id = any (roots)
  ), kept as (
    insert into audit_checkpoint as c (root_id, position, hash, at) select root_id, position, hash, now() from computed
    on conflict (root_id) do update set position = excluded.position, hash = excluded.hash, at = excluded.at
  )
  select root_id, position, hash from computed order by root_id;
  with gone as (
    delete from audit_count where root_id = any (roots) and day > '-infinity' and day < first_kept
    returning root_id, organization_id, instance_id, action, resource_type, rows
  ), less as (
    select root_id, organization_id, instance_id, action, resource_type, sum(rows) as rows
    from gone group by 1, 2, 3, 4, 5
  )
  update audit_count c set rows = c.rows - less.rows from less
  where c.day = '-infinity' and c.root_id = less.root_id and c.organization_id is not distinct from less.organization_id
    and c.instance_id is not distinct from less.instance_id and c.action = less.action
    and c.resource_type = less.resource_type;
  delete from audit_count where root_id = any (roots) and day = '-infinity' and rows = 0;
end
$$;

create function audit_log_drop_before(first_kept date) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept_from timestamptz := first_kept::timestamp at time zone 'UTC';
  months text[] := array(
    select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_\d{4}_\d{2}$'
      and c.relname < 'audit_log_' || to_char(first_kept, 'YYYY_MM'));
  month text;
begin
  if first_kept <> date_trunc('month', first_kept) or first_kept > (now() at time zone 'UTC')::date then
    raise exception 'only whole months that have ended can be dropped';
  end if;
  if cardinality(months) = 0 and not exists (select from audit_log_default where at < kept_from) then
    return 0;
  end if;
  create temporary table audit_late on commit drop as
    select l.* from audit_log l left join audit_checkpoint c on c.root_id = l.root_id
    where l.at < kept_from and (c.position is null or l.position > c.position);
  lock table audit_log in access exclusive mode;
  foreach month in array months loop
    execute format('alter table audit_log detach partition %I', month);
    execute format('drop table %I', month);
  end loop;
  delete from audit_log_default where at < kept_from;
  -- Their counts were taken with those of their days; they are counted again as they are written again.
  insert into audit_log select * from audit_late;
  return cardinality(months);
end
$$;
revoke execute on function audit_retire, audit_log_drop_before from public;
grant execute on function audit_retire, audit_log_drop_before to scholiast_worker;

-- The clear values of what was dropped go after it, some at a time.
create function audit_clear_sweep(most integer) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
  with outlived as (
    select c.root_id, c.position from audit_checkpoint k
    cross join lateral (select root_id, position from audit_clear
      where root_id = k.root_id and position <= k.position limit most) c
    limit most
  ), swept as (
    delete from audit_clear c using outlived o where c.root_id = o.root_id and c.position = o.position returning 1
  )
  select count(*) from swept
$$;
revoke execute on function audit_clear_sweep from public;
grant execute on function audit_clear_sweep to scholiast_worker;

-- Up to where the chain of a root was signed and written outside of the database. Nothing relies on it: whoever sets it
-- back gets the head signed again.
create table audit_signed (
  root_id uuid primary key,
  position bigint not null
);
call isolate_by_root('audit_signed');

-- The worker signs for every root, and sees a position and a hash of each for that, nothing else.
create function audit_unsigned(most integer) returns table (root_id uuid, "position" bigint, hash bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select h.root_id, h.position, h.hash from audit_head h left join audit_signed s on s.root_id = h.root_id
  where h.position > coalesce(s.position, 0) limit most
$$;
create function audit_mark_signed(roots uuid[], positions bigint[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into audit_signed as s (root_id, position) select * from unnest(roots, positions)
  on conflict (root_id) do update set position = greatest(s.position, excluded.position)
$$;
revoke execute on function audit_unsigned, audit_mark_signed from public;
grant execute on function audit_unsigned, audit_mark_signed to scholiast_worker;
