import { createHash } from 'node:crypto'

/** A random generator seeded with a name: the same name gives the same values on every machine. */
export interface Random {
  chance(probability: number): boolean
  between(min: number, max: number): number
  /** Both ends included. */
  integer(min: number, max: number): number
  pick<Item>(items: readonly Item[]): Item
  weighted<Choice extends string>(weights: Readonly<Record<Choice, number>>): Choice
  /** A Poisson-distributed count with this mean. */
  count(mean: number): number
  /** Log-normally distributed with this median. */
  around(median: number, spread: number): number
  /** Normally distributed with mean 0 and deviation 1. */
  normal(): number
}

export function randomOf(name: string): Random {
  const next = fractionsOf(name)
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    normal,
    chance: (probability) => next() < probability,
    between: (min, max) => min + next() * (max - min),
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick(items) {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new Error('pick() needs at least one item')
      return item
    },
    weighted: (weights) => pickWeighted(weights, next()),
    count(mean) {
      const end = Math.exp(-mean)
      let count = 0
      for (let product = next(); product > end; product *= next()) count += 1
      return count
    },
    around: (median, spread) => median * Math.exp(spread * normal()),
  }
}

function pickWeighted<Choice extends string>(
  weights: Readonly<Record<Choice, number>>,
  fraction: number,
): Choice {
  let sum = 0
  for (const choice in weights) sum += weights[choice]
  let left = fraction * sum
  for (const choice in weights) {
    left -= weights[choice]
    if (left < 0) return choice
  }
  throw new Error('weighted() needs a positive weight')
}

/** The sfc32 generator, seeded with a hash of the name. */
function fractionsOf(name: string): () => number {
  const seed = createHash('sha256').update(name).digest()
  let [a, b, c, counter] = [seed.readInt32LE(0), seed.readInt32LE(4), seed.readInt32LE(8), 1]
  return () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 2 ** 32
  }
}
