import { describeCode, type FindingTraits, matchFindings } from '../../server/test/proofs/identity.ts'
import type { EditCase } from './edits.ts'
import { type Sighting, scan } from './file.ts'

export interface Quality {
  readonly edits: number
  /** Pairs that are the same finding, that were said to be, and that are both. */
  readonly same: number
  readonly said: number
  readonly right: number
}

export type Match = typeof matchFindings

export function measure(edits: readonly EditCase[], match: Match = matchFindings): Quality {
  const counts = edits.map((edit) => judge(edit, match))
  const sum = (of: (quality: Quality) => number) => counts.reduce((total, one) => total + of(one), 0)
  return {
    edits: edits.length,
    same: sum(({ same }) => same),
    said: sum(({ said }) => said),
    right: sum(({ right }) => right),
  }
}

/** Only pairs that the edit is about count: what nobody touched is easy. */
function judge({ before, after, subjects }: EditCase, match: Match): Quality {
  const olds = scan(before)
  const news = scan(after)
  const keys = new Set(news.map(({ key }) => key))
  const said = match(olds.map(traitsOf), news.map(traitsOf))
    .map(([old, found]) => [olds[old]?.key ?? '', news[found]?.key ?? ''] as const)
    .filter((pair) => pair.some((key) => subjects.has(key)))
  return {
    edits: 1,
    same: olds.filter(({ key }) => subjects.has(key) && keys.has(key)).length,
    said: said.length,
    right: said.filter(([old, found]) => old === found).length,
  }
}

function traitsOf({ rule, path, start, end, snippet, context }: Sighting): FindingTraits {
  return {
    rule,
    fingerprint: null,
    firstFingerprint: null,
    path,
    start,
    end,
    ...describeCode(snippet, context),
  }
}

export function precisionOf({ right, said }: Quality): number {
  return said === 0 ? 0 : right / said
}

export function recallOf({ right, same }: Quality): number {
  return same === 0 ? 0 : right / same
}
