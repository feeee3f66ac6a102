import { describeCode, type FindingTraits, matchFindings } from '../../server/test/proofs/identity.ts'
import type { EditCase } from './edits.ts'
import { type ReportedFinding, scan } from './file.ts'

/** Counts of pairs of an old and a new finding. */
export interface Quality {
  readonly edits: number
  /** Pairs that are the same finding. */
  readonly expected: number
  /** Pairs that the server matched. */
  readonly matched: number
  /** Pairs that are both. */
  readonly correct: number
}

export type Match = typeof matchFindings

export function measure(edits: readonly EditCase[], match: Match = matchFindings): Quality {
  const counts = edits.map((edit) => measureEdit(edit, match))
  const sum = (get: (quality: Quality) => number) => counts.reduce((total, one) => total + get(one), 0)
  return {
    edits: edits.length,
    expected: sum(({ expected }) => expected),
    matched: sum(({ matched }) => matched),
    correct: sum(({ correct }) => correct),
  }
}

/** Counts only findings that the edit affects: the others are easy to match. */
function measureEdit({ before, after, subjects }: EditCase, match: Match): Quality {
  const oldFindings = scan(before)
  const newFindings = scan(after)
  const newKeys = new Set(newFindings.map(({ key }) => key))
  const matched = match(oldFindings.map(toTraits), newFindings.map(toTraits))
    .map(([old, found]) => [oldFindings[old]?.key ?? '', newFindings[found]?.key ?? ''] as const)
    .filter((pair) => pair.some((key) => subjects.has(key)))
  return {
    edits: 1,
    expected: oldFindings.filter(({ key }) => subjects.has(key) && newKeys.has(key)).length,
    matched: matched.length,
    correct: matched.filter(([old, found]) => old === found).length,
  }
}

function toTraits({ rule, path, start, end, snippet, context }: ReportedFinding): FindingTraits {
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

export function getPrecision({ correct, matched }: Quality): number {
  return matched === 0 ? 0 : correct / matched
}

export function getRecall({ correct, expected }: Quality): number {
  return expected === 0 ? 0 : correct / expected
}
