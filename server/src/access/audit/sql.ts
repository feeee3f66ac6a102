import { statement } from '../../db/connect.ts'
import { namedStatement } from '../../db/named-statement.ts'

// Locks the head until the commit and extends the hash chain.
const advanceHead = `insert into audit_head as h (root_id, position, previous_hash, hash)
     values (:root, 1, :genesis::bytea, sha256(:genesis::bytea || int8send(1) || :digest::bytea))
     on conflict (root_id) do update
       set position = h.position + 1, previous_hash = h.hash,
         hash = sha256(h.hash || int8send(h.position + 1) || :digest::bytea)
     returning position, previous_hash, hash`

// One statement advances the head and writes the row and its erasable values.
export const appendAudit = namedStatement(
  'access.append-audit',
  `with head as (${advanceHead}), clear as (
     insert into audit_clear (root_id, organization_id, position, person_id, clear)
     select :root, :organization_id::uuid, position, :person::uuid, :clear::jsonb from head
   )
   insert into audit_log (root_id, position, id, organization_id, at, action, resource_type, resource_id,
     actor_kind, actor_id, metadata, sealed, previous_hash, hash, digest)
   select :root, position, :id::uuid, :organization_id::uuid, :at::timestamptz, :action, :resource_type, :resource_id,
     :actor_kind, :actor_id::uuid, :metadata::jsonb, :sealed::jsonb, previous_hash, hash, :digest::bytea
   from head`,
)

// A chain without rows starts at position 0.
export const lockAuditHead = statement(
  'access.lock-audit-head',
  `insert into audit_head as h (root_id, position, previous_hash, hash) values ($1, 0, $2, $2)
   on conflict (root_id) do update set position = h.position
   returning position, hash`,
)

// Requires the lock above. Writes rows whose hashes the caller has computed, and the new head.
export const appendAudits = statement(
  'access.append-audits',
  `with entry as (
     select * from json_to_recordset($2::json) as e (position int8, id uuid, organization_id uuid, at timestamptz,
       action text, resource_type text, resource_id text, actor_kind text, actor_id uuid, metadata jsonb,
       sealed jsonb, previous_hash text, hash text, digest text, person_id uuid, clear jsonb)
   ), head as (
     update audit_head set position = $3, previous_hash = $4, hash = $5 where root_id = $1
   ), clear as (
     insert into audit_clear (root_id, organization_id, position, person_id, clear)
     select $1, organization_id, position, person_id, clear from entry
   )
   insert into audit_log (root_id, position, id, organization_id, at, action, resource_type, resource_id,
     actor_kind, actor_id, metadata, sealed, previous_hash, hash, digest)
   select $1, position, id, organization_id, at, action, resource_type, resource_id, actor_kind, actor_id, metadata,
     sealed, decode(previous_hash, 'hex'), decode(hash, 'hex'), decode(digest, 'hex')
   from entry`,
)

/** Times have milliseconds, as hashed; a stored time with microseconds is shown in full and fails verification. */
export function renderHashedTime(column: string): string {
  return `regexp_replace(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '000Z$', 'Z')`
}

// Rows for the verifier, with the head of the same snapshot, even if no row is left.
const exportQuery = (clear: string) => `select h.position as head, encode(h.hash, 'hex') as head_hash, rows.*
  from (select 1) one left join audit_head h on h.root_id = $1 left join (
    select position, at, json_build_object('action', action, 'actor_id', actor_id, 'actor_kind', actor_kind,
      'at', ${renderHashedTime('at')},
      'id', id, 'metadata', metadata, 'organization_id', organization_id, 'resource_id', resource_id,
      'resource_type', resource_type, 'sealed', sealed, 'position', position, 'hash', encode(hash, 'hex')${clear})::text
      as line
    from audit_log l where root_id = $1 and (position, at) > ($2::bigint, $3::timestamptz)
    order by position, at limit $4) rows on true
  order by rows.position, rows.at`

export const exportRows = statement('access.export-audit', exportQuery(''))

export const exportClearRows = statement(
  'access.export-audit-clear',
  exportQuery(`, 'clear', coalesce((select clear from audit_clear c
    where c.root_id = $1 and c.position = l.position), '{}'::jsonb)`),
)

export const readAuditCheckpoint = statement(
  'access.read-audit-checkpoint',
  `select position, encode(hash, 'hex') as hash from audit_checkpoint where root_id = $1`,
)

// Statements of the worker's timers. Those over all roots are called Unscoped; the role's policies limit them.

export const findRootsWithRefusalsUnscoped = statement(
  'access.find-roots-with-refusals',
  `select distinct root_id from refusal_count where minute <= $1::timestamptz`,
)

export const takeRefusals = statement(
  'access.take-refusals',
  `with taken as (
     delete from refusal_count where root_id = $1 and minute <= $2::timestamptz
     returning key_id, organization_id, route, code, minute, refused
   )
   select * from taken order by minute, key_id, route, code`,
)

export const createAuditMonthsUnscoped = statement(
  'access.create-audit-months',
  `select audit_log_create_month((date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
   from generate_series(0, 2) n`,
)

// Returns the checkpoints of the next roots, ordered by id.
export const retireAuditUnscoped = statement(
  'access.retire-audit',
  `select 'checkpoint' as kind, root_id as root, position, encode(hash, 'hex') as hash
   from audit_retire($1::date, $2::uuid, $3::int)`,
)

export const dropAuditMonthsUnscoped = statement(
  'access.drop-audit-months',
  `select audit_log_drop_before($1::date) as dropped`,
)

export const sweepAuditClearUnscoped = statement(
  'access.sweep-audit-clear',
  `select audit_clear_sweep($1::int) as swept`,
)

export const findUnsignedUnscoped = statement(
  'access.find-unsigned',
  `select 'head' as kind, root_id as root, position, encode(hash, 'hex') as hash from audit_unsigned($1::int)`,
)

export const storeHeadsUnscoped = statement(
  'access.store-heads',
  `select audit_store_heads($1::json, $2::text, $3::text)`,
)

export const sweepHeadsUnscoped = statement(
  'access.sweep-heads',
  `select audit_sweep_heads($1::int) as swept`,
)

export const markSignedUnscoped = statement(
  'access.mark-signed',
  `select audit_mark_signed($1::uuid[], $2::bigint[])`,
)
