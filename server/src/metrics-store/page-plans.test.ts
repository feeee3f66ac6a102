import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAfter, growPullRequests } from '../../test/bulk/pull-requests.ts'
import { openDatabase } from '../../test/fixture.ts'
import { rootScope, type Scope } from '../access/scope.ts'
import type { BoundStatement } from '../db/batch.ts'
import { connectMetricsStores } from '../db/stores.ts'
import { inTransaction } from '../db/transaction.ts'
import type { InstanceId, OrganizationId } from '../ids.ts'
import { findingsSource } from '../resources/metrics/findings/sql.ts'
import {
  createPageStatement,
  createSizeStatement,
  listPageStatements,
  type MetricsWindow,
  type PageRequest,
  planPage,
  readBounds,
} from './page-sql.ts'
import { mcpUsageSource, reviewCommentsSource, reviewSources } from './source-sql.ts'

// The plans of all statements of lists, with their values, under row-level security: what a page reads is bounded by its rows,
// whatever the store holds.

const COUNT = 40_000
const [FIRST_DAY, DAYS] = ['2025-01-01', 400]
const ROWS = 1_000
const INSTANCE = '01234567-89ab-4def-8123-456789abcdef' as InstanceId
const sources = [reviewCommentsSource, ...Object.values(reviewSources), mcpUsageSource, findingsSource]

const { database, superuser, use } = await openDatabase()
const store = await growPullRequests(database, {
  count: COUNT,
  findings: 1,
  order: 'backfilled',
  firstDay: FIRST_DAY,
  days: DAYS,
  authors: 2_000,
  usage: true,
})
for (const table of ['pull_request', 'mcp_usage'])
  await superuser.query(`update ${table} set instance_id = $2 where organization_id = any ($1)`, [
    await readOrganizations('order by provider_organization_id::int limit 300'),
    INSTANCE,
  ])
await superuser.query('vacuum analyze pull_request, mcp_usage')
const stores = use(connectMetricsStores(new Map([['shared', database.urls.api]]), 'test', 2))

async function readOrganizations(part: string): Promise<OrganizationId[]> {
  const { rows } = await superuser.query<{ id: OrganizationId }>(
    `select id from organization where root_id = $1 ${part}`,
    [store.root],
  )
  return rows.map(({ id }) => id)
}

const root = rootScope(store.root)
const others = await readOrganizations('order by id desc limit 9')
const few = (first: string) => [first, ...Array.from({ length: 9 }, (_, index) => String(100 + index * 11))]
const ofLargest = few(store.repository)
type Filters = Partial<Pick<MetricsWindow, 'repositories' | 'authors'>>
/** The rows that are read at most: a few for each of a page, or all that the reader has, many or few. */
const [PAGE, FEW] = [4 * ROWS, 500]
/** Of one value and of ten, of which the first has many more rows; and with a second filter that few rows pass. */
const readers: Readonly<Record<string, readonly [Scope, Filters, maxRead: number]>> = {
  'the root': [root, {}, PAGE],
  'an instance': [{ ...root, instance: INSTANCE }, {}, PAGE],
  'the largest organization': [{ ...root, organizations: [store.largestOrganization] }, {}, PAGE],
  'a small organization': [{ ...root, organizations: others.slice(0, 1) }, {}, FEW],
  'ten organizations': [{ ...root, organizations: [store.largestOrganization, ...others] }, {}, PAGE],
  'a repository': [root, { repositories: [store.repository] }, FEW],
  'ten repositories': [root, { repositories: ofLargest }, FEW],
  'an author': [root, { authors: [store.author] }, FEW],
  'ten authors': [root, { authors: few(store.author) }, FEW],
  'an author of the largest organization': [
    { ...root, organizations: [store.largestOrganization] },
    { authors: [store.author] },
    FEW,
  ],
  'ten authors in ten repositories': [root, { repositories: ofLargest, authors: few(store.author) }, FEW],
}
const windows: Readonly<Record<string, readonly [start: number, days: number]>> = {
  'a day': [200, 1],
  'a month': [180, 30],
  'a year': [20, 365],
  'no day': [900, 30],
}

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Node[]
}

const countRead = (node: Node) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']

function listNodes(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)]
}

async function explain(request: PageRequest, create: typeof createPageStatement): Promise<[string, Node]> {
  return inTransaction(stores.pool('shared'), request.scope, async (tx) => {
    const { statement, values }: BoundStatement = create(request, await readBounds(request, tx))
    const explained = {
      name: `explained-${statement.name}`.slice(0, 63),
      text: `explain (analyze, buffers, format json) ${statement.text}`,
    }
    await tx.query(planPage, [])
    const { 'QUERY PLAN': plan } = await tx.one<{ 'QUERY PLAN': [{ Plan: Node }] }>(explained, [...values])
    return [statement.name, plan[0].Plan]
  })
}

for (const source of sources) {
  test(`a page of ${source.name} is read along an index, whatever its scope, window and filters`, async () => {
    const explained = new Set<string>()
    // Each pull request of findings costs the lookup of these.
    const buffersPerRow = source === findingsSource ? 4 : 1
    for (const [reader, [scope, filters, maxRead]] of Object.entries(readers))
      for (const [length, [start, days]] of Object.entries(windows))
        for (const [create, after] of [
          [createPageStatement, COUNT / 2],
          [createSizeStatement, 0],
        ] as const) {
          const window = {
            startDate: dayAfter(FIRST_DAY, start),
            endDate: dayAfter(FIRST_DAY, start + days - 1),
            repositories: null,
            authors: null,
            ...filters,
          }
          const request = { source, scope, window, hidden: [], after, rows: ROWS }
          const [name, plan] = await explain(request, create)
          explained.add(name)
          const said = `${name} of ${reader}, ${length}`
          const nodes = listNodes(plan)
          const unfit = nodes.filter((node) => /Seq Scan|Bitmap|Gather|Hash|Merge/.test(node['Node Type']))
          assert.deepEqual(unfit, [], said)
          const scans = nodes.filter((node) => node['Relation Name'] === source.table)
          const read = scans.reduce((sum, node) => sum + countRead(node), 0)
          assert.ok(read <= maxRead, `${said}: reads ${read} rows`)
          const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
          assert.ok(buffers <= maxRead * buffersPerRow, `${said}: touches ${buffers} buffers`)
        }
    assert.deepEqual(
      [...explained].toSorted(),
      listPageStatements([source])
        .map(({ name }) => name)
        .toSorted(),
    )
  })
}
