// For each word that guidance on code may use: the words nearest in meaning, so that nobody computes them while a
// review waits.
import type { Vector } from './vectors.ts'

interface Group {
  readonly same: readonly string[]
  readonly related: readonly string[]
}

interface Kin {
  readonly kinStarts: Uint32Array
  readonly kin: Uint32Array
  readonly kinLikeness: Uint8Array
}

type Likenesses = Map<number, number>

/** Kin are found among the most frequent terms and all that are named by hand. */
const MOST_FREQUENT = 11_000
const MOST_KIN = 96
const LEAST_LIKENESS = 0.3
const SAME_LIKENESS = 0.8
const RELATED_LIKENESS = 0.55

export function findKin(
  vectors: readonly Vector[],
  groups: readonly Group[],
  places: ReadonlyMap<string, number>,
  named: Iterable<string>,
): Kin {
  const floors = floorsOf(groups, places)
  const byHand = [...named].map((term) => places.get(term)).filter((place) => place !== undefined)
  const chosen = new Set([...vectors.slice(0, MOST_FREQUENT).keys(), ...floors.keys(), ...byHand])
  const order = Uint32Array.from(chosen).sort()
  const lists = new Map(Array.from(order, (place) => [place, new Map(floors.get(place))]))
  const { flat, dimensions } = flatten(vectors, order)
  for (let a = 0; a < order.length; a++) {
    for (let b = a + 1; b < order.length; b++) {
      const likeness = likenessOf(flat, a * dimensions, b * dimensions, dimensions)
      if (likeness < LEAST_LIKENESS) continue
      raise(lists.get(order[a] as number), order[b] as number, likeness)
      raise(lists.get(order[b] as number), order[a] as number, likeness)
    }
  }
  return pack(lists, vectors.length)
}

function flatten(vectors: readonly Vector[], order: Uint32Array): { flat: Float32Array; dimensions: number } {
  const dimensions = vectors[0]?.length ?? 0
  const flat = new Float32Array(order.length * dimensions)
  for (const [at, place] of order.entries()) flat.set(vectors[place] as Vector, at * dimensions)
  return { flat, dimensions }
}

/** Four sums at a time: the processor need not wait for one to be added before the next. */
function likenessOf(flat: Float32Array, a: number, b: number, dimensions: number): number {
  let [one, two, three, four] = [0, 0, 0, 0]
  for (let i = 0; i < dimensions; i += 4) {
    one += (flat[a + i] as number) * (flat[b + i] as number)
    two += (flat[a + i + 1] as number) * (flat[b + i + 1] as number)
    three += (flat[a + i + 2] as number) * (flat[b + i + 2] as number)
    four += (flat[a + i + 3] as number) * (flat[b + i + 3] as number)
  }
  return one + two + three + four
}

function floorsOf(groups: readonly Group[], places: ReadonlyMap<string, number>): Map<number, Likenesses> {
  const floors = new Map<number, Likenesses>()
  const floor = (from: string, to: string, likeness: number) => {
    const [a, b] = [places.get(from), places.get(to)]
    if (a === undefined || b === undefined || a === b) return
    for (const place of [a, b]) if (!floors.has(place)) floors.set(place, new Map())
    raise(floors.get(a), b, likeness)
    raise(floors.get(b), a, likeness)
  }
  for (const { same, related } of groups) {
    for (const term of same) {
      for (const other of same) floor(term, other, SAME_LIKENESS)
      for (const other of related) floor(term, other, RELATED_LIKENESS)
    }
  }
  return floors
}

function raise(list: Likenesses | undefined, place: number, likeness: number): void {
  list?.set(place, Math.max(list.get(place) ?? 0, likeness))
}

function pack(lists: ReadonlyMap<number, Likenesses>, size: number): Kin {
  const starts = new Uint32Array(size + 1)
  const kin: number[] = []
  const likeness: number[] = []
  for (let place = 0; place < size; place++) {
    starts[place] = kin.length
    const nearest = [...(lists.get(place) ?? [])].sort(([, a], [, b]) => b - a).slice(0, MOST_KIN)
    for (const [other, value] of nearest) {
      kin.push(other)
      likeness.push(Math.round(Math.min(1, value) * 255))
    }
  }
  starts[size] = kin.length
  return { kinStarts: starts, kin: Uint32Array.from(kin), kinLikeness: Uint8Array.from(likeness) }
}
