import { statement } from '../../db/connect.ts'

// One statement locks the head until the commit, extends the hash chain and writes the row and its erasable values.
export const appendAudit = statement(
  'access.append-audit',
  `with head as (
     insert into audit_head as h (root_id, position, previous_hash, hash)
     values ($1, 1, $15::bytea, sha256($15::bytea || int8send(1) || $2::bytea))
     on conflict (root_id) do update
       set position = h.position + 1, previous_hash = h.hash,
         hash = sha256(h.hash || int8send(h.position + 1) || $2::bytea)
     returning position, previous_hash, hash
   ), clear as (
     insert into audit_clear (root_id, organization_id, position, person_id, clear)
     select $1, $4::uuid, position, $12::uuid, $13::jsonb from head
   )
   insert into audit_log (root_id, position, id, organization_id, at, action, resource_type, resource_id,
     actor_kind, actor_id, metadata, sealed, previous_hash, hash, digest)
   select $1, position, $3::uuid, $4::uuid, $5::timestamptz, $6, $7, $8, $9, $10::uuid, $11::jsonb, $14::jsonb,
     previous_hash, hash, $2::bytea
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
