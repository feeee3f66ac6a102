import type { SignedHead } from '../../access/audit/heads.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import { MAX_INDEX_SCANS } from '../../db/keyset-sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { formatUtcDay, type TimeRange } from './window.ts'

/** The part of a root that a caller can read, and the value that its conditions compare with. */
export interface AuditLogScope {
  readonly kind: 'root' | 'organization' | 'organizations' | 'many' | 'instance'
  readonly type: 'uuid' | 'uuid[]' | null
  readonly value: unknown
}

export function toAuditLogScope({ organizations, instance }: Scope): AuditLogScope {
  if (organizations?.length === 1) return { kind: 'organization', type: 'uuid', value: organizations[0] }
  if (organizations !== null) {
    const kind = organizations.length <= MAX_INDEX_SCANS ? 'organizations' : 'many'
    return { kind, type: 'uuid[]', value: organizations }
  }
  if (instance !== null) return { kind: 'instance', type: 'uuid', value: instance }
  return { kind: 'root', type: null, value: null }
}

/** A condition on audit_log. `is not distinct from` prevents the use of the organization index. */
export function renderLogCondition(
  { kind }: AuditLogScope,
  value: string,
  equals: '=' | 'is not distinct from' = '=',
): string {
  switch (kind) {
    case 'root':
      return ''
    case 'organization':
      return ` and organization_id ${equals} ${value}`
    case 'organizations':
      return ` and organization_id ${equals} walked.id`
    case 'many':
      return ` and organization_id = any (${value})`
    case 'instance':
      return ` and organization_id in (select id from organization where root_id = $1 and instance_id = ${value})`
  }
}

/** Leading index column of a scan by organization; empty if the scan mixes organizations. */
export function getIndexPrefix(
  { kind }: AuditLogScope,
  value: string,
): readonly (readonly [string, string])[] {
  switch (kind) {
    case 'organization':
      return [['organization_id', value]]
    case 'organizations':
      return [['organization_id', 'walked.id']]
    case 'root':
    case 'many':
    case 'instance':
      return []
  }
}

/** A condition on audit_count. */
export function renderCountCondition({ kind }: AuditLogScope, value: string): string {
  switch (kind) {
    case 'root':
      return 'organization_id is null and instance_id is null'
    case 'organization':
      return `organization_id = ${value} and instance_id is null`
    case 'organizations':
    case 'many':
      return `organization_id = any (${value}) and instance_id is null`
    case 'instance':
      return `organization_id is null and instance_id = ${value}`
  }
}

interface ChainLink {
  readonly position: number
  readonly digest: string
  readonly hash: string
}

// A function of the owner role: it returns nothing else of the rows of other organizations.
const chain = statement(
  'audit-logs.chain',
  `select position, encode(digest, 'hex') as digest, encode(hash, 'hex') as hash
   from audit_chain($1::uuid, $2::bigint, $3::int) order by position`,
)

const heads = statement(
  'audit-logs.signed-heads',
  `select kind, root_id as root, position, hash, at, key, signature from audit_signed_head
   where root_id = $1 and position between $2::bigint and $3::bigint order by position, at`,
)

const publicKeys = statement(
  'audit-logs.public-keys',
  `select key, public_key from audit_public_key where $1::uuid is not null order by first_used_at, key`,
)

export function readChain(scope: Scope, tx: Tx, after: number, limit: number): Promise<ChainLink[]> {
  return tx.query<ChainLink>(chain, [scope.root, after, limit])
}

/** The signed heads between two positions, both inclusive. */
export function readSignedHeads(scope: Scope, tx: Tx, first: number, last: number): Promise<SignedHead[]> {
  return tx.query<SignedHead>(heads, [scope.root, first, last])
}

/** The public keys of the installation, which are the same for every tenant. */
export function readPublicKeys(
  scope: Scope,
  tx: Tx,
): Promise<{ readonly key: string; readonly public_key: string }[]> {
  return tx.query<{ key: string; public_key: string }>(publicKeys, [scope.root])
}

export interface ActionCount {
  readonly action: string
  readonly resource_type: string
  readonly rows: number
}

/** Reads the stored row counts per action for whole days; null means all days. */
export function readCounts(
  scope: Scope,
  tx: Tx,
  days: { readonly first: string; readonly last: string } | null,
): Promise<ActionCount[]> {
  const logScope = toAuditLogScope(scope)
  const { first, last } = days ?? { first: '-infinity', last: '-infinity' }
  const text = `select action, resource_type, sum(rows)::bigint as rows from audit_count
    where root_id = $1 and ${renderCountCondition(logScope, '$4')} and day between $2::date and $3::date group by 1, 2`
  return tx.query<ActionCount>(statement(`audit-logs.counts.${logScope.kind}`, text), [
    scope.root,
    first,
    last,
    ...toScopeValues(logScope),
  ])
}

/** Counts the rows per action in a part of a day. */
export function countPartialDay(scope: Scope, tx: Tx, { from, to }: TimeRange): Promise<ActionCount[]> {
  const logScope = toAuditLogScope(scope)
  const bound = (of: string) =>
    `(select ${of} from audit_count where root_id = $1 and ${renderCountCondition(logScope, '$5')} and day = $4::date)`
  const text = `select action, resource_type, count(*) as rows from audit_log
    where root_id = $1${renderPartialDayCondition(logScope)} and at >= $2::timestamptz and at <= $3::timestamptz
      and position >= ${bound('min(first_position)')} and position <= ${bound('max(last_position)')}
    group by 1, 2`
  return tx.query<ActionCount>(statement(`audit-logs.edge.${logScope.kind}`, text), [
    scope.root,
    new Date(from).toISOString(),
    new Date(to).toISOString(),
    formatUtcDay(from),
    ...toScopeValues(logScope),
  ])
}

function renderPartialDayCondition({ kind }: AuditLogScope): string {
  switch (kind) {
    case 'root':
      return ''
    case 'organization':
      return ' and organization_id = $5'
    case 'organizations':
    case 'many':
      return ' and organization_id = any ($5)'
    case 'instance':
      return ' and organization_id in (select id from organization where root_id = $1 and instance_id = $5)'
  }
}

function toScopeValues({ type, value }: AuditLogScope): unknown[] {
  return type === null ? [] : [value]
}

// The row-level policy of audit_actor enforces the scope as well; the conditions make it visible here.
const actorsByName = statement(
  'audit-logs.actors-named',
  `select distinct a.actor_kind as kind, a.actor_id as id from audit_actor a
   where a.root_id = $1 and ($2::uuid[] is null or a.organization_id = any ($2))
     and ($3::uuid is null or a.organization_id in (select id from organization where root_id = $1 and instance_id = $3))
     and (strpos(lower(case a.actor_kind
         when 'person' then coalesce((select p.name from person p where p.root_id = $1 and p.id = a.actor_id), $5)
         when 'key' then coalesce((select k.name from api_key k where k.root_id = $1 and k.id = a.actor_id),
           (select s.name from scim_credential s where s.root_id = $1 and s.id = a.actor_id), $6)
         when 'operator' then $7 else $8 end), lower($4)) > 0
       or a.actor_kind = 'key' and exists (
         select from api_key k join person p on p.root_id = $1 and p.id = k.owner_id
         where k.root_id = $1 and k.id = a.actor_id and strpos(lower(p.name), lower($4)) > 0))
   limit $9`,
)

export interface MatchedActor {
  readonly kind: string
  readonly id: string | null
}

/** Names of actors that have no name or no longer have one. */
export interface FallbackNames {
  readonly erased: string
  readonly deletedKey: string
  readonly operator: string
  readonly service: string
}

/** Finds actors in the scope whose name, or whose owner’s name, contains the search text. */
export function findActors(
  { root, organizations, instance }: Scope,
  tx: Tx,
  search: string,
  { erased, deletedKey, operator, service }: FallbackNames,
  limit: number,
): Promise<MatchedActor[]> {
  const names = [erased, deletedKey, operator, service]
  const values = [root, organizations, instance, search, ...names, limit]
  return tx.query<MatchedActor>(actorsByName, values)
}
