import type { Scope } from '../../../access/scope.ts'
import { type Statement, statement } from '../../../db/connect.ts'
import { MAX_INDEX_SCANS, renderMergedScans } from '../../../db/keyset-sql.ts'
import type { RowSink } from '../../../db/raw-rows.ts'
import { renderUtc } from '../../../db/sql-text.ts'
import type { Tx } from '../../../db/transaction.ts'
import { ownerColumns, type RowOwner } from '../../../metrics-store/write/pull-request-sql.ts'
import { type ColumnTypes, encodeRows, renderInsert } from '../../../metrics-store/write/rows-sql.ts'

/** A change that no pull_request row shows: a changed outcome or a removed entry. */
export interface ChangeRow extends RowOwner {
  readonly position: number
  readonly entry: string
}

const changeColumns: ColumnTypes<ChangeRow> = { position: 'bigint', ...ownerColumns, entry: 'text' }

const insertChanges = statement(
  'review-comments.insert-changes',
  renderInsert('review_comment_change', changeColumns),
)

export async function writeChanges(scope: Scope, tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(insertChanges, [scope.root, encodeRows(rows, changeColumns)])
}

// A written pull request is returned in its current state; a rewrite moves it to a new position.
const writtenChange = `json_build_object('position', position, 'kind', 'written', 'pr_url', url,
    'organization_id', provider_organization_id, 'repository_id', repository_id, 'author_id', author_id,
    'merged_at', ${renderUtc('merged_at')}, 'findings', findings, 'at', ${renderUtc('event_at')})::text`

// An upper bound for writtenChange: IDs and field names take well below a thousand bytes.
const writtenBytes = `octet_length(findings::text) + octet_length(url) + 1000`

/** Both tables merged in order of position, with the same scope. */
function renderChanges(scoped: string, pullRequestExpression: string, changeExpression: string): string {
  const conditions = `root_id = $1${scoped} and position > $2 and organization_id <> all ($3::uuid[])`
  return `select position, told from (
      (select position, ${pullRequestExpression} as told from pull_request
        where ${conditions} and entry is not null and position > 0 order by position)
      union all
      (select position, ${changeExpression} as told from review_comment_change where ${conditions} order by position)
    ) changes order by position limit $4`
}

const scopeConditions = {
  root: ' and ($5::uuid[] is null or organization_id = any ($5))',
  instance: ' and ($5::uuid[] is null or organization_id = any ($5)) and instance_id = $6::uuid',
  organization: ' and organization_id = $5::uuid',
  organizations: ' and organization_id = value',
} as const

type ScopeKind = keyof typeof scopeConditions

function renderScopedRows(kind: ScopeKind, pullRequestExpression: string, changeExpression: string): string {
  const rows = renderChanges(scopeConditions[kind], pullRequestExpression, changeExpression)
  if (kind !== 'organizations') return rows
  return renderMergedScans(['unnest($5::uuid[]) value'], rows, '$4')
}

function buildChangesStatement(kind: ScopeKind): Statement {
  return statement(`review-comments.changes-of-${kind}`, renderScopedRows(kind, writtenChange, 'entry'))
}

function buildFittingStatement(kind: ScopeKind): Statement {
  const sizes = renderScopedRows(kind, writtenBytes, 'octet_length(entry)')
  const last = kind === 'instance' ? '$7' : '$6'
  return statement(
    `review-comments.fitting-changes-of-${kind}`,
    `select count(*) filter (where total <= ${last}) as rows from (
       select sum(told + 1) over (order by position rows unbounded preceding) as total from (${sizes}) page) sized`,
  )
}

const statements = {
  root: { changes: buildChangesStatement('root'), fitting: buildFittingStatement('root') },
  instance: { changes: buildChangesStatement('instance'), fitting: buildFittingStatement('instance') },
  organization: {
    changes: buildChangesStatement('organization'),
    fitting: buildFittingStatement('organization'),
  },
  organizations: {
    changes: buildChangesStatement('organizations'),
    fitting: buildFittingStatement('organizations'),
  },
} as const satisfies Record<ScopeKind, unknown>

/** Every statement of this endpoint. */
export const changesStatements: readonly Statement[] = Object.values(statements).flatMap(
  ({ changes, fitting }) => [changes, fitting],
)

export interface ChangesRequest {
  readonly scope: Scope
  /** Organizations whose changes are not returned. */
  readonly hidden: readonly string[]
  readonly after: number
  readonly rows: number
}

/** Rows of (position, change), at most `rows`. */
export async function readChanges(request: ChangesRequest, tx: Tx, sink: RowSink): Promise<void> {
  const { kind, values } = toStatementValues(request)
  await tx.streamRows(statements[kind].changes, values, sink)
}

/** The number of changes that are certain to fit into `maxBytes`. */
export async function countFitting(request: ChangesRequest, tx: Tx, maxBytes: number): Promise<number> {
  const { kind, values } = toStatementValues(request)
  const [found] = await tx.query<{ rows: number }>(statements[kind].fitting, [...values, maxBytes])
  return found?.rows ?? 0
}

function toStatementValues({ scope, hidden, after, rows }: ChangesRequest): {
  kind: ScopeKind
  values: unknown[]
} {
  const { root, organizations, instance } = scope
  const values = [root, after, hidden, rows]
  if (organizations?.length === 1) return { kind: 'organization', values: [...values, organizations[0]] }
  if (organizations !== null && organizations.length <= MAX_INDEX_SCANS)
    return { kind: 'organizations', values: [...values, organizations] }
  if (instance === null) return { kind: 'root', values: [...values, organizations] }
  return { kind: 'instance', values: [...values, organizations, instance] }
}
