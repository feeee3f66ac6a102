-- What connectors wrote to pull requests. Ids, times and digests only, no text.

create table connector_check_run (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  number bigint not null check (number > 0),
  head_sha text not null check (length(head_sha) between 1 and 64),
  check_run_id text not null check (length(check_run_id) between 1 and 64),
  -- Of what the check run says.
  digest bytea not null,
  written_at timestamptz not null,
  primary key (root_id, connector_id, repository_id, number),
  foreign key (root_id, connector_id) references connector on delete cascade
);
create index connector_check_run_written on connector_check_run (root_id, connector_id, written_at);
call isolate_by_organization('connector_check_run');
grant select, insert, update, delete on connector_check_run to scholiast_worker;

-- Commands in comments, so that each is carried out once. Rows are deleted when their comments are too old to count.
create table connector_command (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  number bigint not null check (number > 0),
  comment_id text not null check (length(comment_id) between 1 and 64),
  -- Of the account that wrote the comment.
  author_id text not null check (length(author_id) between 1 and 64),
  outcome text not null check (outcome in ('refused', 'started', 'done')),
  handled_at timestamptz not null,
  primary key (root_id, connector_id, repository_id, number, comment_id),
  foreign key (root_id, connector_id) references connector on delete cascade
);
create index connector_command_age on connector_command (root_id, connector_id, handled_at);
call isolate_by_organization('connector_command');
grant select, insert, update, delete on connector_command to scholiast_worker;
