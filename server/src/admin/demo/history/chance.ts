import { createHash } from 'node:crypto'

/** Chance that falls the same way on every machine: what is drawn follows from the name it was made with. */
export interface Chance {
  yes(probability: number): boolean
  between(least: number, most: number): number
  /** Both ends included. */
  integer(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  weighted<Choice extends string>(weights: Readonly<Record<Choice, number>>): Choice
  /** How often something happened that happens so often on average. */
  count(mean: number): number
  /** Around the median, never below 0, now and then far above. */
  around(median: number, spread: number): number
  /** Around 0, two thirds of the time within 1. */
  deviation(): number
}

export function chanceOf(name: string): Chance {
  const next = fractionsOf(name)
  const deviation = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    deviation,
    yes: (probability) => next() < probability,
    between: (least, most) => least + next() * (most - least),
    integer: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(items) {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new Error('There is nothing to choose from.')
      return item
    },
    weighted: (weights) => pickWeighted(weights, next()),
    count(mean) {
      const end = Math.exp(-mean)
      let count = 0
      for (let product = next(); product > end; product *= next()) count += 1
      return count
    },
    around: (median, spread) => median * Math.exp(spread * deviation()),
  }
}

function pickWeighted<Choice extends string>(weights: Readonly<Record<Choice, number>>, at: number): Choice {
  let sum = 0
  for (const choice in weights) sum += weights[choice]
  let left = at * sum
  for (const choice in weights) {
    left -= weights[choice]
    if (left < 0) return choice
  }
  throw new Error('There is nothing to choose from.')
}

/** The generator sfc32: small, fast, and good enough to look like life. */
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
