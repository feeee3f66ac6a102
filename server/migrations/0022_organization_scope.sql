-- Organizations of one root do not meet in what their callers choose: Idempotency-Keys and ids of Learning events.
-- Expand step: the previous version still uses idempotency and learning_event, whose keys are per root. This version writes
-- the new tables and, for one release, the old ones too, so that a request or an event that reaches both versions is
-- applied once. DECISIONS.md says what the next release removes.

-- Like isolate_by_organization, for tables in which a row without an organization belongs to the whole root. A scope of
-- exactly one organization does not see those rows: its callers speak for that organization only.
create procedure isolate_by_organization_or_root(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using (
       root_id = (select app_root())
       and case
         when organization_id is null then (select coalesce(cardinality(app_organizations()), 2)) > 1
         else ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
           and ((select app_instance()) is null
             or organization_id in (select id from organization where instance_id = (select app_instance())))
         end)', target);
end
$$;
revoke execute on procedure isolate_by_organization_or_root from public;

create table idempotent_request (
  root_id uuid not null references root on delete cascade,
  key_hash bytea not null,
  -- The selected or bound organization; null = a request to several organizations.
  organization_id uuid,
  request_hash bytea not null,
  status integer,
  body text,
  created_at timestamptz not null default now(),
  unique nulls not distinct (root_id, key_hash, organization_id)
);
create index idempotent_request_age on idempotent_request (created_at);
call isolate_by_organization_or_root('idempotent_request');
grant select, insert, update on idempotent_request to scholiast_api;
create policy sweep on idempotent_request for select to scholiast_worker using (true);
create policy swept on idempotent_request for delete to scholiast_worker using (true);
grant select, delete on idempotent_request to scholiast_worker;

create table applied_learning_event (
  root_id uuid not null references root on delete cascade,
  event_id text not null,
  organization_id uuid not null,
  at timestamptz not null,
  primary key (root_id, event_id, organization_id)
);
create index applied_learning_event_at on applied_learning_event (root_id, at);
call isolate_by_organization('applied_learning_event');
grant select, insert, delete on applied_learning_event to scholiast_worker;

-- Uploaded files and personal values of audit rows: their keys are chosen by the server, so only the policies change. The
-- previous version writes rows without an organization.
alter table sarif_upload add column organization_id uuid;
alter table sarif_upload_part add column organization_id uuid;
alter table audit_clear add column organization_id uuid;

-- The previous version writes these in scopes of the whole root.
alter policy tenant on sarif_upload using (
  root_id = (select app_root())
  and case
    when organization_id is null then (select coalesce(cardinality(app_organizations()), 2)) > 1
    else ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
      and ((select app_instance()) is null
        or organization_id in (select id from organization where instance_id = (select app_instance())))
    end);
alter policy tenant on sarif_upload_part using (
  root_id = (select app_root())
  and case
    when organization_id is null then (select coalesce(cardinality(app_organizations()), 2)) > 1
    else ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
      and ((select app_instance()) is null
        or organization_id in (select id from organization where instance_id = (select app_instance())))
    end);

-- A row without an organization stays visible in every scope of its root, because earlier versions wrote none.
alter policy tenant on audit_clear using (
  root_id = (select app_root())
  and (organization_id is null
    or ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
      and ((select app_instance()) is null
        or organization_id in (select id from organization where instance_id = (select app_instance())))));
