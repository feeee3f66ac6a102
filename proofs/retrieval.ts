import { rankByBaselines } from './retrieval/baselines.ts'
import { type Corpus, isReported, loadCorpus, type Situation } from './retrieval/corpus.ts'
import { measure, type Quality, type Rankings } from './retrieval/measure.ts'
import { type SearchService, startSearchService } from './retrieval/search-service.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report } from './tools/report.ts'

const MIN_LEARNINGS = 1_000
const MIN_SITUATIONS = 200
const MIN_NOTHING_APPLIES = 100

const calibrations = 'text/rank/calibrations.json'
const withoutFloor: SourceEdit = { file: calibrations, find: /"floor": [\d.]+/g, replace: '"floor": -1' }
const withoutSimilarity: SourceEdit = {
  file: calibrations,
  find: /"similarity": 1\b/g,
  replace: '"similarity": 0',
}

type AllRankings = Readonly<Record<'words' | 'vectors' | 'whole' | 'whole with floor', Rankings>>

/**
 * Review context ranks the relevant Learnings high, higher than words or vectors alone, and returns nothing where nothing
 * applies. The goals are about one half of the situations, but both were in view when the weights were chosen.
 */
export async function prove({ withoutCure }: ProofOptions): Promise<void> {
  const corpus = loadCorpus()
  const removed = withoutCure ? [withoutSimilarity] : []
  const copies = [await copyWithout([withoutFloor, ...removed])]
  if (withoutCure) copies.push(await copyWithout(removed))
  const service = await startSearchService(corpus.learnings, {
    whole: copies[0]?.apiEntry,
    withFloor: copies[1]?.apiEntry,
  })
  try {
    const situations = Object.values(corpus.situations).flat()
    const { learnings, nothingApplies, nonsense } = corpus
    const rankings: AllRankings = {
      ...(await rankByBaselines(learnings, situations)),
      whole: await service.rank(situations),
      'whole with floor': await service.rankWithFloor(situations),
    }
    const title = `${situations.length} situations over ${learnings.length} Learnings, ${nothingApplies.length} in which nothing applies, ${nonsense.length} nonsense queries, local model`
    report(`retrieval: ${title}`, [
      atLeast('Learnings in the corpus', MIN_LEARNINGS, learnings.length),
      atLeast('labelled situations', MIN_SITUATIONS, situations.length),
      ...measureReportedHalf(corpus, rankings),
      ...(await measureFloor(corpus, service)),
    ])
    printBySet(corpus, rankings)
  } finally {
    await service.stop()
    for (const copy of copies) await copy.remove()
  }
}

function measureReportedHalf({ situations }: Corpus, rankings: AllRankings): Measurement[] {
  const half = (list: readonly Situation[]) => list.filter(({ id }) => isReported(id))
  const all = half(Object.values(situations).flat())
  const mrr = (list: readonly Situation[], of: keyof AllRankings = 'whole') =>
    measure(list, rankings[of]).reciprocalRank
  const { recallAt5 } = measure(all, rankings.whole)
  return [
    atLeast('MRR, all', 0.42, mrr(all)),
    atLeast('MRR, paraphrases', 0.18, mrr(half(situations.paraphrases))),
    atLeast('MRR, diffs', 0.48, mrr(half(situations.diffs))),
    atLeast('MRR, identifiers', 0.99, mrr(half(situations.identifiers))),
    atLeast('recall@5, all', 0.47, recallAt5),
    ...(['words', 'vectors'] as const).flatMap((part) => [
      above(`MRR above ${part} alone`, mrr(all, part), mrr(all)),
      above(`recall@5 above ${part} alone`, measure(all, rankings[part]).recallAt5, recallAt5),
    ]),
  ]
}

async function measureFloor(
  { nothingApplies, nonsense }: Corpus,
  service: SearchService,
): Promise<Measurement[]> {
  const found = await service.findMatches(nothingApplies)
  const share = (fits: (matches: readonly string[]) => boolean) =>
    [...found.values()].filter(fits).length / nothingApplies.length
  const answered = [...(await service.findMatches(nonsense)).values()].filter(({ length }) => length > 0)
  const searched = await service.countSearchResults(nonsense.map(({ text = '' }) => text))
  const none = (name: string, count: number): Measurement => ({
    measure: name,
    goal: `0 of ${nonsense.length}`,
    result: count,
    met: count === 0,
  })
  return [
    atLeast('situations in which nothing applies', MIN_NOTHING_APPLIES, nothingApplies.length),
    atLeast(
      'nothing applies: share without a strong match',
      0.95,
      share((all) => !all.includes('strong')),
    ),
    atLeast(
      'nothing applies: share with an empty list',
      0.8,
      share((all) => all.length === 0),
    ),
    none('nonsense: reviews that return anything', answered.length),
    none('nonsense: searches that return anything', searched.filter((count) => count > 0).length),
  ]
}

/** The sets differ so much in difficulty that a mean over them says little. */
function printBySet({ situations }: Corpus, rankings: AllRankings): void {
  console.log('\n  recall@5 and MRR by set: both halves, then the reported half')
  for (const [set, inSet] of [
    ['all', Object.values(situations).flat()] as const,
    ...Object.entries(situations),
  ]) {
    for (const [name, ranking] of Object.entries(rankings)) {
      const reported = inSet.filter(({ id }) => isReported(id))
      const [both, half] = [inSet, reported].map((list) => renderQuality(measure(list, ranking)))
      console.log(`    ${set.padEnd(12)} ${name.padEnd(17)} ${both}   ${half}`)
    }
  }
}

function renderQuality({ situations: count, recallAt5, reciprocalRank }: Quality): string {
  return `${round(recallAt5).toFixed(3)}  ${round(reciprocalRank).toFixed(3)}  of ${count}`
}

function atLeast(name: string, goal: number, result: number): Measurement {
  return { measure: name, goal: `≥ ${goal}`, result: round(result), met: result >= goal }
}

function above(name: string, goal: number, result: number): Measurement {
  return { measure: name, goal: `> ${round(goal)}`, result: round(result), met: result > goal }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
