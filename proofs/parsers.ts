import { pathToFileURL } from 'node:url'
import { hostileTexts, mutate } from '../server/test/connectors/mutated-bodies.ts'
import * as server from '../server/test/connectors/parser-corpus.ts'
import { findReviewFault } from '../server/test/connectors/review-faults.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { createRandom } from './tools/random.ts'
import { type Measurement, report } from './tools/report.ts'

const BODIES = 100_000
const QUICK_BODIES = 2500
const MAX_SLOWEST_MS = 2000
/** Bodies of a comment are small; a few of the corpus are as large as a forge allows. */
const MAX_MUTATED_CHARACTERS = 20_000

/** Without a limit on their depth, sections in sections exhaust the stack. */
const withoutDepthLimit: SourceEdit = {
  file: 'resources/connectors/parsers/markup.ts',
  name: 'MAX_DEPTH',
  by: 'const MAX_DEPTH = Infinity',
}

type Parse = typeof server.parseReview

/** No text that a bot, or somebody who writes as one, can post stops a parser. */
export async function prove({ withoutCure, quick, seed = 'parsers' }: ProofOptions): Promise<void> {
  const copy = withoutCure ? await copyWithout([withoutDepthLimit]) : null
  try {
    const parse: Parse =
      copy === null
        ? server.parseReview
        : (
            await import(
              pathToFileURL(`${copy.folder}/src/resources/connectors/parsers/parse-review.ts`).href
            )
          ).parseReview
    readBodies(parse, quick ? QUICK_BODIES : BODIES, seed)
  } finally {
    await copy?.remove()
  }
}

interface Slowest {
  ms: number
  characters: number
  id: string
}

function readBodies(parse: Parse, bodies: number, seed: string): void {
  const corpus = server.loadParserCorpus()
  const slowest: Slowest = { ms: 0, characters: 0, id: '' }
  const faults: string[] = []
  let characters = 0
  const read = (item: server.CorpusItem): void => {
    const started = performance.now()
    const fault = tryParse(parse, item)
    const ms = performance.now() - started
    if (ms > slowest.ms) Object.assign(slowest, { ms, characters: item.body.length, id: item.id })
    if (fault !== null) faults.push(`${item.id}: ${fault}`)
    characters += item.body.length
  }
  const hostile = [...Map.groupBy(corpus, ({ bot }) => bot).values()].flatMap(([item]) =>
    hostileTexts.map((text) => ({ ...(item as server.CorpusItem), body: `${item?.body}${text}` })),
  )
  for (const item of [...corpus, ...hostile]) read(item)
  const random = createRandom(seed)
  const next = () => random.below(2 ** 30) / 2 ** 30
  const small = corpus.filter(({ body }) => body.length < MAX_MUTATED_CHARACTERS)
  for (let index = 0; index < bodies; index++) {
    const item = random.pick(small)
    read({ ...item, body: mutate(next, small, item.body) })
  }
  const names = new Set(corpus.map(({ bot }) => bot))
  report(
    `parsers: ${names.size} bots, ${corpus.length} bodies of the corpus, ${hostile.length} hostile ones`,
    [
      exactly('mutated bodies', bodies, bodies),
      exactly('bodies that stop a parser or give an impossible result', 0, faults.length),
      {
        measure: `slowest body (${slowest.characters} characters, from ${slowest.id}), ms`,
        goal: `≤ ${MAX_SLOWEST_MS}`,
        result: Math.round(slowest.ms * 10) / 10,
        met: slowest.ms <= MAX_SLOWEST_MS,
      },
    ],
  )
  console.log(`\n  ${Math.round(characters / 1e6)} million characters read; seed: ${seed}`)
  for (const fault of faults.slice(0, 5)) console.log(`  - ${fault}`)
}

function tryParse(parse: Parse, item: server.CorpusItem): string | null {
  try {
    return findReviewFault(parse(server.toSnapshot(item), server.ownBots))
  } catch (error) {
    return String(error)
  }
}

function exactly(measure: string, goal: number, result: number): Measurement {
  return { measure, goal: String(goal), result, met: goal === result }
}
