import { copyWithout, type SourceEdit } from '../proofs/tools/copy.ts'
import {
  type LabelledLearning,
  measureRankings,
  openEmbedder,
  type Rankings,
} from '../server/test/learnings/ranking.ts'
import {
  atLeast,
  type Case,
  type Evaluation,
  getRecall,
  type Judged,
  type Row,
  requireFields,
} from './evaluation.ts'
import { compareCalibrations, prepareComparison, type Situation } from './retrieval/compare.ts'
import { type SearchService, startSearchService } from './retrieval/search-service.ts'

const MIN_LEARNINGS = 1_000
const MIN_SITUATIONS = 200
const MIN_NOTHING_APPLIES = 100

const rankFile = 'text/rank/rank.ts'
const withoutFloor: SourceEdit = {
  file: rankFile,
  name: 'classifyMatch',
  wrap: "(classify, ...given) => classify(...given).replace('none', 'weak')",
}
const withoutSimilarity: SourceEdit = {
  file: rankFile,
  name: 'rank',
  wrap: `(rank, readTerms, query, candidates, calibration) =>
    rank(readTerms, query, candidates, { ...calibration, similarity: 0 })`,
}

const WORDS = 'by words alone'
const VECTORS = 'by vectors alone'
const WITH_FLOOR = 'with the floor'
const SEARCH = 'by GET /v1/learnings?search'
const found = { name: 'a needed Learning among the first five', count: getRecall('found') }
const answered = {
  name: 'nonsense that returns anything',
  count: getRecall('nothing, nonsense', 'weak'),
  goals: { all: { max: 0 } },
}

/** Ids of the Learnings that each part of the ranking, and the whole, found. */
interface NamedRankings {
  readonly by?: string
  readonly rankings: Rankings
}

/**
 * Review context ranks the relevant Learnings high, higher than words or vectors alone, and returns nothing where nothing
 * applies. Weights and thresholds are chosen on the calibration cases; the goals are about the others. A quick run measures
 * only these, and neither compares with the parts nor chooses again.
 */
export const evaluation: Evaluation = {
  data: new URL('../server/calibration', import.meta.url),
  measures: [
    found,
    ...[WORDS, VECTORS, WITH_FLOOR].map((by) => ({ ...found, by })),
    {
      name: 'nothing applies: no strong match',
      count: (judged) => {
        const all = judged.filter(({ label }) => label === 'nothing')
        if (all.length === 0) return null
        return { hits: all.filter(({ answer }) => answer !== 'strong').length, all: all.length }
      },
      goals: { all: { min: 0.95 } },
    },
    { name: 'nothing applies: an empty list', count: getRecall('nothing'), goals: { all: { min: 0.8 } } },
    answered,
    { ...answered, by: SEARCH },
  ],
  cures: [{ title: 'no similarity and no floor', edit: withoutFloor }],
  async judge({ cases, isBrought, options: { quick, embedder: url }, copy }) {
    const learnings = cases.filter((one) => 'learning' in one).map(parseLearning)
    const situations = cases.filter((one) => !('learning' in one)).map(parseSituation)
    const settings = url === undefined ? {} : readEmbedderSettings(url)
    const embedder = openEmbedder(settings)
    const comparison = quick || isBrought ? null : await prepareComparison(learnings, situations, embedder)
    const unfloored = await copyWithout([withoutFloor, ...(copy === null ? [] : [withoutSimilarity])])
    const entries = { whole: unfloored.apiEntry, withFloor: copy?.apiEntry }
    const service = await startSearchService(learnings, entries, settings)
    try {
      const needing = situations.filter(({ relevant }) => relevant.length > 0)
      const tried = needing.filter(({ split }) => !quick || split === 'held-out')
      const rankings: NamedRankings[] = [{ rankings: await service.rank(tried) }]
      if (comparison !== null)
        rankings.push(
          { by: WORDS, rankings: comparison.words },
          { by: VECTORS, rankings: comparison.vectors },
          { by: WITH_FLOOR, rankings: await service.rankWithFloor(tried) },
        )
      const nothing = situations.filter(({ relevant }) => relevant.length === 0)
      const judged = [
        ...rankings.flatMap((ranking) => tried.map((situation) => judgeRanking(situation, ranking))),
        ...(await judgeFloor(nothing, service)),
      ]
      const applies = nothing.filter(({ nonsense }) => nonsense !== true)
      const sizes = [
        atLeast('Learnings', MIN_LEARNINGS, learnings.length),
        atLeast('labelled situations', MIN_SITUATIONS, needing.length),
        atLeast('situations in which nothing applies', MIN_NOTHING_APPLIES, applies.length),
      ]
      const notes = [
        `${learnings.length} Learnings, ${embedder.model}; queries searched by words because the model was too slow: ${service.countFailedEmbeddings()}`,
      ]
      if (isBrought) return { judged, rows: renderRanks(tried, rankings), notes }
      const compared = comparison === null ? [] : compareCalibrations(embedder.model, comparison)
      const ranks = renderRanks(tried, rankings).map((row) => addGoal(row, tried, rankings))
      return { judged, rows: [...ranks, ...sizes, ...compared], notes }
    } finally {
      await service.stop()
      await unfloored.remove()
    }
  },
}

function parseLearning(given: Case): LabelledLearning {
  const { id, learning, file } = requireFields<Case & LabelledLearning>(given, 'learning')
  return { id, learning, ...(file === undefined ? {} : { file }) }
}

function parseSituation(given: Case): Situation {
  return requireFields<Situation>(given, 'relevant')
}

/** `EMBEDDER_…` of the environment, with another URL. */
function readEmbedderSettings(url: string): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('EMBEDDER_'))
  return { ...(Object.fromEntries(given) as Record<string, string>), EMBEDDER_URL: url }
}

function judgeRanking(situation: Situation, { by, rankings }: NamedRankings): Judged {
  const first = rankings.get(situation.id)?.slice(0, 5) ?? []
  const answer = situation.relevant.some((id) => first.includes(id)) ? 'found' : 'nothing needed'
  return { ...situation, label: 'found', answer, ...(by === undefined ? {} : { by }) }
}

async function judgeFloor(situations: readonly Situation[], service: SearchService): Promise<Judged[]> {
  const matches = await service.findMatches(situations)
  const nonsense = situations.filter((situation) => situation.nonsense === true)
  const counts = await service.countSearchResults(nonsense.map(({ text = '' }) => text))
  return [
    ...situations.map((situation): Judged => {
      const label = situation.nonsense === true ? 'nothing, nonsense' : 'nothing'
      const of = matches.get(situation.id) ?? []
      if (of.length === 0) return { ...situation, label, answer: label }
      const isStrong = situation.nonsense !== true && of.includes('strong')
      return { ...situation, label, answer: isStrong ? 'strong' : 'weak' }
    }),
    ...nonsense.map((situation, index): Judged => {
      const label = 'nothing, nonsense'
      return { ...situation, label, answer: counts[index] === 0 ? label : 'weak', by: SEARCH }
    }),
  ]
}

const ALL = 'all'

/** Means, which have no interval of a share. The sets differ so much in difficulty that a mean over them says little. */
function renderRanks(tried: readonly Situation[], rankings: readonly NamedRankings[]): Row[] {
  const sets = [[ALL, tried] as const, ...Map.groupBy(tried, ({ set }) => set)]
  return sets.flatMap(([set, ofSet]) =>
    [...Map.groupBy(ofSet, ({ split }) => split)].flatMap(([split, ofSplit]) =>
      rankings.flatMap(({ by, rankings: ranking }): Row[] => {
        const { recallAt5, reciprocalRank } = measureRankings(ofSplit, ranking)
        const name = (measure: string) => (by === undefined ? measure : `${measure}, ${by}`)
        return [
          { set, split, source: ALL, measure: name('MRR'), result: reciprocalRank.toFixed(3) },
          { set, split, source: ALL, measure: name('recall@5'), result: recallAt5.toFixed(3) },
        ]
      }),
    ),
  )
}

// Of held-out situations. For paraphrases, the goal was 0.18: see docs/proofs.md.
const minimums = new Map([
  ['MRR, all', 0.42],
  ['MRR, paraphrases', 0.16],
  ['MRR, diffs', 0.48],
  ['MRR, identifiers', 0.99],
  ['recall@5, all', 0.47],
])

/** The whole must also be better than each of its parts. */
function addGoal(row: Row, tried: readonly Situation[], rankings: readonly NamedRankings[]): Row {
  const min = minimums.get(`${row.measure}, ${row.set}`)
  if (row.split !== 'held-out' || min === undefined) return row
  const result = Number(row.result)
  const heldOut = tried.filter(({ split }) => split === 'held-out')
  const parts = rankings
    .filter(({ by }) => row.set === ALL && (by === WORDS || by === VECTORS))
    .map(({ rankings: ranking }) => {
      const { recallAt5, reciprocalRank } = measureRankings(heldOut, ranking)
      return row.measure === 'MRR' ? reciprocalRank : recallAt5
    })
  const above = parts.map((part) => ` and > ${part.toFixed(3)}`).join('')
  return { ...row, goal: `≥ ${min}${above}`, met: result >= min && parts.every((part) => result > part) }
}
