import { computeSimilarity } from '../../../text/sketch.ts'
import {
  addPair,
  createLinePredictor,
  createMatchState,
  type FindingMatchState,
  getUnpairedNews,
  getUnpairedOlds,
  type MatchSide,
} from './match-state.ts'
import { pairMoved, pairSimilar } from './similar.ts'
import type { FindingTraits } from './traits.ts'

// Matches findings of two scans within one rule of one tool of a repository. Stages run from the most to the least
// certain; a later stage sees only what earlier stages left unpaired.

type Stage = (state: FindingMatchState) => void
type KeySelector = (traits: FindingTraits) => string | null

/** Returns pairs of indexes into `known` and `found`; each index occurs at most once. */
export function matchFindings(
  known: readonly FindingTraits[],
  found: readonly FindingTraits[],
): readonly (readonly [known: number, found: number])[] {
  const state = createMatchState(known, found)
  for (const stage of stages) stage(state)
  return [...state.paired].map(([old, now]) => [old.index, now.index] as const)
}

const stages: readonly Stage[] = [
  pairEqual(({ fingerprint, path }) => joinKeys(fingerprint, path)),
  pairEqual(({ fingerprint }) => fingerprint),
  pairEqual(({ firstFingerprint }) => firstFingerprint),
  pairEqual(({ context, path }) => joinKeys(context, path)),
  pairEqual(({ snippet, path }) => joinKeys(snippet, path)),
  pairEqual(({ context }) => context),
  pairMoved,
  pairSimilar,
]

// Above this number of comparisons, equal findings are paired in order: they are indistinguishable anyway.
const MAX_COMPARISONS = 4096
const UNKNOWN_SIMILARITY = 0.5
const MAX_LINE_DISTANCE = 1000

/** Pairs unique keys first: they show how the lines of their files moved. */
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

/** Pairs the best matches first, by surroundings and then by predicted line. */
function pairBest(
  state: FindingMatchState,
  olds: readonly MatchSide[],
  news: readonly MatchSide[],
  predictLine: (old: MatchSide) => number,
): void {
  const candidates = olds.flatMap((old) =>
    news.map((found) => ({ old, found, cost: computeCost(old, found, predictLine(old)) })),
  )
  for (const { old, found } of candidates.toSorted((a, b) => a.cost - b.cost)) {
    if (!state.paired.has(old) && !state.taken.has(found)) addPair(state, old, found)
  }
}

function pairInOrder(state: FindingMatchState, olds: readonly MatchSide[], news: readonly MatchSide[]): void {
  for (const [index, found] of news.entries()) {
    const old = olds[index]
    if (old !== undefined) addPair(state, old, found)
  }
}

function computeCost(old: MatchSide, found: MatchSide, line: number): number {
  const otherFile = old.traits.path === found.traits.path ? 0 : 1
  const difference = 1 - (computeSimilarity(old.around, found.around) ?? UNKNOWN_SIMILARITY)
  return otherFile + difference + Math.min(Math.abs(found.line - line), MAX_LINE_DISTANCE) / MAX_LINE_DISTANCE
}
