create table api_key (
  root_id uuid not null references root,
  id uuid not null,
  kind text not null
    check (kind in ('organization', 'user', 'workspace', 'instance', 'legacy', 'agentic', 'ingest')),
  name text not null,
  -- The organization a key is bound to; of an instance key, its home.
  organization_id uuid,
  instance_id uuid,
  -- Of instance and ingest keys: the organizations it is authorized for; null = all of the instance or root.
  organization_ids uuid[],
  owner_id uuid,
  permissions text[] not null,
  hash bytea not null unique check (length(hash) = 32),
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (root_id, id),
  foreign key (root_id, organization_id) references organization,
  foreign key (root_id, instance_id) references instance,
  foreign key (root_id, owner_id) references person,
  check ((kind in ('organization', 'user', 'legacy', 'agentic', 'instance')) = (organization_id is not null)),
  check ((kind = 'instance') = (instance_id is not null)),
  check ((kind in ('instance', 'ingest')) = (owner_id is null)),
  check (kind not in ('workspace', 'ingest') or expires_at is not null)
);
create index api_key_of_owner on api_key (root_id, owner_id) where owner_id is not null;

call isolate_by_root('api_key');
grant select on api_key to scholiast_api;
grant select, insert, update, delete on api_key to scholiast_worker;

-- A key is looked up before any root is known, by a role that sees keys and the few facts a key stands or falls
-- with, column by column: no name, no address, no content.
create policy door on api_key for select to scholiast_door using (true);
create policy door on root for select to scholiast_door using (true);
create policy door on subscription for select to scholiast_door using (true);
create policy door on organization for select to scholiast_door using (true);
create policy door on person for select to scholiast_door using (true);
create policy door on membership for select to scholiast_door using (true);
create policy door on custom_role for select to scholiast_door using (true);
grant select (root_id, id, kind, organization_id, instance_id, organization_ids, owner_id, permissions, hash,
  expires_at, revoked_at) on api_key to scholiast_door;
grant select (id, kind, sso) on root to scholiast_door;
grant select (root_id, plan, active) on subscription to scholiast_door;
grant select (root_id, id, active) on organization to scholiast_door;
grant select (root_id, id, active, workspace_admin) on person to scholiast_door;
grant select (root_id, organization_id, person_id, system_role, custom_role_id) on membership to scholiast_door;
grant select (root_id, organization_id, id, permissions) on custom_role to scholiast_door;
