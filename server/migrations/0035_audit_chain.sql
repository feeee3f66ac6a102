-- The hash chain for callers (GET /v1/audit-logs/chain): digests of all rows of a tenant root, signed heads, public keys.

-- The digest of the row's content, which its hash is computed from. Null in rows of earlier versions: computed when read.
alter table audit_log add column digest bytea;

-- Signed heads, as in the file outside of the database. The signature covers the texts, so they are stored as signed.
create table audit_signed_head (
  root_id uuid not null,
  position bigint not null,
  kind text not null check (kind in ('head', 'checkpoint', 'restored')),
  hash text not null,
  at text not null,
  key text not null,
  signature text not null,
  primary key (root_id, position, kind, at)
);
call isolate_by_root('audit_signed_head');
grant select on audit_signed_head to scholiast_api, scholiast_worker;

-- The public keys of all signers so far. They belong to the installation, not to a tenant.
create table audit_public_key (
  key text primary key,
  public_key text not null,
  first_used_at timestamptz not null default now()
);
grant select on audit_public_key to scholiast_api;

-- The worker signs for every root. The last head of a deleted root is in the file only.
create function audit_store_heads(heads json, key_id text, key_text text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into audit_public_key (key, public_key) values (key_id, key_text) on conflict do nothing;
  insert into audit_signed_head (root_id, position, kind, hash, at, key, signature)
  select root, position, kind, hash, at, key, signature
  from json_to_recordset(heads) as signed (root uuid, position int8, kind text, hash text, at text, key text, signature text)
  where exists (select from audit_head h where h.root_id = signed.root)
  on conflict do nothing
$$;

-- A later head covers the rows of an earlier one, so after a week one a day is enough, and none from before a checkpoint.
create function audit_sweep_heads(most integer) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
  with outlived as (
    select h.root_id, h.position, h.kind, h.at from audit_signed_head h
    where h.kind = 'head' and (
      h.at < to_char(now() at time zone 'UTC' - interval '7 days', 'YYYY-MM-DD') and exists (
        select from audit_signed_head l where l.root_id = h.root_id and l.position > h.position and l.kind = 'head'
          and left(l.at, 10) = left(h.at, 10))
      or exists (select from audit_checkpoint c where c.root_id = h.root_id and c.position > h.position))
    limit most
  ), swept as (
    delete from audit_signed_head h using outlived o
    where h.root_id = o.root_id and h.position = o.position and h.kind = o.kind and h.at = o.at returning 1
  )
  select count(*) from swept
$$;
revoke execute on function audit_store_heads, audit_sweep_heads from public;
grant execute on function audit_store_heads, audit_sweep_heads to scholiast_worker;

-- As canonicalJson of access/audit/chain.ts: keys in the order of their characters, no blanks.
create function audit_canonical_json(value jsonb) returns text
  language plpgsql immutable parallel safe set search_path = public, pg_temp as $$
begin
  return case jsonb_typeof(value)
    when 'object' then (
      select '{' || coalesce(string_agg(to_json(e.key)::text || ':' || audit_canonical_json(e.value), ','
        order by e.key collate "C"), '') || '}' from jsonb_each(value) e)
    when 'array' then (
      select '[' || coalesce(string_agg(audit_canonical_json(e.value), ',' order by e.n), '') || ']'
      from jsonb_array_elements(value) with ordinality e (value, n))
    else value::text
  end;
end
$$;

create function audit_content_digest(l audit_log) returns bytea
  language sql stable set search_path = public, pg_temp as $$
  select sha256(convert_to(
    '{"action":' || to_json(l.action)
    || ',"actor_id":' || coalesce(to_json(l.actor_id)::text, 'null')
    || ',"actor_kind":' || to_json(l.actor_kind)
    || ',"at":"' || regexp_replace(to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '000Z$', 'Z')
    || '","id":' || to_json(l.id)
    || ',"metadata":' || audit_canonical_json(l.metadata)
    || ',"organization_id":' || coalesce(to_json(l.organization_id)::text, 'null')
    || ',"resource_id":' || coalesce(to_json(l.resource_id)::text, 'null')
    || ',"resource_type":' || to_json(l.resource_type)
    || ',"sealed":' || audit_canonical_json(l.sealed) || '}', 'UTF8'))
$$;

-- Positions, digests and hashes of the whole root, and nothing else: a caller of one organization verifies the chain without
-- reading the rows of the others.
create function audit_chain(root uuid, after bigint, most integer)
  returns table ("position" bigint, digest bytea, hash bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select l.position, coalesce(l.digest, audit_content_digest(l)), l.hash from audit_log l
  where l.root_id = root and root = app_root() and l.position > after
  order by l.position limit least(most, 10000)
$$;
revoke execute on function audit_canonical_json, audit_content_digest, audit_chain from public;
grant execute on function audit_chain to scholiast_api;

-- Adds audit_signed_head to the tables that go with a deleted root.
create or replace function root_delete_audit(target text, most integer) returns bigint
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
  elsif target in ('audit_count', 'audit_actor', 'audit_checkpoint', 'audit_signed', 'audit_signed_head', 'audit_head') then
    execute format('delete from %1$I where root_id = $1
      and ctid = any (array(select ctid from %1$I where root_id = $1 limit $2))', target) using root, most;
  else
    raise exception '% is no table of the audit log', target;
  end if;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
