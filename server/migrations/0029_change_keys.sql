-- Which pull request a change of the feed is about. `pr_url` does not identify it: two organizations may send one URL.
-- Null: written by the version before, which stored the URL only.
alter table review_comment_change add column pull_request_key uuid;

-- The key of a pull request in responses: a UUID (version 8) over the primary key of its row, so it stays when the repository
-- is transferred to another organization or its URL changes. `stable` and a single expression: PostgreSQL inlines it.
create function pull_request_key(root_id uuid, provider text, host text, repository_id text, number bigint) returns uuid
  language sql stable parallel safe
  return overlay(overlay(
    left(encode(sha256(convert_to(
      root_id::text || e'\n' || provider || e'\n' || host || e'\n' || repository_id || e'\n' || number::text, 'UTF8')), 'hex'), 32)
    placing '8' from 13 for 1) placing '8' from 17 for 1)::uuid;
revoke execute on function pull_request_key from public;
grant execute on function pull_request_key to scholiast_api, scholiast_worker;
