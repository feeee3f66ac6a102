import { statement } from '../db/connect.ts'
import { renderUtc } from '../db/sql-text.ts'

// Unscoped, because the key determines the root; it runs as the role that can read only keys. Everything that decides
// whether a key is valid is read in one snapshot at every request.
export const readKeysUnscoped = statement(
  'access.read-keys',
  `select encode(k.hash, 'hex') as lookup, k.id, k.kind, k.root_id, k.organization_id, k.instance_id,
     k.organization_ids, k.owner_id, k.permissions, s.plan, s.active as subscription_active,
     o.active as organization_active, p.workspace_admin, m.system_role, c.permissions as role_permissions,
     coalesce(k.last_used_at > clock_timestamp() - interval '1 day', false) as recently_used,
     case when k.kind = 'workspace' then (select r.sso from root r where r.id = k.root_id) end as sso,
     (select max(epoch) from restore_point) as restore_epoch
   from api_key k
   left join subscription s on s.root_id = k.root_id
   left join organization o on o.root_id = k.root_id and o.id = k.organization_id
   left join person p on p.root_id = k.root_id and p.id = k.owner_id
   left join membership m on m.root_id = k.root_id and m.organization_id = k.organization_id
     and m.person_id = k.owner_id
   left join custom_role c on c.root_id = m.root_id and c.organization_id = m.organization_id
     and c.id = m.custom_role_id
   where k.hash = any ($1::bytea[]) and k.kind <> 'ingest' and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > clock_timestamp())
     and (k.owner_id is null or p.active)`,
)

// As keys: everything that decides whether a session is valid, and what it may do in the named organization.
export const readSessionsUnscoped = statement(
  'access.read-sessions',
  `select encode(s.hash, 'hex') || ' ' || coalesce(q.organization_id::text, '') as lookup, s.id, s.root_id, s.person_id,
     s.authenticated_at, u.plan, u.active as subscription_active, p.workspace_admin, r.sso,
     o.id as organization_id, o.active as organization_active, m.system_role, c.permissions as role_permissions,
     (select max(epoch) from restore_point) as restore_epoch
   from unnest($1::bytea[], $2::uuid[]) q (hash, organization_id)
   join session s on s.hash = q.hash
   join root r on r.id = s.root_id
   join person p on p.root_id = s.root_id and p.id = s.person_id and p.active
   left join subscription u on u.root_id = s.root_id
   left join organization o on o.root_id = s.root_id and o.id = q.organization_id
   left join membership m on m.root_id = s.root_id and m.organization_id = o.id and m.person_id = s.person_id
   left join custom_role c on c.root_id = m.root_id and c.organization_id = m.organization_id
     and c.id = m.custom_role_id
   where s.ended_at is null and s.expires_at > clock_timestamp()
     and s.last_used_at > clock_timestamp() - interval '8 hours'`,
)

// Unscoped for the same reason. Nothing is cached: a revoked credential is refused at its next request.
export const readScimCredentialUnscoped = statement(
  'access.read-scim-credential',
  `select id, root_id from scim_credential
   where hash = $1 and revoked_at is null and expires_at > clock_timestamp()`,
)

export const noteScimCredentialUse = statement(
  'access.note-scim-credential-use',
  `update scim_credential set last_used_at = $3 where root_id = $1 and id = $2
     and (last_used_at is null or last_used_at < $3::timestamptz - interval '1 minute')`,
)

export const findOrganizationsByProviderId = statement(
  'access.find-organizations-by-provider-id',
  `select id, provider, provider_organization_id from organization
   where root_id = $1 and provider_organization_id = any ($2::text[]) and active
     and ($3::uuid is null or instance_id = $3)`,
)

export const findOrganization = statement(
  'access.find-organization',
  `select id from organization
   where root_id = $1 and id = $2 and active and ($3::uuid is null or instance_id = $3)
     and ($4::uuid[] is null or id = any ($4))`,
)

// The row lock and the database's clock make the window exact across all nodes. A window stores the times of admitted
// requests; a request is admitted if the one `$4` requests ago has left the window.
export const takeFromWindow = statement(
  'access.take-from-window',
  `insert into limit_window as w (root_id, policy, owner_id, stamps)
   values ($1, $2, $3, array[clock_timestamp()])
   on conflict (root_id, policy, owner_id) do update
     set stamps = w.stamps[greatest(cardinality(w.stamps) - $4::int + 2, 1):]
       || greatest(clock_timestamp(), w.stamps[cardinality(w.stamps)])
     where coalesce(
       w.stamps[cardinality(w.stamps) - $4::int + 1] < clock_timestamp() - $5::int * interval '1 second', true)
   returning
     (select count(*)::int from unnest(w.stamps) s where s > clock_timestamp() - $5::int * interval '1 second')
       as used,
     ceil($5::int - extract(epoch from clock_timestamp() - (select min(s) from unnest(w.stamps) s
       where s > clock_timestamp() - $5::int * interval '1 second')))::int as reset_seconds`,
)

export const readWindow = statement(
  'access.read-window',
  `select extract(epoch from stamps[cardinality(stamps) - $4::int + 1] + $5::int * interval '1 second'
     - clock_timestamp())::float8 as seconds_left
   from limit_window where root_id = $1 and policy = $2 and owner_id = $3`,
)

export const takeSlot = statement(
  'access.take-slot',
  `select pg_try_advisory_xact_lock(hashtextextended($1::text || $2::text || $3::text, $4::int)) as taken`,
)

export const countRefusals = statement(
  'access.count-refusals',
  `insert into refusal_count as r (root_id, key_id, organization_id, route, code, minute, refused)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (root_id, key_id, route, code, minute) do update set refused = r.refused + excluded.refused
   returning refused = $7 as first`,
)

export const insertRoot = statement(
  'access.insert-root',
  `with new_root as (
     insert into root (id, kind, name, sso, created_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing returning id
   )
   insert into subscription (root_id, plan, active, seats_purchased)
   select id, $6, $7, $8 from new_root returning root_id`,
)

// Locks the seats until the commit, so that concurrent changes are serialized.
export const lockSeats = statement(
  'access.lock-seats',
  `insert into seat_head as h (root_id, assigned) values ($1, 0)
   on conflict (root_id) do update set assigned = h.assigned`,
)

export const readSeats = statement(
  'access.read-seats',
  `select coalesce(h.assigned, 0) as assigned, coalesce(s.seats_purchased, 0) as purchased,
     coalesce(s.active, false) as active
   from (select $1::uuid as root_id) asked
   left join subscription s on s.root_id = asked.root_id left join seat_head h on h.root_id = asked.root_id`,
)

export const readRoot = statement('access.read-root', `select kind from root where id = $1`)

// Always returns one row, with defaults for a root that was never moved.
export const readPlacement = statement(
  'access.read-placement',
  `select coalesce(p.store, 'shared') as store, p.moving_to is not null as preparing,
     exists (select from organization o where o.root_id = $1 and not o.metrics_enabled and o.active
         and ($2::uuid[] is null or o.id = any ($2)) and ($3::uuid is null or o.instance_id = $3))
       or exists (select from instance i join organization o on o.root_id = i.root_id and o.instance_id = i.id
         where i.root_id = $1 and not i.sends_metrics and o.active
           and ($2::uuid[] is null or o.id = any ($2)) and ($3::uuid is null or i.id = $3)) as unavailable,
     array(select o.id from organization o where o.root_id = $1 and not o.active
       and ($2::uuid[] is null or o.id = any ($2)) and ($3::uuid is null or o.instance_id = $3)) as inactive
   from (select $1::uuid as root_id) asked left join metrics_placement p on p.root_id = asked.root_id`,
)

// A root that did not exist at a restore had no positions then.
export const readRestorePoints = statement(
  'access.read-restore-points',
  `select r.epoch, ${renderUtc('r.restored_to')} as restored_to, coalesce(p.audit, 0) as audit, coalesce(p.learnings, 0) as learnings,
     coalesce(p.security, 0) as security, coalesce(p.metrics, 0) as metrics
   from restore_point r left join restore_position p on p.root_id = $1 and p.epoch = r.epoch
   order by r.epoch`,
)
