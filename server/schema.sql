-- GENERATED from server/migrations by `npm run generate`. Do not edit: write a migration.

CREATE SCHEMA report;

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

CREATE TYPE public.finding_category AS ENUM (
    'data_integrity_and_integration',
    'functional_correctness',
    'maintainability_and_code_quality',
    'performance_and_scalability',
    'security_and_privacy',
    'stability_and_availability'
);

CREATE TYPE public.finding_severity AS ENUM (
    'critical',
    'major',
    'minor',
    'trivial',
    'info'
);

CREATE FUNCTION public.app_instance() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('app.instance'::text, true), ''::text))::uuid;

CREATE FUNCTION public.app_organizations() RETURNS uuid[]
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('app.organizations'::text, true), ''::text))::uuid[];

CREATE FUNCTION public.app_root() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('app.root'::text, true), ''::text))::uuid;

CREATE FUNCTION public.audit_chain(root uuid, after bigint, max_rows integer) RETURNS TABLE("position" bigint, digest bytea, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select l.position, l.digest, l.hash from audit_log l
  where l.root_id = root and root = app_root() and l.position > after
  order by l.position limit least(max_rows, 10000)
$$;

CREATE FUNCTION public.audit_clear_sweep(max_rows integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with outlived as (
    select c.root_id, c.position from audit_checkpoint k
    cross join lateral (select root_id, position from audit_clear
      where root_id = k.root_id and position <= k.position limit max_rows) c
    limit max_rows
  ), swept as (
    delete from audit_clear c using outlived o where c.root_id = o.root_id and c.position = o.position returning 1
  )
  select count(*) from swept
$$;

CREATE FUNCTION public.audit_log_count() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.audit_log_create_month(month date) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.audit_log_drop_before(first_kept date) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
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
  -- Their counts were deleted with those of their days; the trigger counts them again.
  insert into audit_log select * from audit_late;
  return cardinality(months);
end
$_$;

CREATE FUNCTION public.audit_mark_signed(roots uuid[], positions bigint[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  insert into audit_signed as s (root_id, position)
  select root_id, position from unnest(roots, positions) as signed (root_id, position)
  where exists (select from audit_head h where h.root_id = signed.root_id)
  on conflict (root_id) do update set position = greatest(s.position, excluded.position);
  update root_tombstone t set signed = true from unnest(roots, positions) as signed (root_id, position)
  where t.root_id = signed.root_id and t.position = signed.position
$$;

CREATE FUNCTION public.audit_retire(first_kept date, after uuid, max_rows integer) RETURNS TABLE(root_id uuid, "position" bigint, hash bytea)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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
    order by h.root_id limit max_rows);
  -- Writers count while they hold the head. Held here too, neither waits for the other in turn.
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

CREATE FUNCTION public.audit_store_heads(heads json, key_id text, key_text text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  insert into audit_public_key (key, public_key) values (key_id, key_text) on conflict do nothing;
  insert into audit_signed_head (root_id, position, kind, hash, at, key, signature)
  select root, position, kind, hash, at, key, signature
  from json_to_recordset(heads) as signed (root uuid, position int8, kind text, hash text, at text, key text, signature text)
  where exists (select from audit_head h where h.root_id = signed.root)
  on conflict do nothing
$$;

CREATE FUNCTION public.audit_sweep_heads(max_rows integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with outlived as (
    select h.root_id, h.position, h.kind, h.at from audit_signed_head h
    where h.kind = 'head' and (
      h.at < to_char(now() at time zone 'UTC' - interval '7 days', 'YYYY-MM-DD') and exists (
        select from audit_signed_head l where l.root_id = h.root_id and l.position > h.position and l.kind = 'head'
          and left(l.at, 10) = left(h.at, 10))
      or exists (select from audit_checkpoint c where c.root_id = h.root_id and c.position > h.position))
    limit max_rows
  ), swept as (
    delete from audit_signed_head h using outlived o
    where h.root_id = o.root_id and h.position = o.position and h.kind = o.kind and h.at = o.at returning 1
  )
  select count(*) from swept
$$;

CREATE FUNCTION public.audit_unsigned(max_rows integer) RETURNS TABLE(root_id uuid, "position" bigint, hash bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select h.root_id, h.position, h.hash from audit_head h left join audit_signed s on s.root_id = h.root_id
  where h.position > coalesce(s.position, 0)
  union all
  select t.root_id, t.position, t.hash from root_tombstone t where not t.signed and t.hash is not null
  limit max_rows
$$;

CREATE FUNCTION public.count_expiring_keys(at timestamp with time zone, until timestamp with time zone) RETURNS TABLE(kind text, value integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select k.kind, count(*) filter (where k.revoked_at is null and k.expires_at > at and k.expires_at <= until)::int
  from api_key k group by k.kind
$$;

CREATE FUNCTION public.count_new_seats() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into seat_head as h (root_id, assigned) select root_id, count(*)::int from added group by root_id
  on conflict (root_id) do update set assigned = h.assigned + excluded.assigned;
  return null;
end
$$;

CREATE FUNCTION public.count_removed_seats() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update seat_head h set assigned = h.assigned - gone.seats
  from (select root_id, count(*)::int as seats from removed group by root_id) gone
  where h.root_id = gone.root_id;
  return null;
end
$$;

CREATE PROCEDURE public.isolate_by_organization(IN target regclass)
    LANGUAGE plpgsql
    AS $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using (
       root_id = (select app_root())
       and ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
       and ((select app_instance()) is null
         or organization_id in (select id from organization where instance_id = (select app_instance()))))', target);
end
$$;

CREATE PROCEDURE public.isolate_by_organization_or_root(IN target regclass)
    LANGUAGE plpgsql
    AS $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using (
       root_id = (select app_root())
       and case
         when organization_id is null then (select coalesce(cardinality(app_organizations()), 2)) > 1
         else ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
           and ((select app_instance()) is null
             or organization_id in (select id from organization where instance_id = (select app_instance())))
         end)', target);
end
$$;

CREATE PROCEDURE public.isolate_by_root(IN target regclass)
    LANGUAGE plpgsql
    AS $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using (root_id = (select app_root()))', target);
end
$$;

CREATE PROCEDURE public.isolate_metrics(IN target regclass)
    LANGUAGE plpgsql
    AS $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using ((
       case
         when root_id is distinct from (select app_root()) then null
         when (select app_organizations() is null and app_instance() is null) then true
         when coalesce(organization_id = any ((select app_organizations())::uuid[]), true)
           and instance_id is not distinct from coalesce((select app_instance()), instance_id) then true
       end) is not null)', target);
end
$$;

CREATE FUNCTION public.learning_count_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    insert into learning_count as c
      select root_id, organization_id, repository, count(*)
      from added, unnest(array['', repository_id]) repository where state = 'shared'
      group by 1, 2, 3
    on conflict (root_id, organization_id, repository_id) do update set shared = c.shared + excluded.shared;
  elsif tg_op = 'DELETE' then
    update learning_count c set shared = c.shared - gone.shared
      from (select root_id, organization_id, repository, count(*) as shared
        from removed, unnest(array['', repository_id]) repository where state = 'shared' group by 1, 2, 3) gone
      where (c.root_id, c.organization_id, c.repository_id) = (gone.root_id, gone.organization_id, gone.repository);
  else
    insert into learning_count as c
      select a.root_id, a.organization_id, repository, count(*)
      from added a join removed r using (root_id, organization_id, id), unnest(array['', a.repository_id]) repository
      where a.state = 'shared' and r.state <> 'shared'
      group by 1, 2, 3
    on conflict (root_id, organization_id, repository_id) do update set shared = c.shared + excluded.shared;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.learning_index_create_vector_index(root uuid, organization uuid, of_model text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET maintenance_work_mem TO '512MB'
    AS $$
declare
  part regclass;
  dims integer;
  index_name text := 'learning_vector_' || substr(md5(organization || of_model), 1, 24);
begin
  select dimensions into dims from learning_model where model = of_model;
  select tableoid::regclass into part from learning_index
    where root_id = root and organization_id = organization and model = of_model limit 1;
  if dims is null or part is null then
    return false;
  end if;
  execute format(
    'create index if not exists %I on %s using hnsw ((embedding::halfvec(%s)) halfvec_ip_ops)
       where organization_id = %L and model = %L', index_name, part, dims, organization, of_model);
  insert into learning_vector_index values (root, organization, of_model, index_name) on conflict do nothing;
  return true;
end
$$;

CREATE FUNCTION public.learning_index_drop_vector_indexes(of_model text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  index_name text;
begin
  for index_name in delete from learning_vector_index where model = of_model returning name loop
    execute format('drop index if exists %I', index_name);
  end loop;
end
$$;

CREATE FUNCTION public.learning_pending_count(max_rows integer) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select count(*) from (select from learning where root_id = app_root() and state = 'pending' limit max_rows) pending
$$;

CREATE FUNCTION public.next_key_warning(ends timestamp with time zone, after timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    RETURN CASE WHEN ((ends - '336:00:00'::interval) > after) THEN (ends - '336:00:00'::interval) WHEN ((ends - '72:00:00'::interval) > after) THEN (ends - '72:00:00'::interval) ELSE NULL::timestamp with time zone END;

CREATE FUNCTION public.organization_entry(id uuid, name text, provider text, provider_organization_id text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((((((('{"id":"'::text || id) || '","name":'::text) || to_json(name)) || ',"provider":'::text) || to_json(provider)) || ',"provider_organization_id":'::text) || to_json(provider_organization_id)) || '}'::text);

CREATE FUNCTION public.record_key_uses(roots uuid[], keys uuid[], moments timestamp with time zone[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with used as (
    select k.root_id, k.id, u.moment
    from unnest(roots, keys, moments) u (root_id, id, moment)
    join api_key k on k.root_id = u.root_id and k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.moment
    order by k.root_id, k.id for no key update of k skip locked
  )
  update api_key k set last_used_at = used.moment from used where k.root_id = used.root_id and k.id = used.id
$$;

CREATE FUNCTION public.record_restriction() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  root uuid := changed ->> 'root_id';
begin
  -- The rows of a root that is being deleted need not be deleted one by one after a restore.
  if tg_table_name = 'root_tombstone' or not exists (select from root_tombstone where root_id = root) then
    insert into restriction (root_id, change)
    select root, jsonb_build_object('table', tg_table_name, 'deleted', tg_op = 'DELETE') || jsonb_object_agg(name, changed -> name)
    from unnest(tg_argv) as name;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.record_session_uses(roots uuid[], sessions uuid[], moments timestamp with time zone[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with used as (
    select s.root_id, s.id, u.moment
    from unnest(roots, sessions, moments) u (root_id, id, moment)
    join session s on s.root_id = u.root_id and s.id = u.id
    where s.last_used_at < u.moment and s.ended_at is null
    order by s.root_id, s.id for no key update of s skip locked
  )
  update session s set last_used_at = used.moment from used where s.root_id = used.root_id and s.id = used.id
$$;

CREATE FUNCTION public.repository_entry(id uuid, name text, provider text, provider_repository_id text, private boolean) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((((((((('{"id":"'::text || id) || '","name":'::text) || to_json(name)) || ',"provider":'::text) || to_json(provider)) || ',"provider_repository_id":'::text) || to_json(provider_repository_id)) || ',"private":'::text) || CASE WHEN private THEN 'true'::text ELSE 'false'::text END) || '}'::text);

CREATE FUNCTION public.require_lock(name text, holder integer, since text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(name, 7216));
  if not exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.pid = holder and a.backend_start::text = since
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(name, 7215)
  ) then
    raise exception 'The lock "%" was lost: another worker may hold it.', name using errcode = 'lock_not_available';
  end if;
end
$$;

CREATE FUNCTION public.restore_point_heads(after uuid, max_rows integer) RETURNS TABLE(root_id uuid, audit bigint, audit_hash bytea, signed boolean, learnings bigint, security bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select r.id, coalesce(a.position, 0), a.hash, coalesce(s.position, 0) > 0, coalesce(l.position, 0),
    coalesce(f.position, 0)
  from root r
  left join audit_head a on a.root_id = r.id
  left join audit_signed s on s.root_id = r.id
  left join learning_head l on l.root_id = r.id
  left join security_head f on f.root_id = r.id
  where r.id > after order by r.id limit max_rows
$$;

CREATE FUNCTION public.restore_point_metrics(roots uuid[]) RETURNS TABLE(root_id uuid, metrics bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select h.root_id, h.position from metrics_head h where h.root_id = any (roots)
$$;

CREATE FUNCTION public.restore_point_record(epoch bigint, positions json) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  insert into restore_position (root_id, epoch, audit, learnings, security, metrics)
  select root_id, restore_point_record.epoch, audit, learnings, security, metrics
  from json_to_recordset(positions) as given (root_id uuid, audit int8, learnings int8, security int8, metrics int8)
$$;

CREATE FUNCTION public.root_delete_audit(target text, max_rows integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
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
      select position, at from audit_log where root_id = root order by position limit max_rows)
    delete from audit_log l using page p where l.root_id = root and l.position = p.position and l.at = p.at;
  elsif target in ('audit_count', 'audit_actor', 'audit_checkpoint', 'audit_signed', 'audit_signed_head', 'audit_head') then
    execute format('delete from %1$I where root_id = $1
      and ctid = any (array(select ctid from %1$I where root_id = $1 limit $2))', target) using root, max_rows;
  else
    raise exception '% is no table of the audit log', target;
  end if;
  get diagnostics deleted = row_count;
  return deleted;
end
$_$;

CREATE FUNCTION public.root_delete_vector_indexes() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  index_name text;
  deleted bigint := 0;
begin
  perform from root_tombstone where root_id = app_root() and finished_at is null;
  if not found then
    raise exception 'the tenant root is not being deleted';
  end if;
  for index_name in delete from learning_vector_index where root_id = app_root() returning name loop
    execute format('drop index if exists %I', index_name);
    deleted := deleted + 1;
  end loop;
  return deleted;
end
$$;

CREATE FUNCTION public.roots_with_keys_to_warn(at timestamp with time zone, after uuid, max_rows integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select distinct root_id from api_key where warn_at <= at and root_id > after order by root_id limit max_rows
$$;

CREATE FUNCTION public.set_key_warning() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if new.revoked_at is not null then
    new.warn_at := null;
  elsif tg_op = 'INSERT' then
    new.warn_at := next_key_warning(new.expires_at, new.created_at);
  elsif new.expires_at is distinct from old.expires_at then
    new.warn_at := next_key_warning(new.expires_at, now());
  end if;
  return new;
end
$$;

CREATE TABLE public.account (
    root_id uuid NOT NULL,
    provider text NOT NULL,
    host text NOT NULL,
    account_id text NOT NULL,
    username text NOT NULL,
    person_id uuid NOT NULL,
    inventory_at timestamp with time zone
);

CREATE TABLE public.api_key (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    organization_id uuid,
    instance_id uuid,
    organization_ids uuid[],
    owner_id uuid,
    permissions text[] NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    warn_at timestamp with time zone,
    CONSTRAINT api_key_check CHECK (((kind = ANY (ARRAY['organization'::text, 'user'::text, 'legacy'::text, 'agentic'::text, 'instance'::text])) = (organization_id IS NOT NULL))),
    CONSTRAINT api_key_check1 CHECK (((kind = 'instance'::text) = (instance_id IS NOT NULL))),
    CONSTRAINT api_key_check2 CHECK (((kind = ANY (ARRAY['instance'::text, 'ingest'::text])) = (owner_id IS NULL))),
    CONSTRAINT api_key_check3 CHECK (((kind <> ALL (ARRAY['workspace'::text, 'ingest'::text])) OR (expires_at IS NOT NULL))),
    CONSTRAINT api_key_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_key_kind_check CHECK ((kind = ANY (ARRAY['organization'::text, 'user'::text, 'workspace'::text, 'instance'::text, 'legacy'::text, 'agentic'::text, 'ingest'::text])))
);

CREATE TABLE public.applied_learning_event (
    root_id uuid NOT NULL,
    event_id text NOT NULL,
    organization_id uuid NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.audit_actor (
    root_id uuid NOT NULL,
    organization_id uuid,
    actor_kind text NOT NULL,
    actor_id uuid
);

CREATE TABLE public.audit_checkpoint (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    hash bytea NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.audit_clear (
    root_id uuid NOT NULL,
    organization_id uuid,
    "position" bigint NOT NULL,
    person_id uuid,
    clear jsonb NOT NULL
);

CREATE TABLE public.audit_count (
    root_id uuid NOT NULL,
    organization_id uuid,
    instance_id uuid,
    day date NOT NULL,
    action text NOT NULL,
    resource_type text NOT NULL,
    rows bigint NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.audit_head (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL
);

CREATE TABLE public.audit_log (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    organization_id uuid,
    at timestamp with time zone NOT NULL,
    action text NOT NULL,
    resource_type text NOT NULL,
    resource_id text,
    actor_kind text NOT NULL,
    actor_id uuid,
    metadata jsonb NOT NULL,
    sealed jsonb NOT NULL,
    digest bytea NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['person'::text, 'key'::text, 'operator'::text, 'service'::text])))
)
PARTITION BY RANGE (at);

CREATE TABLE public.audit_log_default (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    id uuid NOT NULL,
    organization_id uuid,
    at timestamp with time zone NOT NULL,
    action text NOT NULL,
    resource_type text NOT NULL,
    resource_id text,
    actor_kind text NOT NULL,
    actor_id uuid,
    metadata jsonb NOT NULL,
    sealed jsonb NOT NULL,
    digest bytea NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['person'::text, 'key'::text, 'operator'::text, 'service'::text])))
);

CREATE TABLE public.audit_public_key (
    key text NOT NULL,
    public_key text NOT NULL,
    first_used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.audit_signed (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL
);

CREATE TABLE public.audit_signed_head (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    kind text NOT NULL,
    hash text NOT NULL,
    at text NOT NULL,
    key text NOT NULL,
    signature text NOT NULL,
    CONSTRAINT audit_signed_head_kind_check CHECK ((kind = ANY (ARRAY['head'::text, 'checkpoint'::text, 'restored'::text])))
);

CREATE TABLE public.backfill (
    name text NOT NULL,
    current_root uuid,
    next_after text,
    done bigint DEFAULT 0 NOT NULL,
    total bigint NOT NULL,
    changed bigint DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone
);

CREATE TABLE public.closed_pull_request (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    repository_id text NOT NULL,
    number bigint NOT NULL,
    merged boolean NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.connector (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    host text NOT NULL,
    mode text NOT NULL,
    account text NOT NULL,
    external_account_id text,
    credential bytea NOT NULL,
    hook_secret bytea,
    key_id text NOT NULL,
    write_back boolean DEFAULT false NOT NULL,
    bots jsonb DEFAULT '[]'::jsonb NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    error text,
    write_back_error text,
    git_error text,
    retry_at timestamp with time zone,
    backfill_retry_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    inventory_digest bytea,
    inventory_sent_at timestamp with time zone,
    inventory_due_at timestamp with time zone NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    last_event_at timestamp with time zone,
    CONSTRAINT connector_account_check CHECK (((length(account) >= 1) AND (length(account) <= 255))),
    CONSTRAINT connector_check CHECK (((mode = 'hooks'::text) = (hook_secret IS NOT NULL))),
    CONSTRAINT connector_error_check CHECK (((length(error) >= 1) AND (length(error) <= 500))),
    CONSTRAINT connector_external_account_id_check CHECK (((length(external_account_id) >= 1) AND (length(external_account_id) <= 255))),
    CONSTRAINT connector_host_check CHECK (((length(host) >= 1) AND (length(host) <= 255))),
    CONSTRAINT connector_key_id_check CHECK (((length(key_id) >= 1) AND (length(key_id) <= 32))),
    CONSTRAINT connector_mode_check CHECK ((mode = ANY (ARRAY['hooks'::text, 'polling'::text]))),
    CONSTRAINT connector_provider_check CHECK ((provider = ANY (ARRAY['github'::text, 'gitlab'::text]))),
    CONSTRAINT connector_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'failing'::text])))
);

CREATE TABLE public.connector_budget (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    resource text NOT NULL,
    limit_points integer,
    remaining integer,
    resets_at timestamp with time zone,
    calls double precision NOT NULL,
    busy_ms double precision NOT NULL,
    refilled_at timestamp with time zone NOT NULL,
    in_flight timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    blocked_until timestamp with time zone,
    blocks integer DEFAULT 0 NOT NULL,
    CONSTRAINT connector_budget_limit_points_check CHECK ((limit_points > 0)),
    CONSTRAINT connector_budget_resource_check CHECK ((resource = ANY (ARRAY['rest'::text, 'graphql'::text])))
);

CREATE TABLE public.connector_check_run (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    repository_id text NOT NULL,
    number bigint NOT NULL,
    head_sha text NOT NULL,
    check_run_id text NOT NULL,
    digest bytea NOT NULL,
    written_at timestamp with time zone NOT NULL,
    CONSTRAINT connector_check_run_check_run_id_check CHECK (((length(check_run_id) >= 1) AND (length(check_run_id) <= 64))),
    CONSTRAINT connector_check_run_head_sha_check CHECK (((length(head_sha) >= 1) AND (length(head_sha) <= 64))),
    CONSTRAINT connector_check_run_number_check CHECK ((number > 0)),
    CONSTRAINT connector_check_run_repository_id_check CHECK (((length(repository_id) >= 1) AND (length(repository_id) <= 200)))
);

CREATE TABLE public.connector_code_scanning (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    repository_id text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    marks bigint DEFAULT 0 NOT NULL,
    digests jsonb DEFAULT '{}'::jsonb NOT NULL,
    last_occurred_at timestamp with time zone,
    CONSTRAINT connector_code_scanning_repository_id_check CHECK (((length(repository_id) >= 1) AND (length(repository_id) <= 200)))
);

CREATE TABLE public.connector_command (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    repository_id text NOT NULL,
    number bigint NOT NULL,
    comment_id text NOT NULL,
    author_id text NOT NULL,
    outcome text NOT NULL,
    handled_at timestamp with time zone NOT NULL,
    CONSTRAINT connector_command_author_id_check CHECK (((length(author_id) >= 1) AND (length(author_id) <= 64))),
    CONSTRAINT connector_command_comment_id_check CHECK (((length(comment_id) >= 1) AND (length(comment_id) <= 64))),
    CONSTRAINT connector_command_number_check CHECK ((number > 0)),
    CONSTRAINT connector_command_outcome_check CHECK ((outcome = ANY (ARRAY['refused'::text, 'started'::text, 'done'::text]))),
    CONSTRAINT connector_command_repository_id_check CHECK (((length(repository_id) >= 1) AND (length(repository_id) <= 200)))
);

CREATE TABLE public.connector_delivery (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    delivery_id text NOT NULL,
    kind text NOT NULL,
    repository_id text,
    number bigint,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT connector_delivery_delivery_id_check CHECK (((length(delivery_id) >= 1) AND (length(delivery_id) <= 200))),
    CONSTRAINT connector_delivery_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 100)))
);

CREATE TABLE public.connector_instruction (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    repository_id text NOT NULL,
    digest bytea NOT NULL,
    number bigint NOT NULL,
    state text NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    CONSTRAINT connector_instruction_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT connector_instruction_number_check CHECK ((number > 0)),
    CONSTRAINT connector_instruction_repository_id_check CHECK (((length(repository_id) >= 1) AND (length(repository_id) <= 200))),
    CONSTRAINT connector_instruction_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'refused'::text, 'waiting'::text])))
);

CREATE TABLE public.connector_pull_request (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    repository_id text NOT NULL,
    number bigint NOT NULL,
    dirty_since timestamp with time zone,
    marks bigint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    state text,
    finished_at timestamp with time zone,
    digest bytea,
    last_occurred_at timestamp with time zone,
    last_read_at timestamp with time zone,
    unparsed_comments integer DEFAULT 0 NOT NULL,
    omitted_comments integer DEFAULT 0 NOT NULL,
    seen_findings jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT connector_pull_request_number_check CHECK ((number > 0)),
    CONSTRAINT connector_pull_request_repository_id_check CHECK (((length(repository_id) >= 1) AND (length(repository_id) <= 200))),
    CONSTRAINT connector_pull_request_state_check CHECK ((state = ANY (ARRAY['open'::text, 'merged'::text, 'closed'::text])))
);

CREATE TABLE public.connector_repository (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    repository_id text NOT NULL,
    full_name text NOT NULL,
    private boolean NOT NULL,
    active boolean DEFAULT true NOT NULL,
    readers text[] DEFAULT '{}'::text[] NOT NULL,
    readers_due_at timestamp with time zone NOT NULL,
    polled_to timestamp with time zone,
    poll_due_at timestamp with time zone NOT NULL,
    sweep_due_at timestamp with time zone NOT NULL,
    backfill_since timestamp with time zone NOT NULL,
    backfill_cursor text,
    backfill_done integer DEFAULT 0 NOT NULL,
    backfill_total integer,
    backfill_started_at timestamp with time zone,
    backfill_finished_at timestamp with time zone,
    unparsed_comments integer DEFAULT 0 NOT NULL,
    omitted_comments integer DEFAULT 0 NOT NULL,
    lease_owner uuid,
    lease_until timestamp with time zone,
    CONSTRAINT connector_repository_full_name_check CHECK (((length(full_name) >= 1) AND (length(full_name) <= 500))),
    CONSTRAINT connector_repository_repository_id_check CHECK (((length(repository_id) >= 1) AND (length(repository_id) <= 200)))
);

CREATE TABLE public.counted_event_id (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    event_id text NOT NULL,
    digest bytea NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.custom_role (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    permissions text[] NOT NULL,
    is_default boolean DEFAULT false NOT NULL
);

CREATE UNLOGGED TABLE public.event_status (
    root_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    event_id text NOT NULL,
    status text NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT event_status_status_check CHECK ((status = ANY (ARRAY['stored'::text, 'refused'::text, 'parked'::text])))
);

CREATE TABLE public.finding (
    root_id uuid NOT NULL,
    pull_request_key uuid NOT NULL,
    ordinal smallint NOT NULL,
    finding_id text NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    repository_id text NOT NULL,
    author_id text,
    day date NOT NULL,
    counted boolean NOT NULL,
    url text NOT NULL,
    reviewer text,
    severity public.finding_severity,
    category public.finding_category,
    accepted boolean,
    source text,
    rule text,
    evidence json,
    decided_at timestamp with time zone,
    file text,
    start_line integer,
    end_line integer,
    commit text,
    posted_at timestamp with time zone,
    posted_as text,
    raw_severity text,
    bot_key text,
    parser text,
    sketch text,
    CONSTRAINT finding_source_check CHECK ((source = ANY (ARRAY['detector'::text, 'person'::text, 'provider'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');

CREATE TABLE public.finding_week (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid NOT NULL,
    week date NOT NULL,
    reviewer text NOT NULL,
    severity text NOT NULL,
    category text NOT NULL,
    posted integer NOT NULL,
    accepted integer NOT NULL,
    not_accepted integer NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.02');

CREATE TABLE public.idempotent_request (
    root_id uuid NOT NULL,
    key_hash bytea NOT NULL,
    organization_id uuid,
    request_hash bytea NOT NULL,
    status integer,
    body text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.identity (
    root_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    person_id uuid NOT NULL,
    linked_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL
);

CREATE TABLE public.instance (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    host text NOT NULL,
    name text NOT NULL,
    sends_metrics boolean DEFAULT false NOT NULL
);

CREATE TABLE public.inventory_removal (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    account_id text NOT NULL,
    repository_id text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.learning (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    id uuid NOT NULL,
    repository_id text NOT NULL,
    state text NOT NULL,
    text text NOT NULL,
    flags text[],
    content_hash bytea NOT NULL,
    redactor_version integer NOT NULL,
    file text,
    source_url text,
    author_id text,
    author_username text,
    person_id uuid,
    source text NOT NULL,
    pull_request bigint,
    deadline timestamp with time zone,
    "position" bigint,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    usage_count bigint DEFAULT 0 NOT NULL,
    CONSTRAINT learning_check CHECK (((state = 'shared'::text) = ("position" IS NOT NULL))),
    CONSTRAINT learning_check1 CHECK (((deadline IS NULL) OR (state = ANY (ARRAY['pending'::text, 'private'::text])))),
    CONSTRAINT learning_content_hash_check CHECK ((length(content_hash) = 32)),
    CONSTRAINT learning_source_check CHECK ((source = ANY (ARRAY['api'::text, 'chat'::text, 'review'::text, 'agent'::text, 'connector'::text]))),
    CONSTRAINT learning_state_check CHECK ((state = ANY (ARRAY['private'::text, 'pending'::text, 'shared'::text, 'disapproved'::text])))
)
WITH (fillfactor='90');

CREATE TABLE public.learning_calibration (
    model text NOT NULL,
    similarity double precision NOT NULL,
    terms double precision NOT NULL,
    floor double precision NOT NULL,
    unshared_floor double precision NOT NULL,
    strong double precision NOT NULL,
    calibrated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.learning_count (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    repository_id text NOT NULL,
    shared bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.learning_head (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    redactor_version integer NOT NULL
);

CREATE TABLE public.learning_index (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
)
PARTITION BY HASH (organization_id);

CREATE TABLE public.learning_index_0 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_1 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_10 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_11 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_12 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_13 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_14 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_15 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_2 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_3 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_4 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_5 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_6 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_7 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_8 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_index_9 (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    model text NOT NULL,
    content_hash bytea NOT NULL,
    embedding public.halfvec NOT NULL,
    terms bigint[] NOT NULL
);

CREATE TABLE public.learning_model (
    model text NOT NULL,
    dimensions integer NOT NULL,
    state text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT learning_model_dimensions_check CHECK (((dimensions >= 1) AND (dimensions <= 4000))),
    CONSTRAINT learning_model_state_check CHECK ((state = ANY (ARRAY['filling'::text, 'active'::text, 'retired'::text])))
);

CREATE TABLE public.learning_origin (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    learning_id uuid NOT NULL,
    repository_id text NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.learning_setting (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    repository_id text DEFAULT ''::text NOT NULL,
    scope text,
    approval_delay integer,
    CONSTRAINT learning_setting_approval_delay_check CHECK (((approval_delay >= 0) AND (approval_delay <= 30))),
    CONSTRAINT learning_setting_scope_check CHECK ((scope = ANY (ARRAY['auto'::text, 'global'::text, 'local'::text])))
);

CREATE TABLE public.learning_task (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    learning_id uuid NOT NULL,
    kind text NOT NULL,
    at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    CONSTRAINT learning_task_kind_check CHECK ((kind = ANY (ARRAY['index'::text, 'approve'::text])))
);

CREATE TABLE public.learning_tombstone (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    content_hash bytea NOT NULL,
    id uuid NOT NULL,
    repository_id text NOT NULL,
    redactor_version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT learning_tombstone_content_hash_check CHECK ((length(content_hash) = 32))
);

CREATE TABLE public.learning_vector_index (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    model text NOT NULL,
    name text NOT NULL
);

CREATE UNLOGGED TABLE public.limit_window (
    root_id uuid NOT NULL,
    policy text NOT NULL,
    owner_id uuid NOT NULL,
    stamps timestamp with time zone[] NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.mcp_day (
    root_id uuid NOT NULL,
    day date NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL
);

CREATE TABLE public.mcp_event (
    root_id uuid NOT NULL,
    pull_request_key uuid NOT NULL,
    event_id text NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid
);

CREATE TABLE public.mcp_usage (
    root_id uuid NOT NULL,
    pull_request_key uuid NOT NULL,
    repository_id text NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    author_id text,
    day date,
    "position" bigint,
    servers json NOT NULL,
    entry text,
    CONSTRAINT mcp_usage_check CHECK ((num_nulls(day, "position", entry) = ANY (ARRAY[0, 3])))
)
WITH (toast_tuple_target='4064');
ALTER TABLE ONLY public.mcp_usage ALTER COLUMN servers SET COMPRESSION lz4;
ALTER TABLE ONLY public.mcp_usage ALTER COLUMN entry SET STORAGE EXTERNAL;

CREATE TABLE public.membership (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    account_id text NOT NULL,
    person_id uuid NOT NULL,
    system_role text,
    custom_role_id uuid,
    inventory_at timestamp with time zone,
    CONSTRAINT membership_check CHECK ((num_nonnulls(system_role, custom_role_id) = 1)),
    CONSTRAINT membership_system_role_check CHECK ((system_role = ANY (ARRAY['cr_admin'::text, 'cr_member'::text, 'cr_billing_admin'::text])))
);

CREATE TABLE public.metrics_day (
    root_id uuid NOT NULL,
    day date NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL
);

CREATE TABLE public.metrics_head (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    largest_entry integer DEFAULT 0 NOT NULL,
    largest_review integer DEFAULT 0 NOT NULL,
    largest_mcp integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    move integer DEFAULT 0 NOT NULL,
    arrival jsonb,
    CONSTRAINT metrics_head_state_check CHECK ((state = ANY (ARRAY['active'::text, 'incoming'::text, 'moved'::text])))
);

CREATE TABLE public.metrics_placement (
    root_id uuid NOT NULL,
    store text NOT NULL,
    moving_to text,
    leaving text,
    move integer DEFAULT 0 NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.migration (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    contract boolean DEFAULT false NOT NULL
);

CREATE TABLE public.organization (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    instance_id uuid,
    provider text NOT NULL,
    host text NOT NULL,
    provider_organization_id text NOT NULL,
    name text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    metrics_enabled boolean DEFAULT true NOT NULL,
    seat_assignment_mode text DEFAULT 'manual'::text NOT NULL,
    currency text,
    inventory_at timestamp with time zone,
    connector_members text[] DEFAULT '{}'::text[] NOT NULL,
    entry text GENERATED ALWAYS AS (public.organization_entry(id, name, provider, provider_organization_id)) STORED NOT NULL,
    CONSTRAINT organization_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT organization_seat_assignment_mode_check CHECK ((seat_assignment_mode = ANY (ARRAY['automatic'::text, 'manual'::text])))
);

CREATE TABLE public.outbox (
    id bigint NOT NULL,
    root_id uuid NOT NULL,
    event_id uuid NOT NULL,
    type text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.outcome (
    root_id uuid NOT NULL,
    pull_request_key uuid NOT NULL,
    finding_id text NOT NULL,
    event_id text NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    accepted_before boolean,
    accepted boolean,
    source text NOT NULL,
    rule text,
    evidence json,
    at timestamp with time zone NOT NULL,
    CONSTRAINT outcome_source_check CHECK ((source = ANY (ARRAY['detector'::text, 'person'::text, 'provider'::text])))
);

CREATE TABLE public.passkey (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    person_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkey_counter_check CHECK ((counter >= 0)),
    CONSTRAINT passkey_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
    CONSTRAINT passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT passkey_public_key_check CHECK ((length(public_key) <= 8192))
);

CREATE TABLE public.person (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    email text,
    name text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    workspace_admin boolean DEFAULT false NOT NULL,
    erased_at timestamp with time zone,
    CONSTRAINT person_email_check CHECK ((email = lower(email))),
    CONSTRAINT person_erased CHECK (((erased_at IS NULL) OR (email IS NULL)))
);

CREATE TABLE public.pull_request (
    root_id uuid NOT NULL,
    pull_request_key uuid NOT NULL,
    provider text NOT NULL,
    host text NOT NULL,
    repository_id text NOT NULL,
    number bigint NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    provider_organization_id text NOT NULL,
    organization_name text NOT NULL,
    repository_name text,
    url text NOT NULL,
    author_id text,
    author_username text,
    status text NOT NULL,
    created_at timestamp with time zone,
    ready_for_review_at timestamp with time zone,
    first_human_review_at timestamp with time zone,
    last_commit_at timestamp with time zone,
    merged_at timestamp with time zone,
    closed_at timestamp with time zone,
    review_iterations bigint,
    estimated_complexity smallint,
    estimated_review_minutes double precision,
    reviewers text[] NOT NULL,
    day date NOT NULL,
    "position" bigint NOT NULL,
    event_id text NOT NULL,
    event_at timestamp with time zone NOT NULL,
    counted boolean NOT NULL,
    entry text,
    review text NOT NULL,
    CONSTRAINT pull_request_check CHECK (((entry IS NOT NULL) = counted)),
    CONSTRAINT pull_request_status_check CHECK ((status = ANY (ARRAY['merged'::text, 'closed'::text])))
)
WITH (toast_tuple_target='2032', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');
ALTER TABLE ONLY public.pull_request ALTER COLUMN entry SET STORAGE MAIN;
ALTER TABLE ONLY public.pull_request ALTER COLUMN entry SET COMPRESSION lz4;
ALTER TABLE ONLY public.pull_request ALTER COLUMN review SET STORAGE MAIN;
ALTER TABLE ONLY public.pull_request ALTER COLUMN review SET COMPRESSION lz4;

CREATE UNLOGGED TABLE public.received_event_count (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    type text NOT NULL,
    hour timestamp with time zone NOT NULL,
    events bigint NOT NULL
)
WITH (fillfactor='50');

CREATE UNLOGGED TABLE public.refusal_count (
    root_id uuid NOT NULL,
    key_id uuid NOT NULL,
    organization_id uuid,
    route text NOT NULL,
    code text NOT NULL,
    minute timestamp with time zone NOT NULL,
    refused integer NOT NULL
);

CREATE TABLE public.repository (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    provider_repository_id text NOT NULL,
    name text NOT NULL,
    private boolean DEFAULT true NOT NULL,
    active boolean DEFAULT true NOT NULL,
    inventory_at timestamp with time zone,
    entry text GENERATED ALWAYS AS (public.repository_entry(id, name, provider, provider_repository_id, private)) STORED NOT NULL
);

CREATE TABLE public.repository_access (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    repository_id uuid NOT NULL,
    person_id uuid NOT NULL,
    verified_at timestamp with time zone NOT NULL
);

CREATE TABLE public.restore_drill (
    ended_at timestamp with time zone DEFAULT now() NOT NULL,
    data_until timestamp with time zone,
    seconds integer NOT NULL,
    CONSTRAINT restore_drill_seconds_check CHECK ((seconds >= 0))
);

CREATE TABLE public.restore_point (
    epoch bigint NOT NULL,
    restored_to timestamp with time zone NOT NULL,
    declared_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    CONSTRAINT restore_point_epoch_check CHECK ((epoch > 0))
);

CREATE TABLE public.restore_position (
    root_id uuid NOT NULL,
    epoch bigint NOT NULL,
    audit bigint NOT NULL,
    learnings bigint NOT NULL,
    security bigint NOT NULL,
    metrics bigint NOT NULL
);

CREATE TABLE public.restriction (
    id bigint NOT NULL,
    root_id uuid NOT NULL,
    change jsonb NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.restriction ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.restriction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.review_comment_change (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    pull_request_key uuid NOT NULL,
    entry text NOT NULL
);

CREATE TABLE public.reviewer_price (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    reviewer text NOT NULL,
    price_per_month double precision NOT NULL,
    since date,
    CONSTRAINT reviewer_price_price_per_month_check CHECK ((price_per_month >= (0)::double precision))
);

CREATE TABLE public.role_job (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    instance_id uuid NOT NULL,
    organization_ids uuid[],
    role text NOT NULL,
    user_ids text[] NOT NULL,
    key_id uuid NOT NULL,
    address text NOT NULL,
    done_until uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT role_job_role_check CHECK ((role = ANY (ARRAY['cr_admin'::text, 'cr_member'::text])))
);

CREATE TABLE public.role_job_user (
    root_id uuid NOT NULL,
    job_id uuid NOT NULL,
    user_id text NOT NULL,
    code text,
    CONSTRAINT role_job_user_code_check CHECK ((code = ANY (ARRAY['PROTECTED_ROLE'::text, 'LAST_ADMIN'::text, 'USER_INACTIVE'::text, 'INTERNAL_ERROR'::text])))
);

CREATE TABLE public.root (
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    sso boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT root_check CHECK (((kind = 'workspace'::text) OR (NOT sso))),
    CONSTRAINT root_kind_check CHECK ((kind = ANY (ARRAY['workspace'::text, 'instance'::text, 'organization'::text])))
);

CREATE TABLE public.root_tombstone (
    root_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    "position" bigint,
    hash bytea,
    signed boolean DEFAULT false NOT NULL,
    revoked_credentials uuid[] DEFAULT '{}'::uuid[] NOT NULL
);

CREATE TABLE public.sarif_upload (
    root_id uuid NOT NULL,
    organization_id uuid,
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    bytes bigint NOT NULL
);

CREATE TABLE public.sarif_upload_part (
    root_id uuid NOT NULL,
    organization_id uuid,
    upload_id uuid NOT NULL,
    run integer NOT NULL,
    part integer NOT NULL,
    findings jsonb NOT NULL
);

CREATE TABLE public.sarif_upload_usage (
    root_id uuid NOT NULL,
    bytes bigint NOT NULL
);

CREATE TABLE public.scim_credential (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT scim_credential_check CHECK (((expires_at - created_at) <= '366 days'::interval)),
    CONSTRAINT scim_credential_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT scim_credential_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

CREATE TABLE public.scim_group (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    external_id text,
    display_name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT scim_group_display_name_check CHECK (((length(display_name) >= 1) AND (length(display_name) <= 1000))),
    CONSTRAINT scim_group_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 1000)))
);

CREATE TABLE public.scim_group_member (
    root_id uuid NOT NULL,
    group_id uuid NOT NULL,
    person_id uuid NOT NULL
);

CREATE TABLE public.scim_group_role (
    root_id uuid NOT NULL,
    group_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    system_role text,
    custom_role_id uuid,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT scim_group_role_check CHECK ((num_nonnulls(system_role, custom_role_id) = 1)),
    CONSTRAINT scim_group_role_system_role_check CHECK ((system_role = ANY (ARRAY['cr_admin'::text, 'cr_member'::text])))
);

CREATE TABLE public.scim_user (
    root_id uuid NOT NULL,
    person_id uuid NOT NULL,
    external_id text,
    user_name text NOT NULL,
    attributes jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT scim_user_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 1000))),
    CONSTRAINT scim_user_user_name_check CHECK (((length(user_name) >= 1) AND (length(user_name) <= 1000)))
);

CREATE TABLE public.seat (
    root_id uuid NOT NULL,
    person_id uuid NOT NULL,
    assigned_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.seat_head (
    root_id uuid NOT NULL,
    assigned integer NOT NULL,
    CONSTRAINT seat_head_assigned_check CHECK ((assigned >= 0))
);

CREATE TABLE public.seat_request (
    root_id uuid NOT NULL,
    person_id uuid NOT NULL,
    organization_id uuid,
    requested_at timestamp with time zone,
    decided_at timestamp with time zone,
    CONSTRAINT seat_request_check CHECK ((num_nonnulls(requested_at, decided_at) > 0))
);

CREATE TABLE public.security_finding (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    id uuid NOT NULL,
    provider text NOT NULL,
    host text NOT NULL,
    provider_organization_id text NOT NULL,
    organization_name text NOT NULL,
    repository_id text NOT NULL,
    repository_name text NOT NULL,
    scan_id text NOT NULL,
    severity text NOT NULL,
    state text NOT NULL,
    dismissal_reason text,
    dismissal_comment text,
    dismissed_by text,
    dismissed_at timestamp with time zone,
    cwe text,
    title text NOT NULL,
    description text NOT NULL,
    file_path text NOT NULL,
    start_line integer,
    end_line integer,
    rule_id text NOT NULL,
    tool text NOT NULL,
    fingerprint text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    "position" bigint NOT NULL,
    given_fingerprint text,
    code text DEFAULT ''::text NOT NULL,
    facts_hash text DEFAULT ''::text NOT NULL,
    lanes jsonb DEFAULT '{}'::jsonb NOT NULL,
    decision jsonb,
    suppression jsonb,
    redactor_version integer DEFAULT 1 NOT NULL,
    CONSTRAINT security_finding_check CHECK ((end_line >= start_line)),
    CONSTRAINT security_finding_check1 CHECK ((last_seen_at >= first_seen_at)),
    CONSTRAINT security_finding_check2 CHECK (((state = 'dismissed'::text) = (dismissal_reason IS NOT NULL))),
    CONSTRAINT security_finding_dismissal_reason_check CHECK ((dismissal_reason = ANY (ARRAY['false_positive'::text, 'wont_fix'::text, 'used_in_tests'::text, 'other'::text]))),
    CONSTRAINT security_finding_severity_check CHECK ((severity = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'info'::text]))),
    CONSTRAINT security_finding_start_line_check CHECK ((start_line >= 1)),
    CONSTRAINT security_finding_state_check CHECK ((state = ANY (ARRAY['open'::text, 'fixed'::text, 'dismissed'::text])))
)
WITH (fillfactor='80');

CREATE TABLE public.security_head (
    root_id uuid NOT NULL,
    "position" bigint NOT NULL
);

CREATE TABLE public.security_scan (
    root_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    instance_id uuid,
    repository_id text NOT NULL,
    tool text NOT NULL,
    scan_id text NOT NULL,
    part text NOT NULL,
    complete boolean NOT NULL,
    branch text NOT NULL,
    category text NOT NULL,
    commit text,
    at timestamp with time zone NOT NULL,
    event_id text NOT NULL,
    findings integer NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.session (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    hash bytea NOT NULL,
    person_id uuid NOT NULL,
    method text NOT NULL,
    issuer text,
    subject text,
    provider_session text,
    passkey_id uuid,
    user_agent text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    authenticated_at timestamp with time zone,
    last_used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT session_check CHECK (((method = 'provider'::text) = ((issuer IS NOT NULL) AND (subject IS NOT NULL)))),
    CONSTRAINT session_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT session_method_check CHECK ((method = ANY (ARRAY['provider'::text, 'passkey'::text, 'link'::text]))),
    CONSTRAINT session_user_agent_check CHECK ((length(user_agent) <= 200))
);

CREATE TABLE public.sign_in_link (
    root_id uuid NOT NULL,
    id uuid NOT NULL,
    person_id uuid NOT NULL,
    purpose text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT sign_in_link_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT sign_in_link_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'invitation'::text])))
);

CREATE TABLE public.subscription (
    root_id uuid NOT NULL,
    plan text NOT NULL,
    active boolean NOT NULL,
    seats_purchased integer NOT NULL,
    CONSTRAINT subscription_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'enterprise'::text]))),
    CONSTRAINT subscription_seats_purchased_check CHECK ((seats_purchased >= 0))
);

CREATE TABLE public.used_nonce (
    hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT used_nonce_hash_check CHECK ((length(hash) = 32))
);

CREATE VIEW report.finding AS
 SELECT f.root_id AS tenant_id,
    t.name AS tenant,
    f.pull_request_key AS pull_request_id,
    f.finding_id,
    f.organization_id,
    p.organization_name AS organization,
    f.repository_id,
    p.repository_name AS repository,
    p.number AS pull_request,
    f.author_id,
    p.author_username AS author,
    f.day AS counted_on,
    f.counted,
    f.url,
    f.reviewer,
    f.severity,
    f.category,
    f.accepted,
    f.source AS outcome_source,
    f.rule AS outcome_rule,
    f.decided_at AS outcome_at,
        CASE
            WHEN f.accepted THEN ( SELECT min(((e.value ->> 'at'::text))::timestamp with time zone) AS min
               FROM json_array_elements(f.evidence) e(value)
              WHERE ((e.value ->> 'kind'::text) = 'commit'::text))
            ELSE NULL::timestamp with time zone
        END AS fixed_at,
    f.posted_at,
    f.posted_as,
    f.file,
    f.start_line,
    f.end_line,
    f.commit
   FROM (((public.finding f
     JOIN public.metrics_head h ON (((h.root_id = f.root_id) AND (h.state = 'active'::text))))
     LEFT JOIN public.root t ON ((t.id = f.root_id)))
     LEFT JOIN public.pull_request p ON (((p.root_id = f.root_id) AND (p.pull_request_key = f.pull_request_key))));

CREATE VIEW report.learning AS
 SELECT l.root_id AS tenant_id,
    t.name AS tenant,
    l.id AS learning_id,
    l.organization_id,
    o.name AS organization,
    l.repository_id,
    r.name AS repository,
    l.file,
    l.state,
    l.source,
    l.pull_request,
    l.created_at,
    l.updated_at,
    l.deadline AS approved_after,
    l.last_used_at,
    l.usage_count AS uses
   FROM (((public.learning l
     LEFT JOIN public.root t ON ((t.id = l.root_id)))
     LEFT JOIN public.organization o ON (((o.root_id = l.root_id) AND (o.id = l.organization_id))))
     LEFT JOIN public.repository r ON (((r.root_id = l.root_id) AND (r.organization_id = l.organization_id) AND (r.provider_repository_id = l.repository_id))));

CREATE VIEW report.outcome AS
 SELECT o.root_id AS tenant_id,
    o.pull_request_key AS pull_request_id,
    o.finding_id,
    o.event_id,
    o.organization_id,
    o.accepted_before,
    o.accepted,
    o.source AS outcome_source,
    o.rule AS outcome_rule,
    o.at AS outcome_at
   FROM (public.outcome o
     JOIN public.metrics_head h ON (((h.root_id = o.root_id) AND (h.state = 'active'::text))));

CREATE VIEW report.pull_request AS
 SELECT p.root_id AS tenant_id,
    t.name AS tenant,
    p.pull_request_key AS pull_request_id,
    p.organization_id,
    p.organization_name AS organization,
    p.provider,
    p.host,
    p.repository_id,
    p.repository_name AS repository,
    p.number,
    p.url,
    p.author_id,
    p.author_username AS author,
    p.status,
    p.day AS counted_on,
    p.created_at,
    p.ready_for_review_at,
    p.first_human_review_at,
    p.last_commit_at,
    p.merged_at,
    p.closed_at,
    p.review_iterations,
    p.estimated_complexity,
    p.estimated_review_minutes,
    p.reviewers
   FROM ((public.pull_request p
     JOIN public.metrics_head h ON (((h.root_id = p.root_id) AND (h.state = 'active'::text))))
     LEFT JOIN public.root t ON ((t.id = p.root_id)));

ALTER TABLE ONLY public.audit_log ATTACH PARTITION public.audit_log_default DEFAULT;

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_0 FOR VALUES WITH (modulus 16, remainder 0);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_1 FOR VALUES WITH (modulus 16, remainder 1);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_10 FOR VALUES WITH (modulus 16, remainder 10);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_11 FOR VALUES WITH (modulus 16, remainder 11);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_12 FOR VALUES WITH (modulus 16, remainder 12);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_13 FOR VALUES WITH (modulus 16, remainder 13);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_14 FOR VALUES WITH (modulus 16, remainder 14);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_15 FOR VALUES WITH (modulus 16, remainder 15);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_2 FOR VALUES WITH (modulus 16, remainder 2);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_3 FOR VALUES WITH (modulus 16, remainder 3);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_4 FOR VALUES WITH (modulus 16, remainder 4);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_5 FOR VALUES WITH (modulus 16, remainder 5);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_6 FOR VALUES WITH (modulus 16, remainder 6);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_7 FOR VALUES WITH (modulus 16, remainder 7);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_8 FOR VALUES WITH (modulus 16, remainder 8);

ALTER TABLE ONLY public.learning_index ATTACH PARTITION public.learning_index_9 FOR VALUES WITH (modulus 16, remainder 9);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (root_id, provider, host, account_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.applied_learning_event
    ADD CONSTRAINT applied_learning_event_pkey PRIMARY KEY (root_id, event_id, organization_id);

ALTER TABLE ONLY public.audit_actor
    ADD CONSTRAINT audit_actor_root_id_organization_id_actor_kind_actor_id_key UNIQUE NULLS NOT DISTINCT (root_id, organization_id, actor_kind, actor_id);

ALTER TABLE ONLY public.audit_checkpoint
    ADD CONSTRAINT audit_checkpoint_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.audit_clear
    ADD CONSTRAINT audit_clear_pkey PRIMARY KEY (root_id, "position");

ALTER TABLE ONLY public.audit_count
    ADD CONSTRAINT audit_count_root_id_organization_id_instance_id_day_action__key UNIQUE NULLS NOT DISTINCT (root_id, organization_id, instance_id, day, action, resource_type);

ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (root_id, "position", at);

ALTER TABLE ONLY public.audit_log_default
    ADD CONSTRAINT audit_log_default_pkey PRIMARY KEY (root_id, "position", at);

ALTER TABLE ONLY public.audit_public_key
    ADD CONSTRAINT audit_public_key_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.audit_signed_head
    ADD CONSTRAINT audit_signed_head_pkey PRIMARY KEY (root_id, "position", kind, at);

ALTER TABLE ONLY public.audit_signed
    ADD CONSTRAINT audit_signed_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.backfill
    ADD CONSTRAINT backfill_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.closed_pull_request
    ADD CONSTRAINT closed_pull_request_pkey PRIMARY KEY (root_id, organization_id, repository_id, number, at);

ALTER TABLE ONLY public.connector_budget
    ADD CONSTRAINT connector_budget_pkey PRIMARY KEY (root_id, connector_id, resource);

ALTER TABLE ONLY public.connector_check_run
    ADD CONSTRAINT connector_check_run_pkey PRIMARY KEY (root_id, connector_id, repository_id, number);

ALTER TABLE ONLY public.connector_code_scanning
    ADD CONSTRAINT connector_code_scanning_pkey PRIMARY KEY (root_id, connector_id, repository_id);

ALTER TABLE ONLY public.connector_command
    ADD CONSTRAINT connector_command_pkey PRIMARY KEY (root_id, connector_id, repository_id, number, comment_id);

ALTER TABLE ONLY public.connector_delivery
    ADD CONSTRAINT connector_delivery_pkey PRIMARY KEY (root_id, connector_id, delivery_id);

ALTER TABLE ONLY public.connector
    ADD CONSTRAINT connector_id_key UNIQUE (id);

ALTER TABLE ONLY public.connector_instruction
    ADD CONSTRAINT connector_instruction_pkey PRIMARY KEY (root_id, organization_id, repository_id, digest);

ALTER TABLE ONLY public.connector
    ADD CONSTRAINT connector_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.connector_pull_request
    ADD CONSTRAINT connector_pull_request_pkey PRIMARY KEY (root_id, connector_id, repository_id, number);

ALTER TABLE ONLY public.connector_repository
    ADD CONSTRAINT connector_repository_pkey PRIMARY KEY (root_id, connector_id, repository_id);

ALTER TABLE ONLY public.counted_event_id
    ADD CONSTRAINT counted_event_id_pkey PRIMARY KEY (root_id, organization_id, event_id);

ALTER TABLE ONLY public.custom_role
    ADD CONSTRAINT custom_role_pkey PRIMARY KEY (root_id, organization_id, id);

ALTER TABLE ONLY public.event_status
    ADD CONSTRAINT event_status_pkey PRIMARY KEY (root_id, credential_id, event_id);

ALTER TABLE ONLY public.finding
    ADD CONSTRAINT finding_pkey PRIMARY KEY (root_id, pull_request_key, ordinal);

ALTER TABLE ONLY public.finding_week
    ADD CONSTRAINT finding_week_pkey PRIMARY KEY (root_id, organization_id, week, instance_id, reviewer, severity, category);

ALTER TABLE ONLY public.idempotent_request
    ADD CONSTRAINT idempotent_request_root_id_key_hash_organization_id_key UNIQUE NULLS NOT DISTINCT (root_id, key_hash, organization_id);

ALTER TABLE ONLY public.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (root_id, issuer, subject);

ALTER TABLE ONLY public.instance
    ADD CONSTRAINT instance_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.instance
    ADD CONSTRAINT instance_root_id_provider_host_key UNIQUE (root_id, provider, host);

ALTER TABLE ONLY public.inventory_removal
    ADD CONSTRAINT inventory_removal_pkey PRIMARY KEY (root_id, organization_id, account_id, repository_id);

ALTER TABLE ONLY public.learning_calibration
    ADD CONSTRAINT learning_calibration_pkey PRIMARY KEY (model);

ALTER TABLE ONLY public.learning_count
    ADD CONSTRAINT learning_count_pkey PRIMARY KEY (root_id, organization_id, repository_id);

ALTER TABLE ONLY public.learning_head
    ADD CONSTRAINT learning_head_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.learning_index
    ADD CONSTRAINT learning_index_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_0
    ADD CONSTRAINT learning_index_0_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_10
    ADD CONSTRAINT learning_index_10_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_11
    ADD CONSTRAINT learning_index_11_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_12
    ADD CONSTRAINT learning_index_12_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_13
    ADD CONSTRAINT learning_index_13_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_14
    ADD CONSTRAINT learning_index_14_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_15
    ADD CONSTRAINT learning_index_15_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_1
    ADD CONSTRAINT learning_index_1_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_2
    ADD CONSTRAINT learning_index_2_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_3
    ADD CONSTRAINT learning_index_3_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_4
    ADD CONSTRAINT learning_index_4_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_5
    ADD CONSTRAINT learning_index_5_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_6
    ADD CONSTRAINT learning_index_6_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_7
    ADD CONSTRAINT learning_index_7_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_8
    ADD CONSTRAINT learning_index_8_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_index_9
    ADD CONSTRAINT learning_index_9_pkey PRIMARY KEY (organization_id, model, learning_id);

ALTER TABLE ONLY public.learning_model
    ADD CONSTRAINT learning_model_pkey PRIMARY KEY (model);

ALTER TABLE ONLY public.learning_origin
    ADD CONSTRAINT learning_origin_pkey PRIMARY KEY (root_id, organization_id, learning_id, number);

ALTER TABLE ONLY public.learning
    ADD CONSTRAINT learning_pkey PRIMARY KEY (root_id, organization_id, id);

ALTER TABLE ONLY public.learning_setting
    ADD CONSTRAINT learning_setting_pkey PRIMARY KEY (root_id, organization_id, repository_id);

ALTER TABLE ONLY public.learning_task
    ADD CONSTRAINT learning_task_pkey PRIMARY KEY (root_id, organization_id, learning_id, kind);

ALTER TABLE ONLY public.learning_tombstone
    ADD CONSTRAINT learning_tombstone_pkey PRIMARY KEY (root_id, organization_id, content_hash);

ALTER TABLE ONLY public.learning_vector_index
    ADD CONSTRAINT learning_vector_index_pkey PRIMARY KEY (root_id, organization_id, model);

ALTER TABLE ONLY public.limit_window
    ADD CONSTRAINT limit_window_pkey PRIMARY KEY (root_id, policy, owner_id);

ALTER TABLE ONLY public.mcp_day
    ADD CONSTRAINT mcp_day_pkey PRIMARY KEY (root_id, day);

ALTER TABLE ONLY public.mcp_event
    ADD CONSTRAINT mcp_event_pkey PRIMARY KEY (root_id, pull_request_key, event_id);

ALTER TABLE ONLY public.mcp_usage
    ADD CONSTRAINT mcp_usage_pkey PRIMARY KEY (root_id, pull_request_key);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_pkey PRIMARY KEY (root_id, organization_id, account_id);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_root_id_organization_id_person_id_key UNIQUE (root_id, organization_id, person_id);

ALTER TABLE ONLY public.metrics_day
    ADD CONSTRAINT metrics_day_pkey PRIMARY KEY (root_id, day);

ALTER TABLE ONLY public.metrics_head
    ADD CONSTRAINT metrics_head_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.metrics_placement
    ADD CONSTRAINT metrics_placement_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_root_id_provider_organization_id_provider_host_key UNIQUE (root_id, provider_organization_id, provider, host);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.outcome
    ADD CONSTRAINT outcome_pkey PRIMARY KEY (root_id, pull_request_key, finding_id, event_id);

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_root_id_email_key UNIQUE (root_id, email);

ALTER TABLE ONLY public.pull_request
    ADD CONSTRAINT pull_request_pkey PRIMARY KEY (root_id, pull_request_key);

ALTER TABLE ONLY public.received_event_count
    ADD CONSTRAINT received_event_count_pkey PRIMARY KEY (root_id, organization_id, credential_id, type, hour);

ALTER TABLE ONLY public.refusal_count
    ADD CONSTRAINT refusal_count_pkey PRIMARY KEY (root_id, key_id, route, code, minute);

ALTER TABLE ONLY public.repository_access
    ADD CONSTRAINT repository_access_pkey PRIMARY KEY (root_id, organization_id, repository_id, person_id);

ALTER TABLE ONLY public.repository
    ADD CONSTRAINT repository_pkey PRIMARY KEY (root_id, organization_id, id);

ALTER TABLE ONLY public.repository
    ADD CONSTRAINT repository_root_id_organization_id_provider_repository_id_key UNIQUE (root_id, organization_id, provider_repository_id);

ALTER TABLE ONLY public.restore_drill
    ADD CONSTRAINT restore_drill_pkey PRIMARY KEY (ended_at);

ALTER TABLE ONLY public.restore_point
    ADD CONSTRAINT restore_point_pkey PRIMARY KEY (epoch);

ALTER TABLE ONLY public.restore_position
    ADD CONSTRAINT restore_position_pkey PRIMARY KEY (root_id, epoch);

ALTER TABLE ONLY public.restriction
    ADD CONSTRAINT restriction_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.review_comment_change
    ADD CONSTRAINT review_comment_change_pkey PRIMARY KEY (root_id, "position");

ALTER TABLE ONLY public.reviewer_price
    ADD CONSTRAINT reviewer_price_pkey PRIMARY KEY (root_id, organization_id, reviewer);

ALTER TABLE ONLY public.role_job
    ADD CONSTRAINT role_job_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.role_job_user
    ADD CONSTRAINT role_job_user_pkey PRIMARY KEY (root_id, job_id, user_id);

ALTER TABLE ONLY public.root
    ADD CONSTRAINT root_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.root_tombstone
    ADD CONSTRAINT root_tombstone_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.sarif_upload_part
    ADD CONSTRAINT sarif_upload_part_pkey PRIMARY KEY (root_id, upload_id, run, part);

ALTER TABLE ONLY public.sarif_upload
    ADD CONSTRAINT sarif_upload_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.sarif_upload_usage
    ADD CONSTRAINT sarif_upload_usage_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.scim_credential
    ADD CONSTRAINT scim_credential_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.scim_credential
    ADD CONSTRAINT scim_credential_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.scim_group_member
    ADD CONSTRAINT scim_group_member_pkey PRIMARY KEY (root_id, group_id, person_id);

ALTER TABLE ONLY public.scim_group
    ADD CONSTRAINT scim_group_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.scim_group_role
    ADD CONSTRAINT scim_group_role_pkey PRIMARY KEY (root_id, group_id, organization_id);

ALTER TABLE ONLY public.scim_group
    ADD CONSTRAINT scim_group_root_id_external_id_key UNIQUE (root_id, external_id);

ALTER TABLE ONLY public.scim_user
    ADD CONSTRAINT scim_user_pkey PRIMARY KEY (root_id, person_id);

ALTER TABLE ONLY public.scim_user
    ADD CONSTRAINT scim_user_root_id_external_id_key UNIQUE (root_id, external_id);

ALTER TABLE ONLY public.seat_head
    ADD CONSTRAINT seat_head_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.seat
    ADD CONSTRAINT seat_pkey PRIMARY KEY (root_id, person_id);

ALTER TABLE ONLY public.seat_request
    ADD CONSTRAINT seat_request_pkey PRIMARY KEY (root_id, person_id);

ALTER TABLE ONLY public.security_finding
    ADD CONSTRAINT security_finding_pkey PRIMARY KEY (root_id, organization_id, id);

ALTER TABLE ONLY public.security_head
    ADD CONSTRAINT security_head_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.security_scan
    ADD CONSTRAINT security_scan_pkey PRIMARY KEY (root_id, organization_id, repository_id, tool, scan_id, part);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_pkey PRIMARY KEY (root_id, id);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_root_id_person_id_purpose_key UNIQUE (root_id, person_id, purpose);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (root_id);

ALTER TABLE ONLY public.used_nonce
    ADD CONSTRAINT used_nonce_pkey PRIMARY KEY (hash);

CREATE INDEX account_of_person ON public.account USING btree (root_id, person_id);

CREATE INDEX api_key_of_ingest ON public.api_key USING btree (created_at) WHERE (kind = 'ingest'::text);

CREATE INDEX api_key_of_organization ON public.api_key USING btree (root_id, organization_id, id) WHERE (revoked_at IS NULL);

CREATE INDEX api_key_of_owner ON public.api_key USING btree (root_id, owner_id) WHERE (owner_id IS NOT NULL);

CREATE INDEX api_key_to_warn ON public.api_key USING btree (warn_at) WHERE (warn_at IS NOT NULL);

CREATE INDEX applied_learning_event_at ON public.applied_learning_event USING btree (root_id, at);

CREATE INDEX audit_clear_of_person ON public.audit_clear USING btree (root_id, person_id) WHERE (person_id IS NOT NULL);

CREATE INDEX audit_log_of_action ON ONLY public.audit_log USING btree (root_id, action, "position");

CREATE INDEX audit_log_default_root_id_action_position_idx ON public.audit_log_default USING btree (root_id, action, "position");

CREATE INDEX audit_log_of_actor ON ONLY public.audit_log USING btree (root_id, actor_id, "position");

CREATE INDEX audit_log_default_root_id_actor_id_position_idx ON public.audit_log_default USING btree (root_id, actor_id, "position");

CREATE INDEX audit_log_of_organization_action ON ONLY public.audit_log USING btree (root_id, organization_id, action, "position");

CREATE INDEX audit_log_default_root_id_organization_id_action_position_idx ON public.audit_log_default USING btree (root_id, organization_id, action, "position");

CREATE INDEX audit_log_of_organization ON ONLY public.audit_log USING btree (root_id, organization_id, "position");

CREATE INDEX audit_log_default_root_id_organization_id_position_idx ON public.audit_log_default USING btree (root_id, organization_id, "position");

CREATE INDEX closed_pull_request_at ON public.closed_pull_request USING btree (root_id, at);

CREATE UNIQUE INDEX connector_account ON public.connector USING btree (root_id, organization_id, provider, host, lower(account));

CREATE INDEX connector_check_run_written ON public.connector_check_run USING btree (root_id, connector_id, written_at);

CREATE INDEX connector_command_age ON public.connector_command USING btree (root_id, connector_id, handled_at);

CREATE INDEX connector_delivery_age ON public.connector_delivery USING btree (root_id, connector_id, received_at);

CREATE INDEX connector_instruction_proposed ON public.connector_instruction USING btree (root_id, organization_id, repository_id, decided_at) WHERE (state = 'proposed'::text);

CREATE INDEX connector_instruction_waiting ON public.connector_instruction USING btree (root_id, organization_id, repository_id, decided_at) WHERE (state = 'waiting'::text);

CREATE INDEX connector_of_organization ON public.connector USING btree (root_id, organization_id, id);

CREATE INDEX connector_pull_request_dirty ON public.connector_pull_request USING btree (root_id, connector_id, dirty_since) WHERE (dirty_since IS NOT NULL);

CREATE INDEX connector_pull_request_finished ON public.connector_pull_request USING btree (root_id, connector_id, repository_id, finished_at) WHERE (finished_at IS NOT NULL);

CREATE INDEX connector_pull_request_open ON public.connector_pull_request USING btree (root_id, connector_id, repository_id) WHERE (state = 'open'::text);

CREATE INDEX counted_event_id_age ON public.counted_event_id USING btree (at);

CREATE UNIQUE INDEX custom_role_default ON public.custom_role USING btree (root_id, organization_id) WHERE is_default;

CREATE UNIQUE INDEX custom_role_name ON public.custom_role USING btree (root_id, organization_id, lower(name));

CREATE INDEX event_status_age ON public.event_status USING btree (at);

CREATE INDEX finding_summed ON public.finding USING btree (root_id, organization_id, day) INCLUDE (instance_id, repository_id, author_id, reviewer, severity, category, accepted) WHERE counted;

CREATE INDEX idempotent_request_age ON public.idempotent_request USING btree (created_at);

CREATE INDEX identity_of_person ON public.identity USING btree (root_id, person_id);

CREATE UNIQUE INDEX learning_content ON public.learning USING btree (root_id, organization_id, content_hash);

CREATE INDEX learning_index_of_repository ON ONLY public.learning_index USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_0_organization_id_model_repository_id_idx ON public.learning_index_0 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_of_learning ON ONLY public.learning_index USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_0_root_id_organization_id_learning_id_idx ON public.learning_index_0 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_terms ON ONLY public.learning_index USING gin (terms);

CREATE INDEX learning_index_0_terms_idx ON public.learning_index_0 USING gin (terms);

CREATE INDEX learning_index_10_organization_id_model_repository_id_idx ON public.learning_index_10 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_10_root_id_organization_id_learning_id_idx ON public.learning_index_10 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_10_terms_idx ON public.learning_index_10 USING gin (terms);

CREATE INDEX learning_index_11_organization_id_model_repository_id_idx ON public.learning_index_11 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_11_root_id_organization_id_learning_id_idx ON public.learning_index_11 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_11_terms_idx ON public.learning_index_11 USING gin (terms);

CREATE INDEX learning_index_12_organization_id_model_repository_id_idx ON public.learning_index_12 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_12_root_id_organization_id_learning_id_idx ON public.learning_index_12 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_12_terms_idx ON public.learning_index_12 USING gin (terms);

CREATE INDEX learning_index_13_organization_id_model_repository_id_idx ON public.learning_index_13 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_13_root_id_organization_id_learning_id_idx ON public.learning_index_13 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_13_terms_idx ON public.learning_index_13 USING gin (terms);

CREATE INDEX learning_index_14_organization_id_model_repository_id_idx ON public.learning_index_14 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_14_root_id_organization_id_learning_id_idx ON public.learning_index_14 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_14_terms_idx ON public.learning_index_14 USING gin (terms);

CREATE INDEX learning_index_15_organization_id_model_repository_id_idx ON public.learning_index_15 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_15_root_id_organization_id_learning_id_idx ON public.learning_index_15 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_15_terms_idx ON public.learning_index_15 USING gin (terms);

CREATE INDEX learning_index_1_organization_id_model_repository_id_idx ON public.learning_index_1 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_1_root_id_organization_id_learning_id_idx ON public.learning_index_1 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_1_terms_idx ON public.learning_index_1 USING gin (terms);

CREATE INDEX learning_index_2_organization_id_model_repository_id_idx ON public.learning_index_2 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_2_root_id_organization_id_learning_id_idx ON public.learning_index_2 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_2_terms_idx ON public.learning_index_2 USING gin (terms);

CREATE INDEX learning_index_3_organization_id_model_repository_id_idx ON public.learning_index_3 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_3_root_id_organization_id_learning_id_idx ON public.learning_index_3 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_3_terms_idx ON public.learning_index_3 USING gin (terms);

CREATE INDEX learning_index_4_organization_id_model_repository_id_idx ON public.learning_index_4 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_4_root_id_organization_id_learning_id_idx ON public.learning_index_4 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_4_terms_idx ON public.learning_index_4 USING gin (terms);

CREATE INDEX learning_index_5_organization_id_model_repository_id_idx ON public.learning_index_5 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_5_root_id_organization_id_learning_id_idx ON public.learning_index_5 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_5_terms_idx ON public.learning_index_5 USING gin (terms);

CREATE INDEX learning_index_6_organization_id_model_repository_id_idx ON public.learning_index_6 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_6_root_id_organization_id_learning_id_idx ON public.learning_index_6 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_6_terms_idx ON public.learning_index_6 USING gin (terms);

CREATE INDEX learning_index_7_organization_id_model_repository_id_idx ON public.learning_index_7 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_7_root_id_organization_id_learning_id_idx ON public.learning_index_7 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_7_terms_idx ON public.learning_index_7 USING gin (terms);

CREATE INDEX learning_index_8_organization_id_model_repository_id_idx ON public.learning_index_8 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_8_root_id_organization_id_learning_id_idx ON public.learning_index_8 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_8_terms_idx ON public.learning_index_8 USING gin (terms);

CREATE INDEX learning_index_9_organization_id_model_repository_id_idx ON public.learning_index_9 USING btree (organization_id, model, repository_id);

CREATE INDEX learning_index_9_root_id_organization_id_learning_id_idx ON public.learning_index_9 USING btree (root_id, organization_id, learning_id);

CREATE INDEX learning_index_9_terms_idx ON public.learning_index_9 USING gin (terms);

CREATE UNIQUE INDEX learning_model_active ON public.learning_model USING btree (state) WHERE (state = 'active'::text);

CREATE INDEX learning_of_author ON public.learning USING btree (root_id, author_id, "position") WHERE ((state = 'shared'::text) AND (author_id IS NOT NULL));

CREATE INDEX learning_of_file ON public.learning USING btree (root_id, file, "position") WHERE ((state = 'shared'::text) AND (file IS NOT NULL));

CREATE INDEX learning_of_instance ON public.learning USING btree (root_id, instance_id, "position") WHERE ((state = 'shared'::text) AND (instance_id IS NOT NULL));

CREATE INDEX learning_of_organization ON public.learning USING btree (root_id, organization_id, "position") WHERE (state = 'shared'::text);

CREATE INDEX learning_of_repository ON public.learning USING btree (root_id, repository_id, "position") WHERE (state = 'shared'::text);

CREATE INDEX learning_of_root ON public.learning USING btree (root_id, "position") WHERE (state = 'shared'::text);

CREATE INDEX learning_origin_of_pull_request ON public.learning_origin USING btree (root_id, organization_id, repository_id, number);

CREATE INDEX learning_redacted ON public.learning USING btree (root_id, redactor_version, id);

CREATE INDEX learning_task_at ON public.learning_task USING btree (kind, at);

CREATE UNIQUE INDEX learning_tombstone_id ON public.learning_tombstone USING btree (root_id, organization_id, id);

CREATE INDEX learning_tombstone_redacted ON public.learning_tombstone USING btree (root_id, redactor_version);

CREATE INDEX learning_waiting ON public.learning USING btree (root_id, organization_id, state, created_at) WHERE (state <> 'shared'::text);

CREATE INDEX mcp_usage_of_author ON public.mcp_usage USING btree (root_id, author_id, "position", day) WHERE ((entry IS NOT NULL) AND (author_id IS NOT NULL));

CREATE INDEX mcp_usage_of_day ON public.mcp_usage USING btree (root_id, day, "position") WHERE (entry IS NOT NULL);

CREATE INDEX mcp_usage_of_instance ON public.mcp_usage USING btree (root_id, instance_id, "position", day) WHERE ((entry IS NOT NULL) AND (instance_id IS NOT NULL));

CREATE INDEX mcp_usage_of_organization ON public.mcp_usage USING btree (root_id, organization_id, "position", day) WHERE (entry IS NOT NULL);

CREATE INDEX mcp_usage_of_repository ON public.mcp_usage USING btree (root_id, repository_id, "position", day) WHERE (entry IS NOT NULL);

CREATE INDEX mcp_usage_of_root ON public.mcp_usage USING btree (root_id, "position", day) WHERE (entry IS NOT NULL);

CREATE INDEX membership_admin_of_organization ON public.membership USING btree (root_id, organization_id) WHERE (system_role = 'cr_admin'::text);

CREATE INDEX membership_of_admin ON public.membership USING btree (root_id, person_id, organization_id) WHERE (system_role = 'cr_admin'::text);

CREATE INDEX membership_of_custom_role ON public.membership USING btree (root_id, organization_id, custom_role_id) WHERE (custom_role_id IS NOT NULL);

CREATE INDEX membership_of_person ON public.membership USING btree (root_id, person_id);

CREATE INDEX metrics_placement_moving ON public.metrics_placement USING btree (changed_at) WHERE ((moving_to IS NOT NULL) OR (leaving IS NOT NULL));

CREATE INDEX organization_inactive ON public.organization USING btree (root_id, id) WHERE (NOT active);

CREATE INDEX organization_of_instance ON public.organization USING btree (root_id, instance_id, id) WHERE (instance_id IS NOT NULL);

CREATE INDEX organization_without_metrics ON public.organization USING btree (root_id, id) WHERE (NOT metrics_enabled);

CREATE INDEX passkey_of_person ON public.passkey USING btree (root_id, person_id);

CREATE INDEX pull_request_of_author ON public.pull_request USING btree (root_id, author_id, "position", day, status, counted) WHERE (author_id IS NOT NULL);

CREATE INDEX pull_request_of_day ON public.pull_request USING btree (root_id, day, "position", status, counted);

CREATE INDEX pull_request_of_instance ON public.pull_request USING btree (root_id, instance_id, "position", day, status, counted) WHERE (instance_id IS NOT NULL);

CREATE INDEX pull_request_of_member ON public.pull_request USING btree (root_id, organization_id, author_id, day) WHERE (author_id IS NOT NULL);

CREATE INDEX pull_request_of_organization ON public.pull_request USING btree (root_id, organization_id, "position", day, status, counted);

CREATE INDEX pull_request_of_repository ON public.pull_request USING btree (root_id, repository_id, "position", day, status, counted);

CREATE INDEX pull_request_of_root ON public.pull_request USING btree (root_id, "position", day, status, counted);

CREATE INDEX pull_request_times ON public.pull_request USING btree (root_id, organization_id, day) INCLUDE (instance_id, status, repository_id, author_id, created_at, ready_for_review_at, first_human_review_at, merged_at, review_iterations);

CREATE INDEX repository_access_of_person ON public.repository_access USING btree (root_id, person_id);

CREATE INDEX repository_named ON public.repository USING btree (root_id, organization_id, name);

CREATE INDEX review_comment_change_in_instance ON public.review_comment_change USING btree (root_id, instance_id, "position") WHERE (instance_id IS NOT NULL);

CREATE INDEX review_comment_change_in_organization ON public.review_comment_change USING btree (root_id, organization_id, "position");

CREATE INDEX review_comment_change_of_pull_request ON public.review_comment_change USING btree (root_id, pull_request_key);

CREATE INDEX role_job_age ON public.role_job USING btree (created_at);

CREATE INDEX role_job_open ON public.role_job USING btree (root_id, created_at) WHERE (finished_at IS NULL);

CREATE INDEX sarif_upload_created ON public.sarif_upload USING btree (created_at);

CREATE INDEX scim_group_member_of_person ON public.scim_group_member USING btree (root_id, person_id);

CREATE UNIQUE INDEX scim_group_name ON public.scim_group USING btree (root_id, lower(display_name));

CREATE INDEX scim_group_role_of_organization ON public.scim_group_role USING btree (root_id, organization_id);

CREATE UNIQUE INDEX scim_user_name ON public.scim_user USING btree (root_id, lower(user_name));

CREATE INDEX security_finding_of_instance ON public.security_finding USING btree (root_id, instance_id, state, "position") WHERE (instance_id IS NOT NULL);

CREATE INDEX security_finding_of_organization ON public.security_finding USING btree (root_id, organization_id, state, "position");

CREATE INDEX security_finding_of_repository ON public.security_finding USING btree (root_id, repository_id, state, "position");

CREATE INDEX security_finding_of_root ON public.security_finding USING btree (root_id, state, "position");

CREATE INDEX security_finding_of_tool ON public.security_finding USING btree (root_id, organization_id, repository_id, tool);

CREATE INDEX security_scan_named ON public.security_scan USING btree (root_id, scan_id);

CREATE INDEX security_scan_of_lane ON public.security_scan USING btree (root_id, organization_id, repository_id, tool, branch, category, at) WHERE complete;

CREATE INDEX session_age ON public.session USING btree (expires_at);

CREATE INDEX session_of_person ON public.session USING btree (root_id, person_id) WHERE (ended_at IS NULL);

CREATE INDEX session_of_subject ON public.session USING btree (issuer, subject) WHERE ((ended_at IS NULL) AND (issuer IS NOT NULL));

CREATE INDEX used_nonce_age ON public.used_nonce USING btree (expires_at);

ALTER INDEX public.audit_log_pkey ATTACH PARTITION public.audit_log_default_pkey;

ALTER INDEX public.audit_log_of_action ATTACH PARTITION public.audit_log_default_root_id_action_position_idx;

ALTER INDEX public.audit_log_of_actor ATTACH PARTITION public.audit_log_default_root_id_actor_id_position_idx;

ALTER INDEX public.audit_log_of_organization_action ATTACH PARTITION public.audit_log_default_root_id_organization_id_action_position_idx;

ALTER INDEX public.audit_log_of_organization ATTACH PARTITION public.audit_log_default_root_id_organization_id_position_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_0_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_0_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_0_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_0_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_10_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_10_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_10_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_10_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_11_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_11_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_11_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_11_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_12_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_12_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_12_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_12_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_13_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_13_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_13_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_13_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_14_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_14_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_14_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_14_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_15_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_15_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_15_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_15_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_1_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_1_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_1_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_1_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_2_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_2_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_2_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_2_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_3_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_3_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_3_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_3_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_4_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_4_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_4_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_4_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_5_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_5_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_5_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_5_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_6_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_6_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_6_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_6_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_7_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_7_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_7_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_7_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_8_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_8_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_8_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_8_terms_idx;

ALTER INDEX public.learning_index_of_repository ATTACH PARTITION public.learning_index_9_organization_id_model_repository_id_idx;

ALTER INDEX public.learning_index_pkey ATTACH PARTITION public.learning_index_9_pkey;

ALTER INDEX public.learning_index_of_learning ATTACH PARTITION public.learning_index_9_root_id_organization_id_learning_id_idx;

ALTER INDEX public.learning_index_terms ATTACH PARTITION public.learning_index_9_terms_idx;

CREATE TRIGGER audit_log_count AFTER INSERT ON public.audit_log REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_count();

CREATE TRIGGER count_new_seats AFTER INSERT ON public.seat REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_new_seats();

CREATE TRIGGER count_removed_seats AFTER DELETE ON public.seat REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.count_removed_seats();

CREATE TRIGGER learning_count_delete AFTER DELETE ON public.learning REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.learning_count_change();

CREATE TRIGGER learning_count_insert AFTER INSERT ON public.learning REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.learning_count_change();

CREATE TRIGGER learning_count_update AFTER UPDATE ON public.learning REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.learning_count_change();

CREATE TRIGGER restrict_connectors AFTER DELETE ON public.connector FOR EACH ROW EXECUTE FUNCTION public.record_restriction('id');

CREATE TRIGGER restrict_group_members AFTER DELETE ON public.scim_group_member FOR EACH ROW EXECUTE FUNCTION public.record_restriction('group_id', 'person_id');

CREATE TRIGGER restrict_group_roles AFTER DELETE ON public.scim_group_role FOR EACH ROW EXECUTE FUNCTION public.record_restriction('group_id', 'organization_id');

CREATE TRIGGER restrict_identities AFTER DELETE ON public.identity FOR EACH ROW EXECUTE FUNCTION public.record_restriction('issuer', 'subject');

CREATE TRIGGER restrict_key AFTER UPDATE ON public.api_key FOR EACH ROW WHEN (((new.revoked_at IS DISTINCT FROM old.revoked_at) OR (new.expires_at IS DISTINCT FROM old.expires_at))) EXECUTE FUNCTION public.record_restriction('id', 'revoked_at', 'expires_at');

CREATE TRIGGER restrict_learning AFTER UPDATE ON public.learning FOR EACH ROW WHEN (((new.state = 'disapproved'::text) AND (old.state <> 'disapproved'::text))) EXECUTE FUNCTION public.record_restriction('organization_id', 'id', 'state');

CREATE TRIGGER restrict_learnings AFTER DELETE ON public.learning FOR EACH ROW EXECUTE FUNCTION public.record_restriction('organization_id', 'id');

CREATE TRIGGER restrict_members AFTER DELETE ON public.membership FOR EACH ROW EXECUTE FUNCTION public.record_restriction('organization_id', 'account_id');

CREATE TRIGGER restrict_membership AFTER UPDATE ON public.membership FOR EACH ROW WHEN (((new.system_role IS DISTINCT FROM 'cr_admin'::text) AND ((new.system_role IS DISTINCT FROM old.system_role) OR (new.custom_role_id IS DISTINCT FROM old.custom_role_id)))) EXECUTE FUNCTION public.record_restriction('organization_id', 'account_id', 'system_role', 'custom_role_id');

CREATE TRIGGER restrict_organization AFTER UPDATE ON public.organization FOR EACH ROW WHEN ((old.active AND (NOT new.active))) EXECUTE FUNCTION public.record_restriction('id', 'active');

CREATE TRIGGER restrict_passkeys AFTER DELETE ON public.passkey FOR EACH ROW EXECUTE FUNCTION public.record_restriction('id');

CREATE TRIGGER restrict_person AFTER UPDATE ON public.person FOR EACH ROW WHEN (((old.active AND (NOT new.active)) OR (old.workspace_admin AND (NOT new.workspace_admin)) OR (new.erased_at IS DISTINCT FROM old.erased_at))) EXECUTE FUNCTION public.record_restriction('id', 'active', 'workspace_admin', 'erased_at');

CREATE TRIGGER restrict_repository_access AFTER DELETE ON public.repository_access FOR EACH ROW EXECUTE FUNCTION public.record_restriction('organization_id', 'repository_id', 'person_id');

CREATE TRIGGER restrict_role AFTER UPDATE ON public.custom_role FOR EACH ROW WHEN ((NOT (new.permissions @> old.permissions))) EXECUTE FUNCTION public.record_restriction('organization_id', 'id', 'permissions');

CREATE TRIGGER restrict_roles AFTER DELETE ON public.custom_role FOR EACH ROW EXECUTE FUNCTION public.record_restriction('organization_id', 'id');

CREATE TRIGGER restrict_root AFTER INSERT ON public.root_tombstone FOR EACH ROW EXECUTE FUNCTION public.record_restriction('started_at');

CREATE TRIGGER restrict_scim_credential AFTER UPDATE ON public.scim_credential FOR EACH ROW WHEN ((new.revoked_at IS DISTINCT FROM old.revoked_at)) EXECUTE FUNCTION public.record_restriction('id', 'revoked_at');

CREATE TRIGGER set_key_warning BEFORE INSERT OR UPDATE OF expires_at, revoked_at ON public.api_key FOR EACH ROW EXECUTE FUNCTION public.set_key_warning();

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_root_id_instance_id_fkey FOREIGN KEY (root_id, instance_id) REFERENCES public.instance(root_id, id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_root_id_owner_id_fkey FOREIGN KEY (root_id, owner_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.applied_learning_event
    ADD CONSTRAINT applied_learning_event_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_budget
    ADD CONSTRAINT connector_budget_root_id_connector_id_fkey FOREIGN KEY (root_id, connector_id) REFERENCES public.connector(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connector_budget
    ADD CONSTRAINT connector_budget_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_check_run
    ADD CONSTRAINT connector_check_run_root_id_connector_id_fkey FOREIGN KEY (root_id, connector_id) REFERENCES public.connector(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connector_check_run
    ADD CONSTRAINT connector_check_run_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_code_scanning
    ADD CONSTRAINT connector_code_scanning_root_id_connector_id_fkey FOREIGN KEY (root_id, connector_id) REFERENCES public.connector(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connector_code_scanning
    ADD CONSTRAINT connector_code_scanning_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_command
    ADD CONSTRAINT connector_command_root_id_connector_id_fkey FOREIGN KEY (root_id, connector_id) REFERENCES public.connector(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connector_command
    ADD CONSTRAINT connector_command_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_delivery
    ADD CONSTRAINT connector_delivery_root_id_connector_id_fkey FOREIGN KEY (root_id, connector_id) REFERENCES public.connector(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connector_delivery
    ADD CONSTRAINT connector_delivery_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_instruction
    ADD CONSTRAINT connector_instruction_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_instruction
    ADD CONSTRAINT connector_instruction_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.connector_pull_request
    ADD CONSTRAINT connector_pull_request_root_id_connector_id_fkey FOREIGN KEY (root_id, connector_id) REFERENCES public.connector(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connector_pull_request
    ADD CONSTRAINT connector_pull_request_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector_repository
    ADD CONSTRAINT connector_repository_root_id_connector_id_fkey FOREIGN KEY (root_id, connector_id) REFERENCES public.connector(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connector_repository
    ADD CONSTRAINT connector_repository_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector
    ADD CONSTRAINT connector_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.connector
    ADD CONSTRAINT connector_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.custom_role
    ADD CONSTRAINT custom_role_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.idempotent_request
    ADD CONSTRAINT idempotent_request_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identity
    ADD CONSTRAINT identity_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.identity
    ADD CONSTRAINT identity_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.instance
    ADD CONSTRAINT instance_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.inventory_removal
    ADD CONSTRAINT inventory_removal_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.learning_head
    ADD CONSTRAINT learning_head_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE public.learning_index
    ADD CONSTRAINT learning_index_root_id_organization_id_learning_id_fkey FOREIGN KEY (root_id, organization_id, learning_id) REFERENCES public.learning(root_id, organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.learning_origin
    ADD CONSTRAINT learning_origin_root_id_organization_id_learning_id_fkey FOREIGN KEY (root_id, organization_id, learning_id) REFERENCES public.learning(root_id, organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.learning
    ADD CONSTRAINT learning_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.learning_setting
    ADD CONSTRAINT learning_setting_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.learning_task
    ADD CONSTRAINT learning_task_root_id_organization_id_learning_id_fkey FOREIGN KEY (root_id, organization_id, learning_id) REFERENCES public.learning(root_id, organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.learning_tombstone
    ADD CONSTRAINT learning_tombstone_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.learning_vector_index
    ADD CONSTRAINT learning_vector_index_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_root_id_organization_id_custom_role_id_fkey FOREIGN KEY (root_id, organization_id, custom_role_id) REFERENCES public.custom_role(root_id, organization_id, id);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.metrics_placement
    ADD CONSTRAINT metrics_placement_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_root_id_instance_id_fkey FOREIGN KEY (root_id, instance_id) REFERENCES public.instance(root_id, id);

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.passkey
    ADD CONSTRAINT passkey_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.repository_access
    ADD CONSTRAINT repository_access_root_id_organization_id_repository_id_fkey FOREIGN KEY (root_id, organization_id, repository_id) REFERENCES public.repository(root_id, organization_id, id);

ALTER TABLE ONLY public.repository_access
    ADD CONSTRAINT repository_access_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.repository
    ADD CONSTRAINT repository_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.reviewer_price
    ADD CONSTRAINT reviewer_price_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.role_job
    ADD CONSTRAINT role_job_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.role_job
    ADD CONSTRAINT role_job_root_id_instance_id_fkey FOREIGN KEY (root_id, instance_id) REFERENCES public.instance(root_id, id);

ALTER TABLE ONLY public.role_job_user
    ADD CONSTRAINT role_job_user_root_id_job_id_fkey FOREIGN KEY (root_id, job_id) REFERENCES public.role_job(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sarif_upload_part
    ADD CONSTRAINT sarif_upload_part_root_id_upload_id_fkey FOREIGN KEY (root_id, upload_id) REFERENCES public.sarif_upload(root_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sarif_upload
    ADD CONSTRAINT sarif_upload_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.sarif_upload_usage
    ADD CONSTRAINT sarif_upload_usage_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.scim_credential
    ADD CONSTRAINT scim_credential_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.scim_group_member
    ADD CONSTRAINT scim_group_member_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.scim_group_member
    ADD CONSTRAINT scim_group_member_root_id_group_id_fkey FOREIGN KEY (root_id, group_id) REFERENCES public.scim_group(root_id, id);

ALTER TABLE ONLY public.scim_group_member
    ADD CONSTRAINT scim_group_member_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.scim_user(root_id, person_id);

ALTER TABLE ONLY public.scim_group_role
    ADD CONSTRAINT scim_group_role_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.scim_group_role
    ADD CONSTRAINT scim_group_role_root_id_group_id_fkey FOREIGN KEY (root_id, group_id) REFERENCES public.scim_group(root_id, id);

ALTER TABLE ONLY public.scim_group_role
    ADD CONSTRAINT scim_group_role_root_id_organization_id_custom_role_id_fkey FOREIGN KEY (root_id, organization_id, custom_role_id) REFERENCES public.custom_role(root_id, organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scim_group_role
    ADD CONSTRAINT scim_group_role_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.scim_group
    ADD CONSTRAINT scim_group_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.scim_user
    ADD CONSTRAINT scim_user_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.scim_user
    ADD CONSTRAINT scim_user_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.seat_head
    ADD CONSTRAINT seat_head_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.seat_request
    ADD CONSTRAINT seat_request_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.seat_request
    ADD CONSTRAINT seat_request_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.seat
    ADD CONSTRAINT seat_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.security_finding
    ADD CONSTRAINT security_finding_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.security_head
    ADD CONSTRAINT security_head_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.security_scan
    ADD CONSTRAINT security_scan_root_id_organization_id_fkey FOREIGN KEY (root_id, organization_id) REFERENCES public.organization(root_id, id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_root_id_person_id_fkey FOREIGN KEY (root_id, person_id) REFERENCES public.person(root_id, id);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root(id);

ALTER TABLE public.account ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.api_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.applied_learning_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_actor ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_checkpoint ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_clear ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_head ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_log_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_signed ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_signed_head ENABLE ROW LEVEL SECURITY;

CREATE POLICY auth ON public.api_key FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.connector FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.custom_role FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.membership FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.organization FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.passkey FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.person FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.root FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.scim_credential FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.session FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.sign_in_link FOR SELECT TO scholiast_auth USING (true);

CREATE POLICY auth ON public.subscription FOR SELECT TO scholiast_auth USING (true);

ALTER TABLE public.closed_pull_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_budget ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_check_run ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_code_scanning ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_command ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_delivery ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_instruction ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_pull_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connector_repository ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.counted_event_id ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.custom_role ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.event_status ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.finding ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.finding_week ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotent_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.identity ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.instance ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.inventory_removal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_head ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_0 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_1 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_10 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_11 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_12 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_13 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_14 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_15 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_2 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_3 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_4 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_5 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_6 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_7 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_8 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_index_9 ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_origin ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_setting ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_task ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_tombstone ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.learning_vector_index ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.limit_window ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mcp_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mcp_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mcp_usage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.membership ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.metrics_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.metrics_head ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.metrics_placement ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.organization ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outcome ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.passkey ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.person ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pull_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.received_event_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.refusal_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.repository ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.repository_access ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.restore_position ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.restriction ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.review_comment_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.reviewer_price ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.role_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.role_job_user ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.root ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.root_tombstone ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sarif_upload ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sarif_upload_part ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sarif_upload_usage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.scim_credential ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.scim_group ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.scim_group_member ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.scim_group_role ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.scim_user ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.seat ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.seat_head ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.seat_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.security_finding ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.security_head ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.security_scan ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.session ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sign_in_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.subscription ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON public.account TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.api_key TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.applied_learning_event TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.audit_actor TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.audit_checkpoint TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.audit_clear TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.audit_count FOR SELECT TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (instance_id = ( SELECT public.app_instance() AS app_instance)) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.audit_head TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.audit_log TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.audit_signed TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.audit_signed_head TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.closed_pull_request TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_budget TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_check_run TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_code_scanning TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_command TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_delivery TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_instruction TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_pull_request TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.connector_repository TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.counted_event_id TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.custom_role TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.event_status TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.finding TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.finding_week TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.idempotent_request TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND
CASE
    WHEN (organization_id IS NULL) THEN (( SELECT COALESCE(cardinality(public.app_organizations()), 2) AS "coalesce") > 1)
    ELSE (((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
       FROM public.organization
      WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance))))))
END));

CREATE POLICY tenant ON public.identity TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.instance TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.inventory_removal TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.learning TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.learning_count TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.learning_head TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.learning_index TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.learning_origin TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.learning_setting TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.learning_task TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.learning_tombstone TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.learning_vector_index TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.limit_window TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.mcp_day TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.mcp_event TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.mcp_usage TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.membership TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.metrics_day TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.metrics_head TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.metrics_placement TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.organization TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (instance_id = ( SELECT public.app_instance() AS app_instance)))));

CREATE POLICY tenant ON public.outbox FOR INSERT TO scholiast_api, scholiast_worker WITH CHECK ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.outcome TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.passkey TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.person TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.pull_request TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.received_event_count TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.refusal_count TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.repository TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.repository_access TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.restore_position TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.restriction TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.review_comment_change TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.reviewer_price TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.role_job TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.role_job_user TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.root TO scholiast_api, scholiast_worker USING ((id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.root_tombstone TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.sarif_upload TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND
CASE
    WHEN (organization_id IS NULL) THEN (( SELECT COALESCE(cardinality(public.app_organizations()), 2) AS "coalesce") > 1)
    ELSE (((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
       FROM public.organization
      WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance))))))
END));

CREATE POLICY tenant ON public.sarif_upload_part TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND
CASE
    WHEN (organization_id IS NULL) THEN (( SELECT COALESCE(cardinality(public.app_organizations()), 2) AS "coalesce") > 1)
    ELSE (((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
       FROM public.organization
      WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance))))))
END));

CREATE POLICY tenant ON public.sarif_upload_usage TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.scim_credential TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.scim_group TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.scim_group_member TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.scim_group_role TO scholiast_api, scholiast_worker USING (((root_id = ( SELECT public.app_root() AS app_root)) AND ((( SELECT public.app_organizations() AS app_organizations) IS NULL) OR (organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[]))) AND ((( SELECT public.app_instance() AS app_instance) IS NULL) OR (organization_id IN ( SELECT organization.id
   FROM public.organization
  WHERE (organization.instance_id = ( SELECT public.app_instance() AS app_instance)))))));

CREATE POLICY tenant ON public.scim_user TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.seat TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.seat_head TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.seat_request TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.security_finding TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.security_head TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.security_scan TO scholiast_api, scholiast_worker USING ((
CASE
    WHEN (root_id IS DISTINCT FROM ( SELECT public.app_root() AS app_root)) THEN NULL::boolean
    WHEN ( SELECT ((public.app_organizations() IS NULL) AND (public.app_instance() IS NULL))) THEN true
    WHEN (COALESCE((organization_id = ANY (( SELECT public.app_organizations() AS app_organizations)::uuid[])), true) AND (NOT (instance_id IS DISTINCT FROM COALESCE(( SELECT public.app_instance() AS app_instance), instance_id)))) THEN true
    ELSE NULL::boolean
END IS NOT NULL));

CREATE POLICY tenant ON public.session TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.sign_in_link TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY tenant ON public.subscription TO scholiast_api, scholiast_worker USING ((root_id = ( SELECT public.app_root() AS app_root)));

CREATE POLICY worker_delete ON public.counted_event_id FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.event_status FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.idempotent_request FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.limit_window FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.outbox FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.refusal_count FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.restriction FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.role_job FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_delete ON public.session FOR DELETE TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.api_key FOR SELECT TO scholiast_worker USING ((kind = 'ingest'::text));

CREATE POLICY worker_select ON public.connector FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.counted_event_id FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.event_status FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.idempotent_request FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.learning_count FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.learning_head FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.learning_task FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.learning_vector_index FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.limit_window FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.metrics_day FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.metrics_placement FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.outbox FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.received_event_count FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.refusal_count FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.restriction FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.role_job FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.root FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.root_tombstone FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.sarif_upload FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.sarif_upload_usage FOR SELECT TO scholiast_worker USING (true);

CREATE POLICY worker_select ON public.session FOR SELECT TO scholiast_worker USING (true);

GRANT ALL ON SCHEMA public TO scholiast_owner;

GRANT USAGE ON SCHEMA report TO scholiast_report;

REVOKE ALL ON FUNCTION public.audit_chain(root uuid, after bigint, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_chain(root uuid, after bigint, max_rows integer) TO scholiast_api;

REVOKE ALL ON FUNCTION public.audit_clear_sweep(max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_clear_sweep(max_rows integer) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.audit_log_count() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.audit_log_create_month(month date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_log_create_month(month date) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.audit_log_drop_before(first_kept date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_log_drop_before(first_kept date) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.audit_mark_signed(roots uuid[], positions bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_mark_signed(roots uuid[], positions bigint[]) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.audit_retire(first_kept date, after uuid, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_retire(first_kept date, after uuid, max_rows integer) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.audit_store_heads(heads json, key_id text, key_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_store_heads(heads json, key_id text, key_text text) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.audit_sweep_heads(max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_sweep_heads(max_rows integer) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.audit_unsigned(max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_unsigned(max_rows integer) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.count_expiring_keys(at timestamp with time zone, until timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_expiring_keys(at timestamp with time zone, until timestamp with time zone) TO scholiast_worker;

REVOKE ALL ON PROCEDURE public.isolate_by_organization(IN target regclass) FROM PUBLIC;

REVOKE ALL ON PROCEDURE public.isolate_by_organization_or_root(IN target regclass) FROM PUBLIC;

REVOKE ALL ON PROCEDURE public.isolate_by_root(IN target regclass) FROM PUBLIC;

REVOKE ALL ON PROCEDURE public.isolate_metrics(IN target regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.learning_index_create_vector_index(root uuid, organization uuid, of_model text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.learning_index_create_vector_index(root uuid, organization uuid, of_model text) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.learning_index_drop_vector_indexes(of_model text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.learning_index_drop_vector_indexes(of_model text) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.learning_pending_count(max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.learning_pending_count(max_rows integer) TO scholiast_api;
GRANT ALL ON FUNCTION public.learning_pending_count(max_rows integer) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.record_key_uses(roots uuid[], keys uuid[], moments timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_key_uses(roots uuid[], keys uuid[], moments timestamp with time zone[]) TO scholiast_api;

REVOKE ALL ON FUNCTION public.record_restriction() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_session_uses(roots uuid[], sessions uuid[], moments timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_session_uses(roots uuid[], sessions uuid[], moments timestamp with time zone[]) TO scholiast_api;

REVOKE ALL ON FUNCTION public.require_lock(name text, holder integer, since text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.require_lock(name text, holder integer, since text) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.restore_point_heads(after uuid, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.restore_point_heads(after uuid, max_rows integer) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.restore_point_metrics(roots uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.restore_point_metrics(roots uuid[]) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.restore_point_record(epoch bigint, positions json) FROM PUBLIC;
GRANT ALL ON FUNCTION public.restore_point_record(epoch bigint, positions json) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.root_delete_audit(target text, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.root_delete_audit(target text, max_rows integer) TO scholiast_worker;

REVOKE ALL ON FUNCTION public.root_delete_vector_indexes() FROM PUBLIC;
GRANT ALL ON FUNCTION public.root_delete_vector_indexes() TO scholiast_worker;

REVOKE ALL ON FUNCTION public.roots_with_keys_to_warn(at timestamp with time zone, after uuid, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.roots_with_keys_to_warn(at timestamp with time zone, after uuid, max_rows integer) TO scholiast_worker;

GRANT SELECT ON TABLE public.account TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.api_key TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_key TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(kind) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(organization_id) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(instance_id) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(organization_ids) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(owner_id) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(permissions) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(hash) ON TABLE public.api_key TO scholiast_auth;

GRANT UPDATE(expires_at) ON TABLE public.api_key TO scholiast_api;
GRANT SELECT(expires_at) ON TABLE public.api_key TO scholiast_auth;

GRANT UPDATE(revoked_at) ON TABLE public.api_key TO scholiast_api;
GRANT SELECT(revoked_at) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT(last_used_at) ON TABLE public.api_key TO scholiast_auth;

GRANT SELECT,INSERT,DELETE ON TABLE public.applied_learning_event TO scholiast_worker;

GRANT SELECT ON TABLE public.audit_actor TO scholiast_api;
GRANT SELECT ON TABLE public.audit_actor TO scholiast_worker;

GRANT SELECT ON TABLE public.audit_checkpoint TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.audit_clear TO scholiast_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.audit_clear TO scholiast_worker;

GRANT UPDATE(person_id) ON TABLE public.audit_clear TO scholiast_worker;

GRANT UPDATE(clear) ON TABLE public.audit_clear TO scholiast_worker;

GRANT SELECT ON TABLE public.audit_count TO scholiast_api;
GRANT SELECT ON TABLE public.audit_count TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.audit_head TO scholiast_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.audit_head TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.audit_log TO scholiast_api;
GRANT SELECT,INSERT ON TABLE public.audit_log TO scholiast_worker;

GRANT SELECT ON TABLE public.audit_public_key TO scholiast_api;

GRANT SELECT ON TABLE public.audit_signed TO scholiast_worker;

GRANT SELECT ON TABLE public.audit_signed_head TO scholiast_api;
GRANT SELECT ON TABLE public.audit_signed_head TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.backfill TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.closed_pull_request TO scholiast_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.connector TO scholiast_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.connector TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.connector TO scholiast_auth;

GRANT SELECT(organization_id) ON TABLE public.connector TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.connector TO scholiast_auth;

GRANT SELECT(provider) ON TABLE public.connector TO scholiast_auth;

GRANT SELECT(hook_secret) ON TABLE public.connector TO scholiast_auth;

GRANT SELECT(key_id) ON TABLE public.connector TO scholiast_auth;

GRANT UPDATE(inventory_due_at) ON TABLE public.connector TO scholiast_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connector_budget TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connector_check_run TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.connector_code_scanning TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connector_code_scanning TO scholiast_worker;

GRANT UPDATE(due_at) ON TABLE public.connector_code_scanning TO scholiast_api;

GRANT UPDATE(marks) ON TABLE public.connector_code_scanning TO scholiast_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connector_command TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.connector_delivery TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.connector_delivery TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connector_instruction TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.connector_pull_request TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connector_pull_request TO scholiast_worker;

GRANT UPDATE(dirty_since) ON TABLE public.connector_pull_request TO scholiast_api;

GRANT UPDATE(marks) ON TABLE public.connector_pull_request TO scholiast_api;

GRANT UPDATE(due_at) ON TABLE public.connector_pull_request TO scholiast_api;

GRANT SELECT ON TABLE public.connector_repository TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.connector_repository TO scholiast_worker;

GRANT UPDATE(readers_due_at) ON TABLE public.connector_repository TO scholiast_api;

GRANT SELECT,INSERT,DELETE ON TABLE public.counted_event_id TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.custom_role TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.custom_role TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.custom_role TO scholiast_auth;

GRANT SELECT(organization_id) ON TABLE public.custom_role TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.custom_role TO scholiast_auth;

GRANT SELECT(permissions) ON TABLE public.custom_role TO scholiast_auth;

GRANT SELECT ON TABLE public.event_status TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.event_status TO scholiast_worker;

GRANT SELECT ON TABLE public.finding TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.finding TO scholiast_worker;

GRANT SELECT ON TABLE public.finding_week TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.finding_week TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.idempotent_request TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.idempotent_request TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.identity TO scholiast_worker;

GRANT SELECT ON TABLE public.instance TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.instance TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.inventory_removal TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning TO scholiast_worker;

GRANT SELECT ON TABLE public.learning_calibration TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_calibration TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.learning_count TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_count TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.learning_head TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_head TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_index TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_index TO scholiast_worker;

GRANT SELECT ON TABLE public.learning_model TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_model TO scholiast_worker;

GRANT SELECT,DELETE ON TABLE public.learning_origin TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_origin TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_setting TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_setting TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_task TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.learning_task TO scholiast_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.learning_tombstone TO scholiast_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.learning_tombstone TO scholiast_worker;

GRANT SELECT ON TABLE public.learning_vector_index TO scholiast_api;
GRANT SELECT ON TABLE public.learning_vector_index TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.limit_window TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.limit_window TO scholiast_worker;

GRANT SELECT ON TABLE public.mcp_day TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mcp_day TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mcp_event TO scholiast_worker;

GRANT SELECT ON TABLE public.mcp_usage TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mcp_usage TO scholiast_worker;

GRANT SELECT,DELETE ON TABLE public.membership TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.membership TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.membership TO scholiast_auth;

GRANT SELECT(organization_id) ON TABLE public.membership TO scholiast_auth;

GRANT SELECT(person_id) ON TABLE public.membership TO scholiast_auth;

GRANT UPDATE(system_role) ON TABLE public.membership TO scholiast_api;
GRANT SELECT(system_role) ON TABLE public.membership TO scholiast_auth;

GRANT UPDATE(custom_role_id) ON TABLE public.membership TO scholiast_api;
GRANT SELECT(custom_role_id) ON TABLE public.membership TO scholiast_auth;

GRANT SELECT ON TABLE public.metrics_day TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.metrics_day TO scholiast_worker;

GRANT SELECT ON TABLE public.metrics_head TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.metrics_head TO scholiast_worker;

GRANT SELECT ON TABLE public.metrics_placement TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.metrics_placement TO scholiast_worker;

GRANT SELECT ON TABLE public.migration TO scholiast_auth;
GRANT SELECT ON TABLE public.migration TO scholiast_api;
GRANT SELECT ON TABLE public.migration TO scholiast_worker;

GRANT SELECT ON TABLE public.organization TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.organization TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.organization TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.organization TO scholiast_auth;

GRANT SELECT(active) ON TABLE public.organization TO scholiast_auth;

GRANT UPDATE(seat_assignment_mode) ON TABLE public.organization TO scholiast_api;

GRANT UPDATE(currency) ON TABLE public.organization TO scholiast_api;

GRANT INSERT ON TABLE public.outbox TO scholiast_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.outbox TO scholiast_worker;

GRANT SELECT ON TABLE public.outcome TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outcome TO scholiast_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.passkey TO scholiast_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.passkey TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.passkey TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.passkey TO scholiast_auth;

GRANT SELECT(person_id) ON TABLE public.passkey TO scholiast_auth;

GRANT SELECT(credential_id) ON TABLE public.passkey TO scholiast_auth;

GRANT SELECT(public_key) ON TABLE public.passkey TO scholiast_auth;

GRANT UPDATE(counter) ON TABLE public.passkey TO scholiast_api;
GRANT SELECT(counter) ON TABLE public.passkey TO scholiast_auth;

GRANT UPDATE(last_used_at) ON TABLE public.passkey TO scholiast_api;

GRANT SELECT,INSERT ON TABLE public.person TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.person TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.person TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.person TO scholiast_auth;

GRANT UPDATE(email) ON TABLE public.person TO scholiast_api;

GRANT UPDATE(name) ON TABLE public.person TO scholiast_api;

GRANT UPDATE(active) ON TABLE public.person TO scholiast_api;
GRANT SELECT(active) ON TABLE public.person TO scholiast_auth;

GRANT UPDATE(workspace_admin) ON TABLE public.person TO scholiast_api;
GRANT SELECT(workspace_admin) ON TABLE public.person TO scholiast_auth;

GRANT SELECT ON TABLE public.pull_request TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.pull_request TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.received_event_count TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.refusal_count TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.refusal_count TO scholiast_worker;

GRANT SELECT ON TABLE public.repository TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.repository TO scholiast_worker;

GRANT SELECT,DELETE ON TABLE public.repository_access TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.repository_access TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.restore_drill TO scholiast_worker;

GRANT SELECT ON TABLE public.restore_point TO scholiast_api;
GRANT SELECT,INSERT ON TABLE public.restore_point TO scholiast_worker;

GRANT SELECT(epoch) ON TABLE public.restore_point TO scholiast_auth;

GRANT UPDATE(confirmed_at) ON TABLE public.restore_point TO scholiast_worker;

GRANT SELECT ON TABLE public.restore_position TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.restore_position TO scholiast_worker;

GRANT SELECT,DELETE ON TABLE public.restriction TO scholiast_worker;

GRANT SELECT ON TABLE public.review_comment_change TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.review_comment_change TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.reviewer_price TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.reviewer_price TO scholiast_worker;

GRANT SELECT,INSERT ON TABLE public.role_job TO scholiast_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.role_job TO scholiast_worker;

GRANT SELECT ON TABLE public.role_job_user TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.role_job_user TO scholiast_worker;

GRANT SELECT ON TABLE public.root TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.root TO scholiast_worker;

GRANT SELECT(id) ON TABLE public.root TO scholiast_auth;

GRANT SELECT(kind) ON TABLE public.root TO scholiast_auth;

GRANT SELECT(sso) ON TABLE public.root TO scholiast_auth;

GRANT SELECT,INSERT ON TABLE public.root_tombstone TO scholiast_worker;

GRANT UPDATE(finished_at) ON TABLE public.root_tombstone TO scholiast_worker;

GRANT UPDATE(revoked_credentials) ON TABLE public.root_tombstone TO scholiast_worker;

GRANT INSERT ON TABLE public.sarif_upload TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.sarif_upload TO scholiast_worker;

GRANT INSERT ON TABLE public.sarif_upload_part TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.sarif_upload_part TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.sarif_upload_usage TO scholiast_api;
GRANT SELECT,DELETE,UPDATE ON TABLE public.sarif_upload_usage TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_credential TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.scim_credential TO scholiast_api;
GRANT SELECT(root_id) ON TABLE public.scim_credential TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.scim_credential TO scholiast_api;
GRANT SELECT(id) ON TABLE public.scim_credential TO scholiast_auth;

GRANT SELECT(name) ON TABLE public.scim_credential TO scholiast_api;

GRANT SELECT(hash) ON TABLE public.scim_credential TO scholiast_auth;

GRANT SELECT(prefix) ON TABLE public.scim_credential TO scholiast_api;

GRANT SELECT(last_four) ON TABLE public.scim_credential TO scholiast_api;

GRANT SELECT(expires_at) ON TABLE public.scim_credential TO scholiast_auth;

GRANT SELECT(revoked_at) ON TABLE public.scim_credential TO scholiast_auth;

GRANT SELECT(last_used_at),UPDATE(last_used_at) ON TABLE public.scim_credential TO scholiast_api;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_group TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_group TO scholiast_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.scim_group_member TO scholiast_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.scim_group_member TO scholiast_worker;

GRANT SELECT,DELETE ON TABLE public.scim_group_role TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_group_role TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_user TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_user TO scholiast_worker;

GRANT SELECT,INSERT,DELETE ON TABLE public.seat TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.seat TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.seat_head TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.seat_head TO scholiast_worker;

GRANT SELECT,INSERT,UPDATE ON TABLE public.seat_request TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.seat_request TO scholiast_worker;

GRANT SELECT ON TABLE public.security_finding TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.security_finding TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.security_head TO scholiast_worker;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.security_scan TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.security_scan TO scholiast_api;

GRANT SELECT(organization_id) ON TABLE public.security_scan TO scholiast_api;

GRANT SELECT(instance_id) ON TABLE public.security_scan TO scholiast_api;

GRANT SELECT(repository_id) ON TABLE public.security_scan TO scholiast_api;

GRANT SELECT(scan_id) ON TABLE public.security_scan TO scholiast_api;

GRANT SELECT,INSERT ON TABLE public.session TO scholiast_api;
GRANT SELECT,INSERT,DELETE ON TABLE public.session TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(id) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(hash) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(person_id) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(issuer) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(subject) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(provider_session) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(authenticated_at) ON TABLE public.session TO scholiast_auth;

GRANT UPDATE(last_used_at) ON TABLE public.session TO scholiast_api;
GRANT UPDATE(last_used_at) ON TABLE public.session TO scholiast_worker;
GRANT SELECT(last_used_at) ON TABLE public.session TO scholiast_auth;

GRANT SELECT(expires_at) ON TABLE public.session TO scholiast_auth;

GRANT UPDATE(ended_at) ON TABLE public.session TO scholiast_api;
GRANT UPDATE(ended_at) ON TABLE public.session TO scholiast_worker;
GRANT SELECT(ended_at) ON TABLE public.session TO scholiast_auth;

GRANT SELECT ON TABLE public.sign_in_link TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_link TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.sign_in_link TO scholiast_auth;

GRANT SELECT(person_id) ON TABLE public.sign_in_link TO scholiast_auth;

GRANT SELECT(purpose) ON TABLE public.sign_in_link TO scholiast_auth;

GRANT SELECT(hash) ON TABLE public.sign_in_link TO scholiast_auth;

GRANT SELECT(expires_at) ON TABLE public.sign_in_link TO scholiast_auth;

GRANT UPDATE(used_at) ON TABLE public.sign_in_link TO scholiast_api;
GRANT SELECT(used_at) ON TABLE public.sign_in_link TO scholiast_auth;

GRANT SELECT ON TABLE public.subscription TO scholiast_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.subscription TO scholiast_worker;

GRANT SELECT(root_id) ON TABLE public.subscription TO scholiast_auth;

GRANT SELECT(plan) ON TABLE public.subscription TO scholiast_auth;

GRANT SELECT(active) ON TABLE public.subscription TO scholiast_auth;

GRANT SELECT,INSERT ON TABLE public.used_nonce TO scholiast_api;
GRANT SELECT,DELETE ON TABLE public.used_nonce TO scholiast_worker;

GRANT SELECT ON TABLE report.finding TO scholiast_report;

GRANT SELECT ON TABLE report.learning TO scholiast_report;

GRANT SELECT ON TABLE report.outcome TO scholiast_report;

GRANT SELECT ON TABLE report.pull_request TO scholiast_report;
