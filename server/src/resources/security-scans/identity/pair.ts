import { type Matching, pair, type Side } from './matching.ts'
import { likeness } from './sketch.ts'

const UNKNOWN = 0.5
const MAX_LINE_DISTANCE = 1000

/** The pairs that fit best come first: by what is around them, then by where their lines should be by now. */
export function pairBest(
  matching: Matching,
  olds: readonly Side[],
  news: readonly Side[],
  guess: (old: Side) => number,
): void {
  const candidates = olds.flatMap((old) =>
    news.map((found) => ({ old, found, cost: computeCost(old, found, guess(old)) })),
  )
  for (const { old, found } of candidates.toSorted((a, b) => a.cost - b.cost)) {
    if (!matching.paired.has(old) && !matching.taken.has(found)) pair(matching, old, found)
  }
}

export function pairInOrder(matching: Matching, olds: readonly Side[], news: readonly Side[]): void {
  for (const [index, found] of news.entries()) {
    const old = olds[index]
    if (old !== undefined) pair(matching, old, found)
  }
}

function computeCost(old: Side, found: Side, line: number): number {
  const elsewhere = old.traits.path === found.traits.path ? 0 : 1
  const unlike = 1 - (likeness(old.around, found.around) ?? UNKNOWN)
  return elsewhere + unlike + Math.min(Math.abs(found.line - line), MAX_LINE_DISTANCE) / MAX_LINE_DISTANCE
}
