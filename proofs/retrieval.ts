import { rankByBaselines } from './retrieval/baselines.ts'
import { type Corpus, loadCorpus } from './retrieval/corpus.ts'
import { measure, type Quality, type Rankings } from './retrieval/measure.ts'
import { startSearchService } from './retrieval/search-service.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const MIN_PARAPHRASE_MRR = 0.5
const MIN_LEARNINGS = 1_000
const MIN_SITUATIONS = 200

/** Leaves the candidates in the order of their vector similarity. */
const withoutRanking: SourceEdit = {
  file: 'resources/review-context/find.ts',
  find: 'ranker\n    .rank({ text, diff, files }, candidates)',
  replace: `[...candidates].sort((a, b) => (b.similarity ?? -1) - (a.similarity ?? -1))
    .map(({ id }) => ({ id, score: ranker && text && diff && files ? 0 : 0, reason: '' }))`,
}

type AllRankings = Readonly<Record<'lexical' | 'vector' | 'hybrid', Rankings>>

/** Review context ranks the relevant Learnings high, and higher than lexical or vector search alone. */
export async function prove({ withoutCure }: ProofOptions): Promise<void> {
  const corpus = loadCorpus()
  const { learnings } = corpus
  const situations = Object.values(corpus.situations).flat()
  const copy = withoutCure ? await copyWithout([withoutRanking]) : null
  const service = await startSearchService(learnings, copy?.apiEntry)
  try {
    const hybrid = await service.rank(situations)
    const baselines = await rankByBaselines(learnings, situations)
    const rankings = { lexical: baselines.lexical, vector: baselines.vector, hybrid }
    report(`retrieval: ${situations.length} situations over ${learnings.length} Learnings, local model`, [
      atLeast('Learnings in the corpus', MIN_LEARNINGS, learnings.length),
      atLeast('labelled situations', MIN_SITUATIONS, situations.length),
      ...compareWithBaselines(corpus, rankings),
      measureParaphrases(corpus, hybrid),
    ])
    printBySet(corpus, rankings)
  } finally {
    await service.stop()
    await copy?.remove()
  }
}

function compareWithBaselines(corpus: Corpus, { lexical, vector, hybrid }: AllRankings): Measurement[] {
  const situations = Object.values(corpus.situations).flat()
  const combined = measure(situations, hybrid)
  return Object.entries({ lexical, vector }).flatMap(([name, rankings]) => {
    const baseline = measure(situations, rankings)
    return [
      above(`MRR of hybrid search, above ${name} alone`, baseline.reciprocalRank, combined.reciprocalRank),
      above(`recall@5 of hybrid search, above ${name} alone`, baseline.recallAt5, combined.recallAt5),
    ]
  })
}

function measureParaphrases({ situations }: Corpus, hybrid: Rankings): Measurement {
  const { reciprocalRank } = measure(situations.paraphrases, hybrid)
  const name = 'MRR on paraphrases with at most two words in common'
  return atLeast(name, MIN_PARAPHRASE_MRR, round(reciprocalRank))
}

/** The sets differ so much in difficulty that a mean over them says little. */
function printBySet({ situations }: Corpus, rankings: AllRankings): void {
  console.log('\n  recall@5 and MRR by set')
  for (const [set, inSet] of Object.entries(situations)) {
    for (const [name, ranking] of Object.entries(rankings)) {
      console.log(`    ${set.padEnd(12)} ${name.padEnd(8)} ${renderQuality(measure(inSet, ranking))}`)
    }
  }
}

function renderQuality({ situations: count, recallAt5, reciprocalRank }: Quality): string {
  return `${round(recallAt5).toFixed(3)}  ${round(reciprocalRank).toFixed(3)}  of ${count}`
}

function atLeast(name: string, goal: number, result: number): Measurement {
  return { measure: name, goal: `≥ ${goal}`, result, met: result >= goal }
}

function above(name: string, goal: number, result: number): Measurement {
  return { measure: name, goal: `> ${round(goal)}`, result: round(result), met: result > goal }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
