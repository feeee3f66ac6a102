import type { SignedHead } from '../../access/audit/heads.ts'
import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import { createStatementCache, MAX_INDEX_SCANS } from '../../db/keyset-sql.ts'
import { namedStatement } from '../../db/named-statement.ts'
import type { Tx } from '../../db/transaction.ts'
import { formatUtcDay, type TimeRange } from './window.ts'

/** The part of a root that a caller can read. */
export type ScopeKind = 'root' | 'organization' | 'organizations' | 'many' | 'instance'

export function getScopeKind({ organizations, instance }: Scope): ScopeKind {
  if (organizations?.length === 1) return 'organization'
  if (organizations !== null) return organizations.length <= MAX_INDEX_SCANS ? 'organizations' : 'many'
  return instance === null ? 'root' : 'instance'
}

/** The values of `:from` and `:to`. */
export function toTimeValues({ from, to }: TimeRange): { readonly from: string; readonly to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/** The value of `:organization`, for a scope of one organization. */
export function toScopeValues({ organizations }: Scope): { readonly organization: string | null } {
  return { organization: organizations?.[0] ?? null }
}

/** A condition on audit_log. `is not distinct from` prevents the use of the organization index. */
export function renderLogCondition(kind: ScopeKind, equals: '=' | 'is not distinct from' = '='): string {
  switch (kind) {
    case 'root':
      return ''
    case 'organization':
      return ` and organization_id ${equals} :organization::uuid`
    case 'organizations':
      return ` and organization_id ${equals} walked.id`
    case 'many':
      return ' and organization_id = any (:organizations::uuid[])'
    case 'instance':
      return ' and organization_id in (select id from organization where root_id = :root and instance_id = :instance::uuid)'
  }
}

/** Leading index column of a scan by organization; empty if the scan mixes organizations. */
export function getIndexPrefix(kind: ScopeKind): readonly (readonly [string, string])[] {
  switch (kind) {
    case 'organization':
      return [['organization_id', ':organization::uuid']]
    case 'organizations':
      return [['organization_id', 'walked.id']]
    case 'root':
    case 'many':
    case 'instance':
      return []
  }
}

/** A condition on audit_count. */
export function renderCountCondition(kind: ScopeKind): string {
  switch (kind) {
    case 'root':
      return 'organization_id is null and instance_id is null'
    case 'organization':
      return 'organization_id = :organization::uuid and instance_id is null'
    case 'organizations':
    case 'many':
      return 'organization_id = any (:organizations::uuid[]) and instance_id is null'
    case 'instance':
      return 'organization_id is null and instance_id = :instance::uuid'
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

const getStatement = createStatementCache()

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
  const kind = getScopeKind(scope)
  const query = getStatement(
    `audit-logs.counts.${kind}`,
    () => `select action, resource_type, sum(rows)::bigint as rows from audit_count
    where root_id = :root and ${renderCountCondition(kind)} and day between :first::date and :last::date group by 1, 2`,
  )
  const values = { ...toScopeValues(scope), ...(days ?? { first: '-infinity', last: '-infinity' }) }
  return tx.query(query, query.bind(scope, values))
}

/** Counts the rows per action in a part of a day. */
export function countPartialDay(scope: Scope, tx: Tx, timeRange: TimeRange): Promise<ActionCount[]> {
  const kind = getScopeKind(scope)
  const bound = (of: string) =>
    `(select ${of} from audit_count where root_id = :root and ${renderCountCondition(kind)} and day = :day::date)`
  const condition = renderLogCondition(kind === 'organizations' ? 'many' : kind)
  const query = getStatement(
    `audit-logs.edge.${kind}`,
    () => `select action, resource_type, count(*) as rows from audit_log
    where root_id = :root${condition} and at >= :from::timestamptz and at <= :to::timestamptz
      and position >= ${bound('min(first_position)')} and position <= ${bound('max(last_position)')}
    group by 1, 2`,
  )
  const values = { ...toScopeValues(scope), ...toTimeValues(timeRange), day: formatUtcDay(timeRange.from) }
  return tx.query(query, query.bind(scope, values))
}

// The row-level policy of audit_actor enforces the scope as well; the conditions make it visible here.
const actorsByName = namedStatement(
  'audit-logs.actors-named',
  `select distinct a.actor_kind as kind, a.actor_id as id from audit_actor a
   where a.root_id = :root and (:organizations::uuid[] is null or a.organization_id = any (:organizations))
     and (:instance::uuid is null or a.organization_id in (
       select id from organization where root_id = :root and instance_id = :instance))
     and (strpos(lower(case a.actor_kind
         when 'person' then coalesce((select p.name from person p where p.root_id = :root and p.id = a.actor_id), :erased)
         when 'key' then coalesce((select k.name from api_key k where k.root_id = :root and k.id = a.actor_id),
           (select s.name from scim_credential s where s.root_id = :root and s.id = a.actor_id), :deletedKey)
         when 'operator' then :operator else :service end), lower(:search)) > 0
       or a.actor_kind = 'key' and exists (
         select from api_key k join person p on p.root_id = :root and p.id = k.owner_id
         where k.root_id = :root and k.id = a.actor_id and strpos(lower(p.name), lower(:search)) > 0))
   limit :limit`,
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
  scope: Scope,
  tx: Tx,
  search: string,
  names: FallbackNames,
  limit: number,
): Promise<MatchedActor[]> {
  return tx.query(actorsByName, actorsByName.bind(scope, { ...names, search, limit }))
}
