// npm run bench -- histories [--base REVISION] [--histories N] [--seed S]   compares what this checkout and another revision answer.
// Both store the same random histories of events with their own code and schema; every response must be the same, byte by byte.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { report } from '../proofs/tools/report.ts'
import { createHistory, type History } from '../server/test/histories/history.ts'
import type { Exchange, Run } from '../server/test/histories/side.ts'
import { withCheckout } from './compare/checkout.ts'

const FOLDER = 'server/test/histories'
const MAX_SECONDS = 90 * 60
const MAX_DIFFERENCES = 5
const PROGRESS = 100
const HISTORIES = 1_000
/** Of a response that is printed, around its first difference. */
const EXCERPT = 2_000

const repository = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string', default: 'HEAD~1' },
    histories: { type: 'string' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
  },
})
const firstSeed = Number(values.seed)
const histories = Number(values.histories ?? (values.quick ? PROGRESS : HISTORIES))

/** Aborts when a side ends too early. */
const ended = new AbortController()
const { signal } = ended

await withCheckout(values.base, async (checkout) => {
  cpSync(`${repository}${FOLDER}`, `${checkout}/${FOLDER}`, { recursive: true })
  const sides = [repository, `${checkout}/`].map(startSide)
  const exits = sides.map((side) => once(side, 'exit'))
  try {
    await Promise.all(sides.map((side) => once(side, 'message', { signal })))
    await compareHistories(sides)
  } finally {
    for (const side of sides) if (side.connected) side.disconnect()
    await Promise.all(exits)
  }
})

async function compareHistories(sides: readonly ChildProcess[]): Promise<void> {
  let [runs, done, responses, different] = [0, 0, 0, 0]
  /** Each run has a tenant root of its own. */
  const replay = (history: History) => {
    runs += 1
    return replayOnSides(sides, { run: runs, history })
  }
  const started = performance.now()
  const getSeconds = () => (performance.now() - started) / 1000
  while (done < histories && different < MAX_DIFFERENCES && getSeconds() < MAX_SECONDS) {
    const seed = firstSeed + done
    const history = createHistory(seed)
    const [ours, theirs] = await replay(history)
    done += 1
    responses += ours.length
    if (findDifference(ours, theirs) !== null) {
      different += 1
      await printDifference(seed, history, replay)
    }
    if (done % PROGRESS === 0)
      console.error(`  ${done} histories, ${responses} responses, ${different} different`)
  }
  report(`histories: this checkout and ${values.base}, seeds from ${firstSeed}`, [
    {
      measure: `histories in ${getSeconds().toFixed(0)} s`,
      goal: `≥ ${histories}`,
      result: done,
      met: done === histories,
    },
    {
      measure: `histories with another response, of ${responses} responses`,
      goal: '0',
      result: different,
      met: different === 0 && responses > 0,
    },
  ])
}

type Replies = readonly [ours: readonly Exchange[], theirs: readonly Exchange[]]

async function replayOnSides(sides: readonly ChildProcess[], run: Run): Promise<Replies> {
  const replies = await Promise.all(
    sides.map(async (side) => {
      const reply = once(side, 'message', { signal })
      side.send(run)
      const [exchanges] = await reply
      return exchanges as Exchange[]
    }),
  )
  return replies as unknown as Replies
}

function startSide(folder: string): ChildProcess {
  const side = fork(`${folder}${FOLDER}/side.ts`)
  side.once('exit', (code) => {
    if (code !== 0) ended.abort(new Error(`The side in ${folder} ended with ${code}.`))
  })
  return side
}

/** The index of the first exchange that differs. */
function findDifference(ours: readonly Exchange[], theirs: readonly Exchange[]): number | null {
  const index = Array.from({ length: Math.max(ours.length, theirs.length) }).findIndex(
    (_, at) => ours[at]?.join('\n') !== theirs[at]?.join('\n'),
  )
  return index === -1 ? null : index
}

/** Shortens the history by halves to a prefix that differs, while the prefix before it does not. */
async function printDifference(
  seed: number,
  { steps, reads }: History,
  replay: (history: History) => Promise<Replies>,
): Promise<void> {
  const replayPrefix = (length: number) => replay({ steps: steps.slice(0, length), reads })
  let [equal, different] = [-1, steps.length]
  while (different - equal > 1) {
    const middle = Math.floor((equal + different) / 2)
    if (findDifference(...(await replayPrefix(middle))) === null) equal = middle
    else different = middle
  }
  const [ours, theirs] = await replayPrefix(different)
  const at = findDifference(ours, theirs)
  console.log(`\nSeed ${seed}, after ${different} of ${steps.length} steps`)
  if (at === null) return console.log('  The difference did not return when the history was replayed.')
  for (const step of steps.slice(0, different).slice(-1)) console.log(`  last step: ${JSON.stringify(step)}`)
  const [our = '', their = ''] = [ours, theirs].map((replies) => replies[at]?.[1])
  let first = 0
  while (first < our.length && our[first] === their[first]) first += 1
  const start = Math.max(0, first - EXCERPT / 2)
  console.log(`  the request: ${(ours[at] ?? theirs[at])?.[0]}`)
  console.log(`  this checkout:\n    ${our.slice(start, start + EXCERPT)}`)
  console.log(`  ${values.base}:\n    ${their.slice(start, start + EXCERPT)}`)
}
