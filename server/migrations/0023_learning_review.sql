-- Disapproved texts that no Learning has any more: a hash and no text. The foreign key cascades, so that the previous version
-- still deletes organizations without knowing this table.
create table learning_tombstone (
  root_id uuid not null,
  organization_id uuid not null,
  -- Of the repository and the text, like content_hash of learning.
  content_hash bytea not null check (length(content_hash) = 32),
  -- The id that a Learning with this text had, or would get.
  id uuid not null,
  repository_id text not null,
  redactor_version integer not null,
  created_at timestamptz not null,
  primary key (root_id, organization_id, content_hash),
  foreign key (root_id, organization_id) references organization on delete cascade
);
create unique index learning_tombstone_id on learning_tombstone (root_id, organization_id, id);
create index learning_tombstone_redacted on learning_tombstone (root_id, redactor_version);
call isolate_by_organization('learning_tombstone');
grant select, insert, delete on learning_tombstone to scholiast_api, scholiast_worker;

-- Counts the pending Learnings of the root, at most as many as given. A request sees one organization, and the limit is of
-- the root: only the number is returned.
create function learning_pending_count(most integer) returns bigint
  language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from (select from learning where root_id = app_root() and state = 'pending' limit most) pending
$$;
revoke execute on function learning_pending_count from public;
grant execute on function learning_pending_count to scholiast_api, scholiast_worker;

-- Flags of the text: it addresses an agent, or hides characters. Null: written by a version that does not examine texts.
alter table learning add column flags text[];
