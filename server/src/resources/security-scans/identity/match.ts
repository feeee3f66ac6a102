import { freeNews, freeOlds, lineGuess, type Matching, pair, type Side, startMatching } from './matching.ts'
import { pairBest, pairInOrder } from './pair.ts'
import { pairMoved, pairSimilar } from './similar.ts'
import type { Traits } from './traits.ts'

// Whether two scans found the same: decided in stages, the surest first, inside of one rule of one tool of a repository.
// What a stage has paired is out of the reach of the next.

type Stage = (matching: Matching) => void
type Key = (traits: Traits) => string | null

/** Pairs of places, first in what is known and then in what was found; each place at most once. */
export function matchFindings(
  known: readonly Traits[],
  found: readonly Traits[],
): readonly (readonly [known: number, found: number])[] {
  const matching = startMatching(known, found)
  for (const stage of stages) stage(matching)
  return [...matching.paired].map(([old, now]) => [old.index, now.index] as const)
}

const everyStage: readonly Stage[] = [
  pairEqual(({ fingerprint, path }) => joined(fingerprint, path)),
  pairEqual(({ fingerprint }) => fingerprint),
  pairEqual(({ firstFingerprint }) => firstFingerprint),
  pairEqual(({ context, path }) => joined(context, path)),
  pairEqual(({ snippet, path }) => joined(snippet, path)),
  pairEqual(({ context }) => context),
  pairMoved,
  pairSimilar,
]

/** What tools do that know of nothing else. */
export const byLine: readonly Stage[] = [pairEqual(({ path, start }) => joined(String(start), path))]

const stages = everyStage

// Beyond so many comparisons equal ones are paired in order: nobody can tell them apart anyway.
const MAX_COMPARISONS = 4096

/** First those of which there is only one: they tell where the lines of their files have gone. */
function pairEqual(selectKey: Key): Stage {
  return (matching) => {
    const olds = byKey(freeOlds(matching), selectKey)
    const groups = [...byKey(freeNews(matching), selectKey)].map(
      ([key, news]) => [olds.get(key) ?? [], news] as const,
    )
    const unsure = groups.filter(([same, news]) => {
      const [old, found] = [same[0], news[0]]
      if (old === undefined || found === undefined) return false
      if (same.length > 1 || news.length > 1) return true
      pair(matching, old, found)
      return false
    })
    const guess = lineGuess(matching)
    for (const [same, news] of unsure) {
      if (same.length * news.length > MAX_COMPARISONS) pairInOrder(matching, same, news)
      else pairBest(matching, same, news, guess)
    }
  }
}

function byKey(sides: readonly Side[], selectKey: Key): Map<string, Side[]> {
  const groups = new Map<string, Side[]>()
  for (const side of sides) {
    const key = selectKey(side.traits)
    if (key === null) continue
    const name = joined(side.traits.rule, key) ?? ''
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [side])
    else group.push(side)
  }
  return groups
}

function joined(one: string | null, other: string): string | null {
  return one === null ? null : `${one}\n${other}`
}
