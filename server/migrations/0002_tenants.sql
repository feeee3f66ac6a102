-- A tenant root is a workspace, else a self-hosted instance, else a single organization. No key sees across two.
create table root (
  id uuid primary key,
  kind text not null check (kind in ('workspace', 'instance', 'organization')),
  name text not null,
  sso boolean not null default false,
  created_at timestamptz not null default now(),
  check (kind = 'workspace' or not sso)
);

create table subscription (
  root_id uuid primary key references root,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  active boolean not null,
  seats_purchased integer not null check (seats_purchased >= 0)
);

create table instance (
  root_id uuid not null references root,
  id uuid not null,
  provider text not null,
  host text not null,
  name text not null,
  sends_metrics boolean not null default false,
  primary key (root_id, id),
  unique (root_id, provider, host)
);

-- The rendered entry is stored, so that a page is copied and not rebuilt. to_json of a text depends on nothing but
-- the text; PostgreSQL calls it stable only because other types print by session settings.
create function organization_entry(id uuid, name text, provider text, provider_organization_id text) returns text
  language sql immutable parallel safe
  return '{"id":"' || id || '","name":' || to_json(name) || ',"provider":' || to_json(provider)
    || ',"provider_organization_id":' || to_json(provider_organization_id) || '}';

create table organization (
  root_id uuid not null references root,
  id uuid not null,
  instance_id uuid,
  provider text not null,
  host text not null,
  provider_organization_id text not null,
  name text not null,
  active boolean not null default true,
  metrics_enabled boolean not null default true,
  seat_assignment_mode text not null default 'manual' check (seat_assignment_mode in ('automatic', 'manual')),
  entry text not null generated always as (organization_entry(id, name, provider, provider_organization_id)) stored,
  primary key (root_id, id),
  unique (root_id, provider_organization_id, provider, host),
  foreign key (root_id, instance_id) references instance
);
create index organization_of_instance on organization (root_id, instance_id, id) where instance_id is not null;

create function repository_entry(
  id uuid, name text, provider text, provider_repository_id text, private boolean
) returns text
  language sql immutable parallel safe
  return '{"id":"' || id || '","name":' || to_json(name) || ',"provider":' || to_json(provider)
    || ',"provider_repository_id":' || to_json(provider_repository_id)
    || ',"private":' || case when private then 'true' else 'false' end || '}';

create table repository (
  root_id uuid not null,
  organization_id uuid not null,
  id uuid not null,
  provider text not null,
  provider_repository_id text not null,
  name text not null,
  private boolean not null default true,
  active boolean not null default true,
  entry text not null
    generated always as (repository_entry(id, name, provider, provider_repository_id, private)) stored,
  primary key (root_id, organization_id, id),
  unique (root_id, organization_id, provider_repository_id),
  foreign key (root_id, organization_id) references organization
);

create table person (
  root_id uuid not null references root,
  id uuid not null,
  email text not null check (email = lower(email)),
  name text not null,
  active boolean not null default true,
  workspace_admin boolean not null default false,
  primary key (root_id, id),
  unique (root_id, email)
);

create table account (
  root_id uuid not null,
  provider text not null,
  host text not null,
  account_id text not null,
  username text not null,
  person_id uuid not null,
  primary key (root_id, provider, host, account_id),
  foreign key (root_id, person_id) references person
);
create index account_of_person on account (root_id, person_id);

-- System roles live in code (access/permissions.ts): they are immutable and the same everywhere.
create table custom_role (
  root_id uuid not null,
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null default '',
  permissions text[] not null,
  is_default boolean not null default false,
  primary key (root_id, organization_id, id),
  unique (root_id, organization_id, name),
  foreign key (root_id, organization_id) references organization
);
create unique index custom_role_default on custom_role (root_id, organization_id) where is_default;

create table membership (
  root_id uuid not null,
  organization_id uuid not null,
  account_id text not null,
  person_id uuid not null,
  system_role text check (system_role in ('cr_admin', 'cr_member', 'cr_billing_admin')),
  custom_role_id uuid,
  primary key (root_id, organization_id, account_id),
  unique (root_id, organization_id, person_id),
  check (num_nonnulls(system_role, custom_role_id) = 1),
  foreign key (root_id, organization_id) references organization,
  foreign key (root_id, organization_id, custom_role_id) references custom_role,
  foreign key (root_id, person_id) references person
);
create index membership_of_person on membership (root_id, person_id);
create index membership_of_custom_role on membership (root_id, organization_id, custom_role_id)
  where custom_role_id is not null;

create table repository_access (
  root_id uuid not null,
  organization_id uuid not null,
  repository_id uuid not null,
  person_id uuid not null,
  verified_at timestamptz not null,
  primary key (root_id, organization_id, repository_id, person_id),
  foreign key (root_id, organization_id, repository_id) references repository,
  foreign key (root_id, person_id) references person
);
create index repository_access_of_person on repository_access (root_id, person_id);

create table seat (
  root_id uuid not null,
  person_id uuid not null,
  assigned_at timestamptz not null default now(),
  primary key (root_id, person_id),
  foreign key (root_id, person_id) references person
);

alter table root enable row level security;
create policy tenant on root to scholiast_api, scholiast_worker using (id = (select app_root()));
-- The worker walks from root to root; the directory is all it sees across them.
create policy directory on root for select to scholiast_worker using (true);

alter table organization enable row level security;
create policy tenant on organization to scholiast_api, scholiast_worker using (
  root_id = (select app_root())
  and ((select app_organizations()) is null or id = any ((select app_organizations())::uuid[]))
  and ((select app_instance()) is null or instance_id = (select app_instance())));

call isolate_by_root('subscription');
call isolate_by_root('instance');
call isolate_by_root('person');
call isolate_by_root('account');
call isolate_by_root('seat');
call isolate_by_organization('repository');
call isolate_by_organization('custom_role');
call isolate_by_organization('membership');
call isolate_by_organization('repository_access');

grant select on root, subscription, instance, organization, repository, person, account, custom_role, membership,
  repository_access, seat to scholiast_api;
grant select, insert, update, delete on root, subscription, instance, organization, repository, person, account,
  custom_role, membership, repository_access, seat to scholiast_worker;
