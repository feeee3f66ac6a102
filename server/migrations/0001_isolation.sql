-- Tenant isolation, the lower of its two layers: a statement that forgets its scope finds nothing.
-- The scope of a transaction is three settings, made by access/scope.ts:
--   app.root           the tenant root; unset = no row at all
--   app.organizations  a uuid array literal; empty = every organization of the root
--   app.instance       a self-hosted instance; empty = not narrowed
-- Each is read once per statement through a sub-select, so that a policy costs nothing per row.

create function app_root() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.root', true), '')::uuid;

create function app_organizations() returns uuid[]
  language sql stable parallel safe
  return nullif(current_setting('app.organizations', true), '')::uuid[];

create function app_instance() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.instance', true), '')::uuid;

-- Every table that carries root_id is handed to this procedure by the migration that creates it; the start-up
-- check refuses to serve when one was forgotten.
create procedure isolate_by_root(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using (root_id = (select app_root()))', target);
end
$$;

create procedure isolate_by_organization(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using (
       root_id = (select app_root())
       and ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
       and ((select app_instance()) is null
         or organization_id in (select id from organization where instance_id = (select app_instance()))))', target);
end
$$;

revoke execute on procedure isolate_by_root, isolate_by_organization from public;
