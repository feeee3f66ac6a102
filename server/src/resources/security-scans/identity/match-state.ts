import { decodeSketch } from './sketch.ts'
import type { FindingTraits } from './traits.ts'

/** One side of a comparison: a finding with its place in the list that was given. */
export interface MatchSide {
  readonly index: number
  readonly traits: FindingTraits
  readonly line: number
  readonly sketch: Uint16Array
  readonly around: Uint16Array
}

/** What was paired so far; each side at most once. */
export interface FindingMatchState {
  readonly olds: readonly MatchSide[]
  readonly news: readonly MatchSide[]
  readonly paired: Map<MatchSide, MatchSide>
  readonly taken: Set<MatchSide>
}

export function createMatchState(
  known: readonly FindingTraits[],
  found: readonly FindingTraits[],
): FindingMatchState {
  return { olds: toSortedSides(known), news: toSortedSides(found), paired: new Map(), taken: new Set() }
}

export function addPair({ paired, taken }: FindingMatchState, old: MatchSide, found: MatchSide): void {
  paired.set(old, found)
  taken.add(found)
}

export function getUnpairedOlds({ olds, paired }: FindingMatchState): MatchSide[] {
  return olds.filter((old) => !paired.has(old))
}

export function getUnpairedNews({ news, taken }: FindingMatchState): MatchSide[] {
  return news.filter((found) => !taken.has(found))
}

interface LineShift {
  readonly line: number
  readonly by: number
}

/** Where the lines of the files have gone: as far as the nearest line whose way is known. */
export function createLinePredictor({ olds, paired }: FindingMatchState): (old: MatchSide) => number {
  // In the order of their lines, as the sides are.
  const known = olds.flatMap((old) => {
    const found = paired.get(old)
    return found === undefined ? [] : [{ path: old.traits.path, line: old.line, by: found.line - old.line }]
  })
  const shifts: ReadonlyMap<string, readonly LineShift[]> = Map.groupBy(known, ({ path }) => path)
  return ({ traits, line }) => {
    const [nearest] = findNearest(shifts.get(traits.path) ?? [], line, 1)
    return line + (nearest?.by ?? 0)
  }
}

/** Some of the nearest of a list that is in the order of its lines. */
export function findNearest<One extends { readonly line: number }>(
  all: readonly One[],
  line: number,
  limit: number,
): One[] {
  let after = findLowerBound(all, line)
  let before = after - 1
  const found: One[] = []
  while (found.length < limit) {
    const [left, right] = [all[before], all[after]]
    if (left === undefined && right === undefined) break
    const goesLeft = right === undefined || (left !== undefined && line - left.line <= right.line - line)
    found.push((goesLeft ? all[before--] : all[after++]) as One)
  }
  return found
}

function findLowerBound(all: readonly { readonly line: number }[], line: number): number {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((all[middle]?.line ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low
}

/** In an order of their own, so that the result does not depend on the one in which they came. */
function toSortedSides(all: readonly FindingTraits[]): MatchSide[] {
  return all
    .map((traits, index) => ({
      index,
      traits,
      line: traits.start ?? 0,
      sketch: decodeSketch(traits.sketch),
      around: decodeSketch(traits.around),
    }))
    .toSorted((a, b) => compareText(a.traits.path, b.traits.path) || a.line - b.line || a.index - b.index)
}

function compareText(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
