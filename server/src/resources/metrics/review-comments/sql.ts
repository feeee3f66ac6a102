import type { Scope } from '../../../access/scope.ts'
import { createStatementCache, MAX_INDEX_SCANS, renderMergedScans } from '../../../db/keyset-sql.ts'
import type { NamedStatement } from '../../../db/named-statement.ts'
import type { RowSink } from '../../../db/raw-rows.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import {
  keyColumns,
  ownerColumns,
  type PullRequestKey,
  type RowOwner,
} from '../../../metrics-store/write/pull-request-sql.ts'
import { type ColumnTypes, createInsert } from '../../../metrics-store/write/rows-sql.ts'

/** A change that no pull_request row shows: a changed outcome or a removed entry. */
export interface ChangeRow extends RowOwner, PullRequestKey {
  readonly position: number
  readonly entry: string
}

const changeColumns: ColumnTypes<ChangeRow> = {
  position: 'bigint',
  ...ownerColumns,
  entry: 'text',
  ...keyColumns,
}

export const writeChanges = createInsert(
  'review-comments.insert-changes',
  'review_comment_change',
  changeColumns,
)

// Escaped as JSON.stringify does.
const findingsOf = (pullRequest: string) => `(
    select '[' || string_agg(concat('{"finding_id":', to_json(f.finding_id), ',"url":', to_json(f.url),
      ',"severity":', coalesce(to_json(f.severity)::text, 'null'), ',"category":', coalesce(to_json(f.category)::text, 'null'),
      ',"accepted":', coalesce(f.accepted::text, 'null'), ',"reviewer":', coalesce(to_json(f.reviewer)::text, 'null'), '}'),
      ',' order by f.ordinal) || ']'
    from finding f where f.root_id = ${pullRequest}.root_id and f.pull_request_key = ${pullRequest}.pull_request_key)`

// A written pull request is returned in its current state; a rewrite moves it to a new position.
const writtenChange = `json_build_object(
    'pull_request_key', pull_request_key, 'position', position, 'kind', 'written', 'pr_url', url,
    'organization_id', provider_organization_id, 'organization_name', organization_name, 'repository_id', repository_id,
    'repository_name', repository_name, 'number', number, 'author_id', author_id,
    'merged_at', ${renderUtc('merged_at')}, 'counted_on', day::text, 'findings', ${findingsOf('pull_request')}::json,
    'at', ${renderUtc('event_at')})::text`

// An upper bound for writtenChange: its entry has the URL and choices of each finding, and escapes double characters at most.
const writtenBytes = `2 * (octet_length(entry) + octet_length(organization_name) + coalesce(octet_length(repository_name), 0)) + 2000
      + (select sum(2 * (octet_length(f.finding_id) + coalesce(octet_length(f.reviewer), 0)) + 100) from finding f
        where f.root_id = pull_request.root_id and f.pull_request_key = pull_request.pull_request_key)`

// The stored text begins with a brace.
const storedChange = `concat('{"pull_request_key":', to_json(pull_request_key)::text, ',', substr(entry, 2))`
const storedBytes = 'octet_length(entry) + 60'

interface FeedShape {
  readonly kind: ScopeKind
  /** Whether `written` records are filtered by their day. */
  readonly filtered: boolean
}

const scopeConditions = {
  root: ' and (:organizations::uuid[] is null or organization_id = any (:organizations))',
  instance:
    ' and (:organizations::uuid[] is null or organization_id = any (:organizations)) and instance_id = :instance::uuid',
  organization: ' and organization_id = :organization::uuid',
  organizations: ' and organization_id = value',
} as const

type ScopeKind = keyof typeof scopeConditions

// Days from the one given, and no position before the first of them: earlier rows are not read.
const dayCondition = ` and day >= :countedFrom::date and position >= (select min(first_position) from metrics_day
      where root_id = :root and day >= :countedFrom::date)`

/** Both tables merged in order of position, with the same scope. */
function renderChanges(shape: FeedShape, pullRequestExpression: string, changeExpression: string): string {
  const scoped = scopeConditions[shape.kind]
  const conditions = `root_id = :root${scoped} and position > :after and organization_id <> all (:hidden::uuid[])`
  return `select position, value from (
      (select position, ${pullRequestExpression} as value from pull_request
        where ${conditions} and counted${shape.filtered ? dayCondition : ''} order by position)
      union all
      (select position, ${changeExpression} as value from review_comment_change
        where ${conditions} order by position)
    ) changes order by position limit :rows`
}

function renderScopedRows(shape: FeedShape, pullRequestExpression: string, changeExpression: string): string {
  const rows = renderChanges(shape, pullRequestExpression, changeExpression)
  if (shape.kind !== 'organizations') return rows
  return renderMergedScans(['unnest(:organizations::uuid[]) value'], rows, ':rows')
}

const getStatement = createStatementCache()

const toName = ({ kind, filtered }: FeedShape) => `${kind}${filtered ? '-by-day' : ''}`

function toChangesStatement(shape: FeedShape): NamedStatement {
  return getStatement(`review-comments.changes-of-${toName(shape)}`, () =>
    renderScopedRows(shape, writtenChange, storedChange),
  )
}

function toFittingStatement(shape: FeedShape): NamedStatement {
  return getStatement(
    `review-comments.fitting-changes-of-${toName(shape)}`,
    () => `select count(*) filter (where total <= :maxBytes) as rows from (
       select sum(value + 1) over (order by position rows unbounded preceding) as total
       from (${renderScopedRows(shape, writtenBytes, storedBytes)}) page) sized`,
  )
}

/** Every statement of this endpoint. */
export function listChangesStatements(): NamedStatement[] {
  return (Object.keys(scopeConditions) as ScopeKind[]).flatMap((kind) =>
    [false, true].flatMap((filtered) => [
      toChangesStatement({ kind, filtered }),
      toFittingStatement({ kind, filtered }),
    ]),
  )
}

export interface ChangesRequest {
  readonly scope: Scope
  /** Organizations whose changes are not returned. */
  readonly hidden: readonly string[]
  readonly after: number
  readonly rows: number
  /** The first day of `written` records; null = all. */
  readonly countedFrom: string | null
}

/** Rows of (position, change), at most `rows`. */
export async function readChanges(request: ChangesRequest, tx: Tx, sink: RowSink): Promise<void> {
  const query = toChangesStatement(toShape(request))
  await tx.streamRows(query, query.bind(request.scope, toValues(request)), sink)
}

/** The number of changes that are certain to fit into `maxBytes`. */
export async function countFitting(request: ChangesRequest, tx: Tx, maxBytes: number): Promise<number> {
  const query = toFittingStatement(toShape(request))
  const values = query.bind(request.scope, { ...toValues(request), maxBytes })
  return (await tx.one<{ rows: number }>(query, values)).rows
}

function toValues(request: ChangesRequest): object {
  return { ...request, organization: request.scope.organizations?.[0] ?? null }
}

function toShape({ scope, countedFrom }: ChangesRequest): FeedShape {
  return { kind: getScopeKind(scope), filtered: countedFrom !== null }
}

function getScopeKind({ organizations, instance }: Scope): ScopeKind {
  if (organizations?.length === 1) return 'organization'
  if (organizations !== null && organizations.length <= MAX_INDEX_SCANS) return 'organizations'
  return instance === null ? 'root' : 'instance'
}
