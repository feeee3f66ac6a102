-- The schema of a new database, by subject: isolation, tenants and people, credentials and sign-in, requests and limits,
-- audit log, outbox and events, metrics, Learnings and their index, seats and roles, security scans, connectors, maintenance.
--
-- Until 1.0.0 this file is edited in place. A database that was made by an earlier form of it is made again.
-- Later files change a database in service: they only add, and scripts/check-migrations.ts checks them (CONTRIBUTING.md).

do $$ begin
  if not exists (select from pg_roles where rolname = 'scholiast_auth') then
    raise exception 'The database role scholiast_auth does not exist: run database bootstrap first.';
  end if;
end $$;

-- Every process compares the applied migrations with its own when it starts.
grant select on migration to scholiast_auth, scholiast_api, scholiast_worker;


-- ISOLATION

-- The lower of two layers: a statement that forgets its scope finds nothing. The scope of a transaction is three settings,
-- set by access/scope.ts:
--   app.root           the tenant root; unset = no row at all
--   app.organizations  a uuid array literal; empty = every organization of the root
--   app.instance       a self-hosted instance; empty = not narrowed
-- A policy reads each of them through a sub-select, once per statement rather than once per row.
create function app_root() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.root', true), '')::uuid;

create function app_organizations() returns uuid[]
  language sql stable parallel safe
  return nullif(current_setting('app.organizations', true), '')::uuid[];

create function app_instance() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.instance', true), '')::uuid;

-- Every table with a root_id is passed to one of these procedures. A process does not start if one was forgotten.
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

-- For tables in which a row without an organization belongs to the whole root. A scope of exactly one organization does
-- not see those rows: its callers speak for that organization only.
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

-- For rows of metrics, which have an instance_id. The planner expects nearly all rows of `is not null`; for each comparison with a setting
-- it would divide its estimate, expect almost no rows, and read all of a window to return a page.
create procedure isolate_metrics(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format(
    'create policy tenant on %s to scholiast_api, scholiast_worker using ((
       case
         when root_id is distinct from (select app_root()) then null
         when (select app_organizations() is null and app_instance() is null) then true
         when coalesce(organization_id = any ((select app_organizations())::uuid[]), true)
           and instance_id is not distinct from coalesce((select app_instance()), instance_id) then true
       end) is not null)', target);
end
$$;

revoke execute on procedure isolate_by_root, isolate_by_organization, isolate_by_organization_or_root, isolate_metrics
  from public;

-- Policies named worker_select and worker_delete let the worker find its work in all roots at once: queues, counts, ids
-- and times. The policies named auth are for scholiast_auth, which looks up a credential before any root is known; its
-- grants name the few columns that decide whether the credential is valid: no name, no address, no content.


-- TENANTS AND PEOPLE

-- A tenant root is a workspace, else a self-hosted instance, else a single organization. No key sees two roots.
create table root (
  id uuid primary key,
  kind text not null check (kind in ('workspace', 'instance', 'organization')),
  name text not null,
  sso boolean not null default false,
  created_at timestamptz not null default now(),
  check (kind = 'workspace' or not sso)
);
alter table root enable row level security;
create policy tenant on root to scholiast_api, scholiast_worker using (id = (select app_root()));
create policy worker_select on root for select to scholiast_worker using (true);
create policy auth on root for select to scholiast_auth using (true);
grant select on root to scholiast_api;
grant select, insert, update, delete on root to scholiast_worker;
grant select (id, kind, sso) on root to scholiast_auth;

create table subscription (
  root_id uuid primary key references root,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  active boolean not null,
  seats_purchased integer not null check (seats_purchased >= 0)
);
call isolate_by_root('subscription');
create policy auth on subscription for select to scholiast_auth using (true);
grant select on subscription to scholiast_api;
grant select, insert, update, delete on subscription to scholiast_worker;
grant select (root_id, plan, active) on subscription to scholiast_auth;

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
call isolate_by_root('instance');
grant select on instance to scholiast_api;
grant select, insert, update, delete on instance to scholiast_worker;

-- The rendered entry is stored, so that a page copies it. Declared immutable, although to_json is stable: for a text, it
-- depends on nothing but the text.
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
  -- The currency of the prices of reviewers, by ISO 4217.
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Inventory events arrive in any order: when the newest one about this row occurred; null = there was none.
  inventory_at timestamptz,
  -- Accounts that a connector reported as members, so that it, or one that replaces it, reports who left.
  connector_members text[] not null default '{}',
  entry text not null generated always as (organization_entry(id, name, provider, provider_organization_id)) stored,
  primary key (root_id, id),
  unique (root_id, provider_organization_id, provider, host),
  foreign key (root_id, instance_id) references instance
);
create index organization_of_instance on organization (root_id, instance_id, id) where instance_id is not null;
create index organization_without_metrics on organization (root_id, id) where not metrics_enabled;
create index organization_inactive on organization (root_id, id) where not active;
alter table organization enable row level security;
create policy tenant on organization to scholiast_api, scholiast_worker using (
  root_id = (select app_root())
  and ((select app_organizations()) is null or id = any ((select app_organizations())::uuid[]))
  and ((select app_instance()) is null or instance_id = (select app_instance())));
create policy auth on organization for select to scholiast_auth using (true);
grant select, update (seat_assignment_mode, currency) on organization to scholiast_api;
grant select, insert, update, delete on organization to scholiast_worker;
grant select (root_id, id, active) on organization to scholiast_auth;

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
  inventory_at timestamptz,
  entry text not null
    generated always as (repository_entry(id, name, provider, provider_repository_id, private)) stored,
  primary key (root_id, organization_id, id),
  unique (root_id, organization_id, provider_repository_id),
  foreign key (root_id, organization_id) references organization
);
create index repository_named on repository (root_id, organization_id, name);
call isolate_by_organization('repository');
grant select on repository to scholiast_api;
grant select, insert, update, delete on repository to scholiast_worker;

-- An erased person stays as a row without a name and an e-mail, because other rows refer to it. The accounts stay too,
-- without their user names, so that later events do not bring the person back.
create table person (
  root_id uuid not null references root,
  id uuid not null,
  -- Null = erased, or the Git provider does not show it.
  email text check (email = lower(email)),
  name text not null,
  active boolean not null default true,
  workspace_admin boolean not null default false,
  erased_at timestamptz,
  primary key (root_id, id),
  unique (root_id, email),
  constraint person_erased check (erased_at is null or email is null)
);
call isolate_by_root('person');
create policy auth on person for select to scholiast_auth using (true);
-- The right to update also allows the lock that the creation of a key takes on its owner.
grant select, insert, update (name, email, active, workspace_admin) on person to scholiast_api;
grant select, insert, update, delete on person to scholiast_worker;
grant select (root_id, id, active, workspace_admin) on person to scholiast_auth;

create table account (
  root_id uuid not null,
  provider text not null,
  host text not null,
  account_id text not null,
  username text not null,
  person_id uuid not null,
  inventory_at timestamptz,
  primary key (root_id, provider, host, account_id),
  foreign key (root_id, person_id) references person
);
create index account_of_person on account (root_id, person_id);
call isolate_by_root('account');
grant select on account to scholiast_api;
grant select, insert, update, delete on account to scholiast_worker;

-- System roles are in the code (access/permissions.ts): they are immutable and the same everywhere.
create table custom_role (
  root_id uuid not null,
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null default '',
  permissions text[] not null,
  is_default boolean not null default false,
  primary key (root_id, organization_id, id),
  foreign key (root_id, organization_id) references organization
);
create unique index custom_role_name on custom_role (root_id, organization_id, lower(name));
create unique index custom_role_default on custom_role (root_id, organization_id) where is_default;
call isolate_by_organization('custom_role');
create policy auth on custom_role for select to scholiast_auth using (true);
grant select, insert, update, delete on custom_role to scholiast_api, scholiast_worker;
grant select (root_id, organization_id, id, permissions) on custom_role to scholiast_auth;

create table membership (
  root_id uuid not null,
  organization_id uuid not null,
  account_id text not null,
  person_id uuid not null,
  system_role text check (system_role in ('cr_admin', 'cr_member', 'cr_billing_admin')),
  custom_role_id uuid,
  inventory_at timestamptz,
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
-- The users of a workspace are listed by person, and filtered by whether they are an admin anywhere.
create index membership_of_admin on membership (root_id, person_id, organization_id) where system_role = 'cr_admin';
-- Whether an organization keeps an admin.
create index membership_admin_of_organization on membership (root_id, organization_id) where system_role = 'cr_admin';
call isolate_by_organization('membership');
create policy auth on membership for select to scholiast_auth using (true);
grant select, delete, update (system_role, custom_role_id) on membership to scholiast_api;
grant select, insert, update, delete on membership to scholiast_worker;
grant select (root_id, organization_id, person_id, system_role, custom_role_id) on membership to scholiast_auth;

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
call isolate_by_organization('repository_access');
grant select, delete on repository_access to scholiast_api;
grant select, insert, update, delete on repository_access to scholiast_worker;

-- A removal leaves no row that could carry the time of its event, and an older event must not undo it.
create table inventory_removal (
  root_id uuid not null,
  organization_id uuid not null,
  account_id text not null,
  -- The provider's id; '' = the membership, not the access to one repository.
  repository_id text not null,
  at timestamptz not null,
  primary key (root_id, organization_id, account_id, repository_id),
  foreign key (root_id, organization_id) references organization
);
call isolate_by_organization('inventory_removal');
grant select, insert, update, delete on inventory_removal to scholiast_worker;

-- What is left of a deleted root. Written before the first row is deleted, and never deleted itself.
create table root_tombstone (
  root_id uuid primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- The last row of the audit chain; null until the chain is deleted.
  position bigint,
  hash bytea,
  signed boolean not null default false,
  -- Ingest credentials are verified without this database: these are rejected for as long as they could verify.
  revoked_credentials uuid[] not null default '{}'
);
call isolate_by_root('root_tombstone');
create policy worker_select on root_tombstone for select to scholiast_worker using (true);
grant select, insert, update (finished_at, revoked_credentials) on root_tombstone to scholiast_worker;


-- CREDENTIALS AND SIGN-IN

create table api_key (
  root_id uuid not null references root,
  id uuid not null,
  kind text not null
    check (kind in ('organization', 'user', 'workspace', 'instance', 'legacy', 'agentic', 'ingest')),
  name text not null,
  -- The organization that the key is bound to; for an instance key, its home.
  organization_id uuid,
  instance_id uuid,
  -- For instance and ingest keys: the organizations that the key is authorized for; null = all of the instance or root.
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
  -- When the next warning of its expiry is due: 14 days before, then 3; null = none is left.
  warn_at timestamptz,
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
create index api_key_of_organization on api_key (root_id, organization_id, id) where revoked_at is null;
create index api_key_of_ingest on api_key (created_at) where kind = 'ingest';
create index api_key_to_warn on api_key (warn_at) where warn_at is not null;
call isolate_by_root('api_key');
-- Ingest credentials are verified without this database: the worker publishes which of them were revoked.
create policy worker_select on api_key for select to scholiast_worker using (kind = 'ingest');
create policy auth on api_key for select to scholiast_auth using (true);
-- The API creates keys, revokes them and brings their expiry forward; nothing else of a key ever changes.
grant select, insert, update (expires_at, revoked_at) on api_key to scholiast_api;
grant select, insert, update, delete on api_key to scholiast_worker;
grant select (root_id, id, kind, organization_id, instance_id, organization_ids, owner_id, permissions, hash,
  expires_at, revoked_at, last_used_at) on api_key to scholiast_auth;

-- A warning that would have been due before the expiry was set is left out: the person who set it knows.
create function next_key_warning(ends timestamptz, after timestamptz) returns timestamptz
  language sql stable
  return case
    when ends - interval '336 hours' > after then ends - interval '336 hours'
    when ends - interval '72 hours' > after then ends - interval '72 hours'
  end;

create function set_key_warning() returns trigger language plpgsql as $$
begin
  if new.revoked_at is not null then
    new.warn_at := null;
  elsif tg_op = 'INSERT' then
    new.warn_at := next_key_warning(new.expires_at, new.created_at);
  elsif new.expires_at is distinct from old.expires_at then
    new.warn_at := next_key_warning(new.expires_at, now());
  end if;
  return new;
end
$$;
create trigger set_key_warning before insert or update of expires_at, revoked_at on api_key
  for each row execute function set_key_warning();

-- Runs as the owner: the worker learns which roots have keys to warn of, and nothing about the keys.
create function roots_with_keys_to_warn(at timestamptz, after uuid, max_rows integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct root_id from api_key where warn_at <= at and root_id > after order by root_id limit max_rows
$$;
revoke execute on function roots_with_keys_to_warn from public;
grant execute on function roots_with_keys_to_warn to scholiast_worker;

-- Runs as the owner: how many keys of all roots together expire until then, for the metrics of the worker.
create function count_expiring_keys(at timestamptz, until timestamptz) returns table (kind text, value integer)
  language sql stable security definer set search_path = public, pg_temp as $$
  select k.kind, count(*) filter (where k.revoked_at is null and k.expires_at > at and k.expires_at <= until)::int
  from api_key k group by k.kind
$$;
revoke execute on function count_expiring_keys from public;
grant execute on function count_expiring_keys to scholiast_worker;

-- Runs as the owner: a node records the last use of keys of many roots at once. It can set only that, and only to a later
-- time. A key that is being changed is left for the next time.
create function record_key_uses(roots uuid[], keys uuid[], moments timestamptz[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with used as (
    select k.root_id, k.id, u.moment
    from unnest(roots, keys, moments) u (root_id, id, moment)
    join api_key k on k.root_id = u.root_id and k.id = u.id
    where k.last_used_at is null or k.last_used_at < u.moment
    order by k.root_id, k.id for no key update of k skip locked
  )
  update api_key k set last_used_at = used.moment from used where k.root_id = used.root_id and k.id = used.id
$$;
revoke execute on function record_key_uses from public;
grant execute on function record_key_uses to scholiast_api;

-- Who a person is at an identity provider. The same subject may be known in several roots.
create table identity (
  root_id uuid not null references root,
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  linked_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (root_id, issuer, subject),
  foreign key (root_id, person_id) references person
);
create index identity_of_person on identity (root_id, person_id);
call isolate_by_root('identity');
grant select, insert, update, delete on identity to scholiast_api, scholiast_worker;

create table session (
  root_id uuid not null references root,
  id uuid not null,
  hash bytea not null unique check (length(hash) = 32),
  person_id uuid not null,
  method text not null check (method in ('provider', 'passkey', 'link')),
  -- Whose assertion it was, so that the provider can end the session.
  issuer text,
  subject text,
  provider_session text,
  -- The passkey that started the session: removing it ends the session.
  passkey_id uuid,
  user_agent text not null check (length(user_agent) <= 200),
  created_at timestamptz not null,
  -- Null = nothing says when the person last proved who they are: such a session is not fresh.
  authenticated_at timestamptz,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (root_id, id),
  foreign key (root_id, person_id) references person,
  check ((method = 'provider') = (issuer is not null and subject is not null))
);
create index session_of_person on session (root_id, person_id) where ended_at is null;
create index session_of_subject on session (issuer, subject) where ended_at is null and issuer is not null;
create index session_age on session (expires_at);
call isolate_by_root('session');
create policy worker_select on session for select to scholiast_worker using (true);
create policy worker_delete on session for delete to scholiast_worker using (true);
create policy auth on session for select to scholiast_auth using (true);
grant select, insert, update (ended_at, last_used_at) on session to scholiast_api, scholiast_worker;
grant delete on session to scholiast_worker;
grant select (root_id, id, hash, person_id, issuer, subject, provider_session, authenticated_at, last_used_at,
  expires_at, ended_at) on session to scholiast_auth;

-- As record_key_uses, for sessions.
create function record_session_uses(roots uuid[], sessions uuid[], moments timestamptz[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with used as (
    select s.root_id, s.id, u.moment
    from unnest(roots, sessions, moments) u (root_id, id, moment)
    join session s on s.root_id = u.root_id and s.id = u.id
    where s.last_used_at < u.moment and s.ended_at is null
    order by s.root_id, s.id for no key update of s skip locked
  )
  update session s set last_used_at = used.moment from used where s.root_id = used.root_id and s.id = used.id
$$;
revoke execute on function record_session_uses from public;
grant execute on function record_session_uses to scholiast_api;

create table passkey (
  root_id uuid not null references root,
  id uuid not null,
  person_id uuid not null,
  -- Unique over all roots: it is presented before any root is known.
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) <= 8192),
  -- As of the last use. An authenticator that does not count always sends 0.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (root_id, id),
  foreign key (root_id, person_id) references person
);
create index passkey_of_person on passkey (root_id, person_id);
call isolate_by_root('passkey');
create policy auth on passkey for select to scholiast_auth using (true);
grant select, insert, delete, update (counter, last_used_at) on passkey to scholiast_api;
grant select, insert, delete on passkey to scholiast_worker;
grant select (root_id, id, person_id, credential_id, public_key, counter) on passkey to scholiast_auth;

create table sign_in_link (
  root_id uuid not null references root,
  id uuid not null,
  person_id uuid not null,
  purpose text not null check (purpose in ('sign_in', 'invitation')),
  hash bytea not null unique check (length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (root_id, id),
  -- A person's new link replaces the earlier one.
  unique (root_id, person_id, purpose),
  foreign key (root_id, person_id) references person
);
call isolate_by_root('sign_in_link');
create policy auth on sign_in_link for select to scholiast_auth using (true);
grant select, update (used_at) on sign_in_link to scholiast_api;
grant select, insert, update, delete on sign_in_link to scholiast_worker;
grant select (root_id, person_id, purpose, hash, expires_at, used_at) on sign_in_link to scholiast_auth;

-- What must work only once, over all tenants: the state of a sign-in, a challenge, the id of a logout token.
create table used_nonce (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);
create index used_nonce_age on used_nonce (expires_at);
grant select, insert on used_nonce to scholiast_api;
grant select, delete on used_nonce to scholiast_worker;

-- SCIM 2.0: how an identity provider creates, changes and deactivates the people of a root.
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
  -- To the minute, so that a busy provider does not cause a write for each request.
  last_used_at timestamptz,
  primary key (root_id, id),
  check (expires_at - created_at <= interval '366 days')
);
call isolate_by_root('scim_credential');
create policy auth on scim_credential for select to scholiast_auth using (true);
-- The audit log names credentials.
grant select (root_id, id, name, prefix, last_four, last_used_at), update (last_used_at) on scim_credential to scholiast_api;
grant select, insert, update, delete on scim_credential to scholiast_worker;
grant select (root_id, id, hash, expires_at, revoked_at) on scim_credential to scholiast_auth;

-- The e-mail, the name and the state are the person's.
create table scim_user (
  root_id uuid not null references root,
  person_id uuid not null,
  external_id text check (length(external_id) between 1 and 1000),
  user_name text not null check (length(user_name) between 1 and 1000),
  -- Attributes that are returned as received: parts of the name, title, e-mail addresses.
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

-- The role of a group's members in an organization. No group makes anybody workspace admin.
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


-- REQUESTS AND LIMITS

-- Unlogged tables: a fail-over may empty them once.
create unlogged table limit_window (
  root_id uuid not null,
  policy text not null,
  owner_id uuid not null,
  stamps timestamptz[] not null,
  primary key (root_id, policy, owner_id)
) with (fillfactor = 50);
call isolate_by_root('limit_window');
create policy worker_select on limit_window for select to scholiast_worker using (true);
create policy worker_delete on limit_window for delete to scholiast_worker using (true);
grant select, insert, update on limit_window to scholiast_api;
grant select, delete on limit_window to scholiast_worker;

-- Rejected requests, counted by the minute. The worker writes finished minutes to the audit log.
create unlogged table refusal_count (
  root_id uuid not null,
  key_id uuid not null,
  organization_id uuid,
  route text not null,
  code text not null,
  minute timestamptz not null,
  refused integer not null,
  primary key (root_id, key_id, route, code, minute)
);
call isolate_by_root('refusal_count');
create policy worker_select on refusal_count for select to scholiast_worker using (true);
create policy worker_delete on refusal_count for delete to scholiast_worker using (true);
grant select, insert, update on refusal_count to scholiast_api;
grant select, delete on refusal_count to scholiast_worker;

-- Requests with an Idempotency-Key, and their responses.
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
create policy worker_select on idempotent_request for select to scholiast_worker using (true);
create policy worker_delete on idempotent_request for delete to scholiast_worker using (true);
grant select, insert, update on idempotent_request to scholiast_api;
grant select, delete on idempotent_request to scholiast_worker;


-- AUDIT LOG

-- One hash chain for each root: hash = sha256(previous hash || position || digest of the row's content). A writer locks the
-- head until its commit, so the order of positions is the order of commits, and a chain cannot fork.
create table audit_head (
  root_id uuid primary key references root,
  position bigint not null,
  previous_hash bytea not null,
  hash bytea not null
);
call isolate_by_root('audit_head');
grant select, insert, update on audit_head to scholiast_api, scholiast_worker;

create table audit_log (
  root_id uuid not null,
  position bigint not null,
  id uuid not null,
  organization_id uuid,
  at timestamptz not null,
  action text not null,
  resource_type text not null,
  resource_id text,
  actor_kind text not null check (actor_kind in ('person', 'key', 'operator', 'service')),
  actor_id uuid,
  metadata jsonb not null,
  -- Salted digests of names, addresses and e-mails; their clear values are in audit_clear and can be erased.
  sealed jsonb not null,
  -- The content of the row as the hash contains it.
  digest bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (root_id, position, at)
) partition by range (at);
-- One index for each filter of a page: the log is read at a hundred million rows.
create index audit_log_of_organization on audit_log (root_id, organization_id, position);
create index audit_log_of_action on audit_log (root_id, action, position);
create index audit_log_of_organization_action on audit_log (root_id, organization_id, action, position);
create index audit_log_of_actor on audit_log (root_id, actor_id, position);
create table audit_log_default partition of audit_log default;
call isolate_by_organization('audit_log');
alter table audit_log_default enable row level security;
grant select, insert on audit_log to scholiast_api, scholiast_worker;

-- The worker creates months ahead. Rows that were written before their month existed move there from the default partition.
-- New rows wait for the lock, so that none chooses the default partition meanwhile and is refused there.
create function audit_log_create_month(month date) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  name text := 'audit_log_' || to_char(month, 'YYYY_MM');
  first timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  after timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
begin
  if to_regclass(name) is not null then
    return;
  end if;
  lock table audit_log in access exclusive mode;
  if to_regclass(name) is not null then
    return;
  end if;
  execute format('create table %I (like audit_log including defaults including constraints)', name);
  execute format('alter table %I enable row level security', name);
  execute format('with early as (delete from audit_log_default where at >= %L and at < %L returning *)
    insert into %I select * from early', first, after, name);
  execute format('alter table audit_log attach partition %I for values from (%L) to (%L)', name, first, after);
end
$$;
revoke execute on function audit_log_create_month from public;
grant execute on function audit_log_create_month to scholiast_worker;

create table audit_clear (
  root_id uuid not null,
  organization_id uuid,
  position bigint not null,
  person_id uuid,
  clear jsonb not null,
  primary key (root_id, position)
);
create index audit_clear_of_person on audit_clear (root_id, person_id) where person_id is not null;
call isolate_by_organization('audit_clear');
grant select, insert on audit_clear to scholiast_api;
-- An erasure blanks the values of a person; a merge of two people moves them to the one that stays. The address that a
-- request came from is its maker's, whomever the row is about, so both parts are erased separately.
grant select, insert, delete, update (clear, person_id) on audit_clear to scholiast_worker;

-- Counted when rows are written, so that nothing is counted when they are read. A row counts for the whole root (neither
-- organization nor instance), for an organization or for all organizations of an instance, and for a day in UTC or for all
-- days ('-infinity'). The positions say where the rows of a day are.
create table audit_count (
  root_id uuid not null,
  organization_id uuid,
  instance_id uuid,
  day date not null,
  action text not null,
  resource_type text not null,
  rows bigint not null,
  first_position bigint not null,
  last_position bigint not null,
  unique nulls not distinct (root_id, organization_id, instance_id, day, action, resource_type)
) with (fillfactor = 70);
alter table audit_count enable row level security;
create policy tenant on audit_count for select to scholiast_api, scholiast_worker using (
  root_id = (select app_root())
  and ((select app_organizations()) is null or organization_id = any ((select app_organizations())::uuid[]))
  and ((select app_instance()) is null or instance_id = (select app_instance())
    or organization_id in (select id from organization where instance_id = (select app_instance()))));
grant select on audit_count to scholiast_api, scholiast_worker;

-- Everybody who ever did something: names are searched among these only.
create table audit_actor (
  root_id uuid not null,
  organization_id uuid,
  actor_kind text not null,
  actor_id uuid,
  unique nulls not distinct (root_id, organization_id, actor_kind, actor_id)
);
call isolate_by_organization('audit_actor');
grant select on audit_actor to scholiast_api, scholiast_worker;

-- Runs as the owner: a writer of one organization must neither see nor change the counts of its siblings. The
-- appending transaction holds the head of the chain, so counts of one root are never written by two at a time.
create function audit_log_count() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit_count as c (root_id, organization_id, instance_id, day, action, resource_type, rows,
    first_position, last_position)
  select f.root_id, s.organization_id, s.instance_id, d.day, f.action, f.resource_type, count(*), min(f.position),
    max(f.position)
  from fresh f
  left join organization o on o.root_id = f.root_id and o.id = f.organization_id
  cross join lateral (values
    (null::uuid, null::uuid, true),
    (f.organization_id, null, f.organization_id is not null),
    (null, o.instance_id, o.instance_id is not null)) s (organization_id, instance_id, counted)
  cross join lateral (values (date '-infinity'), ((f.at at time zone 'UTC')::date)) d (day)
  where s.counted
  group by 1, 2, 3, 4, 5, 6
  on conflict (root_id, organization_id, instance_id, day, action, resource_type) do update
    set rows = c.rows + excluded.rows, first_position = least(c.first_position, excluded.first_position),
      last_position = greatest(c.last_position, excluded.last_position);
  insert into audit_actor (root_id, organization_id, actor_kind, actor_id)
  select distinct root_id, organization_id, actor_kind, actor_id from fresh
  on conflict do nothing;
  return null;
end
$$;
revoke execute on function audit_log_count from public;
create trigger audit_log_count after insert on audit_log
  referencing new table as fresh for each statement execute function audit_log_count();

-- Rows up to this position were dropped because of their age. The rows that are left follow on its hash.
create table audit_checkpoint (
  root_id uuid primary key,
  position bigint not null,
  hash bytea not null,
  at timestamptz not null
);
call isolate_by_root('audit_checkpoint');
grant select on audit_checkpoint to scholiast_worker;

-- Retention has two steps, so that no statement grows with the number of roots: audit_retire moves the checkpoints of some
-- roots to a day that begins a month, then audit_log_drop_before drops the months.
-- A row gets its time when its change begins and its position when it is committed, so at the turn of a month a few older rows
-- follow younger ones: the checkpoint stays before the first row that is kept, and these rows stay until the next time.
-- The result is computed from the rows, not read from the checkpoints, and is signed before anything is dropped: nobody gets
-- a checkpoint signed that was written by hand.
create function audit_retire(first_kept date, after uuid, max_rows integer)
  returns table (root_id uuid, "position" bigint, hash bytea)
  language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  kept_from timestamptz := first_kept::timestamp at time zone 'UTC';
  roots uuid[];
begin
  if first_kept <> date_trunc('month', first_kept) or first_kept > (now() at time zone 'UTC')::date then
    raise exception 'only whole months that have ended can be dropped';
  end if;
  roots := array(select h.root_id from audit_head h
    where h.root_id > after and exists (select from audit_log l where l.root_id = h.root_id and l.at < kept_from)
    order by h.root_id limit max_rows);
  -- Writers count while they hold the head. Held here too, neither waits for the other in turn.
  perform from audit_head where root_id = any (roots) order by root_id for update;
  return query with computed as (
    select h.root_id, coalesce(k.position - 1, h.position) as position, coalesce(k.previous_hash, h.hash) as hash
    from audit_head h
    left join lateral (
      select position, previous_hash from audit_log l where l.root_id = h.root_id and l.at >= kept_from
      order by position limit 1) k on true
    where h.root_id = any (roots)
  ), kept as (
    insert into audit_checkpoint as c (root_id, position, hash, at) select root_id, position, hash, now() from computed
    on conflict (root_id) do update set position = excluded.position, hash = excluded.hash, at = excluded.at
  )
  select root_id, position, hash from computed order by root_id;
  with gone as (
    delete from audit_count where root_id = any (roots) and day > '-infinity' and day < first_kept
    returning root_id, organization_id, instance_id, action, resource_type, rows
  ), less as (
    select root_id, organization_id, instance_id, action, resource_type, sum(rows) as rows
    from gone group by 1, 2, 3, 4, 5
  )
  update audit_count c set rows = c.rows - less.rows from less
  where c.day = '-infinity' and c.root_id = less.root_id and c.organization_id is not distinct from less.organization_id
    and c.instance_id is not distinct from less.instance_id and c.action = less.action
    and c.resource_type = less.resource_type;
  delete from audit_count where root_id = any (roots) and day = '-infinity' and rows = 0;
end
$$;

create function audit_log_drop_before(first_kept date) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  kept_from timestamptz := first_kept::timestamp at time zone 'UTC';
  months text[] := array(
    select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_\d{4}_\d{2}$'
      and c.relname < 'audit_log_' || to_char(first_kept, 'YYYY_MM'));
  month text;
begin
  if first_kept <> date_trunc('month', first_kept) or first_kept > (now() at time zone 'UTC')::date then
    raise exception 'only whole months that have ended can be dropped';
  end if;
  if cardinality(months) = 0 and not exists (select from audit_log_default where at < kept_from) then
    return 0;
  end if;
  create temporary table audit_late on commit drop as
    select l.* from audit_log l left join audit_checkpoint c on c.root_id = l.root_id
    where l.at < kept_from and (c.position is null or l.position > c.position);
  lock table audit_log in access exclusive mode;
  foreach month in array months loop
    execute format('alter table audit_log detach partition %I', month);
    execute format('drop table %I', month);
  end loop;
  delete from audit_log_default where at < kept_from;
  -- Their counts were deleted with those of their days; the trigger counts them again.
  insert into audit_log select * from audit_late;
  return cardinality(months);
end
$$;

-- Deletes the clear values of dropped rows, some at a time.
create function audit_clear_sweep(max_rows integer) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
  with outlived as (
    select c.root_id, c.position from audit_checkpoint k
    cross join lateral (select root_id, position from audit_clear
      where root_id = k.root_id and position <= k.position limit max_rows) c
    limit max_rows
  ), swept as (
    delete from audit_clear c using outlived o where c.root_id = o.root_id and c.position = o.position returning 1
  )
  select count(*) from swept
$$;
revoke execute on function audit_retire, audit_log_drop_before, audit_clear_sweep from public;
grant execute on function audit_retire, audit_log_drop_before, audit_clear_sweep to scholiast_worker;

-- Up to which position the chain of a root was signed and written outside of the database. Nothing relies on it: if it is set
-- back, the head is signed again.
create table audit_signed (
  root_id uuid primary key,
  position bigint not null
);
call isolate_by_root('audit_signed');
grant select on audit_signed to scholiast_worker;

-- The worker signs for every root, and sees only a position and a hash of each. The last head of a deleted root is signed too.
create function audit_unsigned(max_rows integer) returns table (root_id uuid, "position" bigint, hash bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select h.root_id, h.position, h.hash from audit_head h left join audit_signed s on s.root_id = h.root_id
  where h.position > coalesce(s.position, 0)
  union all
  select t.root_id, t.position, t.hash from root_tombstone t where not t.signed and t.hash is not null
  limit max_rows
$$;

create function audit_mark_signed(roots uuid[], positions bigint[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into audit_signed as s (root_id, position)
  select root_id, position from unnest(roots, positions) as signed (root_id, position)
  where exists (select from audit_head h where h.root_id = signed.root_id)
  on conflict (root_id) do update set position = greatest(s.position, excluded.position);
  update root_tombstone t set signed = true from unnest(roots, positions) as signed (root_id, position)
  where t.root_id = signed.root_id and t.position = signed.position
$$;

-- Signed heads, as in the file outside of the database. The signature covers the texts, so they are stored as signed.
create table audit_signed_head (
  root_id uuid not null,
  position bigint not null,
  kind text not null check (kind in ('head', 'checkpoint', 'restored')),
  hash text not null,
  at text not null,
  key text not null,
  signature text not null,
  primary key (root_id, position, kind, at)
);
call isolate_by_root('audit_signed_head');
grant select on audit_signed_head to scholiast_api, scholiast_worker;

-- The public keys of all signers so far. They belong to the installation, not to a tenant.
create table audit_public_key (
  key text primary key,
  public_key text not null,
  first_used_at timestamptz not null default now()
);
grant select on audit_public_key to scholiast_api;

-- The last head of a deleted root is in the file only.
create function audit_store_heads(heads json, key_id text, key_text text) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into audit_public_key (key, public_key) values (key_id, key_text) on conflict do nothing;
  insert into audit_signed_head (root_id, position, kind, hash, at, key, signature)
  select root, position, kind, hash, at, key, signature
  from json_to_recordset(heads) as signed (root uuid, position int8, kind text, hash text, at text, key text, signature text)
  where exists (select from audit_head h where h.root_id = signed.root)
  on conflict do nothing
$$;

-- A later head covers the rows of an earlier one: after a week, one for each day is enough, and none before a checkpoint.
create function audit_sweep_heads(max_rows integer) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
  with outlived as (
    select h.root_id, h.position, h.kind, h.at from audit_signed_head h
    where h.kind = 'head' and (
      h.at < to_char(now() at time zone 'UTC' - interval '7 days', 'YYYY-MM-DD') and exists (
        select from audit_signed_head l where l.root_id = h.root_id and l.position > h.position and l.kind = 'head'
          and left(l.at, 10) = left(h.at, 10))
      or exists (select from audit_checkpoint c where c.root_id = h.root_id and c.position > h.position))
    limit max_rows
  ), swept as (
    delete from audit_signed_head h using outlived o
    where h.root_id = o.root_id and h.position = o.position and h.kind = o.kind and h.at = o.at returning 1
  )
  select count(*) from swept
$$;
revoke execute on function audit_unsigned, audit_mark_signed, audit_store_heads, audit_sweep_heads from public;
grant execute on function audit_unsigned, audit_mark_signed, audit_store_heads, audit_sweep_heads to scholiast_worker;

-- Positions, digests and hashes of the whole root, and nothing else: a caller of one organization verifies the chain without
-- reading the rows of the others.
create function audit_chain(root uuid, after bigint, max_rows integer)
  returns table ("position" bigint, digest bytea, hash bytea)
  language sql stable security definer set search_path = public, pg_temp as $$
  select l.position, l.digest, l.hash from audit_log l
  where l.root_id = root and root = app_root() and l.position > after
  order by l.position limit least(max_rows, 10000)
$$;
revoke execute on function audit_chain from public;
grant execute on function audit_chain to scholiast_api;

-- Audit rows are deleted only with their whole root, whose tombstone keeps the head.
create function root_delete_audit(target text, max_rows integer) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  root uuid := app_root();
  deleted bigint;
begin
  perform from root_tombstone where root_id = root and finished_at is null for update;
  if not found then
    raise exception 'the tenant root is not being deleted';
  end if;
  perform from audit_head where root_id = root for update;
  update root_tombstone t set position = h.position, hash = h.hash
    from audit_head h where t.root_id = root and h.root_id = root and t.hash is null;
  if target = 'audit_log' then
    with page as materialized (
      select position, at from audit_log where root_id = root order by position limit max_rows)
    delete from audit_log l using page p where l.root_id = root and l.position = p.position and l.at = p.at;
  elsif target in ('audit_count', 'audit_actor', 'audit_checkpoint', 'audit_signed', 'audit_signed_head', 'audit_head') then
    execute format('delete from %1$I where root_id = $1
      and ctid = any (array(select ctid from %1$I where root_id = $1 limit $2))', target) using root, max_rows;
  else
    raise exception '% is no table of the audit log', target;
  end if;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
revoke execute on function root_delete_audit from public;
grant execute on function root_delete_audit to scholiast_worker;


-- OUTBOX AND EVENTS

-- Events are written in the transaction of the change that they report; the worker publishes them.
create table outbox (
  id bigint generated always as identity primary key,
  root_id uuid not null,
  event_id uuid not null,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
alter table outbox enable row level security;
create policy tenant on outbox for insert to scholiast_api, scholiast_worker
  with check (root_id = (select app_root()));
create policy worker_select on outbox for select to scholiast_worker using (true);
create policy worker_delete on outbox for delete to scholiast_worker using (true);
grant insert on outbox to scholiast_api;
grant select, insert, delete on outbox to scholiast_worker;

-- Ids of received events: each counts once per organization for at least 30 days, whatever a second event says. The digest
-- distinguishes a redelivered event, which its handler ignores by itself, from another event with the same id. There is no
-- foreign key, because it would be checked for every event; the deletion of a root covers the table.
create table counted_event_id (
  root_id uuid not null,
  organization_id uuid not null,
  event_id text not null,
  digest bytea not null,
  at timestamptz not null,
  primary key (root_id, organization_id, event_id)
);
create index counted_event_id_age on counted_event_id (at);
call isolate_by_organization('counted_event_id');
create policy worker_select on counted_event_id for select to scholiast_worker using (true);
create policy worker_delete on counted_event_id for delete to scholiast_worker using (true);
grant select, insert, delete on counted_event_id to scholiast_worker;

-- What became of the events of a credential, for the sender that asks: the latest answer counts. Unlogged: after a fail-over
-- nothing is known of earlier events, and a sender that sends them again changes nothing.
create unlogged table event_status (
  root_id uuid not null,
  credential_id uuid not null,
  event_id text not null,
  status text not null check (status in ('stored', 'refused', 'parked')),
  at timestamptz not null,
  primary key (root_id, credential_id, event_id)
);
create index event_status_age on event_status (at);
call isolate_by_root('event_status');
create policy worker_select on event_status for select to scholiast_worker using (true);
create policy worker_delete on event_status for delete to scholiast_worker using (true);
grant select on event_status to scholiast_api;
grant select, insert, update, delete on event_status to scholiast_worker;

-- Measurements (metrics of pull requests, uses of Learnings) are too many for an audit row each. They are counted here, and the
-- worker writes each finished hour to the audit log. Unlogged: a fail-over may empty it once.
create unlogged table received_event_count (
  root_id uuid not null,
  organization_id uuid not null,
  credential_id uuid not null,
  type text not null,
  hour timestamptz not null,
  events bigint not null,
  primary key (root_id, organization_id, credential_id, type, hour)
) with (fillfactor = 50);
call isolate_by_organization('received_event_count');
create policy worker_select on received_event_count for select to scholiast_worker using (true);
grant select, insert, update, delete on received_event_count to scholiast_worker;


-- METRICS

-- Every database of an installation has these tables. The rows of a root are in one of them, its metrics store, so nothing below
-- metrics_placement refers to a table outside of the store, and a root is moved by copying its rows.

-- Which store has the metrics of a root; no row = the store "shared". In the main database only.
create table metrics_placement (
  root_id uuid primary key references root,
  store text not null,
  -- While this names a store, the root is being moved there, and its metrics cannot be read.
  moving_to text,
  -- The store that it was moved from, until its rows there are deleted.
  leaving text,
  -- The number of the current move, or of the last one; the heads in the stores have it too.
  move integer not null default 0,
  changed_at timestamptz not null default now()
);
create index metrics_placement_moving on metrics_placement (changed_at)
  where moving_to is not null or leaving is not null;
call isolate_by_root('metrics_placement');
create policy worker_select on metrics_placement for select to scholiast_worker using (true);
grant select on metrics_placement to scholiast_api;
grant select, insert, update, delete on metrics_placement to scholiast_worker;

-- A writer locks this row before it reads anything, until its commit: the order of positions is the order of commits, so a
-- reader that has seen a position never gets a smaller one later.
create table metrics_head (
  root_id uuid primary key,
  position bigint not null,
  -- Bytes of the largest entry ever written, by kind: a page that cannot be too large is not measured.
  largest_entry integer not null default 0,
  largest_review integer not null default 0,
  -- Usage that is not shown yet counts too: 0 means that there is none, so a writer of pull requests need not look.
  largest_mcp integer not null default 0,
  -- The root's rows may be read and written only where it is "active".
  state text not null default 'active' check (state in ('active', 'incoming', 'moved')),
  -- The move that set the state: a worker that is still at an earlier one changes nothing here.
  move integer not null default 0,
  -- The progress of that move in this store, while the root is incoming.
  arrival jsonb
);
call isolate_by_root('metrics_head');
grant select on metrics_head to scholiast_api;
grant select, insert, update, delete on metrics_head to scholiast_worker;

-- A finalized pull request. Its key is the UUID of responses: a hash of root, provider, host, repository and number, so it stays
-- when the repository is transferred to another organization or its URL changes (metrics-store/write/pull-request-sql.ts).
create table pull_request (
  root_id uuid not null,
  pull_request_key uuid not null,
  provider text not null,
  host text not null,
  repository_id text not null,
  number bigint not null,
  organization_id uuid not null,
  instance_id uuid,
  provider_organization_id text not null,
  -- Names are those at the time of the write.
  organization_name text not null,
  repository_name text,
  url text not null,
  author_id text,
  author_username text,
  status text not null check (status in ('merged', 'closed')),
  created_at timestamptz,
  ready_for_review_at timestamptz,
  first_human_review_at timestamptz,
  last_commit_at timestamptz,
  merged_at timestamptz,
  closed_at timestamptz,
  review_iterations bigint,
  estimated_complexity smallint,
  estimated_review_minutes double precision,
  -- Reviewers that the event names, also those without findings.
  reviewers text[] not null,
  -- The day it counts for: of the merge, else of the close, else of the event.
  day date not null,
  position bigint not null,
  event_id text not null,
  event_at timestamptz not null,
  -- Merged, with findings: an entry of GET /v1/metrics/review-comments, and its findings count in the summaries.
  counted boolean not null,
  -- The documents that pages copy: what GET /v1/metrics/review-comments returns of it, if it is counted, and what
  -- GET /v1/metrics/reviews returns. They are rendered from this row and its findings. They are compressed: a page of a list reads
  -- half of the heap pages, and an outcome, which writes both again, half of the bytes.
  entry text storage main compression lz4 check ((entry is not null) = counted),
  review text storage main compression lz4 not null,
  primary key (root_id, pull_request_key)
) with (toast_tuple_target = 2032, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05);
-- A page is read in order of position. The day, and what else a list filters by, is in the index, so that a row outside of the window
-- costs an index entry and not a row.
create index pull_request_of_root on pull_request (root_id, position, day, status, counted);
create index pull_request_of_day on pull_request (root_id, day, position, status, counted);
create index pull_request_of_organization on pull_request (root_id, organization_id, position, day, status, counted);
create index pull_request_of_instance on pull_request (root_id, instance_id, position, day, status, counted)
  where instance_id is not null;
create index pull_request_of_repository on pull_request (root_id, repository_id, position, day, status, counted);
create index pull_request_of_author on pull_request (root_id, author_id, position, day, status, counted)
  where author_id is not null;
-- The newest pull request of each author in an organization: when a user was last active.
create index pull_request_of_member on pull_request (root_id, organization_id, author_id, day)
  where author_id is not null;
-- GET /v1/metrics/reviews/summary reads only the index.
create index pull_request_times on pull_request (root_id, organization_id, day) include (instance_id, status, repository_id,
  author_id, created_at, ready_for_review_at, first_human_review_at, merged_at, review_iterations);
call isolate_metrics('pull_request');
grant select on pull_request to scholiast_api;
grant select, insert, update, delete on pull_request to scholiast_worker;

create type finding_severity as enum ('critical', 'major', 'minor', 'trivial', 'info');
create type finding_category as enum ('data_integrity_and_integration', 'functional_correctness',
  'maintainability_and_code_quality', 'performance_and_scalability', 'security_and_privacy', 'stability_and_availability');

-- What a reviewer found on a pull request, and what became of it. No text of a comment and no code is among it.
create table finding (
  root_id uuid not null,
  pull_request_key uuid not null,
  -- Its index in the event.
  ordinal smallint not null,
  -- The sender's ID, unique in the pull request.
  finding_id text not null,
  -- As of the pull request.
  organization_id uuid not null,
  instance_id uuid,
  repository_id text not null,
  author_id text,
  day date not null,
  counted boolean not null,
  url text not null,
  reviewer text,
  severity finding_severity,
  category finding_category,
  -- The outcome that counts, from `outcome`: who decided it, why, and when it came to count. Nulls: nobody did, or it was withdrawn.
  accepted boolean,
  source text check (source in ('detector', 'person', 'provider')),
  rule text,
  evidence json,
  decided_at timestamptz,
  file text,
  start_line integer,
  end_line integer,
  commit text,
  posted_at timestamptz,
  posted_as text,
  raw_severity text,
  bot_key text,
  parser text,
  sketch text,
  primary key (root_id, pull_request_key, ordinal)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05);
-- Summaries read only this index. Those of few repositories or authors find the findings by their pull requests.
create index finding_summed on finding (root_id, organization_id, day)
  include (instance_id, repository_id, author_id, reviewer, severity, category, accepted) where counted;
call isolate_metrics('finding');
grant select on finding to scholiast_api;
grant select, insert, update, delete on finding to scholiast_worker;

-- The findings that count, by week: GET /v1/metrics/summary reads it for whole weeks of whole organizations. A writer changes it together
-- with the findings. '' and the nil UUID = unknown, or none.
create table finding_week (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid not null,
  -- A Monday.
  week date not null,
  reviewer text not null,
  severity text not null,
  category text not null,
  posted integer not null,
  accepted integer not null,
  not_accepted integer not null,
  primary key (root_id, organization_id, week, instance_id, reviewer, severity, category)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
call isolate_metrics('finding_week');
grant select on finding_week to scholiast_api;
grant select, insert, update, delete on finding_week to scholiast_worker;

-- The first and the last position of the pull requests of a day: bounds for the positions of a window.
create table metrics_day (
  root_id uuid not null,
  day date not null,
  first_position bigint not null,
  last_position bigint not null,
  primary key (root_id, day)
);
call isolate_by_root('metrics_day');
create policy worker_select on metrics_day for select to scholiast_worker using (true);
grant select on metrics_day to scholiast_api;
grant select, insert, update, delete on metrics_day to scholiast_worker;

-- Outcomes of findings, event by event. They are stored before their pull request is known, and stay when it is written again.
create table outcome (
  root_id uuid not null,
  pull_request_key uuid not null,
  finding_id text not null,
  event_id text not null,
  organization_id uuid not null,
  instance_id uuid,
  accepted_before boolean,
  accepted boolean,
  source text not null check (source in ('detector', 'person', 'provider')),
  -- Why the outcome is what it is; null = not sent.
  rule text,
  evidence json,
  at timestamptz not null,
  primary key (root_id, pull_request_key, finding_id, event_id)
);
call isolate_metrics('outcome');
grant select on outcome to scholiast_api;
grant select, insert, update, delete on outcome to scholiast_worker;

-- Entries of the feed of changes that are not pull requests.
create table review_comment_change (
  root_id uuid not null,
  position bigint not null,
  organization_id uuid not null,
  instance_id uuid,
  -- Which pull request it is about; `pr_url` does not identify it, because two organizations may send one URL.
  pull_request_key uuid not null,
  entry text not null,
  primary key (root_id, position)
);
create index review_comment_change_in_organization on review_comment_change (root_id, organization_id, position);
create index review_comment_change_in_instance on review_comment_change (root_id, instance_id, position)
  where instance_id is not null;
-- For retention: the outcomes of a pull request that is removed.
create index review_comment_change_of_pull_request on review_comment_change (root_id, pull_request_key);
call isolate_metrics('review_comment_change');
grant select on review_comment_change to scholiast_api;
grant select, insert, update, delete on review_comment_change to scholiast_worker;

-- What GET /v1/metrics/mcp copies: the use of MCP servers by pull requests, summed up as events arrive.
create table mcp_usage (
  root_id uuid not null,
  pull_request_key uuid not null,
  repository_id text not null,
  organization_id uuid not null,
  instance_id uuid,
  author_id text,
  -- Null, with the entry: the pull request is not known yet, or was not merged.
  day date,
  position bigint,
  -- Servers and their tools, ordered by name.
  servers json compression lz4 not null,
  entry text storage external,
  primary key (root_id, pull_request_key),
  check (num_nulls(day, position, entry) in (0, 3))
) with (toast_tuple_target = 4064);
-- As for pull_request.
create index mcp_usage_of_root on mcp_usage (root_id, position, day) where entry is not null;
create index mcp_usage_of_day on mcp_usage (root_id, day, position) where entry is not null;
create index mcp_usage_of_organization on mcp_usage (root_id, organization_id, position, day) where entry is not null;
create index mcp_usage_of_instance on mcp_usage (root_id, instance_id, position, day)
  where entry is not null and instance_id is not null;
create index mcp_usage_of_repository on mcp_usage (root_id, repository_id, position, day) where entry is not null;
create index mcp_usage_of_author on mcp_usage (root_id, author_id, position, day)
  where entry is not null and author_id is not null;
call isolate_metrics('mcp_usage');
grant select on mcp_usage to scholiast_api;
grant select, insert, update, delete on mcp_usage to scholiast_worker;

-- The events that mcp_usage contains, so that a redelivered one is not added again.
create table mcp_event (
  root_id uuid not null,
  pull_request_key uuid not null,
  event_id text not null,
  organization_id uuid not null,
  instance_id uuid,
  primary key (root_id, pull_request_key, event_id)
);
call isolate_metrics('mcp_event');
grant select, insert, update, delete on mcp_event to scholiast_worker;

-- As metrics_day, for the use of MCP servers.
create table mcp_day (
  root_id uuid not null,
  day date not null,
  first_position bigint not null,
  last_position bigint not null,
  primary key (root_id, day)
);
call isolate_by_root('mcp_day');
grant select on mcp_day to scholiast_api;
grant select, insert, update, delete on mcp_day to scholiast_worker;

-- The setting reviewers: what a reviewer costs an organization a month, in the organization's currency. In the main database only.
create table reviewer_price (
  root_id uuid not null,
  organization_id uuid not null,
  reviewer text not null,
  price_per_month double precision not null check (price_per_month >= 0),
  -- The first day of the subscription; null = the day of the reviewer's first finding.
  since date,
  primary key (root_id, organization_id, reviewer),
  foreign key (root_id, organization_id) references organization
);
call isolate_by_organization('reviewer_price');
grant select, insert, update, delete on reviewer_price to scholiast_api, scholiast_worker;


-- LEARNINGS AND THEIR INDEX

-- A writer of Learnings locks this row before it reads anything, until its commit: the order of positions is the order of
-- commits, and what was read is still true when it is written. Locked before audit_head.
create table learning_head (
  root_id uuid primary key references root,
  position bigint not null,
  -- No text of the root was redacted by an older version of the rules than this.
  redactor_version integer not null
);
call isolate_by_root('learning_head');
create policy worker_select on learning_head for select to scholiast_worker using (true);
grant select, insert, update on learning_head to scholiast_api, scholiast_worker;
grant delete on learning_head to scholiast_worker;

create table learning (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  id uuid not null,
  -- The provider's id, as in every response.
  repository_id text not null,
  -- private: from open pull requests; pending: waits for a person or its deadline; shared: used in every review.
  state text not null check (state in ('private', 'pending', 'shared', 'disapproved')),
  text text not null,
  -- Flags of the text: it addresses an agent, or hides characters; null = not examined.
  flags text[],
  -- Over the repository and the text: an organization has each only once.
  content_hash bytea not null check (length(content_hash) = 32),
  redactor_version integer not null,
  file text,
  source_url text,
  -- The account and its name at the time of writing, and our person if there is one.
  author_id text,
  author_username text,
  person_id uuid,
  source text not null check (source in ('api', 'chat', 'review', 'agent', 'connector')),
  -- The number of the pull request that it was proposed from, if any: its origins are deleted when it is no longer private.
  pull_request bigint,
  -- When it is approved without a person; null = never.
  deadline timestamptz,
  -- In the export; given when it is shared, so that a reader that is already further does not miss it.
  position bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  usage_count bigint not null default 0,
  primary key (root_id, organization_id, id),
  foreign key (root_id, organization_id) references organization,
  check ((state = 'shared') = (position is not null)),
  check (deadline is null or state in ('pending', 'private'))
) with (fillfactor = 90);
create unique index learning_content on learning (root_id, organization_id, content_hash);
create index learning_of_root on learning (root_id, position) where state = 'shared';
create index learning_of_organization on learning (root_id, organization_id, position) where state = 'shared';
create index learning_of_instance on learning (root_id, instance_id, position)
  where state = 'shared' and instance_id is not null;
create index learning_of_repository on learning (root_id, repository_id, position) where state = 'shared';
create index learning_of_author on learning (root_id, author_id, position)
  where state = 'shared' and author_id is not null;
create index learning_of_file on learning (root_id, file, position) where state = 'shared' and file is not null;
create index learning_waiting on learning (root_id, organization_id, state, created_at) where state <> 'shared';
create index learning_redacted on learning (root_id, redactor_version, id);
call isolate_metrics('learning');
grant select, insert, update, delete on learning to scholiast_api, scholiast_worker;

-- Counts the pending Learnings of the root, at most `max_rows`. A request sees one organization, and the limit is for the root:
-- only the number is returned.
create function learning_pending_count(max_rows integer) returns bigint
  language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from (select from learning where root_id = app_root() and state = 'pending' limit max_rows) pending
$$;
revoke execute on function learning_pending_count from public;
grant execute on function learning_pending_count to scholiast_api, scholiast_worker;

-- The open pull requests that a private Learning came from.
create table learning_origin (
  root_id uuid not null,
  organization_id uuid not null,
  learning_id uuid not null,
  repository_id text not null,
  number bigint not null,
  -- When it was last proposed from there: an earlier close event does not resolve it.
  at timestamptz not null,
  primary key (root_id, organization_id, learning_id, number),
  foreign key (root_id, organization_id, learning_id) references learning on delete cascade
);
create index learning_origin_of_pull_request on learning_origin (root_id, organization_id, repository_id, number);
call isolate_by_organization('learning_origin');
grant select, delete on learning_origin to scholiast_api;
grant select, insert, update, delete on learning_origin to scholiast_worker;

-- Closed pull requests: a proposal that arrives after the close event is treated as if it had arrived in time.
create table closed_pull_request (
  root_id uuid not null,
  organization_id uuid not null,
  repository_id text not null,
  number bigint not null,
  merged boolean not null,
  at timestamptz not null,
  -- A reopened pull request is closed again: the first close event after a proposal resolves it.
  primary key (root_id, organization_id, repository_id, number, at)
);
create index closed_pull_request_at on closed_pull_request (root_id, at);
call isolate_by_organization('closed_pull_request');
grant select, insert, update, delete on closed_pull_request to scholiast_worker;

-- Learning events that were applied: each counts once per organization, however often it is delivered.
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

-- Disapproved texts whose Learning was deleted: a hash and no text.
create table learning_tombstone (
  root_id uuid not null,
  organization_id uuid not null,
  -- As in learning.
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

-- What the worker has to do for a Learning, and when. Ids and times only, because it looks at those of all roots.
create table learning_task (
  root_id uuid not null,
  organization_id uuid not null,
  learning_id uuid not null,
  kind text not null check (kind in ('index', 'approve')),
  at timestamptz not null,
  attempts integer not null default 0,
  primary key (root_id, organization_id, learning_id, kind),
  foreign key (root_id, organization_id, learning_id) references learning on delete cascade
);
create index learning_task_at on learning_task (kind, at);
call isolate_by_organization('learning_task');
create policy worker_select on learning_task for select to scholiast_worker using (true);
grant select, insert, update, delete on learning_task to scholiast_api, scholiast_worker;

-- knowledge_base.learnings.* for an organization (repository '') or one of its repositories, which takes precedence.
create table learning_setting (
  root_id uuid not null,
  organization_id uuid not null,
  repository_id text not null default '',
  scope text check (scope in ('auto', 'global', 'local')),
  approval_delay integer check (approval_delay between 0 and 30),
  primary key (root_id, organization_id, repository_id),
  foreign key (root_id, organization_id) references organization
);
call isolate_by_organization('learning_setting');
grant select, insert, update, delete on learning_setting to scholiast_api, scholiast_worker;

-- How many Learnings an organization (repository '') and each repository share: it decides how a search is executed.
create table learning_count (
  root_id uuid not null,
  organization_id uuid not null,
  repository_id text not null,
  shared bigint not null,
  primary key (root_id, organization_id, repository_id)
) with (fillfactor = 50);
call isolate_by_organization('learning_count');
create policy worker_select on learning_count for select to scholiast_worker using (true);
grant select, insert, update on learning_count to scholiast_api, scholiast_worker;
grant delete on learning_count to scholiast_worker;

-- In a trigger, so that no writer can forget it. Writers hold learning_head.
create function learning_count_change() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into learning_count as c
      select root_id, organization_id, repository, count(*)
      from added, unnest(array['', repository_id]) repository where state = 'shared'
      group by 1, 2, 3
    on conflict (root_id, organization_id, repository_id) do update set shared = c.shared + excluded.shared;
  elsif tg_op = 'DELETE' then
    update learning_count c set shared = c.shared - gone.shared
      from (select root_id, organization_id, repository, count(*) as shared
        from removed, unnest(array['', repository_id]) repository where state = 'shared' group by 1, 2, 3) gone
      where (c.root_id, c.organization_id, c.repository_id) = (gone.root_id, gone.organization_id, gone.repository);
  else
    insert into learning_count as c
      select a.root_id, a.organization_id, repository, count(*)
      from added a join removed r using (root_id, organization_id, id), unnest(array['', a.repository_id]) repository
      where a.state = 'shared' and r.state <> 'shared'
      group by 1, 2, 3
    on conflict (root_id, organization_id, repository_id) do update set shared = c.shared + excluded.shared;
  end if;
  return null;
end
$$;
create trigger learning_count_insert after insert on learning
  referencing new table as added for each statement execute function learning_count_change();
create trigger learning_count_delete after delete on learning
  referencing old table as removed for each statement execute function learning_count_change();
create trigger learning_count_update after update on learning
  referencing old table as removed new table as added for each statement execute function learning_count_change();

-- Embedding models. All searches use the active one; a model that is being filled gets every new text too; a retired one keeps
-- its rows until no node can still take it for the active one.
create table learning_model (
  model text primary key,
  dimensions integer not null check (dimensions between 1 and 4000),
  state text not null check (state in ('filling', 'active', 'retired')),
  since timestamptz not null default now()
);
create unique index learning_model_active on learning_model (state) where state = 'active';
grant select on learning_model to scholiast_api;
grant select, insert, update, delete on learning_model to scholiast_worker;

-- What the similarities of an embedding model mean, chosen by the operator with `learnings calibrate`. It belongs to the
-- installation, like learning_model, and outlives the model's rows: a model that comes back needs no new calibration.
create table learning_calibration (
  model text primary key,
  similarity double precision not null,
  terms double precision not null,
  floor double precision not null,
  unshared_floor double precision not null,
  strong double precision not null,
  calibrated_at timestamptz not null default now()
);
grant select on learning_calibration to scholiast_api;
grant select, insert, update, delete on learning_calibration to scholiast_worker;

-- One row for each shared Learning and model. Vectors have length 1. A term is a number computed from the organization and a
-- word, so that no list of the inverted index is longer than what one organization wrote.
create table learning_index (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  learning_id uuid not null,
  repository_id text not null,
  model text not null,
  content_hash bytea not null,
  embedding halfvec not null,
  terms bigint[] not null,
  primary key (organization_id, model, learning_id),
  foreign key (root_id, organization_id, learning_id) references learning on delete cascade
) partition by hash (organization_id);
create index learning_index_of_repository on learning_index (organization_id, model, repository_id);
create index learning_index_of_learning on learning_index (root_id, organization_id, learning_id);
create index learning_index_terms on learning_index using gin (terms);
do $$
begin
  for part in 0..15 loop
    execute format(
      'create table learning_index_%s partition of learning_index for values with (modulus 16, remainder %s)', part, part);
    -- Without a policy: a partition is read through the whole table only.
    execute format('alter table learning_index_%s enable row level security', part);
  end loop;
end
$$;
call isolate_metrics('learning_index');
grant select, insert, update, delete on learning_index to scholiast_api, scholiast_worker;

-- An organization with many rows gets a vector index over them: a partial one, in the partition of its rows. Partitions keep the
-- number of such indexes for each write small, and their creation short.
create table learning_vector_index (
  root_id uuid not null,
  organization_id uuid not null,
  model text not null,
  name text not null,
  primary key (root_id, organization_id, model),
  foreign key (root_id, organization_id) references organization
);
call isolate_by_organization('learning_vector_index');
create policy worker_select on learning_vector_index for select to scholiast_worker using (true);
grant select on learning_vector_index to scholiast_api, scholiast_worker;

-- Writes to the partition wait meanwhile. The worker may call it, and nothing else that changes the schema.
create function learning_index_create_vector_index(root uuid, organization uuid, of_model text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set maintenance_work_mem = '512MB' as $$
declare
  part regclass;
  dims integer;
  index_name text := 'learning_vector_' || substr(md5(organization || of_model), 1, 24);
begin
  select dimensions into dims from learning_model where model = of_model;
  select tableoid::regclass into part from learning_index
    where root_id = root and organization_id = organization and model = of_model limit 1;
  if dims is null or part is null then
    return false;
  end if;
  execute format(
    'create index if not exists %I on %s using hnsw ((embedding::halfvec(%s)) halfvec_ip_ops)
       where organization_id = %L and model = %L', index_name, part, dims, organization, of_model);
  insert into learning_vector_index values (root, organization, of_model, index_name) on conflict do nothing;
  return true;
end
$$;

create function learning_index_drop_vector_indexes(of_model text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  index_name text;
begin
  for index_name in delete from learning_vector_index where model = of_model returning name loop
    execute format('drop index if exists %I', index_name);
  end loop;
end
$$;

create function root_delete_vector_indexes() returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  index_name text;
  deleted bigint := 0;
begin
  perform from root_tombstone where root_id = app_root() and finished_at is null;
  if not found then
    raise exception 'the tenant root is not being deleted';
  end if;
  for index_name in delete from learning_vector_index where root_id = app_root() returning name loop
    execute format('drop index if exists %I', index_name);
    deleted := deleted + 1;
  end loop;
  return deleted;
end
$$;
revoke execute on function learning_index_create_vector_index, learning_index_drop_vector_indexes, root_delete_vector_indexes from public;
grant execute on function learning_index_create_vector_index, learning_index_drop_vector_indexes, root_delete_vector_indexes to scholiast_worker;


-- SEATS AND ROLES

create table seat (
  root_id uuid not null,
  person_id uuid not null,
  assigned_at timestamptz not null default now(),
  primary key (root_id, person_id),
  foreign key (root_id, person_id) references person
);
call isolate_by_root('seat');
grant select, insert, delete on seat to scholiast_api;
grant select, insert, update, delete on seat to scholiast_worker;

-- The number of assigned seats. Every change of seats locks this row before it reads anything, so that no two of them use the
-- same free seat. Triggers keep it up to date.
create table seat_head (
  root_id uuid primary key references root,
  assigned integer not null check (assigned >= 0)
);
call isolate_by_root('seat_head');
grant select, insert, update on seat_head to scholiast_api, scholiast_worker;
grant delete on seat_head to scholiast_worker;

create function count_new_seats() returns trigger language plpgsql as $$
begin
  insert into seat_head as h (root_id, assigned) select root_id, count(*)::int from added group by root_id
  on conflict (root_id) do update set assigned = h.assigned + excluded.assigned;
  return null;
end
$$;
create trigger count_new_seats after insert on seat
  referencing new table as added for each statement execute function count_new_seats();

create function count_removed_seats() returns trigger language plpgsql as $$
begin
  update seat_head h set assigned = h.assigned - gone.seats
  from (select root_id, count(*)::int as seats from removed group by root_id) gone
  where h.root_id = gone.root_id;
  return null;
end
$$;
create trigger count_removed_seats after delete on seat
  referencing old table as removed for each statement execute function count_removed_seats();

-- The last decision about a person's seat. A request waits while requested_at is set. An event from before decided_at is too
-- late, so that a redelivered one does not bring back a seat that an admin has taken away.
create table seat_request (
  root_id uuid not null,
  person_id uuid not null,
  -- Where the person asked, by tagging the reviewer.
  organization_id uuid,
  requested_at timestamptz,
  decided_at timestamptz,
  primary key (root_id, person_id),
  foreign key (root_id, person_id) references person,
  foreign key (root_id, organization_id) references organization,
  check (num_nonnulls(requested_at, decided_at) > 0)
);
call isolate_by_root('seat_request');
grant select, insert, update on seat_request to scholiast_api, scholiast_worker;
grant delete on seat_request to scholiast_worker;

-- A change of roles in all organizations of an instance. The worker applies it in the order of organization ids, some at a
-- time; progress is stored in the transaction of the change, so that each organization is changed completely or not at all.
create table role_job (
  root_id uuid not null references root,
  id uuid not null,
  instance_id uuid not null,
  -- Those that the key is authorized for; null = all of the instance.
  organization_ids uuid[],
  role text not null check (role in ('cr_admin', 'cr_member')),
  user_ids text[] not null,
  -- Who requested it, for the audit log.
  key_id uuid not null,
  address text not null,
  done_until uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Recent failures: the more, the fewer organizations are changed at once.
  failures integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (root_id, id),
  foreign key (root_id, instance_id) references instance
);
create index role_job_open on role_job (root_id, created_at) where finished_at is null;
create index role_job_age on role_job (created_at);
call isolate_by_root('role_job');
create policy worker_select on role_job for select to scholiast_worker using (true);
create policy worker_delete on role_job for delete to scholiast_worker using (true);
grant select, insert on role_job to scholiast_api;
grant select, update, delete on role_job to scholiast_worker;

-- Users that were found in at least one organization, and the first failure for each.
create table role_job_user (
  root_id uuid not null,
  job_id uuid not null,
  user_id text not null,
  code text check (code in ('PROTECTED_ROLE', 'LAST_ADMIN', 'USER_INACTIVE', 'INTERNAL_ERROR')),
  primary key (root_id, job_id, user_id),
  foreign key (root_id, job_id) references role_job on delete cascade
);
call isolate_by_root('role_job_user');
grant select on role_job_user to scholiast_api;
grant select, insert, update, delete on role_job_user to scholiast_worker;


-- SECURITY SCANS

-- As learning_head, for writers of findings. Locked before audit_head.
create table security_head (
  root_id uuid primary key references root,
  position bigint not null
);
call isolate_by_root('security_head');
grant select, insert, update, delete on security_head to scholiast_worker;

create table security_finding (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  id uuid not null,
  provider text not null,
  host text not null,
  -- The provider's ids, as in every response; names as of the last write.
  provider_organization_id text not null,
  organization_name text not null,
  repository_id text not null,
  repository_name text not null,
  -- The last scan that reported it.
  scan_id text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'info')),
  -- fixed: a later complete scan did not report it. dismissed: it stays so, reported or not.
  state text not null check (state in ('open', 'fixed', 'dismissed')),
  dismissal_reason text check (dismissal_reason in ('false_positive', 'wont_fix', 'used_in_tests', 'other')),
  dismissal_comment text,
  -- Who dismissed it, and when; null = a comment in the code, or a suppression in the uploaded file.
  dismissed_by text,
  dismissed_at timestamptz,
  cwe text,
  title text not null,
  description text not null,
  file_path text not null,
  start_line integer check (start_line >= 1),
  end_line integer check (end_line >= start_line),
  rule_id text not null,
  tool text not null,
  -- Its id in exported files: from the tool, else computed from its code; it stays when lines move.
  fingerprint text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= first_seen_at),
  -- In the order of writes. A finding with something new to show moves to the end; one that was only reported again (scan_id,
  -- last_seen_at) stays, so that a reader does not get everything again after every scan.
  position bigint not null,
  -- What it is recognized by (resources/security-scans/identity); only digests of its code are stored.
  given_fingerprint text,
  code text not null default '',
  -- Digest of the facts in the last scan that reported it.
  facts_hash text not null default '',
  -- When and by which scan it was last reported, for each branch and category of scans.
  lanes jsonb not null default '{}',
  -- A person's last decision about its dismissal, also if that withdraws one; and what the scanned code says.
  decision jsonb,
  suppression jsonb,
  redactor_version integer not null default 1,
  primary key (root_id, organization_id, id),
  foreign key (root_id, organization_id) references organization,
  check ((state = 'dismissed') = (dismissal_reason is not null))
) with (fillfactor = 80);
create index security_finding_of_tool on security_finding (root_id, organization_id, repository_id, tool);
create index security_finding_of_root on security_finding (root_id, state, position);
create index security_finding_of_organization on security_finding (root_id, organization_id, state, position);
create index security_finding_of_instance on security_finding (root_id, instance_id, state, position)
  where instance_id is not null;
create index security_finding_of_repository on security_finding (root_id, repository_id, state, position);
call isolate_metrics('security_finding');
grant select on security_finding to scholiast_api;
grant select, insert, update, delete on security_finding to scholiast_worker;

create table security_scan (
  root_id uuid not null,
  organization_id uuid not null,
  instance_id uuid,
  repository_id text not null,
  tool text not null,
  scan_id text not null,
  -- A complete scan is one event; a partial one may come in parts, named by their events.
  part text not null,
  complete boolean not null,
  branch text not null,
  category text not null,
  commit text,
  at timestamptz not null,
  event_id text not null,
  findings integer not null,
  -- When it was received: its age counts from here, because a scan of last year may arrive today.
  received_at timestamptz not null default now(),
  primary key (root_id, organization_id, repository_id, tool, scan_id, part),
  foreign key (root_id, organization_id) references organization
);
create index security_scan_of_lane on security_scan (root_id, organization_id, repository_id, tool, branch, category, at)
  where complete;
-- Findings of a scan are found through it: an index over security_finding.scan_id would be written again by every scan.
create index security_scan_named on security_scan (root_id, scan_id);
call isolate_metrics('security_scan');
grant select (root_id, organization_id, instance_id, repository_id, scan_id) on security_scan to scholiast_api;
grant select, insert, update, delete on security_scan to scholiast_worker;

-- Uploaded files, parsed and redacted: the findings are stored here until the worker has processed them, and the queue has the
-- id only.
create table sarif_upload (
  root_id uuid not null references root,
  organization_id uuid,
  id uuid not null,
  created_at timestamptz not null,
  bytes bigint not null,
  primary key (root_id, id)
);
create index sarif_upload_created on sarif_upload (created_at);
call isolate_by_organization_or_root('sarif_upload');
create policy worker_select on sarif_upload for select to scholiast_worker using (true);
grant insert on sarif_upload to scholiast_api;
grant select, delete on sarif_upload to scholiast_worker;

create table sarif_upload_part (
  root_id uuid not null,
  organization_id uuid,
  upload_id uuid not null,
  run integer not null,
  part integer not null,
  findings jsonb not null,
  primary key (root_id, upload_id, run, part),
  foreign key (root_id, upload_id) references sarif_upload on delete cascade
);
call isolate_by_organization_or_root('sarif_upload_part');
grant insert on sarif_upload_part to scholiast_api;
grant select, delete on sarif_upload_part to scholiast_worker;

-- The bytes of stored uploads, so that a quota is checked in the transaction that stores one.
create table sarif_upload_usage (
  root_id uuid primary key references root,
  bytes bigint not null
);
call isolate_by_root('sarif_upload_usage');
create policy worker_select on sarif_upload_usage for select to scholiast_worker using (true);
grant select, insert, update on sarif_upload_usage to scholiast_api;
grant select, update, delete on sarif_upload_usage to scholiast_worker;


-- CONNECTORS

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
  -- On GitHub, the installation of the App.
  external_account_id text check (length(external_account_id) between 1 and 255),
  -- Encrypted with the key `key_id` of the setting CONNECTOR_KEYS.
  credential bytea not null,
  hook_secret bytea,
  key_id text not null check (length(key_id) between 1 and 32),
  -- Whether it may write to its provider.
  write_back boolean not null default false,
  -- Accounts that review as bots although the provider does not call them bots, as in the API: [{account_id, reviewer, format}].
  bots jsonb not null default '[]',
  status text not null default 'pending' check (status in ('pending', 'active', 'failing')),
  error text check (length(error) between 1 and 500),
  -- Why the last write was refused, or why git could not read a repository, for the list of connectors. Reading goes on.
  write_back_error text,
  git_error text,
  -- No request is sent to the provider before this time: its rate limit is used up, or it was unavailable.
  retry_at timestamptz,
  -- The same for the backfill, which may use half of the rate limit.
  backfill_retry_at timestamptz,
  failures int not null default 0,
  created_by uuid,
  created_at timestamptz not null,
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
create unique index connector_account on connector (root_id, organization_id, provider, host, lower(account));
call isolate_by_organization('connector');
create policy worker_select on connector for select to scholiast_worker using (true);
-- A hook names its connector before any root is known.
create policy auth on connector for select to scholiast_auth using (true);
grant select, insert, delete, update (inventory_due_at) on connector to scholiast_api;
grant select, update, delete on connector to scholiast_worker;
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
  -- The sums over its pull requests, for the list of connectors.
  unparsed_comments int not null default 0,
  omitted_comments integer not null default 0,
  lease_owner uuid,
  lease_until timestamptz,
  primary key (root_id, connector_id, repository_id),
  foreign key (root_id, connector_id) references connector on delete cascade
);
call isolate_by_organization('connector_repository');
-- A hook about members or teams makes the list of readers due.
grant select, update (readers_due_at) on connector_repository to scholiast_api;
grant select, insert, update, delete on connector_repository to scholiast_worker;

-- The rate limit of a connector at its Git provider, shared by all workers. A call is reserved here before it is sent.
create table connector_budget (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  resource text not null check (resource in ('rest', 'graphql')),
  -- As the provider reported it; null = it reports none, because its limits are off or no call was made yet.
  limit_points int check (limit_points > 0),
  -- Less what calls in flight may cost.
  remaining int,
  resets_at timestamptz,
  -- Two token buckets against secondary limits: calls, and milliseconds of response time.
  calls double precision not null,
  busy_ms double precision not null,
  refilled_at timestamptz not null,
  -- One entry for each call in flight: when it counts as lost.
  in_flight timestamptz[] not null default '{}',
  -- The provider refused calls until this time, so many times in succession.
  blocked_until timestamptz,
  blocks int not null default 0,
  primary key (root_id, connector_id, resource),
  foreign key (root_id, connector_id) references connector on delete cascade
);
call isolate_by_organization('connector_budget');
grant select, insert, update, delete on connector_budget to scholiast_worker;

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
  -- The digest of the events that were sent last.
  digest bytea,
  last_occurred_at timestamptz,
  last_read_at timestamptz,
  -- Comments of known bots that look like findings, but that no parser understands.
  unparsed_comments int not null default 0,
  -- Comments that were not read, or not completely, because there are too many or they are too long.
  omitted_comments integer not null default 0,
  -- Findings in comments on lines that were there while the pull request was open, without texts: those whose comment is
  -- deleted before the merge count too.
  seen_findings jsonb not null default '[]',
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
grant select, insert, update (dirty_since, marks, due_at) on connector_pull_request to scholiast_api;
grant select, insert, update, delete on connector_pull_request to scholiast_worker;

-- What became of an instruction that somebody wrote to a bot. It belongs to the organization rather than to the connector, so that
-- nothing is proposed again after the organization is connected again.
create table connector_instruction (
  root_id uuid not null references root,
  organization_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  -- Over the id of the comment and the text: an edited comment is another instruction.
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
  -- Digests of the scan that was sent last, by tool, branch and category.
  digests jsonb not null default '{}',
  last_occurred_at timestamptz,
  primary key (root_id, connector_id, repository_id),
  foreign key (root_id, connector_id) references connector on delete cascade
);
call isolate_by_organization('connector_code_scanning');
grant select, insert, update (due_at, marks) on connector_code_scanning to scholiast_api;
grant select, insert, update, delete on connector_code_scanning to scholiast_worker;

-- Check runs that connectors wrote. Ids, times and digests only, no text.
create table connector_check_run (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  number bigint not null check (number > 0),
  head_sha text not null check (length(head_sha) between 1 and 64),
  check_run_id text not null check (length(check_run_id) between 1 and 64),
  -- The digest of what the check run says.
  digest bytea not null,
  written_at timestamptz not null,
  primary key (root_id, connector_id, repository_id, number),
  foreign key (root_id, connector_id) references connector on delete cascade
);
create index connector_check_run_written on connector_check_run (root_id, connector_id, written_at);
call isolate_by_organization('connector_check_run');
grant select, insert, update, delete on connector_check_run to scholiast_worker;

-- Commands in comments, so that each is executed once. Rows are deleted when their comments are too old to count.
create table connector_command (
  root_id uuid not null references root,
  organization_id uuid not null,
  connector_id uuid not null,
  repository_id text not null check (length(repository_id) between 1 and 200),
  number bigint not null check (number > 0),
  comment_id text not null check (length(comment_id) between 1 and 64),
  -- The account that wrote the comment.
  author_id text not null check (length(author_id) between 1 and 64),
  outcome text not null check (outcome in ('refused', 'started', 'done')),
  handled_at timestamptz not null,
  primary key (root_id, connector_id, repository_id, number, comment_id),
  foreign key (root_id, connector_id) references connector on delete cascade
);
create index connector_command_age on connector_command (root_id, connector_id, handled_at);
call isolate_by_organization('connector_command');
grant select, insert, update, delete on connector_command to scholiast_worker;


-- MAINTENANCE

-- Progress of backfills (access/backfill.ts): they bring rows of version N−1 into their present form, in
-- batches while requests are served. No rows of tenants.
create table backfill (
  name text primary key,
  -- The root of the last batch, and where its next batch begins; next_after null = this root is finished.
  current_root uuid,
  next_after text,
  -- Finished roots, the number of roots when it started, and changed rows.
  done bigint not null default 0,
  total bigint not null,
  changed bigint not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
grant select, insert, update on backfill to scholiast_worker;

-- After a restore to an earlier time, positions are used again for other rows. A restore point starts an epoch and records the
-- last positions at the restore: a cursor of an earlier epoch is valid up to them and rejected beyond them. The epoch is the
-- time of the declaration in milliseconds, because a counter would be restored too and use its numbers again.
create table restore_point (
  epoch bigint primary key check (epoch > 0),
  restored_to timestamptz not null,
  declared_at timestamptz not null default now(),
  -- Until then connectors are paused.
  confirmed_at timestamptz
);
-- A key is read together with the epoch.
grant select (epoch) on restore_point to scholiast_auth;
grant select on restore_point to scholiast_api;
grant select, insert, update (confirmed_at) on restore_point to scholiast_worker;

-- The last position of each sequence of a root at the restore.
create table restore_position (
  root_id uuid not null,
  epoch bigint not null,
  audit bigint not null,
  learnings bigint not null,
  security bigint not null,
  metrics bigint not null,
  primary key (root_id, epoch)
);
call isolate_by_root('restore_position');
grant select on restore_position to scholiast_api;
grant select, delete on restore_position to scholiast_worker;

-- The command that declares a restore point reads and records the positions of all roots.
create function restore_point_heads(after uuid, max_rows integer)
  returns table (root_id uuid, audit bigint, audit_hash bytea, signed boolean, learnings bigint, security bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select r.id, coalesce(a.position, 0), a.hash, coalesce(s.position, 0) > 0, coalesce(l.position, 0),
    coalesce(f.position, 0)
  from root r
  left join audit_head a on a.root_id = r.id
  left join audit_signed s on s.root_id = r.id
  left join learning_head l on l.root_id = r.id
  left join security_head f on f.root_id = r.id
  where r.id > after order by r.id limit max_rows
$$;

create function restore_point_record(epoch bigint, positions json) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into restore_position (root_id, epoch, audit, learnings, security, metrics)
  select root_id, restore_point_record.epoch, audit, learnings, security, metrics
  from json_to_recordset(positions) as given (root_id uuid, audit int8, learnings int8, security int8, metrics int8)
$$;

-- In every metrics store.
create function restore_point_metrics(roots uuid[]) returns table (root_id uuid, metrics bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
  select h.root_id, h.position from metrics_head h where h.root_id = any (roots)
$$;
revoke execute on function restore_point_heads, restore_point_record, restore_point_metrics from public;
grant execute on function restore_point_heads, restore_point_record, restore_point_metrics to scholiast_worker;

-- Drills that restored the last backup into a scratch instance and found it sound.
create table restore_drill (
  ended_at timestamptz primary key default now(),
  -- The last change that the restored copy has; null = not known, because it was not restored from the log.
  data_until timestamptz,
  seconds integer not null check (seconds >= 0)
);
grant select, insert on restore_drill to scholiast_worker;

-- What took access away, or deleted, until the worker has published it: a restore would bring it back, and the command that declares the
-- restore point applies it again.
create table restriction (
  id bigint generated always as identity primary key,
  root_id uuid not null,
  -- Table, whether the row was deleted, and the columns that say which row it was and what became of it.
  change jsonb not null,
  at timestamptz not null default now()
);
call isolate_by_root('restriction');
create policy worker_select on restriction for select to scholiast_worker using (true);
create policy worker_delete on restriction for delete to scholiast_worker using (true);
grant select, delete on restriction to scholiast_worker;

-- Runs as the owner: no role can withhold a restriction, or write one of its own. The arguments are the columns.
create function record_restriction() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  root uuid := changed ->> 'root_id';
begin
  -- The rows of a root that is being deleted need not be deleted one by one after a restore.
  if tg_table_name = 'root_tombstone' or not exists (select from root_tombstone where root_id = root) then
    insert into restriction (root_id, change)
    select root, jsonb_build_object('table', tg_table_name, 'deleted', tg_op = 'DELETE') || jsonb_object_agg(name, changed -> name)
    from unnest(tg_argv) as name;
  end if;
  return null;
end
$$;
revoke execute on function record_restriction from public;

create trigger restrict_key after update on api_key for each row
  when (new.revoked_at is distinct from old.revoked_at or new.expires_at is distinct from old.expires_at)
  execute function record_restriction('id', 'revoked_at', 'expires_at');
create trigger restrict_scim_credential after update on scim_credential for each row
  when (new.revoked_at is distinct from old.revoked_at) execute function record_restriction('id', 'revoked_at');
create trigger restrict_person after update on person for each row
  when (old.active and not new.active or old.workspace_admin and not new.workspace_admin
    or new.erased_at is distinct from old.erased_at)
  execute function record_restriction('id', 'active', 'workspace_admin', 'erased_at');
-- A role that is not the admin's is taken for a lower one.
create trigger restrict_membership after update on membership for each row
  when (new.system_role is distinct from 'cr_admin'
    and (new.system_role is distinct from old.system_role or new.custom_role_id is distinct from old.custom_role_id))
  execute function record_restriction('organization_id', 'account_id', 'system_role', 'custom_role_id');
create trigger restrict_members after delete on membership for each row
  execute function record_restriction('organization_id', 'account_id');
create trigger restrict_role after update on custom_role for each row
  when (not new.permissions @> old.permissions) execute function record_restriction('organization_id', 'id', 'permissions');
create trigger restrict_roles after delete on custom_role for each row
  execute function record_restriction('organization_id', 'id');
create trigger restrict_repository_access after delete on repository_access for each row
  execute function record_restriction('organization_id', 'repository_id', 'person_id');
create trigger restrict_group_members after delete on scim_group_member for each row
  execute function record_restriction('group_id', 'person_id');
create trigger restrict_group_roles after delete on scim_group_role for each row
  execute function record_restriction('group_id', 'organization_id');
create trigger restrict_identities after delete on identity for each row
  execute function record_restriction('issuer', 'subject');
create trigger restrict_passkeys after delete on passkey for each row execute function record_restriction('id');
create trigger restrict_learning after update on learning for each row
  when (new.state = 'disapproved' and old.state <> 'disapproved') execute function record_restriction('organization_id', 'id', 'state');
create trigger restrict_learnings after delete on learning for each row
  execute function record_restriction('organization_id', 'id');
create trigger restrict_connectors after delete on connector for each row execute function record_restriction('id');
create trigger restrict_organization after update on organization for each row
  when (old.active and not new.active) execute function record_restriction('id', 'active');
create trigger restrict_root after insert on root_tombstone for each row execute function record_restriction('started_at');

-- Locks of timers are held by a transaction of their worker (bus/lock.ts). Its other transactions begin with this function,
-- which fails as soon as that transaction is gone, whatever the worker believes: it may have been frozen, or the lock may
-- have been held on a server that is no longer the primary. The shared lock lets the next holder wait for transactions
-- that have passed the check.
create function require_lock(name text, holder integer, since text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended(name, 7216));
  if not exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.pid = holder and a.backend_start::text = since
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended(name, 7215)
  ) then
    raise exception 'The lock "%" was lost: another worker may hold it.', name using errcode = 'lock_not_available';
  end if;
end
$$;
revoke execute on function require_lock from public;
grant execute on function require_lock to scholiast_worker;


-- REPORT

-- Views over all tenants, for SQL of the person who runs the installation (docs/sql.md). They run as the owner, to whom row-level security does
-- not apply, so scholiast_report needs no right on a table. No other role may read them: a process of the service refuses to start as one
-- that can. The page's lists of columns are generated from the comments.
create schema report;

-- While a root is moved, two stores have its rows: the one where it is active shows them. Names are left joined by primary keys, so
-- that a query without them does not read their tables; root, organization and repository are empty outside of the main database.
create view report.pull_request as
select p.root_id as tenant_id, t.name as tenant, p.pull_request_key as pull_request_id, p.organization_id,
  p.organization_name as organization, p.provider, p.host, p.repository_id, p.repository_name as repository, p.number, p.url, p.author_id, p.author_username as author, p.status,
  p.day as counted_on, p.created_at, p.ready_for_review_at, p.first_human_review_at, p.last_commit_at, p.merged_at, p.closed_at,
  p.review_iterations, p.estimated_complexity, p.estimated_review_minutes, p.reviewers
from pull_request p
  join metrics_head h on h.root_id = p.root_id and h.state = 'active'
  left join root t on t.id = p.root_id;
comment on view report.pull_request is 'A pull request that was merged or closed, as the sender of its event described it.';
comment on column report.pull_request.tenant_id is 'The tenant root, by its id.';
comment on column report.pull_request.tenant is 'The name of the tenant root; null in a metrics store that is not the main database.';
comment on column report.pull_request.pull_request_id is 'Identifies the pull request in all views, also when its repository is transferred.';
comment on column report.pull_request.organization_id is 'The organization, by its id in Scholiast.';
comment on column report.pull_request.organization is 'The name of the organization, at the time of the event.';
comment on column report.pull_request.provider is 'The Git provider: `github` or `gitlab`, for example.';
comment on column report.pull_request.host is 'The host of the Git provider.';
comment on column report.pull_request.repository_id is 'The repository, by its id at the Git provider.';
comment on column report.pull_request.repository is 'The name of the repository, at the time of the event; null = not known.';
comment on column report.pull_request.number is 'Its number in the repository.';
comment on column report.pull_request.url is 'Its address at the Git provider.';
comment on column report.pull_request.author_id is 'The author, by the id at the Git provider; null = not known.';
comment on column report.pull_request.author is 'The user name of the author; null = not known.';
comment on column report.pull_request.status is '`merged` or `closed`.';
comment on column report.pull_request.counted_on is 'The day (UTC) that it counts for: of the merge, else of the close, else of the event.';
comment on column report.pull_request.created_at is 'When it was opened.';
comment on column report.pull_request.ready_for_review_at is 'When it was no longer a draft.';
comment on column report.pull_request.first_human_review_at is 'When a person reviewed it first; null = nobody did, or not known.';
comment on column report.pull_request.last_commit_at is 'The time of its last commit.';
comment on column report.pull_request.merged_at is 'When it was merged; null = it was closed without a merge, or not known.';
comment on column report.pull_request.closed_at is 'When it was closed.';
comment on column report.pull_request.review_iterations is 'How often it was reviewed again after a change.';
comment on column report.pull_request.estimated_complexity is 'The sender''s estimate of its complexity.';
comment on column report.pull_request.estimated_review_minutes is 'The sender''s estimate of the minutes that a person needs to review it.';
comment on column report.pull_request.reviewers is 'The automated reviewers that the event lists, also those without findings. A reviewer with findings may be missing.';

create view report.finding as
select f.root_id as tenant_id, t.name as tenant, f.pull_request_key as pull_request_id, f.finding_id, f.organization_id,
  p.organization_name as organization, f.repository_id, p.repository_name as repository, p.number as pull_request, f.author_id, p.author_username as author,
  f.day as counted_on, f.counted, f.url, f.reviewer, f.severity, f.category, f.accepted, f.source as outcome_source, f.rule as outcome_rule,
  f.decided_at as outcome_at,
  case when f.accepted then (select min((e ->> 'at')::timestamptz) from json_array_elements(f.evidence) e where e ->> 'kind' = 'commit') end
    as fixed_at,
  f.posted_at, f.posted_as, f.file, f.start_line, f.end_line, f.commit
from finding f
  join metrics_head h on h.root_id = f.root_id and h.state = 'active'
  left join root t on t.id = f.root_id
  left join pull_request p on p.root_id = f.root_id and p.pull_request_key = f.pull_request_key;
comment on view report.finding is 'What a reviewer found on a pull request, and the outcome that counts. The text of its comment is not stored.';
comment on column report.finding.tenant_id is 'As in `report.pull_request`.';
comment on column report.finding.tenant is 'As in `report.pull_request`.';
comment on column report.finding.pull_request_id is 'Its pull request in `report.pull_request`.';
comment on column report.finding.finding_id is 'The sender''s id of the finding, unique in the pull request.';
comment on column report.finding.organization_id is 'As in `report.pull_request`.';
comment on column report.finding.organization is 'As in `report.pull_request`.';
comment on column report.finding.repository_id is 'As in `report.pull_request`.';
comment on column report.finding.repository is 'As in `report.pull_request`.';
comment on column report.finding.pull_request is 'The number of the pull request.';
comment on column report.finding.author_id is 'The author of the pull request.';
comment on column report.finding.author is 'The user name of the author of the pull request.';
comment on column report.finding.counted_on is 'The day (UTC) that the pull request counts for.';
comment on column report.finding.counted is 'True: the pull request was merged, so the summaries of the API count the finding.';
comment on column report.finding.url is 'The address of the comment at the Git provider.';
comment on column report.finding.reviewer is 'The automated reviewer; null = not sent.';
comment on column report.finding.severity is '`critical`, `major`, `minor`, `trivial` or `info`, sorted in this order; null = not sent, or another word.';
comment on column report.finding.category is 'One of six categories, such as `security_and_privacy`; null = not sent, or another word.';
comment on column report.finding.accepted is 'True: the requested change was made. False: it was not, as far as is known. Null: unknown.';
comment on column report.finding.outcome_source is 'Who decided the outcome: `person`, `provider` or `detector`; null = nobody.';
comment on column report.finding.outcome_rule is 'Why the outcome is what it is, in the words of its sender, such as `declined`.';
comment on column report.finding.outcome_at is 'Since when this outcome counts.';
comment on column report.finding.fixed_at is 'The time of the first commit that the evidence of an accepted finding names; null = not known.';
comment on column report.finding.posted_at is 'When the comment was posted.';
comment on column report.finding.posted_as is '`inline`, `body`, `suppressed` or `annotation`.';
comment on column report.finding.file is 'The path of the file.';
comment on column report.finding.start_line is 'The first line that it is about.';
comment on column report.finding.end_line is 'The last line that it is about.';
comment on column report.finding.commit is 'The commit that was reviewed.';

create view report.outcome as
select o.root_id as tenant_id, o.pull_request_key as pull_request_id, o.finding_id, o.event_id, o.organization_id, o.accepted_before, o.accepted,
  o.source as outcome_source, o.rule as outcome_rule, o.at as outcome_at
from outcome o join metrics_head h on h.root_id = o.root_id and h.state = 'active';
comment on view report.outcome is 'Every reported outcome, event by event, also of pull requests that are not known yet. The one that counts is in `report.finding`.';
comment on column report.outcome.tenant_id is 'As in `report.pull_request`.';
comment on column report.outcome.pull_request_id is 'Its pull request in `report.pull_request`, if that is known.';
comment on column report.outcome.finding_id is 'Its finding in `report.finding`, together with `pull_request_id`.';
comment on column report.outcome.event_id is 'The event that reported it.';
comment on column report.outcome.organization_id is 'As in `report.pull_request`.';
comment on column report.outcome.accepted_before is 'The outcome of the finding that counted before this event.';
comment on column report.outcome.accepted is 'As in `report.finding`. Null: the sender does not know, or takes an earlier outcome back.';
comment on column report.outcome.outcome_source is 'Who decided it: `person`, `provider` or `detector`.';
comment on column report.outcome.outcome_rule is 'Why, in the words of the sender.';
comment on column report.outcome.outcome_at is 'The time of the event.';

create view report.learning as
select l.root_id as tenant_id, t.name as tenant, l.id as learning_id, l.organization_id, o.name as organization, l.repository_id,
  r.name as repository, l.file, l.state, l.source, l.pull_request, l.created_at, l.updated_at, l.deadline as approved_after, l.last_used_at, l.usage_count as uses
from learning l
  left join root t on t.id = l.root_id
  left join organization o on o.root_id = l.root_id and o.id = l.organization_id
  left join repository r on r.root_id = l.root_id and r.organization_id = l.organization_id and r.provider_repository_id = l.repository_id;
comment on view report.learning is 'A Learning without its text, author and origin. In the main database; empty in other metrics stores.';
comment on column report.learning.tenant_id is 'As in `report.pull_request`.';
comment on column report.learning.tenant is 'The name of the tenant root.';
comment on column report.learning.learning_id is 'The id of the Learning, as in the API.';
comment on column report.learning.organization_id is 'As in `report.pull_request`.';
comment on column report.learning.organization is 'The present name of the organization.';
comment on column report.learning.repository_id is 'The repository, by its id at the Git provider.';
comment on column report.learning.repository is 'The present name of the repository; null = not in the inventory.';
comment on column report.learning.file is 'The path or the folder that it was written for; null = the repository.';
comment on column report.learning.state is '`private`: from an open pull request. `pending`: waits for approval. `shared`: used in reviews. `disapproved`.';
comment on column report.learning.source is 'How it was written: `api`, `chat`, `review`, `agent` or `connector`.';
comment on column report.learning.pull_request is 'The number of the pull request that it was proposed from, if any.';
comment on column report.learning.created_at is 'When it was written.';
comment on column report.learning.updated_at is 'When it was changed last.';
comment on column report.learning.approved_after is 'When it is approved without a person; null = never.';
comment on column report.learning.last_used_at is 'When a review used it last; null = never.';
comment on column report.learning.uses is 'How many uses reviewers have reported.';

grant usage on schema report to scholiast_report;
grant select on all tables in schema report to scholiast_report;
