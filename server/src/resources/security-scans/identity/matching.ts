import { openSketch } from './sketch.ts'
import type { Traits } from './traits.ts'

/** One side of a comparison: a finding with its place in the list that was given. */
export interface Side {
  readonly index: number
  readonly traits: Traits
  readonly line: number
  readonly sketch: Uint16Array
  readonly around: Uint16Array
}

/** What was paired so far; each side at most once. */
export interface Matching {
  readonly olds: readonly Side[]
  readonly news: readonly Side[]
  readonly paired: Map<Side, Side>
  readonly taken: Set<Side>
}

export function startMatching(known: readonly Traits[], found: readonly Traits[]): Matching {
  return { olds: inOrder(known), news: inOrder(found), paired: new Map(), taken: new Set() }
}

export function pair({ paired, taken }: Matching, old: Side, found: Side): void {
  paired.set(old, found)
  taken.add(found)
}

export function freeOlds({ olds, paired }: Matching): Side[] {
  return olds.filter((old) => !paired.has(old))
}

export function freeNews({ news, taken }: Matching): Side[] {
  return news.filter((found) => !taken.has(found))
}

interface Anchor {
  readonly line: number
  readonly by: number
}

/** Where the lines of the files have gone: as far as the nearest line whose way is known. */
export function lineGuess({ olds, paired }: Matching): (old: Side) => number {
  // In the order of their lines, as the sides are.
  const known = olds.flatMap((old) => {
    const found = paired.get(old)
    return found === undefined ? [] : [{ path: old.traits.path, line: old.line, by: found.line - old.line }]
  })
  const anchors: ReadonlyMap<string, readonly Anchor[]> = Map.groupBy(known, ({ path }) => path)
  return ({ traits, line }) => {
    const [nearest] = nearestTo(anchors.get(traits.path) ?? [], line, 1)
    return line + (nearest?.by ?? 0)
  }
}

/** Some of the nearest of a list that is in the order of its lines. */
export function nearestTo<One extends { readonly line: number }>(
  all: readonly One[],
  line: number,
  limit: number,
): One[] {
  let after = firstFrom(all, line)
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

function firstFrom(all: readonly { readonly line: number }[], line: number): number {
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
function inOrder(all: readonly Traits[]): Side[] {
  return all
    .map((traits, index) => ({
      index,
      traits,
      line: traits.start ?? 0,
      sketch: openSketch(traits.sketch),
      around: openSketch(traits.around),
    }))
    .toSorted((a, b) => compare(a.traits.path, b.traits.path) || a.line - b.line || a.index - b.index)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
