import {
  addPair,
  createLinePredictor,
  createMatchState,
  type FindingMatchState,
  getUnpairedNews,
  getUnpairedOlds,
  type MatchSide,
} from './match-state.ts'
import { pairBest, pairInOrder } from './pair.ts'
import { pairMoved, pairSimilar } from './similar.ts'
import type { FindingTraits } from './traits.ts'

// Whether two scans found the same: decided in stages, the surest first, inside of one rule of one tool of a repository.
// What a stage has paired is out of the reach of the next.

type Stage = (state: FindingMatchState) => void
type KeySelector = (traits: FindingTraits) => string | null

/** Pairs of places, first in what is known and then in what was found; each place at most once. */
export function matchFindings(
  known: readonly FindingTraits[],
  found: readonly FindingTraits[],
): readonly (readonly [known: number, found: number])[] {
  const state = createMatchState(known, found)
  for (const stage of stages) stage(state)
  return [...state.paired].map(([old, now]) => [old.index, now.index] as const)
}

const everyStage: readonly Stage[] = [
  pairEqual(({ fingerprint, path }) => joinKeys(fingerprint, path)),
  pairEqual(({ fingerprint }) => fingerprint),
  pairEqual(({ firstFingerprint }) => firstFingerprint),
  pairEqual(({ context, path }) => joinKeys(context, path)),
  pairEqual(({ snippet, path }) => joinKeys(snippet, path)),
  pairEqual(({ context }) => context),
  pairMoved,
  pairSimilar,
]

/** What tools do that know of nothing else. */
export const byLine: readonly Stage[] = [pairEqual(({ path, start }) => joinKeys(String(start), path))]

const stages = everyStage

// Beyond so many comparisons equal ones are paired in order: nobody can tell them apart anyway.
const MAX_COMPARISONS = 4096

/** First those of which there is only one: they tell where the lines of their files have gone. */
function pairEqual(selectKey: KeySelector): Stage {
  return (state) => {
    const olds = groupByKey(getUnpairedOlds(state), selectKey)
    const groups = [...groupByKey(getUnpairedNews(state), selectKey)].map(
      ([key, news]) => [olds.get(key) ?? [], news] as const,
    )
    const unsure = groups.filter(([same, news]) => {
      const [old, found] = [same[0], news[0]]
      if (old === undefined || found === undefined) return false
      if (same.length > 1 || news.length > 1) return true
      addPair(state, old, found)
      return false
    })
    const predictLine = createLinePredictor(state)
    for (const [same, news] of unsure) {
      if (same.length * news.length > MAX_COMPARISONS) pairInOrder(state, same, news)
      else pairBest(state, same, news, predictLine)
    }
  }
}

function groupByKey(sides: readonly MatchSide[], selectKey: KeySelector): Map<string, MatchSide[]> {
  const groups = new Map<string, MatchSide[]>()
  for (const side of sides) {
    const key = selectKey(side.traits)
    if (key === null) continue
    const name = joinKeys(side.traits.rule, key) ?? ''
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [side])
    else group.push(side)
  }
  return groups
}

function joinKeys(one: string | null, other: string): string | null {
  return one === null ? null : `${one}\n${other}`
}
