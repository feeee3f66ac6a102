import { addPair, type FindingMatchState, type MatchSide } from './match-state.ts'
import { computeSimilarity } from './sketch.ts'

const UNKNOWN_SIMILARITY = 0.5
const MAX_LINE_DISTANCE = 1000

/** The pairs that fit best come first: by what is around them, then by where their lines should be by now. */
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
  const elsewhere = old.traits.path === found.traits.path ? 0 : 1
  const unlike = 1 - (computeSimilarity(old.around, found.around) ?? UNKNOWN_SIMILARITY)
  return elsewhere + unlike + Math.min(Math.abs(found.line - line), MAX_LINE_DISTANCE) / MAX_LINE_DISTANCE
}
