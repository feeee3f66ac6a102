import { setTimeout as sleep } from 'node:timers/promises'
import { type Answers, makeSender, patientGet, type Sender } from './move/traffic.ts'
import { makeWorld, type Store, type World } from './move/world.ts'
import { type Reader, readChanges, readPages, wholeWindow } from './paging/readers.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type Edit } from './tools/copy.ts'
import { type Finding, report } from './tools/report.ts'

/** Nothing keeps the writers out of a store that is being left, and nobody counts afterwards. */
const withoutFence: readonly Edit[] = [
  {
    file: 'metrics-store/move-sql.ts',
    find: "do update set state = 'moved', move = $2",
    replace: 'do update set move = $2',
  },
  { file: 'metrics-store/move.ts', find: 'if (left !== arrived) throw', replace: 'if (left === null) throw' },
  {
    file: 'bus/ingest/resolve.ts',
    find: 'if (moving) throw',
    replace: 'if (moving === null) throw',
  },
]

const PAUSE_MS = 100
/** A worker that was killed keeps its messages for 30 s, and so long may one wait that was put off during a move. */
const PATIENCE_MS = 75_000
const WITHOUT_WAITING_MS = 15_000

/** A root is moved between two stores while events come in and readers keep their place. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout(withoutFence) : null
  const world = await makeWorld(copy?.worker)
  try {
    const moves: Store[] = withoutCure ? ['isolated'] : ['isolated', 'shared']
    const rounds = quick || withoutCure ? 1 : 3
    const all = Array.from({ length: rounds }, () => moves).flat()
    const title = `move: ${all.length} moves of a root under ingest and readers`
    const findings = await run(world, all, quick ? 3_000 : 20_000, withoutCure)
    report(withoutCure ? `${title}, without the fence` : title, findings)
  } finally {
    await world.end()
    await copy?.remove()
  }
}

async function run(
  world: World,
  moves: readonly Store[],
  stock: number,
  withoutCure: boolean,
): Promise<Finding[]> {
  const answers: Answers = { preparing: 0, preparingWithoutRetryAfter: 0, others: [] }
  const question = { baseUrl: world.url, key: world.key, call: patientGet(answers) }
  const readers = [readPages({ ...question, name: 'pages' }), readChanges({ ...question, name: 'changes' })]
  const sender = makeSender(world)
  while (sender.acknowledged.pullRequests.length < stock) await sender.send(200)
  await waitForAll(world, 'shared', sender, PATIENCE_MS)
  const stop = new AbortController()
  const traffic = [
    repeat(stop.signal, () => sender.send(20)),
    ...readers.map((reader) => repeat(stop.signal, () => reader.poll())),
  ]
  const moving = moveAround(world, moves, withoutCure).finally(() => stop.abort())
  const [killed] = await Promise.all([moving, ...traffic])
  const home = moves.at(-1) ?? 'shared'
  await waitForAll(world, home, sender, withoutCure ? WITHOUT_WAITING_MS : PATIENCE_MS)
  for (const reader of readers) await reader.finish()
  const stored = await readEntries(world, question.call)
  return [
    ...findStored(sender, stored),
    ...readers.flatMap((reader) => findSeen(sender, reader)),
    ...findAnswers(answers),
    ...(withoutCure ? [] : await findMoves(world, moves, killed)),
  ]
}

async function repeat(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(PAUSE_MS)
  }
}

/** The worker is killed in the middle of every second move. Without the fence it never comes to sweep. */
async function moveAround(world: World, moves: readonly Store[], withoutCure: boolean): Promise<number> {
  let killed = 0
  for (const [index, store] of moves.entries()) {
    await world.requestMove(store)
    if (index % 2 === 0 && !withoutCure && (await world.killWhileCopying(store))) killed += 1
    await world.moved({ swept: !withoutCure })
    console.error(`  move ${index + 1} of ${moves.length}: to ${store}`)
    await sleep(1_000)
  }
  return killed
}

type Call = ReturnType<typeof patientGet>
type Entry = {
  readonly pr_url: string
  readonly coderabbit_comments: readonly { readonly url: string; readonly accepted: boolean | null }[]
}

async function readEntries({ url, key }: World, call: Call): Promise<Entry[]> {
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

/** What was acknowledged is stored soon, or never: when nothing has come for long enough, nothing will. */
async function waitForAll(
  world: World,
  store: Store,
  { acknowledged }: Sender,
  patienceMs: number,
): Promise<void> {
  const all = acknowledged.pullRequests.length + acknowledged.outcomes.length
  let most = -1
  for (let end = Infinity; Date.now() < end; ) {
    const { events } = await world.count(store)
    if (events >= all) return
    if (events > most) end = Date.now() + patienceMs
    most = events
    await sleep(500)
  }
}

function findStored({ acknowledged }: Sender, stored: readonly Entry[]): Finding[] {
  const entries = new Map(stored.map((entry) => [entry.pr_url, entry]))
  const missing = acknowledged.pullRequests.filter(({ payload }) => !entries.has(payload.url)).length
  const urls = new Map(
    acknowledged.pullRequests.flatMap(({ payload: { url, findings } }) =>
      findings.map((finding) => [finding.id, { url, finding: finding.url }] as const),
    ),
  )
  const wrong = acknowledged.outcomes.filter(({ payload: { finding_id, accepted } }) => {
    const place = urls.get(finding_id)
    const comments = entries.get(place?.url ?? '')?.coderabbit_comments ?? []
    return comments.find(({ url }) => url === place?.finding)?.accepted !== accepted
  }).length
  const count = acknowledged.pullRequests.length
  return [
    none(`pull requests missing at the end, of ${count} acknowledged`, missing),
    none('pull requests twice at the end', stored.length - entries.size),
    none(`outcomes missing at the end, of ${acknowledged.outcomes.length} acknowledged`, wrong),
  ]
}

function findSeen({ acknowledged }: Sender, { name, seen, breaks }: Reader): Finding[] {
  const once = new Set(seen)
  const missed = acknowledged.pullRequests.filter(({ payload }) => !once.has(payload.url)).length
  return [
    none(`${name}, by a reader who kept the cursor: missed`, missed),
    none(`${name}: twice`, seen.length - once.size),
    none(`${name}: out of order`, breaks),
  ]
}

function findAnswers({ preparing, preparingWithoutRetryAfter, others }: Answers): Finding[] {
  const told = [...new Set(others)].slice(0, 3).join(', ')
  return [
    { measure: 'answers 503 METRICS_PREPARING', goal: '> 0', result: preparing, met: preparing > 0 },
    none('of them without Retry-After', preparingWithoutRetryAfter),
    none(`answers other than that and 200${told && ` (${told})`}`, others.length),
  ]
}

async function findMoves(world: World, moves: readonly Store[], killed: number): Promise<Finding[]> {
  const left = moves.at(-1) === 'shared' ? 'isolated' : 'shared'
  const goal = moves.filter((_, index) => index % 2 === 0).length
  const { events, changes } = await world.count(left)
  return [
    {
      measure: 'kill -9 of the worker while it copied',
      goal: `${goal}`,
      result: killed,
      met: killed === goal,
    },
    none('rows left in the other store', events + changes),
  ]
}

function none(measure: string, result: number): Finding {
  return { measure, goal: '0', result, met: result === 0 }
}
