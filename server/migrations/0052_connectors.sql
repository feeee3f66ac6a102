-- Connectors read pull requests from Git providers. No code, title or comment text is stored: digests, times and counts only.

create table connector (
  root_id uuid not null references root,
  organization_id uuid not null,
  id uuid not null,
  provider text not null check (provider in ('github', 'gitlab')),
  host text not null check (length(host) between 1 and 255),
  mode text not null check (mode in ('hooks', 'polling')),
  -- The login of the organization, or the path of the group.
  account text not null check (length(account) between 1 and 255),
  -- Of GitHub, the installation of the App.
  external_account_id text check (length(external_account_id) between 1 and 255),
  -- Encrypted with the key `key_id` of the setting CONNECTOR_KEYS.
  credential bytea not null,
  hook_secret bytea,
  key_id text not null check (length(key_id) between 1 and 32),
  status text not null default 'pending' check (status in ('pending', 'active', 'failing')),
  error text check (length(error) between 1 and 500),
  -- Nothing is requested from the provider before this time: its rate limit is used up, or it was unavailable.
  retry_at timestamptz,
  -- The same for the backfill, which may use half of the rate limit.
  backfill_retry_at timestamptz,
  failures int not null default 0,
  created_by uuid,
  created_at timestamptz not null,
  -- Accounts that the connector reported as members, so that it can report who left.
  members text[] not null default '{}',
  inventory_digest bytea,
  inventory_sent_at timestamptz,
  inventory_due_at timestamptz not null,
  lease_owner uuid,
  lease_until timestamptz,
  last_event_at timestamptz,
  primary key (root_id, id),
  unique (id),
  foreign key (root_id, organization_id) references organization,
  check ((mode = 'hooks') = (hook_secret is not null))
);
create index connector_of_organization on connector (root_id, organization_id, id);
call isolate_by_organization('connector');
grant select, insert, delete, update (inventory_due_at) on connector to scholiast_api;
grant select, update, delete on connector to scholiast_worker;
-- Workers serve the connectors of all roots in turn.
create policy work on connector for select to scholiast_worker using (true);

-- A hook names its connector before any root is known.
create policy auth on connector for select to scholiast_auth using (true);
grant select (root_id, organization_id, id, provider, hook_secret, key_id) on connector to scholiast_auth;

create table connector_repository (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  full_name text not null check (length(full_name) between 1 and 500),
  private boolean not null,
  -- False = the credential can no longer read it.
  active boolean not null default true,
  -- Accounts that the connector reported as readers.
  readers text[] not null default '{}',
  readers_due_at timestamptz not null,
  -- Pull requests updated before this time were seen.
  polled_to timestamptz,
  poll_due_at timestamptz not null,
  sweep_due_at timestamptz not null,
  backfill_since timestamptz not null,
  backfill_cursor text,
  backfill_done int not null default 0,
  backfill_total int,
  backfill_started_at timestamptz,
  backfill_finished_at timestamptz,
  -- Comments of known bots that look like findings, but that no parser understands.
  unparsed_comments int not null default 0,
  lease_owner uuid,
  lease_until timestamptz,
  primary key (root_id, connector_id, repository_id),
  foreign key (root_id, connector_id) references connector on delete cascade
);
call isolate_by_organization('connector_repository');
grant select on connector_repository to scholiast_api;
grant select, insert, update, delete on connector_repository to scholiast_worker;

-- Deliveries of hooks by their id, never their bodies.
create table connector_delivery (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  delivery_id text not null check (length(delivery_id) between 1 and 200),
  kind text not null check (length(kind) between 1 and 100),
  repository_id text,
  number bigint,
  received_at timestamptz not null,
  primary key (root_id, connector_id, delivery_id),
  foreign key (root_id, connector_id) references connector on delete cascade
);
create index connector_delivery_age on connector_delivery (root_id, connector_id, received_at);
call isolate_by_organization('connector_delivery');
grant select, insert on connector_delivery to scholiast_api;
grant select, delete on connector_delivery to scholiast_worker;

create table connector_pull_request (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  number bigint not null check (number > 0),
  -- Null = what was read last is current, as far as is known.
  dirty_since timestamptz,
  -- Counts marks: one that is set during a read survives that read.
  marks bigint not null default 0,
  due_at timestamptz,
  failures int not null default 0,
  lease_owner uuid,
  lease_until timestamptz,
  state text check (state in ('open', 'merged', 'closed')),
  finished_at timestamptz,
  -- Of the events that were sent last.
  digest bytea,
  last_occurred_at timestamptz,
  last_read_at timestamptz,
  unparsed_comments int not null default 0,
  primary key (root_id, connector_id, repository_id, number),
  foreign key (root_id, connector_id) references connector on delete cascade
);
create index connector_pull_request_dirty on connector_pull_request (root_id, connector_id, dirty_since)
  where dirty_since is not null;
create index connector_pull_request_open on connector_pull_request (root_id, connector_id, repository_id)
  where state = 'open';
create index connector_pull_request_finished on connector_pull_request (root_id, connector_id, repository_id, finished_at)
  where finished_at is not null;
call isolate_by_organization('connector_pull_request');
grant select, insert on connector_pull_request to scholiast_api;
grant update (dirty_since, marks, due_at) on connector_pull_request to scholiast_api;
grant select, insert, update, delete on connector_pull_request to scholiast_worker;
