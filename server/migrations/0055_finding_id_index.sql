-- migrate: no transaction
-- Finds the pull request of a finding's id.
create index concurrently if not exists pull_request_of_prefix on pull_request
  (root_id, pull_request_key_prefix(root_id, provider, host, repository_id, number));
