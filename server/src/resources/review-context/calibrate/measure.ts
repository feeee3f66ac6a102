import type { Situation } from './labelled-data.ts'

/** How high the relevant Learnings are ranked, averaged over the situations. */
export interface Quality {
  readonly situations: number
  /** The share of the relevant Learnings that is among the first five. */
  readonly recallAt5: number
  /** Mean of 1 ÷ the rank of the first relevant Learning; 0 if none was found. */
  readonly reciprocalRank: number
}

/** Ids of Learnings by situation, best first. */
export type Rankings = ReadonlyMap<string, readonly string[]>

export function measureRankings(situations: readonly Situation[], rankings: Rankings): Quality {
  let [recalled, reciprocal] = [0, 0]
  for (const { id, relevant } of situations) {
    const ranking = rankings.get(id) ?? []
    const first = ranking.findIndex((learning) => relevant.includes(learning))
    reciprocal += first === -1 ? 0 : 1 / (first + 1)
    recalled += ranking.slice(0, 5).filter((learning) => relevant.includes(learning)).length / relevant.length
  }
  // Without situations the figures are 0.
  const count = Math.max(1, situations.length)
  return {
    situations: situations.length,
    recallAt5: recalled / count,
    reciprocalRank: reciprocal / count,
  }
}
