-- migrate: no transaction
-- Finds the newest pull request of each author of an organization: when a user was last active.
create index concurrently if not exists pull_request_of_member on pull_request (root_id, organization_id, author_id, day)
  where author_id is not null;
