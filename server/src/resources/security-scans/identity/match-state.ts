import { decodeSketch } from '../../../text/sketch.ts'
import type { FindingTraits } from './traits.ts'

/** One side of a comparison: a finding with its index in the given list. */
export interface MatchSide {
  readonly index: number
  readonly traits: FindingTraits
  readonly line: number
  readonly sketch: Uint16Array
  readonly around: Uint16Array
}

/** The pairs found so far; each side is used at most once. */
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

/** Predicts the new line of a finding from the shift of the nearest paired line in its file. */
export function createLinePredictor({ olds, paired }: FindingMatchState): (old: MatchSide) => number {
  // Sorted by line, because the sides are.
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

/** Returns the nearest entries of a list that is sorted by line. */
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

/** Sorted, so that the result does not depend on the order of the input. */
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
