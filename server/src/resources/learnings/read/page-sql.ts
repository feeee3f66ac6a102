import type { Scope } from '../../../access/scope.ts'
import { type Statement, statement } from '../../../db/connect.ts'
import {
  chooseAccessPath,
  type IndexColumn,
  MAX_INDEX_SCANS,
  renderMergedScans,
  renderSizedRows,
} from '../../../db/keyset-sql.ts'
import { forceIndexOrder } from '../../../db/ordered-reads.ts'
import type { Tx } from '../../../db/transaction.ts'
import { type LearningFilter, renderFilterCondition, toFilterValues } from '../../../learning-index/sql.ts'
import type { LearningRecordRow } from './schema.ts'

export interface LearningPageRequest {
  readonly only: LearningFilter
  readonly after: number
  readonly rows: number
  /** If the texts of a page are larger in total, none of them is read. */
  readonly maxBytes: number
}

/** `learning` is null in every row of a page that is too large. */
export type LearningPageRow = Omit<LearningRecordRow, 'learning'> & {
  readonly learning: string | null
  readonly position: number
}

/** Access paths of a page: each has an index that ends with position. */
const accessPaths = {
  root: null,
  instance: { column: 'instance_id', type: 'uuid' },
  organization: { column: 'organization_id', type: 'uuid' },
  repository: { column: 'repository_id', type: 'text' },
  author: { column: 'author_id', type: 'text' },
  file: { column: 'file', type: 'text' },
} as const satisfies Readonly<Record<string, IndexColumn | null>>

type AccessPath = keyof typeof accessPaths

const filters = `l.position > $2
    and ($3::uuid[] is null or l.organization_id = any ($3)) and ($4::uuid is null or l.instance_id = $4)
    and ${renderFilterCondition(5)}
    and l.organization_id <> all (array (select id from organization where root_id = $1 and not active))`

const renderOrderedRows = (condition: string) =>
  `select l.* from learning l where l.root_id = $1${condition} and ${filters} order by l.position limit $11 + 1`

function renderRowsSql(accessPath: AccessPath, many: boolean): string {
  const indexColumn = accessPaths[accessPath]
  if (indexColumn === null) return renderOrderedRows('')
  if (!many) return renderOrderedRows(` and l.${indexColumn.column} = $13::${indexColumn.type}`)
  return renderMergedScans(
    [`unnest($13::${indexColumn.type}[]) value`],
    renderOrderedRows(` and l.${indexColumn.column} = value`),
    '$11 + 1',
  )
}

// octet_length does not read the text. The extra row that signals a next page does not count. Repository and
// organization names are current.
function createPageStatement(accessPath: AccessPath, many: boolean): Statement {
  return statement(
    `learnings.page-by-${accessPath}${many ? '-many' : ''}`,
    `select l.id, case when l.bytes <= $12::bigint then l.text end as learning, l.repository_id,
       r.name as repository_name, o.provider_organization_id as organization_id, o.name as organization_name, l.author_id,
       l.author_username, l.file, l.source_url, l.created_at, l.updated_at, l.last_used_at, l.usage_count, l.flags, l.position
     from (${renderSizedRows(renderRowsSql(accessPath, many), 'text', '$11')}) l
     left join organization o on o.root_id = $1 and o.id = l.organization_id
     left join repository r on r.root_id = $1 and r.organization_id = l.organization_id
       and r.provider_repository_id = l.repository_id
     order by l.position`,
  )
}

const pageStatements = new Map(
  (Object.keys(accessPaths) as AccessPath[]).flatMap((accessPath) =>
    [false, true].map((many) => [`${accessPath} ${many}`, createPageStatement(accessPath, many)] as const),
  ),
)

/** Every statement of a page. */
export const learningPageStatements: readonly Statement[] = [...pageStatements.values()]

/** Learnings after a position, in the order of sharing, plus one row that signals a next page. */
export async function readLearningPage(
  scope: Scope,
  tx: Tx,
  { only, after, rows, maxBytes }: LearningPageRequest,
): Promise<LearningPageRow[]> {
  const { accessPath, pathValues } = choosePath(scope, only)
  const many = pathValues.length > 1
  const pageStatement = pageStatements.get(`${accessPath} ${many}`)
  if (pageStatement === undefined) throw new Error('No page statement exists for this access path.')
  const values: unknown[] = [
    scope.root,
    after,
    scope.organizations,
    scope.instance,
    ...toFilterValues(only),
    rows,
    maxBytes,
  ]
  if (accessPath !== 'root') values.push(many ? pathValues : (pathValues[0] ?? null))
  const [, found] = await Promise.all([
    tx.query(forceIndexOrder, []),
    tx.query<LearningPageRow>(pageStatement, values),
  ])
  return found
}

/** A file has fewer Learnings than an author, an author fewer than a repository, and so on. */
function choosePath({ organizations, instance }: Scope, { files, authors, repositories }: LearningFilter) {
  return chooseAccessPath<AccessPath>([
    { path: 'file', values: files },
    { path: 'author', values: authors },
    { path: 'repository', values: repositories },
    { path: 'organization', values: organizations, maxValues: MAX_INDEX_SCANS },
    { path: 'instance', values: instance === null ? null : [instance] },
    { path: 'root', values: [] },
  ])
}
