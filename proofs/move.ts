import { setTimeout as sleep } from 'node:timers/promises'
import { createRetryingGet, createSender, type ResponseCounts, type Sender } from './move/traffic.ts'
import {
  type Store,
  startTwoStoreInstallation,
  type TwoStoreInstallation,
} from './move/two-store-installation.ts'
import { type Reader, readChanges, readPages, wholeWindow } from './paging/readers.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

/** Writers can still write to the old store during a move, and the rows are not counted afterwards. */
const withoutFence: readonly SourceEdit[] = [
  {
    file: 'metrics-store/move-sql.ts',
    name: 'fenceHead',
    by: `const fenceHead = statement('metrics.no-fence',
      \`insert into metrics_head as h (root_id, position, state, move) values ($1, 0, 'moved', $2)
       on conflict (root_id) do update set move = $2 where h.state = 'active' and h.move < $2 returning root_id\`)`,
  },
  {
    file: 'metrics-store/move.ts',
    name: 'countAllRows',
    by: 'async function countAllRows(): Promise<number> { return 0 }',
  },
  {
    file: 'bus/queue/sql.ts',
    name: 'readRootStore',
    wrap: 'async (read, scope, tx) => ({ ...(await read(scope, tx)), moving: false })',
  },
]

const PAUSE_MS = 100
/** Messages of a killed worker, and messages that were retried later because of a move, wait up to 30 s. */
const MAX_IDLE_MS = 75_000
const MAX_IDLE_WITHOUT_CURE_MS = 15_000

/** A root is moved between two stores while events arrive and readers follow with cursors. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout(withoutFence) : null
  const installation = await startTwoStoreInstallation(copy?.workerEntry)
  try {
    const moves: Store[] = withoutCure ? ['isolated'] : ['isolated', 'shared']
    const rounds = quick || withoutCure ? 1 : 3
    const all = Array.from({ length: rounds }, () => moves).flat()
    const title = `move: ${all.length} moves of a root under ingest and readers`
    const findings = await run(installation, all, quick ? 3_000 : 20_000, withoutCure)
    report(withoutCure ? `${title}, without the fence` : title, findings)
  } finally {
    await installation.stop()
    await copy?.remove()
  }
}

async function run(
  installation: TwoStoreInstallation,
  moves: readonly Store[],
  stock: number,
  withoutCure: boolean,
): Promise<Measurement[]> {
  const responses: ResponseCounts = { preparing: 0, preparingWithoutRetryAfter: 0, unexpected: [] }
  const readerOptions = {
    baseUrl: installation.url,
    key: installation.key,
    call: createRetryingGet(responses),
  }
  const readers = [
    readPages({ ...readerOptions, name: 'pages' }),
    readChanges({ ...readerOptions, name: 'changes' }),
  ]
  const sender = createSender(installation)
  while (sender.acknowledged.pullRequests.length < stock) await sender.send(200)
  await waitForAll(installation, 'shared', sender, MAX_IDLE_MS)
  const stop = new AbortController()
  const traffic = [
    repeat(stop.signal, () => sender.send(20)),
    ...readers.map((reader) => repeat(stop.signal, () => reader.poll())),
  ]
  const moving = runMoves(installation, moves, withoutCure).finally(() => stop.abort())
  const [killed] = await Promise.all([moving, ...traffic])
  const lastStore = moves.at(-1) ?? 'shared'
  await waitForAll(installation, lastStore, sender, withoutCure ? MAX_IDLE_WITHOUT_CURE_MS : MAX_IDLE_MS)
  for (const reader of readers) await reader.finish()
  const stored = await readEntries(installation, readerOptions.call)
  return [
    ...measureStored(sender, stored),
    ...readers.flatMap((reader) => measureSeen(sender, reader)),
    ...measureResponses(responses),
    ...(withoutCure ? [] : await measureMoves(installation, moves, killed)),
  ]
}

async function repeat(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(PAUSE_MS)
  }
}

/** The worker is killed during every second move. Without the fence, it never reaches the sweep. */
async function runMoves(
  installation: TwoStoreInstallation,
  moves: readonly Store[],
  withoutCure: boolean,
): Promise<number> {
  let killed = 0
  for (const [index, store] of moves.entries()) {
    await installation.requestMove(store)
    if (index % 2 === 0 && !withoutCure && (await installation.killWhileCopying(store))) killed += 1
    await installation.waitUntilMoved({ swept: !withoutCure })
    console.error(`  move ${index + 1} of ${moves.length}: to ${store}`)
    await sleep(1_000)
  }
  return killed
}

type Call = ReturnType<typeof createRetryingGet>
type Entry = {
  readonly pr_url: string
  readonly coderabbit_comments: readonly { readonly url: string; readonly accepted: boolean | null }[]
}

async function readEntries({ url, key }: TwoStoreInstallation, call: Call): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { text } = await call(`${url}/v1/metrics/review-comments?${wholeWindow}${after}`, key)
    const page = JSON.parse(text) as { data: Entry[]; next_cursor: string | null }
    entries.push(...page.data)
    cursor = page.next_cursor
  }
  return entries
}

/** Waits until every acknowledged event is stored, or no new row has appeared for long enough. */
async function waitForAll(
  installation: TwoStoreInstallation,
  store: Store,
  { acknowledged }: Sender,
  maxIdleMs: number,
): Promise<void> {
  const all = acknowledged.pullRequests.length + acknowledged.outcomes.length
  let most = -1
  for (let end = Infinity; Date.now() < end; ) {
    const { events } = await installation.count(store)
    if (events >= all) return
    if (events > most) end = Date.now() + maxIdleMs
    most = events
    await sleep(500)
  }
}

function measureStored({ acknowledged }: Sender, stored: readonly Entry[]): Measurement[] {
  const entries = new Map(stored.map((entry) => [entry.pr_url, entry]))
  const missing = acknowledged.pullRequests.filter(({ payload }) => !entries.has(payload.url)).length
  const urls = new Map(
    acknowledged.pullRequests.flatMap(({ payload: { url, findings } }) =>
      findings.map((finding) => [finding.id, { url, finding: finding.url }] as const),
    ),
  )
  const wrong = acknowledged.outcomes.filter(({ payload: { finding_id, accepted } }) => {
    const location = urls.get(finding_id)
    const comments = entries.get(location?.url ?? '')?.coderabbit_comments ?? []
    return comments.find(({ url }) => url === location?.finding)?.accepted !== accepted
  }).length
  const count = acknowledged.pullRequests.length
  return [
    expectZero(`pull requests missing at the end, of ${count} acknowledged`, missing),
    expectZero('pull requests twice at the end', stored.length - entries.size),
    expectZero(`outcomes missing at the end, of ${acknowledged.outcomes.length} acknowledged`, wrong),
  ]
}

function measureSeen({ acknowledged }: Sender, { name, seen, discontinuities }: Reader): Measurement[] {
  const once = new Set(seen)
  const missed = acknowledged.pullRequests.filter(({ payload }) => !once.has(payload.url)).length
  return [
    expectZero(`${name}, by a reader who kept the cursor: missed`, missed),
    expectZero(`${name}: twice`, seen.length - once.size),
    expectZero(`${name}: out of order`, discontinuities),
  ]
}

function measureResponses({
  preparing,
  preparingWithoutRetryAfter,
  unexpected,
}: ResponseCounts): Measurement[] {
  const samples = [...new Set(unexpected)].slice(0, 3).join(', ')
  return [
    { measure: 'responses 503 METRICS_PREPARING', goal: '> 0', result: preparing, met: preparing > 0 },
    expectZero('of them without Retry-After', preparingWithoutRetryAfter),
    expectZero(`answers other than that and 200${samples && ` (${samples})`}`, unexpected.length),
  ]
}

async function measureMoves(
  installation: TwoStoreInstallation,
  moves: readonly Store[],
  killed: number,
): Promise<Measurement[]> {
  const left = moves.at(-1) === 'shared' ? 'isolated' : 'shared'
  const goal = moves.filter((_, index) => index % 2 === 0).length
  const { events, changes } = await installation.count(left)
  return [
    {
      measure: 'kill -9 of the worker while it copied',
      goal: `${goal}`,
      result: killed,
      met: killed === goal,
    },
    expectZero('rows left in the other store', events + changes),
  ]
}

function expectZero(measure: string, result: number): Measurement {
  return { measure, goal: '0', result, met: result === 0 }
}
