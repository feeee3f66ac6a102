-- The id of a finding begins with that of its pull request, so an id leads to the pull request. The prefix has 48 bits: two pull
-- requests of a root may share one, and the rest of the id decides. Declared immutable for the index: the encoding of the
-- database, on which convert_to depends, never changes.
create function pull_request_key_prefix(root_id uuid, provider text, host text, repository_id text, number bigint) returns text
  language sql immutable parallel safe
  return left(pull_request_key(root_id, provider, host, repository_id, number)::text, 13);
revoke execute on function pull_request_key_prefix from public;
grant execute on function pull_request_key_prefix to scholiast_api, scholiast_worker;

-- With row-level security, the planner would use the index only if the function were leakproof. This one sees the rows of its
-- root alone and returns keys; the caller reads the rows under its own policies.
create function find_pull_requests_by_prefix(prefix text)
  returns table (provider text, host text, repository_id text, number bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select p.provider, p.host, p.repository_id, p.number from pull_request p
  where p.root_id = app_root()
    and pull_request_key_prefix(p.root_id, p.provider, p.host, p.repository_id, p.number) = prefix
  limit 100
$$;
revoke execute on function find_pull_requests_by_prefix from public;
grant execute on function find_pull_requests_by_prefix to scholiast_api;
