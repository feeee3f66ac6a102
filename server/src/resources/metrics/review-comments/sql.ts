import type { Scope } from '../../../access/scope.ts'
import { type Statement, statement } from '../../../db/connect.ts'
import { createStatementCache, MAX_INDEX_SCANS, renderMergedScans } from '../../../db/keyset-sql.ts'
import type { RowSink } from '../../../db/raw-rows.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import { toWeekNumber } from '../../../metrics-store/week.ts'
import {
  keyColumns,
  ownerColumns,
  type PullRequestKey,
  type RowOwner,
} from '../../../metrics-store/write/pull-request-sql.ts'
import { type ColumnTypes, createRowQuery, inputRows } from '../../../metrics-store/write/rows-sql.ts'

/** A change that no pull_request row shows: a changed outcome or a removed entry. */
export interface ChangeRow extends RowOwner, PullRequestKey {
  readonly position: number
  readonly entry: string
}

type StoredChange = Omit<ChangeRow, keyof PullRequestKey>

const changeColumns: ColumnTypes<StoredChange> = { position: 'bigint', ...ownerColumns, entry: 'text' }
const storedNames = Object.keys(changeColumns)
const inputColumns: ColumnTypes<ChangeRow> = { ...changeColumns, ...keyColumns }
const inputNames = Object.keys(inputColumns)
const renderInput = (column: string) =>
  `c[${inputNames.indexOf(column) + 1}]::${inputColumns[column as keyof ChangeRow]}`

export const writeChanges = createRowQuery(
  statement(
    'review-comments.insert-changes',
    `insert into review_comment_change (root_id, ${storedNames.join(', ')}, pull_request_key)
     select $1, ${storedNames.map(renderInput).join(', ')},
       pull_request_key($1, ${Object.keys(keyColumns).map(renderInput).join(', ')}) from ${inputRows}`,
  ),
  inputColumns,
)

// A written pull request is returned in its current state; a rewrite moves it to a new position.
const writtenChange = `json_build_object(
    'pull_request_key', pull_request_key(root_id, provider, host, repository_id, number),
    'position', position, 'kind', 'written', 'pr_url', url, 'organization_id', provider_organization_id,
    'organization_name', facts -> 'organization_name', 'repository_id', repository_id,
    'repository_name', facts -> 'repository_name', 'number', number, 'author_id', author_id,
    'merged_at', ${renderUtc('merged_at')}, 'counted_on', day::text, 'findings', findings,
    'at', ${renderUtc('event_at')})::text`

// An upper bound for writtenChange: IDs and field names take well below two thousand bytes, and JSON escapes quotes of a URL.
const writtenBytes = `octet_length(findings::text) + octet_length(facts::text) + 2 * octet_length(url) + 2000`

// The stored text begins with a brace.
const storedChange = `concat('{"pull_request_key":', coalesce(to_json(pull_request_key)::text, 'null'), ',', substr(entry, 2))`
const storedBytes = 'octet_length(entry) + 60'

interface FeedShape {
  readonly kind: ScopeKind
  /** Whether `written` records are filtered by their day. */
  readonly filtered: boolean
}

const scopeConditions = {
  root: ' and ($5::uuid[] is null or organization_id = any ($5))',
  instance: ' and ($5::uuid[] is null or organization_id = any ($5)) and instance_id = $6::uuid',
  organization: ' and organization_id = $5::uuid',
  organizations: ' and organization_id = value',
} as const

type ScopeKind = keyof typeof scopeConditions

const countScopeValues = (kind: ScopeKind) => (kind === 'instance' ? 6 : 5)
const countValues = ({ kind, filtered }: FeedShape) => countScopeValues(kind) + (filtered ? 2 : 0)

/** Days from the one given, and no position before the first of them: earlier rows are not read. */
function renderDayCondition({ kind, filtered }: FeedShape): string {
  if (!filtered) return ''
  const [day, week] = [countScopeValues(kind) + 1, countScopeValues(kind) + 2]
  return ` and day >= $${day}::date and position >= (select min(first_position) from metrics_day
      where root_id = $1 and week >= $${week}::int and day >= $${day}::date - date '0001-01-01')`
}

/** Both tables merged in order of position, with the same scope. */
function renderChanges(shape: FeedShape, pullRequestExpression: string, changeExpression: string): string {
  const scoped = scopeConditions[shape.kind]
  const conditions = `root_id = $1${scoped} and position > $2 and organization_id <> all ($3::uuid[])`
  return `select position, value from (
      (select position, ${pullRequestExpression} as value from pull_request
        where ${conditions} and entry is not null and position > 0${renderDayCondition(shape)} order by position)
      union all
      (select position, ${changeExpression} as value from review_comment_change
        where ${conditions} order by position)
    ) changes order by position limit $4`
}

function renderScopedRows(shape: FeedShape, pullRequestExpression: string, changeExpression: string): string {
  const rows = renderChanges(shape, pullRequestExpression, changeExpression)
  if (shape.kind !== 'organizations') return rows
  return renderMergedScans(['unnest($5::uuid[]) value'], rows, '$4')
}

const getStatement = createStatementCache()

const toName = ({ kind, filtered }: FeedShape) => `${kind}${filtered ? '-by-day' : ''}`

function toChangesStatement(shape: FeedShape): Statement {
  return getStatement(`review-comments.changes-of-${toName(shape)}`, () =>
    renderScopedRows(shape, writtenChange, storedChange),
  )
}

function toFittingStatement(shape: FeedShape): Statement {
  return getStatement(
    `review-comments.fitting-changes-of-${toName(shape)}`,
    () => `select count(*) filter (where total <= $${countValues(shape) + 1}) as rows from (
       select sum(value + 1) over (order by position rows unbounded preceding) as total
       from (${renderScopedRows(shape, writtenBytes, storedBytes)}) page) sized`,
  )
}

/** Every statement of this endpoint. */
export function listChangesStatements(): Statement[] {
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
  const { shape, values } = toStatementValues(request)
  await tx.streamRows(toChangesStatement(shape), values, sink)
}

/** The number of changes that are certain to fit into `maxBytes`. */
export async function countFitting(request: ChangesRequest, tx: Tx, maxBytes: number): Promise<number> {
  const { shape, values } = toStatementValues(request)
  return (await tx.one<{ rows: number }>(toFittingStatement(shape), [...values, maxBytes])).rows
}

function toStatementValues(request: ChangesRequest): { shape: FeedShape; values: unknown[] } {
  const { scope, hidden, after, rows, countedFrom } = request
  const { kind, values } = toScopeValues(scope)
  const days = countedFrom === null ? [] : [countedFrom, toWeekNumber(countedFrom)]
  return {
    shape: { kind, filtered: countedFrom !== null },
    values: [scope.root, after, hidden, rows, ...values, ...days],
  }
}

function toScopeValues({ organizations, instance }: Scope): { kind: ScopeKind; values: unknown[] } {
  if (organizations?.length === 1) return { kind: 'organization', values: [organizations[0]] }
  if (organizations !== null && organizations.length <= MAX_INDEX_SCANS)
    return { kind: 'organizations', values: [organizations] }
  if (instance === null) return { kind: 'root', values: [organizations] }
  return { kind: 'instance', values: [organizations, instance] }
}
