import type { Calibration } from '../../../text/rank/calibration.ts'
import { createRanker, type Match, type RankedCandidate } from '../../../text/rank/rank.ts'
import { measureRankings, type Quality } from './measure.ts'
import type { PreparedSituation } from './prepare.ts'

const TERM_WEIGHTS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8]
/** In hundredths. No score reaches it. */
const MAX_THRESHOLD = 200
/** In hundredths. Higher thresholds would return almost nothing. */
const MAX_USEFUL_THRESHOLD = 70

// The contract's users expect 0.95 on situations that nobody has seen.
const MIN_SHARE_WITHOUT_STRONG = 0.97

/**
 * Prices, in useless rules: a rule that is shown and does not apply costs a reader some seconds, and a model some fifty tokens. A rule
 * that is not shown costs a comment, an answer and another commit. A wrong rule that is called strong is followed or argued with.
 */
const USELESS = 1
const MISSING = 10
const WRONG_STRONG = 1
const RIGHT_STRONG = 1
/** A review returns ten Learnings unless it asks for more. */
const RETURNED = 10

const ranker = createRanker()

/** Nonsense that nobody has labelled may be more similar by chance. */
const NONSENSE_MARGIN = 0.02

/**
 * Chooses, in this order: the weight of terms with the highest MRR (the lowest of several); the lowest floor of queries
 * without a shared word with which nonsense finds nothing, plus a margin; the strong threshold and the floor with the best
 * expected use, of those with which few situations in which nothing applies have a strong match and nonsense finds nothing.
 * Deterministic: the same situations give the same calibration.
 */
export function chooseCalibration(situations: readonly PreparedSituation[]): Calibration {
  const { nothingApplies, nonsense } = groupSituations(situations)
  const weighted = chooseWeights(situations.filter(({ isPart }) => !isPart))
  const unsharedFloor = round(
    NONSENSE_MARGIN +
      findLowestThreshold((threshold) =>
        findMatches(nonsense, { ...weighted, floor: threshold, unsharedFloor: threshold }).every(isEmpty),
      ),
  )
  const lowestStrong = findLowestThreshold(
    (threshold) =>
      getShare(
        findMatches(nothingApplies, {
          ...weighted,
          floor: threshold,
          unsharedFloor: threshold,
          strong: threshold,
        }),
        (matches) => !matches.includes('strong'),
      ) >= MIN_SHARE_WITHOUT_STRONG,
  )
  // A query without a shared word needs the higher floor for a strong match too.
  const strong = chooseBest(Math.max(lowestStrong, unsharedFloor), (threshold) =>
    getUseOfStrong(situations, { ...weighted, floor: lowestStrong, unsharedFloor, strong: threshold }),
  )
  const lowestFloor = findLowestThreshold((threshold) =>
    findMatches(nonsense, { ...weighted, floor: threshold, unsharedFloor, strong }).every(isEmpty),
  )
  const floor = chooseBest(lowestFloor, (threshold) =>
    getUseOfLists(situations, { ...weighted, floor: threshold, unsharedFloor, strong }),
  )
  return { ...weighted, floor, unsharedFloor: Math.max(floor, unsharedFloor), strong }
}

/** The lowest of the best thresholds that are not below `lowest`, in steps of 0.02. */
function chooseBest(lowest: number, getUse: (threshold: number) => number): number {
  let [best, most] = [lowest, Number.NEGATIVE_INFINITY]
  for (let hundredths = Math.round(100 * lowest); hundredths <= MAX_USEFUL_THRESHOLD; hundredths += 2) {
    const use = getUse(hundredths / 100)
    if (use > most) [best, most] = [hundredths / 100, use]
  }
  return best
}

function getUseOfStrong(situations: readonly PreparedSituation[], calibration: Calibration): number {
  return sumUse(situations, calibration, ({ id, match }, relevant) => {
    if (match !== 'strong') return 0
    return relevant.includes(id) ? RIGHT_STRONG : -WRONG_STRONG
  })
}

/** What is found saves what a missing rule costs. */
function getUseOfLists(situations: readonly PreparedSituation[], calibration: Calibration): number {
  return sumUse(situations, calibration, ({ id, match }, relevant) => {
    if (match === 'none') return 0
    return relevant.includes(id) ? MISSING : -USELESS
  })
}

function sumUse(
  situations: readonly PreparedSituation[],
  calibration: Calibration,
  getUse: (ranked: RankedCandidate, relevant: readonly string[]) => number,
): number {
  let sum = 0
  for (const { situation, query, candidates } of situations)
    for (const ranked of ranker.rank(query, candidates, calibration).slice(0, RETURNED))
      sum += getUse(ranked, situation.relevant)
  return sum
}

/** Without thresholds: nothing is below the floor, and nothing is strong. */
function chooseWeights(situations: readonly PreparedSituation[]): Calibration {
  const hasModel = situations.some(({ candidates }) =>
    candidates.some(({ similarity }) => similarity !== null),
  )
  const toCalibration = (terms: number): Calibration => ({
    similarity: hasModel ? 1 : 0,
    terms,
    floor: 0,
    unsharedFloor: 0,
    strong: MAX_THRESHOLD / 100,
  })
  const weights = hasModel ? TERM_WEIGHTS : [1]
  const [best = toCalibration(1)] = weights
    .map(toCalibration)
    .map((calibration) => ({ calibration, mrr: rankRelevant(situations, calibration).reciprocalRank }))
    .sort((a, b) => b.mrr - a.mrr)
    .map(({ calibration }) => calibration)
  return best
}

/** What a calibration is worth. */
export interface CalibrationQuality {
  /** Situations with relevant Learnings, ranked without the floor. */
  readonly ranked: Quality
  /** The same, with the floor. */
  readonly withFloor: Quality
  /** Situations in which nothing applies: all, those without a strong match, and those with no match. */
  readonly nothingApplies: number
  readonly withoutStrong: number
  readonly empty: number
  readonly nonsense: number
  /** Nonsense queries that find something. */
  readonly answeredNonsense: number
}

export function measureCalibration(
  situations: readonly PreparedSituation[],
  calibration: Calibration,
): CalibrationQuality {
  const { relevant, nothingApplies, nonsense } = groupSituations(situations)
  const fits = ({ match }: RankedCandidate) => match !== 'none'
  const found = findMatches(nothingApplies, calibration)
  return {
    ranked: rankRelevant(relevant, calibration),
    withFloor: rankRelevant(relevant, calibration, fits),
    nothingApplies: nothingApplies.length,
    withoutStrong: found.filter((matches) => !matches.includes('strong')).length,
    empty: found.filter(isEmpty).length,
    nonsense: nonsense.length,
    answeredNonsense: findMatches(nonsense, calibration).filter((matches) => !isEmpty(matches)).length,
  }
}

function groupSituations(situations: readonly PreparedSituation[]) {
  return {
    relevant: situations.filter(({ situation }) => situation.relevant.length > 0),
    nothingApplies: situations.filter(
      ({ situation }) => situation.relevant.length === 0 && situation.nonsense !== true,
    ),
    nonsense: situations.filter(({ situation }) => situation.nonsense === true),
  }
}

function rankRelevant(
  situations: readonly PreparedSituation[],
  calibration: Calibration,
  fits: (ranked: RankedCandidate) => boolean = () => true,
): Quality {
  const { relevant } = groupSituations(situations)
  const rankings = relevant.map(({ situation, query, candidates }): [string, string[]] => [
    situation.id,
    ranker
      .rank(query, candidates, calibration)
      .filter(fits)
      .map(({ id }) => id),
  ])
  return measureRankings(
    relevant.map(({ situation }) => situation),
    new Map(rankings),
  )
}

type Matches = readonly Match[]

/** The matches of each situation, without those that do not fit. */
function findMatches(situations: readonly PreparedSituation[], calibration: Calibration): Matches[] {
  return situations.map(({ query, candidates }) =>
    ranker
      .rank(query, candidates, calibration)
      .map(({ match }) => match)
      .filter((match) => match !== 'none'),
  )
}

function isEmpty(matches: Matches): boolean {
  return matches.length === 0
}

function getShare(all: readonly Matches[], fits: (matches: Matches) => boolean): number {
  return all.length === 0 ? 1 : all.filter(fits).length / all.length
}

/** In steps of 0.01. A higher threshold never returns more, so halving finds it. */
function findLowestThreshold(suffices: (threshold: number) => boolean): number {
  let [low, high] = [0, MAX_THRESHOLD]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (suffices(middle / 100)) high = middle
    else low = middle + 1
  }
  return high / 100
}

function round(threshold: number): number {
  return Math.round(threshold * 100) / 100
}
