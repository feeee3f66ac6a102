-- Instructions in review chat and code scanning alerts. No text of a comment is stored here: digests only.

-- Every row satisfies the check already, because the one that it replaces was stricter.
alter table learning
  drop constraint learning_source_check,
  add constraint learning_source_check check (source in ('api', 'chat', 'review', 'agent', 'connector')) not valid;

-- What became of an instruction that somebody wrote to a bot. It belongs to the organization rather than to the connector, so that
-- nothing is proposed again after the organization is connected again.
create table connector_instruction (
  root_id uuid not null references root,
  organization_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  -- Of the comment's id and the text: an edited comment is another instruction.
  digest bytea not null check (length(digest) = 32),
  number bigint not null check (number > 0),
  -- `refused`: the author cannot write to the repository. `waiting`: too many were proposed on that day.
  state text not null check (state in ('proposed', 'refused', 'waiting')),
  decided_at timestamptz not null,
  primary key (root_id, organization_id, repository_id, digest),
  foreign key (root_id, organization_id) references organization
);
create index connector_instruction_proposed on connector_instruction (root_id, organization_id, repository_id, decided_at)
  where state = 'proposed';
create index connector_instruction_waiting on connector_instruction (root_id, organization_id, repository_id, decided_at)
  where state = 'waiting';
call isolate_by_organization('connector_instruction');
grant select, insert, update, delete on connector_instruction to scholiast_worker;

-- When the code scanning alerts of a repository are read next, and what was sent of them. No row: they were never read.
create table connector_code_scanning (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  due_at timestamptz not null,
  -- Counts hooks: one that arrives during a read survives that read.
  marks bigint not null default 0,
  -- Of the scan that was sent last, by tool, branch and category.
  digests jsonb not null default '{}',
  last_occurred_at timestamptz,
  primary key (root_id, connector_id, repository_id),
  foreign key (root_id, connector_id) references connector on delete cascade
);
call isolate_by_organization('connector_code_scanning');
grant select, insert, update (due_at, marks) on connector_code_scanning to scholiast_api;
grant select, insert, update, delete on connector_code_scanning to scholiast_worker;
