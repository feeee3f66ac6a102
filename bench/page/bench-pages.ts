import { get } from '../../proofs/tools/client.ts'
import { type Measurement, report } from '../../proofs/tools/report.ts'
import { type BulkStore, growPullRequests } from '../../server/test/bulk/pull-requests.ts'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import {
  connectMetricsStores,
  createPageStatement,
  inTransaction,
  type MetricsSource,
  type MetricsStores,
  type PageRequest,
  planPage,
  readBounds,
  rootScope,
  setScope,
} from '../../server/test/statements.ts'
import { bindScript, ensureTools, runPgbench, runWrk, sessionOptions, toScript } from '../engine-tools.ts'

const quick = process.argv.includes('--quick')
const STORED = quick ? 60_000 : 150_000
const FINDINGS = 10
const ROWS = 1_000
const ROUNDS = quick ? 3 : 11
const SECONDS = quick ? 2 : 4
const CALLERS = 32
// More connections than the service uses for pages: bare PostgreSQL performs best with about this many.
const CLIENTS = 16
const windows = [
  { name: '30 days', startDate: '2026-03-01', endDate: '2026-03-30' },
  { name: 'a year', startDate: '2025-06-01', endDate: '2026-05-31' },
] as const
type Window = (typeof windows)[number]

/** An endpoint whose pages are raw rows, and its source. */
export interface PageBench {
  readonly title: string
  readonly path: string
  readonly source: MetricsSource
  readonly goal: number
}

/** A window of the endpoint and its position. */
interface PageWindow {
  readonly database: TestDatabase
  readonly pool: ReturnType<MetricsStores['pool']>
  readonly store: BulkStore
  readonly source: MetricsSource
  readonly window: Window
  readonly url: string
}

/** Pages per second through the request pipeline, compared with pgbench with the same statement and scope. */
export async function benchPages({ title, path, source, goal }: PageBench): Promise<void> {
  ensureTools()
  const database = await createDatabase()
  const stores = connectMetricsStores(new Map([['shared', database.urls.api]]), 'bench', 1)
  const pool = stores.pool('shared')
  try {
    console.error(`writing ${STORED} pull requests of ${FINDINGS} findings`)
    const store = await growPullRequests(database, {
      count: STORED,
      findings: FINDINGS,
      order: 'fresh',
      firstDay: '2025-06-01',
      days: 365,
    })
    // Rate limits are off: the contract allows only ten requests per minute.
    const api = await startApi(database, { LIMIT_METRICS: 'off', LOG_LEVEL: 'info' })
    const measurements: Measurement[] = []
    for (const window of windows) {
      const { startDate, endDate } = window
      const url = `${api.url}${path}?start_date=${startDate}&end_date=${endDate}&limit=${ROWS}`
      measurements.push(await measureWindow({ database, pool, store, source, window, url }, goal))
    }
    report(
      `${title}: ${ROWS} pull requests of ${FINDINGS} findings, ${STORED} in the workspace`,
      measurements,
    )
    await api.stop()
  } finally {
    await stores.close()
    await database.drop()
  }
}

async function measureWindow(page: PageWindow, goal: number): Promise<Measurement> {
  const bytes = await checkBytes(page)
  const { service, bare, ratio } = await measureThroughput(page)
  await checkBytes(page)
  return {
    measure: `${page.window.name}: pages per second ÷ pgbench (${Math.round(service)} ÷ ${Math.round(bare)}, median of ${ROUNDS}; ${bytes} bytes)`,
    goal: `≥ ${goal}`,
    result: ratio.toFixed(2),
    met: ratio >= goal,
  }
}

function toPageRequest({ source, store, window: { startDate, endDate } }: PageWindow): PageRequest {
  return {
    source,
    scope: rootScope(store.root),
    window: { startDate, endDate, repositories: null, authors: null },
    hidden: [],
    after: 0,
    rows: ROWS,
  }
}

function bindPage(page: PageWindow) {
  const request = toPageRequest(page)
  return inTransaction(page.pool, request.scope, async (tx) =>
    createPageStatement(request, await readBounds(request, tx)),
  )
}

/** The response has exactly the bytes that the statement returns. */
async function checkBytes(page: PageWindow): Promise<number> {
  const { store, url } = page
  const { status, text } = await get(url, store.key)
  if (status !== 200) throw new Error(`A page returned ${status}: ${text}`)
  const { statement, values } = await bindPage(page)
  const rows = await inTransaction(page.pool, rootScope(store.root), async (tx) => {
    await tx.query(planPage, [])
    return tx.query<{ entry: string }>(statement, [...values])
  })
  if (rows.length !== ROWS + 1)
    throw new Error(`The window has only ${rows.length} pull requests, which is not a full page.`)
  const entries = rows.slice(0, ROWS).map(({ entry }) => entry)
  if (!text.startsWith(`{"data":[${entries.join(',')}],"next_cursor":"`))
    throw new Error('The response differs from the bytes that the statement returns.')
  return Buffer.byteLength(text)
}

/** Both sides alternate in one run, so that other load affects both. */
async function measureThroughput(page: PageWindow) {
  const { database, pool, store, window, url } = page
  const { statement, values } = await bindPage(page)
  const { script, variables } = bindScript(statement.text, values)
  const options = await sessionOptions(pool)
  // One round trip and one implicit transaction, like the service.
  const statements = [
    '\\startpipeline',
    toScript(setScope.text, [`'${store.root}'`, "''", "''"]),
    planPage.text,
    script,
    '\\endpipeline',
  ]
  const rounds: { service: number; bare: number; ratio: number }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const service = await runWrk({ url, key: store.key, connections: CALLERS, seconds: SECONDS })
    const bare = await runPgbench({
      database: database.name,
      user: 'scholiast_api',
      statements,
      variables,
      options,
      clients: CLIENTS,
      seconds: SECONDS,
    })
    console.error(
      `  ${window.name}, round ${round} of ${ROUNDS}: ${Math.round(service)} ÷ ${Math.round(bare)} = ${(service / bare).toFixed(2)}`,
    )
    rounds.push({ service, bare, ratio: service / bare })
  }
  const middle = rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)]
  if (middle === undefined) throw new Error('No round was measured.')
  return middle
}
