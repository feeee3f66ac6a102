-- Erasure of a person, and deletion of a whole tenant root.

-- Somebody who was erased stays as a row without a name and an address, because others refer to it. The accounts stay
-- too, without their user names: whoever still tells of them does not bring the person back.
alter table person alter column email drop not null, add column erased_at timestamptz;
alter table person add constraint person_erased check ((erased_at is null) = (email is not null));
-- The address that a request came from is its maker's, whomever the row is about: both parts are erased apart.
grant update (clear) on audit_clear to scholiast_worker;

-- What is left of a root that was deleted. It is written before the first row goes, and never deleted.
create table root_tombstone (
  root_id uuid primary key,
  begun_at timestamptz not null,
  finished_at timestamptz,
  -- Where the audit chain ended; null until it is taken away.
  position bigint,
  hash bytea,
  signed boolean not null default false,
  -- Ingest credentials are verified without this database: these must be refused for as long as they could verify.
  ended_credentials uuid[] not null default '{}'
);
call isolate_by_root('root_tombstone');
-- The worker tells every node which credentials have ended, and lists what was deleted.
create policy directory on root_tombstone for select to scholiast_worker using (true);
grant select, insert on root_tombstone to scholiast_worker;
grant update (finished_at, ended_credentials) on root_tombstone to scholiast_worker;
grant select on audit_signed to scholiast_worker;
grant delete on learning_count, learning_head to scholiast_worker;

-- Rows of the audit log can be taken away only with their whole root, whose tombstone stays behind with the head.
create function root_delete_audit(target text, most integer) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  root uuid := app_root();
  deleted bigint;
begin
  perform from root_tombstone where root_id = root and finished_at is null for update;
  if not found then
    raise exception 'the tenant root is not being deleted';
  end if;
  perform from audit_head where root_id = root for update;
  update root_tombstone t set position = h.position, hash = h.hash
    from audit_head h where t.root_id = root and h.root_id = root and t.hash is null;
  if target = 'audit_log' then
    with page as materialized (
      select position, at from audit_log where root_id = root order by position limit most)
    delete from audit_log l using page p where l.root_id = root and l.position = p.position and l.at = p.at;
  elsif target in ('audit_count', 'audit_actor', 'audit_checkpoint', 'audit_signed', 'audit_head') then
    execute format('delete from %1$I where root_id = $1
      and ctid = any (array(select ctid from %1$I where root_id = $1 limit $2))', target) using root, most;
  else
    raise exception '% is no table of the audit log', target;
  end if;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

create function root_delete_near_indexes() returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  index_name text;
  deleted bigint := 0;
begin
  perform from root_tombstone where root_id = app_root() and finished_at is null;
  if not found then
    raise exception 'the tenant root is not being deleted';
  end if;
  for index_name in delete from learning_near_index where root_id = app_root() returning name loop
    execute format('drop index if exists %I', index_name);
    deleted := deleted + 1;
  end loop;
  return deleted;
end
$$;
revoke execute on function root_delete_audit, root_delete_near_indexes from public;
grant execute on function root_delete_audit, root_delete_near_indexes to scholiast_worker;

-- The last head of a root that was deleted is signed like every other. Nothing is marked of a root that is gone.
create or replace function audit_unsigned(most integer) returns table (root_id uuid, "position" bigint, hash bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select h.root_id, h.position, h.hash from audit_head h left join audit_signed s on s.root_id = h.root_id
  where h.position > coalesce(s.position, 0)
  union all
  select t.root_id, t.position, t.hash from root_tombstone t where not t.signed and t.hash is not null
  limit most
$$;
create or replace function audit_mark_signed(roots uuid[], positions bigint[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into audit_signed as s (root_id, position)
  select root_id, position from unnest(roots, positions) as signed (root_id, position)
  where exists (select from audit_head h where h.root_id = signed.root_id)
  on conflict (root_id) do update set position = greatest(s.position, excluded.position);
  update root_tombstone t set signed = true from unnest(roots, positions) as signed (root_id, position)
  where t.root_id = signed.root_id and t.position = signed.position
$$;
