-- Keys by API. The API makes keys, ends them and shortens their lives; nothing else of a key ever changes.
grant insert on api_key to scholiast_api;
grant update (expires_at, revoked_at) on api_key to scholiast_api;

-- The keys of an organization that were not revoked, page by page.
create index api_key_of_organization on api_key (root_id, organization_id, id) where revoked_at is null;

-- When the next warning of its end is due: 14 days before it, then 3; null when none is left. A warning whose moment had
-- passed when the end was set is not due: whoever set it knows.
alter table api_key add column warn_at timestamptz;

create function next_key_warning(ends timestamptz, after timestamptz) returns timestamptz
  language sql stable
  return case
    when ends - interval '336 hours' > after then ends - interval '336 hours'
    when ends - interval '72 hours' > after then ends - interval '72 hours'
  end;

update api_key set warn_at = next_key_warning(expires_at, created_at)
where revoked_at is null and expires_at > now();

-- Whoever sets the end of a key, the warning follows.
create function set_key_warning() returns trigger language plpgsql as $$
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
create trigger set_key_warning before insert or update of expires_at, revoked_at on api_key
  for each row execute function set_key_warning();

create index api_key_to_warn on api_key (warn_at) where warn_at is not null;

-- Runs as the owner: the worker learns which roots have keys to warn of, and nothing of the keys.
create function roots_with_keys_to_warn(at timestamptz, after uuid, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct root_id from api_key where warn_at <= at and root_id > after order by root_id limit most
$$;
revoke execute on function roots_with_keys_to_warn from public;
grant execute on function roots_with_keys_to_warn to scholiast_worker;

-- Runs as the owner: a node tells of the keys of many roots at once when they were last used. It can only set that, and only
-- to a later time. A key that somebody is changing is left for the next time.
create function note_key_uses(roots uuid[], keys uuid[], moments timestamptz[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with used as (
    select k.root_id, k.id, u.moment
    from unnest(roots, keys, moments) u (root_id, id, moment)
    join api_key k on k.root_id = u.root_id and k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.moment
    order by k.root_id, k.id for no key update of k skip locked
  )
  update api_key k set last_used_at = used.moment from used where k.root_id = used.root_id and k.id = used.id
$$;
revoke execute on function note_key_uses from public;
grant execute on function note_key_uses to scholiast_api;
