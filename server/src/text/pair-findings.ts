import { compareSketches, MIN_SIMILARITY } from './same-finding.ts'

/** What is compared of two findings. Neither has a text: the sketch stands for it. */
export interface ComparableFinding {
  readonly file: string | null
  readonly startLine: number | null
  readonly endLine: number | null
  /** From `sketchFinding`; empty = unknown. */
  readonly sketch: ArrayLike<number>
}

const MAX_LINE_DISTANCE = 3

/** The indexes of two findings that are the same. */
export type FindingPair = readonly [one: number, other: number]

interface Candidate {
  readonly pair: FindingPair
  readonly similarity: number
  readonly distance: number
}

/**
 * Pairs the findings of two reviewers on one pull request: same file, ranges at most `MAX_LINE_DISTANCE` lines apart, similar
 * sketches. Each finding is in one pair at most; the most similar ones are paired first.
 */
export function pairFindings(
  one: readonly ComparableFinding[],
  other: readonly ComparableFinding[],
): FindingPair[] {
  const candidates = one.flatMap((finding, index) =>
    other.flatMap((candidate, otherIndex) => compare(finding, candidate, [index, otherIndex]) ?? []),
  )
  candidates.sort(
    (a, b) =>
      b.similarity - a.similarity ||
      a.distance - b.distance ||
      a.pair[0] - b.pair[0] ||
      a.pair[1] - b.pair[1],
  )
  const [used, usedOther] = [new Set<number>(), new Set<number>()]
  return candidates.flatMap(({ pair }) => {
    if (used.has(pair[0]) || usedOther.has(pair[1])) return []
    used.add(pair[0])
    usedOther.add(pair[1])
    return [pair]
  })
}

function compare(one: ComparableFinding, other: ComparableFinding, pair: FindingPair): Candidate | null {
  if (one.file === null || one.file !== other.file) return null
  const distance = getLineDistance(one, other)
  if (distance === null || distance > MAX_LINE_DISTANCE) return null
  const similarity = compareSketches(one.sketch, other.sketch)
  if (similarity < MIN_SIMILARITY) return null
  return { pair, similarity, distance }
}

/** The lines between two ranges; 0 when they overlap, null when one is unknown. */
function getLineDistance(one: ComparableFinding, other: ComparableFinding): number | null {
  if (one.startLine === null || other.startLine === null) return null
  const [end, otherEnd] = [one.endLine ?? one.startLine, other.endLine ?? other.startLine]
  return Math.max(0, one.startLine - otherEnd, other.startLine - end)
}
