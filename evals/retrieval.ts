import { copyWithout, type SourceEdit } from '../proofs/tools/copy.ts'
import {
  type LabelledLearning,
  measureRankings,
  openEmbedder,
  type Rankings,
} from '../server/test/learnings/ranking.ts'
import { readCases } from './cases.ts'
import {
  atLeast,
  type Case,
  type Evaluation,
  getPrecision,
  getRecall,
  type Judged,
  type Row,
  requireFields,
} from './evaluation.ts'
import { compareCalibrations, prepareComparison, type Situation } from './retrieval/compare.ts'
import {
  type FoundMatch,
  type OfCorpus,
  type SearchService,
  startSearchService,
} from './retrieval/search-service.ts'

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
const LIST = 'of what is returned'
const STRONG = 'of the strong matches'
const SEARCH = 'by GET /v1/learnings?search'
const MAX_EMPTY = 0.25
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
 * Review context ranks the relevant Learnings high, higher than words or vectors alone, returns something where something
 * fits, and nothing strong where nothing applies. Weights and thresholds are chosen on the calibration cases; the goals are
 * about the others. A quick run measures only these, and neither compares with the parts nor chooses again.
 */
export const evaluation: Evaluation = {
  data: new URL('../server/calibration', import.meta.url),
  measures: [
    found,
    ...[WORDS, VECTORS, LIST].map((by) => ({ ...found, by })),
    {
      name: 'something fits: an empty list',
      by: LIST,
      count: getRecall('found', 'empty'),
      goals: { 'held-out': { max: MAX_EMPTY } },
    },
    { name: 'precision', by: STRONG, count: getPrecision('relevant') },
    {
      name: 'nothing applies: no strong match',
      count: (judged) => {
        const all = judged.filter(({ label }) => label === 'nothing')
        if (all.length === 0) return null
        return { hits: all.filter(({ answer }) => answer !== 'strong').length, all: all.length }
      },
      goals: { all: { min: 0.95 } },
    },
    { name: 'nothing applies: an empty list', count: getRecall('nothing') },
    answered,
    { ...answered, by: SEARCH },
  ],
  cures: [{ title: 'no similarity and no floor', edit: withoutFloor }],
  prepare: (cases, { data }) => ({
    cases: data === undefined ? [...cases, ...readCases(new URL('data/retrieval', import.meta.url))] : cases,
    remove: () => undefined,
  }),
  async judge({ cases, isBrought, options: { quick, embedder: url }, copy }) {
    const learnings = cases.filter((one) => 'learning' in one).map(parseLearning)
    const situations = cases.filter((one) => !('learning' in one)).map(parseSituation)
    const settings = url === undefined ? {} : readEmbedderSettings(url)
    const embedder = openEmbedder(settings)
    const isShipped = ({ corpus }: OfCorpus) => corpus === undefined
    const comparison =
      quick || isBrought
        ? null
        : await prepareComparison(learnings.filter(isShipped), situations.filter(isShipped), embedder)
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
        )
      const nothing = situations.filter(({ relevant }) => relevant.length === 0)
      const judged = [
        ...rankings.flatMap((ranking) =>
          tried
            .filter(({ id }) => ranking.rankings.has(id))
            .map((situation) => judgeRanking(situation, ranking)),
        ),
        ...judgeLists(tried, await service.find(tried)),
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

function parseLearning(given: Case): LabelledLearning & OfCorpus {
  const { id, learning, file, corpus } = requireFields<Case & LabelledLearning & OfCorpus>(given, 'learning')
  return {
    id,
    learning,
    ...(file === undefined ? {} : { file }),
    ...(corpus === undefined ? {} : { corpus }),
  }
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

/** Each situation, and each strong match of it. */
function judgeLists(
  situations: readonly Situation[],
  returned: ReadonlyMap<string, readonly FoundMatch[]>,
): Judged[] {
  return situations.flatMap((situation): Judged[] => {
    const list = returned.get(situation.id) ?? []
    const first = new Set(list.slice(0, 5).map(({ id }) => id))
    const hasNeeded = situation.relevant.some((id) => first.has(id))
    const answer = list.length === 0 ? 'empty' : hasNeeded ? 'found' : 'nothing needed'
    const strong = list.filter(({ match }) => match === 'strong')
    return [
      { ...situation, label: 'found', answer, by: LIST },
      ...strong.map(({ id }) => {
        const label = situation.relevant.includes(id) ? 'relevant' : 'other'
        return { ...situation, id: `${situation.id} ${id}`, label, answer: 'relevant', by: STRONG }
      }),
    ]
  })
}

async function judgeFloor(situations: readonly Situation[], service: SearchService): Promise<Judged[]> {
  const returned = await service.find(situations)
  const nonsense = situations.filter((situation) => situation.nonsense === true)
  const counts = await service.countSearchResults(nonsense)
  return [
    ...situations.map((situation): Judged => {
      const label = situation.nonsense === true ? 'nothing, nonsense' : 'nothing'
      const matches = (returned.get(situation.id) ?? []).map(({ match }) => match)
      if (matches.length === 0) return { ...situation, label, answer: label }
      const isStrong = situation.nonsense !== true && matches.includes('strong')
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
  return [...Map.groupBy(tried, ({ split, source }) => `${split}\n${source}`)].flatMap(([, ofSource]) => {
    const [{ split, source } = { split: '', source: '' }] = ofSource
    const bySet = [...Map.groupBy(ofSource, ({ set }) => set)]
    const sets = bySet.length === 1 ? bySet : [[ALL, ofSource] as const, ...bySet]
    return sets.flatMap(([set, ofSet]) =>
      rankings.flatMap(({ by, rankings: ranking }): Row[] => {
        const ranked = ofSet.filter(({ id }) => ranking.has(id))
        if (ranked.length === 0) return []
        const { recallAt5, reciprocalRank } = measureRankings(ranked, ranking)
        const name = (measure: string) => (by === undefined ? measure : `${measure}, ${by}`)
        return [
          { set, split, source, measure: name('MRR'), result: reciprocalRank.toFixed(3) },
          { set, split, source, measure: name('recall@5'), result: recallAt5.toFixed(3) },
        ]
      }),
    )
  })
}

// Of held-out situations. For paraphrases, the goal was 0.18: see docs/proofs.md.
const minimums = new Map([
  ['MRR, all', 0.42],
  ['MRR, paraphrases', 0.16],
  ['MRR, diffs', 0.48],
  ['MRR, identifiers', 0.99],
  ['MRR, changes', 0.52],
  ['recall@5, all', 0.47],
])

/** The whole must also be better than each of its parts. */
function addGoal(row: Row, tried: readonly Situation[], rankings: readonly NamedRankings[]): Row {
  const min = minimums.get(`${row.measure}, ${row.set}`)
  if (row.split !== 'held-out' || min === undefined) return row
  const result = Number(row.result)
  const heldOut = tried.filter(({ split, source }) => split === 'held-out' && source === row.source)
  const parts = rankings
    .filter(({ by }) => row.set === ALL && (by === WORDS || by === VECTORS))
    .map(({ rankings: ranking }) => {
      const { recallAt5, reciprocalRank } = measureRankings(heldOut, ranking)
      return row.measure === 'MRR' ? reciprocalRank : recallAt5
    })
  const above = parts.map((part) => ` and > ${part.toFixed(3)}`).join('')
  return { ...row, goal: `≥ ${min}${above}`, met: result >= min && parts.every((part) => result > part) }
}
