-- SCIM 2.0: how an identity provider creates, changes and deactivates the people of a tenant root.

create table scim_credential (
  root_id uuid not null references root,
  id uuid not null,
  name text not null check (length(name) between 1 and 200),
  hash bytea not null unique check (length(hash) = 32),
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- To the minute, so that a busy provider does not write at every request.
  last_used_at timestamptz,
  primary key (root_id, id),
  check (expires_at - created_at <= interval '366 days')
);
call isolate_by_root('scim_credential');
grant select (root_id, id, last_used_at), update (last_used_at) on scim_credential to scholiast_api;
grant select, insert, update, delete on scim_credential to scholiast_worker;

-- A credential is looked up before any root is known, like a key.
create policy auth on scim_credential for select to scholiast_auth using (true);
grant select (root_id, id, hash, expires_at, revoked_at) on scim_credential to scholiast_auth;

-- A person whom an identity provider provisions. The person has the e-mail, the name and the state.
create table scim_user (
  root_id uuid not null references root,
  person_id uuid not null,
  external_id text check (length(external_id) between 1 and 1000),
  user_name text not null check (length(user_name) between 1 and 1000),
  -- Attributes that are returned as they were received: parts of the name, title, e-mail addresses.
  attributes jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (root_id, person_id),
  unique (root_id, external_id),
  foreign key (root_id, person_id) references person
);
create unique index scim_user_name on scim_user (root_id, lower(user_name));
call isolate_by_root('scim_user');
grant select, insert, update, delete on scim_user to scholiast_api, scholiast_worker;

create table scim_group (
  root_id uuid not null references root,
  id uuid not null,
  external_id text check (length(external_id) between 1 and 1000),
  display_name text not null check (length(display_name) between 1 and 1000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (root_id, id),
  unique (root_id, external_id)
);
-- The operator maps a group to a role by its name.
create unique index scim_group_name on scim_group (root_id, lower(display_name));
call isolate_by_root('scim_group');
grant select, insert, update, delete on scim_group to scholiast_api, scholiast_worker;

create table scim_group_member (
  root_id uuid not null references root,
  group_id uuid not null,
  person_id uuid not null,
  primary key (root_id, group_id, person_id),
  foreign key (root_id, group_id) references scim_group,
  foreign key (root_id, person_id) references scim_user
);
create index scim_group_member_of_person on scim_group_member (root_id, person_id);
call isolate_by_root('scim_group_member');
grant select, insert, delete on scim_group_member to scholiast_api, scholiast_worker;

-- The role that the members of a group have in an organization. Nobody becomes workspace admin by a group.
create table scim_group_role (
  root_id uuid not null references root,
  group_id uuid not null,
  organization_id uuid not null,
  system_role text check (system_role in ('cr_admin', 'cr_member')),
  custom_role_id uuid,
  created_at timestamptz not null,
  primary key (root_id, group_id, organization_id),
  foreign key (root_id, group_id) references scim_group,
  foreign key (root_id, organization_id) references organization,
  foreign key (root_id, organization_id, custom_role_id) references custom_role on delete cascade,
  check (num_nonnulls(system_role, custom_role_id) = 1)
);
create index scim_group_role_of_organization on scim_group_role (root_id, organization_id);
call isolate_by_organization('scim_group_role');
grant select, delete on scim_group_role to scholiast_api;
grant select, insert, update, delete on scim_group_role to scholiast_worker;

grant insert, update (name, email, active) on person to scholiast_api;
