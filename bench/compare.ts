// npm run bench -- compare --base REVISION   compares this checkout with another revision on the same rows.
// Both serve one database. The runs of a pair follow each other, so other load affects both.
import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Measurement, report } from '../proofs/tools/report.ts'
import { provideWords } from '../proofs/tools/words.ts'
import { growOrganizations } from '../server/test/bulk/organizations.ts'
import { growPullRequests } from '../server/test/bulk/pull-requests.ts'
import { makeBus } from '../server/test/bus.ts'
import { makeDatabase } from '../server/test/database.ts'
import { ingestSettings, makeCredential, sendEvents } from '../server/test/ingest.ts'
import { startApi, startWorker } from '../server/test/process.ts'
import { createEventGenerator, toReviewTarget } from '../server/test/pull-requests.ts'
import { makeTenant } from '../server/test/tenant.ts'
import { ensureTools, runWrk } from './engine-tools.ts'
import { makeBody, type Sender, startLoad } from './ingest/load.ts'

const PAIRS = 7
const SECONDS = 4
const GOAL = 0.95
const PULL_REQUESTS = 60_000
const EVENTS = 200

interface Entries {
  readonly api: string
  readonly worker: string
}

/** One side of the comparison; its rates are per second. */
type Run = () => Promise<number>

const repository = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ allowPositionals: true, options: { base: { type: 'string' } } })
if (values.base === undefined) {
  console.error('npm run bench -- compare --base REVISION')
  process.exit(2)
}
ensureTools()
const checkout = `${repository}.dev/compare-${process.pid}`
const base = await checkOut(values.base)
const head: Entries = toEntries(`${repository}server`)
try {
  report(`compare: this checkout ÷ ${values.base}, median of ${PAIRS} pairs of ${SECONDS} s`, [
    ...(await compareReads()),
    await compareIngest(),
  ])
} finally {
  git('worktree', 'remove', '--force', checkout)
  rmSync(checkout, { recursive: true, force: true })
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function checkOut(revision: string): Promise<Entries> {
  git('worktree', 'add', '--detach', checkout, revision)
  symlinkSync(`${repository}node_modules`, `${checkout}/node_modules`)
  symlinkSync(`${repository}server/model`, `${checkout}/server/model`)
  await provideWords(`${checkout}/server`)
  return toEntries(`${checkout}/server`)
}

function toEntries(server: string): Entries {
  return { api: `${server}/src/api.ts`, worker: `${server}/src/worker.ts` }
}

/** The median ratio of the pairs; the order within a pair alternates. */
async function compare(measure: string, ours: Run, theirs: Run): Promise<Measurement> {
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = pair % 2 === 0 ? ours : theirs
    const one = await first()
    const other = await (first === ours ? theirs : ours)()
    ratios.push(first === ours ? one / other : other / one)
    console.error(`  ${measure}, pair ${pair + 1} of ${PAIRS}: ${ratios.at(-1)?.toFixed(3)}`)
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(PAIRS / 2)] ?? Number.NaN
  return { measure, goal: `≥ ${GOAL}`, result: median.toFixed(3), met: median >= GOAL }
}

async function compareReads(): Promise<Measurement[]> {
  const database = await makeDatabase()
  // A revision from before the role was renamed reads the former setting.
  const limits = {
    LIMIT_METRICS: 'off',
    LIMIT_ORGANIZATIONS: 'off',
    LOG_LEVEL: 'info',
    DOOR_DATABASE_URL: database.urls.auth,
  }
  const nodes = await Promise.all([head, base].map(({ api }) => startApi(database, limits, api)))
  try {
    console.error(`writing ${PULL_REQUESTS} pull requests and 20,000 organizations`)
    const store = await growPullRequests(database, {
      count: PULL_REQUESTS,
      findings: 10,
      order: 'fresh',
      firstDay: '2025-06-01',
      days: 365,
      reviews: true,
    })
    const workspace = await growOrganizations(database, { total: 20_000, largest: 10_000 })
    const window = 'start_date=2026-03-01&end_date=2026-03-30&limit=1000'
    const pages = [
      ['page', `/v1/metrics/review-comments?${window}`, store.key],
      ['reviews', `/v1/metrics/reviews?${window}`, store.key],
      ['organizations', '/v1/organizations?limit=100', workspace.key],
    ] as const
    const measurements: Measurement[] = []
    for (const [name, path, key] of pages) {
      const [ours, theirs] = nodes.map(
        ({ url }): Run =>
          () =>
            runWrk({ url: `${url}${path}`, key, connections: 32, seconds: SECONDS }),
      )
      if (ours === undefined || theirs === undefined) throw new Error('Two nodes are compared.')
      measurements.push(await compare(`${name}: requests per second`, ours, theirs))
    }
    return measurements
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await database.drop()
  }
}

async function compareIngest(): Promise<Measurement> {
  const sides = await Promise.all([head, base].map(startIngest))
  try {
    const [ours, theirs] = sides
    if (ours === undefined || theirs === undefined) throw new Error('Two services are compared.')
    return await compare(
      'ingest: pull requests per second to the committed row',
      () => ours.run(),
      () => theirs.run(),
    )
  } finally {
    await Promise.all(sides.map((side) => side.close()))
  }
}

/** Each side has its own service, so that neither processes events that the other has queued. */
async function startIngest(entries: Entries) {
  const [database, bus] = await Promise.all([makeDatabase(), makeBus()])
  const tenant = await makeTenant(database)
  const settings = {
    ...ingestSettings(bus),
    INGEST_MAX_BYTES: String(1024 ** 3),
    DOOR_DATABASE_URL: database.urls.auth,
  }
  const api = await startApi(database, settings, entries.api)
  const worker = await startWorker(database, settings, entries.worker)
  const superuser = database.superuser()
  const credential = makeCredential(tenant.ring, tenant.workspace.root).value
  while ((await sendEvents(api.url, credential, [{}])).status === 503) await sleep(100)
  const generator = createEventGenerator({ days: 7, findings: 10 })
  const [organization] = tenant.workspace.organizations
  if (organization === undefined) throw new Error('The workspace has no organization.')
  const target = toReviewTarget(organization)
  const makeEvent = (number: number) => generator.finalized(target, { event_id: `event-${number}`, number })
  const senders: Sender[] = Array.from({ length: 4 }, () => ({
    credential,
    body: makeBody(makeEvent, EVENTS),
  }))
  const countStored = async () => {
    const { rows } = await superuser.query<{ count: number }>(
      'select count(*)::int as count from pull_request',
    )
    return rows[0]?.count ?? 0
  }
  return {
    /** Sends for a while and waits until everything is stored. The time includes both. */
    async run(): Promise<number> {
      const before = await countStored()
      const started = performance.now()
      const load = startLoad(`${api.url}/ingest/v1/events`, senders, () => true)
      await sleep(SECONDS * 1000)
      await load.stop()
      const goal = before + load.acknowledged()
      while ((await countStored()) < goal) await sleep(20)
      return load.acknowledged() / ((performance.now() - started) / 1000)
    },
    async close() {
      await Promise.all([api.stop(), worker.stop(), tenant.close(), superuser.end()])
      await bus.drop()
      await database.drop()
    },
  }
}
