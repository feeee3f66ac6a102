-- After a restore to an earlier point, positions are used a second time for other rows. A restore point starts an epoch and
-- records the positions that existed, so that a cursor of an earlier epoch is valid up to them and refused beyond them.
-- The epoch is the time of the declaration in milliseconds: a restore to before an earlier declaration removes that row, and a
-- counter would then use its number again.
create table restore_point (
  epoch bigint primary key check (epoch > 0),
  restored_to timestamptz not null,
  declared_at timestamptz not null default now()
);

-- The last position of each sequence of a root at the restore.
create table restore_position (
  root_id uuid not null,
  epoch bigint not null,
  audit bigint not null,
  learnings bigint not null,
  security bigint not null,
  metrics bigint not null,
  primary key (root_id, epoch)
);
call isolate_by_root('restore_position');

-- The key is read together with the epoch. scholiast_door is the former name of scholiast_auth.
grant select (epoch) on restore_point to scholiast_auth, scholiast_door;
grant select on restore_point to scholiast_api, scholiast_worker;
grant insert on restore_point to scholiast_worker;
grant select on restore_position to scholiast_api;
grant select, delete on restore_position to scholiast_worker;

-- The command that declares a restore point reads and records the positions of all roots.
create function restore_point_heads(after uuid, most integer)
  returns table (root_id uuid, audit bigint, audit_hash bytea, signed boolean, learnings bigint, security bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select r.id, coalesce(a.position, 0), a.hash, coalesce(s.position, 0) > 0, coalesce(l.position, 0),
    coalesce(f.position, 0)
  from root r
  left join audit_head a on a.root_id = r.id
  left join audit_signed s on s.root_id = r.id
  left join learning_head l on l.root_id = r.id
  left join security_head f on f.root_id = r.id
  where r.id > after order by r.id limit most
$$;
revoke execute on function restore_point_heads from public;
grant execute on function restore_point_heads to scholiast_worker;

create function restore_point_record(epoch bigint, positions json) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into restore_position (root_id, epoch, audit, learnings, security, metrics)
  select root_id, restore_point_record.epoch, audit, learnings, security, metrics
  from json_to_recordset(positions) as given (root_id uuid, audit int8, learnings int8, security int8, metrics int8)
$$;
revoke execute on function restore_point_record from public;
grant execute on function restore_point_record to scholiast_worker;

-- In every metrics store.
create function restore_point_metrics(roots uuid[]) returns table (root_id uuid, metrics bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select h.root_id, h.position from metrics_head h where h.root_id = any (roots)
$$;
revoke execute on function restore_point_metrics from public;
grant execute on function restore_point_metrics to scholiast_worker;
