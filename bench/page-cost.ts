import { performance } from 'node:perf_hooks'
import {
  createPageStatement,
  inTransaction,
  type MetricsStores,
  type PageRequest,
  planPage,
  readBounds,
  readMetricsPage,
} from '../server/test/statements.ts'

/** The cost of a page for PostgreSQL. */
export interface PageCost {
  readonly rows: number
  /** Buffers touched, in memory or not. */
  readonly buffers: number
  readonly milliseconds: number
  /** Faults of the plan: it sorts, or it reads more rows than it returns. */
  readonly faults: readonly string[]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

const MAX_BYTES = 16 * 1024 * 1024
const TIMES = 7
const ordered = new Set([
  'Limit',
  'Merge Append',
  'Append',
  'Index Scan',
  'Index Only Scan',
  'Result',
  'Subquery Scan',
])

export async function measurePage(stores: MetricsStores, request: PageRequest): Promise<PageCost> {
  const plan = await explain(stores, request)
  return {
    rows: Math.min(plan['Actual Rows'], request.rows),
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    milliseconds: await timePage(stores, request),
    faults: findFaults(plan),
  }
}

/** The plan of the service's statement for these values, analyzed. */
function explain(stores: MetricsStores, request: PageRequest): Promise<PlanNode> {
  return inTransaction(stores.pool('shared'), request.scope, async (tx) => {
    const { statement, values } = createPageStatement(request, await readBounds(request, tx))
    const text = `explain (analyze, buffers, format json) ${statement.text}`
    await tx.query(planPage, [])
    const explained = await tx.one<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ name: '', text }, [...values])
    return explained['QUERY PLAN'][0].Plan
  })
}

/** The median of several warm reads by the service's own function. */
async function timePage(
  stores: MetricsStores,
  { source, scope, window, after, rows }: PageRequest,
): Promise<number> {
  const placement = { store: 'shared', preparing: false, inactive: [] }
  const times: number[] = []
  for (let time = 0; time <= TIMES; time++) {
    const started = performance.now()
    await readMetricsPage(
      { stores, placement, source, scope, window },
      { after, rows, separator: ',' },
      MAX_BYTES,
    )
    times.push(performance.now() - started)
  }
  return times.slice(1).toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? Number.NaN
}

function findFaults(plan: PlanNode): string[] {
  const nodes = flatten(plan)
  const unexpectedNodes = nodes.map((node) => node['Node Type']).filter((type) => !ordered.has(type))
  const scans = nodes.filter((node) => node['Relation Name'] === 'pull_request')
  const read = scans.reduce(
    (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  )
  // A merge reads one row of each stream ahead.
  const maxRows = plan['Actual Rows'] + scans.length
  return [
    ...new Set(unexpectedNodes),
    ...(read > maxRows ? [`reads ${read} rows to return ${plan['Actual Rows']}`] : []),
  ]
}

/** Without lookups that run once before the rows: the limit, the policy, the positions of a day. */
function flatten(node: PlanNode): PlanNode[] {
  const parts = (node.Plans ?? []).filter((part) => part['Parent Relationship'] !== 'InitPlan')
  return [node, ...parts.flatMap(flatten)]
}
