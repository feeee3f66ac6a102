import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import {
  chooseAccessPath,
  type IndexColumn,
  MAX_INDEX_SCANS,
  renderMergedScans,
  renderSizedRows,
} from '../../db/keyset-sql.ts'
import { type NamedStatement, namedStatement } from '../../db/named-statement.ts'
import { renderUtc } from '../../db/sql-text.ts'
import type { Tx } from '../../db/transaction.ts'
import type { FindingAge, FindingState, SecurityFinding, Severity, SummaryKey } from './schema.ts'

export interface FindingFilter {
  /** Null selects all repositories. */
  readonly repositories: readonly string[] | null
  readonly scan: string | null
  readonly states: readonly FindingState[]
}

/** A finding as read from the database; times are formatted as in JSON. */
export interface FindingRow extends SecurityFinding {
  readonly rule_id: string
  readonly tool: string
  readonly fingerprint: string
  readonly dismissal_reason: string | null
  readonly position: number
}

/** `description` is null in all rows of a page that would be too large. */
export type FindingPageRow = Omit<FindingRow, 'description'> & { readonly description: string | null }

/** Each access path has an index with its column, state and position. */
const accessPaths = {
  root: { column: 'root_id', type: 'uuid' },
  instance: { column: 'instance_id', type: 'uuid' },
  organization: { column: 'organization_id', type: 'uuid' },
  repository: { column: 'repository_id', type: 'text' },
} as const satisfies Readonly<Record<string, IndexColumn>>

type AccessPath = keyof typeof accessPaths

const filters = `(:organizations::uuid[] is null or f.organization_id = any (:organizations))
    and (:instance::uuid is null or f.instance_id = :instance)
    and (:repositories::text[] is null or f.repository_id = any (:repositories)) and (:scan::text is null or f.scan_id = :scan)
    and f.organization_id <> all (array (select id from organization where root_id = :root and not active))`

/** Merges the first rows of each state and each value of the leading column. */
function renderRowsSql(accessPath: AccessPath, limit: string): string {
  const { column, type } = accessPaths[accessPath]
  return renderMergedScans(
    [`unnest(:pathValues::${type}[]) led (value)`, 'unnest(:states::text[]) wanted (state)'],
    `select f.* from security_finding f
      where f.root_id = :root and f.${column} = led.value and f.state = wanted.state and f.position > :after and ${filters}
      order by f.position limit ${limit}`,
    limit,
  )
}

const selectUtc = (column: string) => `${renderUtc(column)} as ${column}`

const findingColumns = `id, scan_id, provider_organization_id as organization_id, organization_name, repository_id,
    repository_name, severity, state, cwe, title, file_path, start_line, end_line, ${selectUtc('first_seen_at')},
    ${selectUtc('last_seen_at')}, rule_id, tool, fingerprint, dismissal_reason, position`

function mapAccessPaths(
  write: (accessPath: AccessPath) => NamedStatement,
): Readonly<Record<AccessPath, NamedStatement>> {
  return {
    root: write('root'),
    instance: write('instance'),
    organization: write('organization'),
    repository: write('repository'),
  }
}

// octet_length does not read the text. The extra row that shows whether there is a next page is not counted.
const pageStatements = mapAccessPaths((accessPath) =>
  namedStatement(
    `security-findings.page-by-${accessPath}`,
    `select ${findingColumns}, case when bytes <= :maxBytes::bigint then description end as description
     from (${renderSizedRows(renderRowsSql(accessPath, ':rows + 1'), 'description', ':rows')}) page
     order by position`,
  ),
)

export interface FindingPageRequest {
  readonly only: FindingFilter
  readonly after: number
  readonly rows: number
  /** If all descriptions of a page together are larger, none is read. */
  readonly maxBytes: number
}

/** Reads findings after a position in write order, and one more to see whether there is a next page. */
export function readFindingPage(
  scope: Scope,
  tx: Tx,
  { only, after, rows, maxBytes }: FindingPageRequest,
): Promise<FindingPageRow[]> {
  const { accessPath, pathValues } = choosePath(scope, only)
  const page = pageStatements[accessPath]
  return tx.query(page, page.bind(scope, { ...only, pathValues, after, rows, maxBytes }))
}

/** position: write order. place: order of the location in the code, independent of writes. */
const orderings = {
  position: 'position',
  place: `found.organization_id, found.repository_id collate "C", tool collate "C", rule_id collate "C", file_path collate "C",
      start_line nulls first, fingerprint collate "C", id`,
} as const

export type FindingOrder = keyof typeof orderings

// A database cursor reads one snapshot, so all slices show the same state.
const createCursorStatements = (order: FindingOrder) =>
  mapAccessPaths((accessPath) =>
    namedStatement(
      `security-findings.open-by-${accessPath}-in-order-of-${order}`,
      `declare security_findings no scroll cursor for
       select ${findingColumns}, description from (${renderRowsSql(accessPath, ':rows')}) found order by ${orderings[order]}`,
    ),
  )
const cursorStatements = {
  position: createCursorStatements('position'),
  place: createCursorStatements('place'),
}
const fetchSlice = statement('security-findings.slice', 'fetch 500 from security_findings')

/** Reads all findings in slices, up to a maximum. The transaction must stay open. */
export async function* readAllFindings(
  scope: Scope,
  tx: Tx,
  only: FindingFilter,
  { most: maxRows, order }: { readonly most: number; readonly order: FindingOrder },
): AsyncGenerator<FindingRow[]> {
  const { accessPath, pathValues } = choosePath(scope, only)
  const cursor = cursorStatements[order][accessPath]
  const opening = tx.query(cursor, cursor.bind(scope, { ...only, pathValues, after: 0, rows: maxRows }))
  for (;;) {
    // Both are sent and awaited together at first, so that an error of the opening statement is raised.
    const [, rows] = await Promise.all([opening, tx.query<FindingRow>(fetchSlice, [])])
    if (rows.length === 0) return
    yield rows
  }
}

/** A repository has fewer findings than an organization. */
function choosePath({ root, organizations, instance }: Scope, { repositories }: FindingFilter) {
  return chooseAccessPath<AccessPath>([
    { path: 'repository', values: repositories, maxValues: MAX_INDEX_SCANS },
    { path: 'organization', values: organizations, maxValues: MAX_INDEX_SCANS },
    { path: 'instance', values: instance === null ? null : [instance] },
    { path: 'root', values: [root] },
  ])
}

export interface FindingGroupRow {
  readonly severity: Severity | null
  readonly state: FindingState | null
  readonly repository: string | null
  readonly repository_name: string | null
  readonly age: FindingAge | null
  readonly findings: number
  readonly oldest_first_seen_at: string | null
}

export interface FindingGroupRequest extends Pick<FindingFilter, 'repositories' | 'states'> {
  readonly keys: readonly SummaryKey[]
  readonly maxGroups: number
}

// A key that is not asked for is null in every row, so one statement serves every combination. The name of a repository is
// that of its latest finding: arrays compare by their first element.
const selectGroups = statement(
  'security-findings.groups',
  `select severity, state, repository, (max(latest_name))[2] as repository_name, age, count(*)::int as findings, ${renderUtc('min(first_seen_at)')} as oldest_first_seen_at
   from (
     select case when 'severity' = any ($6::text[]) then f.severity end as severity,
       case when 'state' = any ($6) then f.state end as state,
       case when 'repository' = any ($6) then f.repository_id end as repository,
       case when 'repository' = any ($6) then array[lpad(f.position::text, 19, '0'), f.repository_name] end as latest_name,
       case when 'age' = any ($6) then
         case when now() - f.first_seen_at < interval '8 days' then '0-7'
           when now() - f.first_seen_at < interval '31 days' then '8-30'
           when now() - f.first_seen_at < interval '91 days' then '31-90'
           else '91+' end end as age,
       f.first_seen_at
     from security_finding f
     where f.root_id = $1 and f.state = any ($5::text[]) and ($4::text[] is null or f.repository_id = any ($4))
       and ($2::uuid[] is null or f.organization_id = any ($2)) and ($3::uuid is null or f.instance_id = $3)
       and f.organization_id <> all (array (select id from organization where root_id = $1 and not active))
   ) finding
   group by severity, state, repository, age
   order by array_position(array['critical', 'high', 'medium', 'low', 'info'], severity),
     array_position(array['open', 'fixed', 'dismissed'], state), repository collate "C",
     array_position(array['0-7', '8-30', '31-90', '91+'], age)
   limit $7 + 1`,
)

/** Counts findings by the keys, and one group more than the maximum. */
export function readFindingGroups(
  { root, organizations, instance }: Scope,
  tx: Tx,
  { repositories, states, keys, maxGroups }: FindingGroupRequest,
): Promise<FindingGroupRow[]> {
  const values = [root, organizations, instance, repositories, states, keys, maxGroups]
  return tx.query<FindingGroupRow>(selectGroups, values)
}

/** Every composed statement of this file. */
export const findingStatements: readonly NamedStatement[] = [
  pageStatements,
  cursorStatements.position,
  cursorStatements.place,
].flatMap((byAccessPath) => Object.values(byAccessPath))

// Reads scans, not findings: an index on scan_id of findings would be rewritten by every scan.
const selectRepositoriesOfScan = statement(
  'security-findings.repositories-of-scan',
  `select distinct repository_id as id from security_scan
   where root_id = $1 and scan_id = $2 and ($3::uuid[] is null or organization_id = any ($3))
     and ($4::uuid is null or instance_id = $4)`,
)

/** Provider ids of the repositories that have a scan with this id. */
export async function findRepositoriesOfScan(
  { root, organizations, instance }: Scope,
  tx: Tx,
  scan: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(selectRepositoriesOfScan, [root, scan, organizations, instance])
  return rows.map(({ id }) => id)
}
