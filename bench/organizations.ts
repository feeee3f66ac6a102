import { performance } from 'node:perf_hooks'
import { get } from '../proofs/tools/client.ts'
import { report } from '../proofs/tools/report.ts'
import { type BulkWorkspace, growOrganizations } from '../server/test/bulk/organizations.ts'
import { createDatabase } from '../server/test/database.ts'
import { startApi } from '../server/test/process.ts'
import { pageOfRoot, readKeysUnscoped, setScope } from '../server/test/statements.ts'
import { ensureTools, runPgbench, runWrk, toScript } from './engine-tools.ts'

const TOTAL = 1_000_000
const LARGEST = 100_000
const ROUNDS = 5
const SECONDS = 6
const GOAL = 0.45
const PAGE_TIME_GOAL = 1.2

ensureTools()
const database = await createDatabase()
try {
  console.error(`writing ${TOTAL} organizations, ${LARGEST} of them in one workspace`)
  const workspace = await growOrganizations(database, { total: TOTAL, largest: LARGEST })
  await createBenchRole()
  // Rate limits are off: the contract allows only ten requests per minute.
  const api = await startApi(database, { LIMIT_ORGANIZATIONS: 'off', LOG_LEVEL: 'info' })
  const url = `${api.url}/v1/organizations?limit=100`
  const { service, bare, ratio } = await measureThroughput(url, workspace)
  const { first, last } = await measurePages(url, workspace)
  report(`organizations: a page of 100, ${LARGEST} in the workspace, ${TOTAL} in all`, [
    {
      measure: `requests per second ÷ pgbench (${Math.round(service)} ÷ ${Math.round(bare)}, median of ${ROUNDS})`,
      goal: `≥ ${GOAL}`,
      result: ratio.toFixed(2),
      met: ratio >= GOAL,
    },
    {
      measure: `page at ${LARGEST - 100} ÷ page 1 (${last.toFixed(2)} ms ÷ ${first.toFixed(2)} ms, medians)`,
      goal: `≤ ${PAGE_TIME_GOAL}`,
      result: (last / first).toFixed(2),
      met: last / first <= PAGE_TIME_GOAL,
    },
  ])
  await api.stop()
} finally {
  await database.drop()
}

/** Both sides alternate in one run, so that other load affects both. */
async function measureThroughput(url: string, { root, key, keyHash }: BulkWorkspace) {
  const variables = {
    key: `{"\\\\x${keyHash.toString('hex')}"}`,
    root,
    after: '00000000-0000-0000-0000-000000000000',
  }
  const statements = [
    toScript(readKeysUnscoped.text, [':key']),
    'begin',
    toScript(setScope.text, [':root', "''", "''"]),
    toScript(pageOfRoot.text, [':root', ':after', '100']),
    'commit',
  ]
  const rounds: { service: number; bare: number; ratio: number }[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const service = await runWrk({ url, key, connections: 32, seconds: SECONDS })
    const bare = await runPgbench({
      database: database.name,
      user: 'scholiast_bench',
      statements,
      variables,
      clients: 8,
      seconds: SECONDS,
    })
    console.error(
      `  round ${round} of ${ROUNDS}: ${Math.round(service)} ÷ ${Math.round(bare)} = ${(service / bare).toFixed(2)}`,
    )
    rounds.push({ service, bare, ratio: service / bare })
  }
  const middle = rounds.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)]
  if (middle === undefined) throw new Error('No round was measured.')
  return middle
}

/** Follows the cursors to the last page but one, then requests it and the first page alternately. */
async function measurePages(url: string, { key }: BulkWorkspace): Promise<{ first: number; last: number }> {
  let cursor = ''
  for (let walked = 0; walked < LARGEST - 100; walked += 100) {
    const { text } = await get(cursor === '' ? url : `${url}&cursor=${cursor}`, key)
    cursor = (JSON.parse(text) as { next_cursor: string }).next_cursor
  }
  const times = { first: [] as number[], last: [] as number[] }
  for (let turn = 0; turn < 1_000; turn++) {
    times.first.push(await timeRequest(url, key))
    times.last.push(await timeRequest(`${url}&cursor=${cursor}`, key))
  }
  return { first: median(times.first), last: median(times.last) }
}

async function timeRequest(url: string, key: string): Promise<number> {
  const started = performance.now()
  const { status } = await get(url, key)
  if (status !== 200) throw new Error(`A page returned ${status}.`)
  return performance.now() - started
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** pgbench runs all statements as one role; the service uses one role for keys and another for pages. */
async function createBenchRole(): Promise<void> {
  const client = database.superuser()
  await client.query(`do $$ begin
    create role scholiast_bench login in role scholiast_auth, scholiast_api;
  exception when duplicate_object then null; end $$`)
  await client.end()
}
