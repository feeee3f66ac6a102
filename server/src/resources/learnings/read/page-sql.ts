import type { Scope } from '../../../access/scope.ts'
import {
  chooseAccessPath,
  createStatementCache,
  type IndexColumn,
  MAX_INDEX_SCANS,
  renderMergedScans,
  renderSizedRows,
} from '../../../db/keyset-sql.ts'
import type { NamedStatement } from '../../../db/named-statement.ts'
import { forceIndexOrder } from '../../../db/ordered-reads.ts'
import type { Tx } from '../../../db/transaction.ts'
import { filterCondition, type LearningFilter, toFilterValues } from '../../../learning-index/sql.ts'
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

const filters = `l.position > :after
    and (:organizations::uuid[] is null or l.organization_id = any (:organizations))
    and (:instance::uuid is null or l.instance_id = :instance)
    and ${filterCondition}
    and l.organization_id <> all (array (select id from organization where root_id = :root and not active))`

const renderOrderedRows = (condition: string) =>
  `select l.* from learning l where l.root_id = :root${condition} and ${filters} order by l.position limit :rows + 1`

function renderRowsSql(accessPath: AccessPath, many: boolean): string {
  const indexColumn = accessPaths[accessPath]
  if (indexColumn === null) return renderOrderedRows('')
  if (!many) return renderOrderedRows(` and l.${indexColumn.column} = :path::${indexColumn.type}`)
  return renderMergedScans(
    [`unnest(:path::${indexColumn.type}[]) value`],
    renderOrderedRows(` and l.${indexColumn.column} = value`),
    ':rows + 1',
  )
}

const getStatement = createStatementCache()

// octet_length does not read the text. The extra row that signals a next page does not count. Repository and
// organization names are current.
function toPageStatement(accessPath: AccessPath, many: boolean): NamedStatement {
  return getStatement(
    `learnings.page-by-${accessPath}${many ? '-many' : ''}`,
    () => `select l.id, case when l.bytes <= :maxBytes::bigint then l.text end as learning, l.repository_id,
       r.name as repository_name, o.provider_organization_id as organization_id, o.name as organization_name, l.author_id,
       l.author_username, l.file, l.source_url, l.created_at, l.updated_at, l.last_used_at, l.usage_count, l.flags, l.position
     from (${renderSizedRows(renderRowsSql(accessPath, many), 'text', ':rows')}) l
     left join organization o on o.root_id = :root and o.id = l.organization_id
     left join repository r on r.root_id = :root and r.organization_id = l.organization_id
       and r.provider_repository_id = l.repository_id
     order by l.position`,
  )
}

/** Every statement of a page. */
export function listLearningStatements(): NamedStatement[] {
  return (Object.keys(accessPaths) as AccessPath[]).flatMap((accessPath) =>
    (accessPath === 'root' ? [false] : [false, true]).map((many) => toPageStatement(accessPath, many)),
  )
}

/** Learnings after a position, in the order of sharing, plus one row that signals a next page. */
export async function readLearningPage(
  scope: Scope,
  tx: Tx,
  { only, after, rows, maxBytes }: LearningPageRequest,
): Promise<LearningPageRow[]> {
  const { accessPath, pathValues } = choosePath(scope, only)
  const many = pathValues.length > 1
  const query = toPageStatement(accessPath, many)
  const path = many ? pathValues : (pathValues[0] ?? null)
  const values = query.bind(scope, { ...toFilterValues(only), path, after, rows, maxBytes })
  const [, found] = await Promise.all([
    tx.query(forceIndexOrder, []),
    tx.query<LearningPageRow>(query, values),
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
