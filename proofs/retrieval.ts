import { measureSearchRecall } from '../server/test/learnings/ranking.ts'
import { learnings, situations } from './retrieval/corpus.ts'
import { orderByHalves } from './retrieval/halves.ts'
import { measure, type Orders, type Quality } from './retrieval/measure.ts'
import { makeTeam, type Team } from './retrieval/over-http.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const LEAST_ON_PARAPHRASES = 0.5
const LEAST_LEARNINGS = 1_000
const LEAST_SITUATIONS = 200

/** Candidates are left in the order of their vectors. */
const withoutRanking: SourceEdit = {
  file: 'resources/review-context/find.ts',
  find: 'rank(words, { text, diff, files }, candidates)',
  replace: `[...candidates].sort((a, b) => (b.similarity ?? -1) - (a.similarity ?? -1))
    .map(({ id }) => ({ id, score: words && text && diff && files ? 0 : 0, reason: '' }))`,
}

/** What a review needs is among the first that it is given, and the whole finds more than either half. */
export async function prove({ withoutCure }: ProofOptions): Promise<void> {
  const all = Object.values(situations).flat()
  const copy = withoutCure ? await copyWithout([withoutRanking]) : null
  const team = await makeTeam(learnings, copy?.apiEntry)
  try {
    const hybrid = await team.find(all)
    const halves = await orderByHalves(learnings, all)
    const ways = { lexical: halves.lexical, vector: halves.vector, hybrid }
    report(`retrieval: ${all.length} situations over ${learnings.length} Learnings, local model`, [
      ...counts(all.length),
      ...beats(ways),
      paraphrases(hybrid),
      await smallTenant(team),
    ])
    describe(ways)
  } finally {
    await team.end()
    await copy?.remove()
  }
}

type Ways = Readonly<Record<'lexical' | 'vector' | 'hybrid', Orders>>

function counts(asked: number): Measurement[] {
  return [
    atLeast('Learnings written for this', LEAST_LEARNINGS, learnings.length),
    atLeast('labelled situations', LEAST_SITUATIONS, asked),
  ]
}

function beats({ lexical, vector, hybrid }: Ways): Measurement[] {
  const all = Object.values(situations).flat()
  const whole = measure(all, hybrid)
  return Object.entries({ lexical, vector }).flatMap(([name, orders]) => {
    const half = measure(all, orders)
    return [
      above(`MRR of the whole, above ${name} alone`, half.reciprocalRank, whole.reciprocalRank),
      above(`recall@5 of the whole, above ${name} alone`, half.recallAt5, whole.recallAt5),
    ]
  })
}

function paraphrases(hybrid: Orders): Measurement {
  const { reciprocalRank } = measure(situations.paraphrases, hybrid)
  return atLeast(
    'MRR on paraphrases with at most two words in common',
    LEAST_ON_PARAPHRASES,
    round(reciprocalRank),
  )
}

async function smallTenant({ database }: Team): Promise<Measurement> {
  const recall = await measureSearchRecall(database)
  return {
    measure: 'a small tenant: recall@10 against exact search',
    goal: '1.00',
    result: round(recall),
    met: recall === 1,
  }
}

/** Set by set: they are of very different difficulty, and a mean of them says little. */
function describe(ways: Ways): void {
  console.log('\n  recall@5 and MRR by set')
  for (const [name, set] of Object.entries(situations)) {
    for (const [way, orders] of Object.entries(ways)) {
      console.log(`    ${name.padEnd(12)} ${way.padEnd(8)} ${describeQuality(measure(set, orders))}`)
    }
  }
}

function describeQuality({ situations: count, recallAt5, reciprocalRank }: Quality): string {
  return `${round(recallAt5).toFixed(3)}  ${round(reciprocalRank).toFixed(3)}  of ${count}`
}

function atLeast(measured: string, goal: number, result: number): Measurement {
  return { measure: measured, goal: `≥ ${goal}`, result, met: result >= goal }
}

function above(measured: string, goal: number, result: number): Measurement {
  return { measure: measured, goal: `> ${round(goal)}`, result: round(result), met: result > goal }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
