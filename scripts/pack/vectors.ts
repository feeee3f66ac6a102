// The arithmetic of the packer: what all words have in common is taken out, kindred words are drawn together.

export type Vector = Float64Array

export function dot(a: Vector, b: Vector): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

export function addScaled(to: Vector, vector: Vector, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + factor * (vector[i] as number)
}

export function makeUnit(vector: Vector): void {
  const length = Math.sqrt(dot(vector, vector))
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length
}

/** Word vectors share a mean and a few strong directions that tell frequency rather than meaning. */
export function removeCommon(vectors: readonly Vector[], sample: number, directions: number): void {
  const dimensions = vectors[0]?.length ?? 0
  const seen = vectors.slice(0, sample)
  const mean = new Float64Array(dimensions)
  for (const vector of seen) addScaled(mean, vector, 1 / seen.length)
  for (const vector of vectors) addScaled(vector, mean, -1)
  for (let found = 0; found < directions; found++) {
    const direction = strongestDirection(seen, dimensions)
    for (const vector of vectors) addScaled(vector, direction, -dot(vector, direction))
  }
  for (const vector of vectors) makeUnit(vector)
}

/** By power iteration; the start is fixed so that every build gives the same bytes. */
function strongestDirection(vectors: readonly Vector[], dimensions: number): Vector {
  let direction = Float64Array.from({ length: dimensions }, (_, i) => Math.sin(i + 1))
  makeUnit(direction)
  for (let round = 0; round < 30; round++) {
    const next = new Float64Array(dimensions)
    for (const vector of vectors) addScaled(next, vector, dot(vector, direction))
    makeUnit(next)
    direction = next
  }
  return direction
}

export interface Tie {
  readonly to: number
  readonly strength: number
}

/** Draws each vector towards those it is tied to, and holds it where it was; ties of a vector share one strength. */
export function drawTogether(
  vectors: Vector[],
  ties: ReadonlyMap<number, readonly Tie[]>,
  pull: number,
  rounds: number,
): void {
  const original = new Map([...ties.keys()].map((place) => [place, vectors[place] as Vector]))
  for (let round = 0; round < rounds; round++) {
    for (const [place, tied] of ties) {
      const start = original.get(place) as Vector
      const next = Float64Array.from(start)
      const total = tied.reduce((sum, { strength }) => sum + strength, 0)
      for (const { to, strength } of tied) addScaled(next, vectors[to] as Vector, (pull * strength) / total)
      makeUnit(next)
      vectors[place] = next
    }
  }
}

export function quantize(
  vectors: readonly Vector[],
  dimensions: number,
): { values: Int8Array; scales: Float32Array } {
  const values = new Int8Array(vectors.length * dimensions)
  const scales = new Float32Array(vectors.length)
  for (const [place, vector] of vectors.entries()) {
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9)
    scales[place] = largest / 127
    for (let i = 0; i < dimensions; i++) {
      values[place * dimensions + i] = Math.round(((vector[i] as number) / largest) * 127)
    }
  }
  return { values, scales }
}
