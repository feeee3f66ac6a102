-- The role that authenticates requests is called scholiast_auth. scholiast_door, its former name, keeps its login, grants and
-- policies for one release, so that the previous version goes on working during a rolling update.
do $$ begin
  if not exists (select from pg_roles where rolname = 'scholiast_auth') then
    raise exception 'The database role scholiast_auth does not exist: run database bootstrap first.';
  end if;
end $$;

create policy auth on api_key for select to scholiast_auth using (true);
create policy auth on root for select to scholiast_auth using (true);
create policy auth on subscription for select to scholiast_auth using (true);
create policy auth on organization for select to scholiast_auth using (true);
create policy auth on person for select to scholiast_auth using (true);
create policy auth on membership for select to scholiast_auth using (true);
create policy auth on custom_role for select to scholiast_auth using (true);

grant select (root_id, id, kind, organization_id, instance_id, organization_ids, owner_id, permissions, hash,
  expires_at, revoked_at) on api_key to scholiast_auth;
grant select (id, kind, sso) on root to scholiast_auth;
grant select (root_id, plan, active) on subscription to scholiast_auth;
grant select (root_id, id, active) on organization to scholiast_auth;
grant select (root_id, id, active, workspace_admin) on person to scholiast_auth;
grant select (root_id, organization_id, person_id, system_role, custom_role_id) on membership to scholiast_auth;
grant select (root_id, organization_id, id, permissions) on custom_role to scholiast_auth;
