import type { Situation } from './shapes.ts'

/** How well the needed Learnings were placed, over so many situations. */
export interface Quality {
  readonly situations: number
  /** Of those that are needed, the share that is among the first five. */
  readonly recallAt5: number
  /** Mean of 1 ÷ the place of the first one that is needed; one that is not found counts 0. */
  readonly reciprocalRank: number
}

/** Slugs of Learnings in the order in which they were found, for each situation. */
export type Orders = ReadonlyMap<string, readonly string[]>

export function measure(situations: readonly Situation[], orders: Orders): Quality {
  let [recalled, reciprocal] = [0, 0]
  for (const { id, relevant } of situations) {
    const order = orders.get(id) ?? []
    const first = order.findIndex((slug) => relevant.includes(slug))
    reciprocal += first === -1 ? 0 : 1 / (first + 1)
    recalled += order.slice(0, 5).filter((slug) => relevant.includes(slug)).length / relevant.length
  }
  const count = situations.length
  return { situations: count, recallAt5: recalled / count, reciprocalRank: reciprocal / count }
}
