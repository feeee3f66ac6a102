import { addPair, type FindingMatchState, type MatchSide } from './match-state.ts'
import { computeSimilarity } from './sketch.ts'

const UNKNOWN_SIMILARITY = 0.5
const MAX_LINE_DISTANCE = 1000

/** Pairs the best matches first, by surroundings and then by predicted line. */
export function pairBest(
  state: FindingMatchState,
  olds: readonly MatchSide[],
  news: readonly MatchSide[],
  predictLine: (old: MatchSide) => number,
): void {
  const candidates = olds.flatMap((old) =>
    news.map((found) => ({ old, found, cost: computeCost(old, found, predictLine(old)) })),
  )
  for (const { old, found } of candidates.toSorted((a, b) => a.cost - b.cost)) {
    if (!state.paired.has(old) && !state.taken.has(found)) addPair(state, old, found)
  }
}

export function pairInOrder(
  state: FindingMatchState,
  olds: readonly MatchSide[],
  news: readonly MatchSide[],
): void {
  for (const [index, found] of news.entries()) {
    const old = olds[index]
    if (old !== undefined) addPair(state, old, found)
  }
}

function computeCost(old: MatchSide, found: MatchSide, line: number): number {
  const otherFile = old.traits.path === found.traits.path ? 0 : 1
  const difference = 1 - (computeSimilarity(old.around, found.around) ?? UNKNOWN_SIMILARITY)
  return otherFile + difference + Math.min(Math.abs(found.line - line), MAX_LINE_DISTANCE) / MAX_LINE_DISTANCE
}
