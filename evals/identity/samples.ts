import { readCases } from '../cases.ts'
import { type Case, type LabelledCase, requireFields } from '../evaluation.ts'

/** A file as a scanner sees it; its id is its path. */
export type CodeSample = LabelledCase<{
  /** The path after a rename. */
  renamed: string
  /** What starts a line comment. */
  comment: string
  /** A line `---` divides blocks; a line that ends in ‹n› belongs to finding n. */
  code: readonly string[]
  /** A block with one more finding, marked ‹9›, that is unrelated to the others. */
  newBlock: readonly string[]
  newRule: string
  /** Lines without a finding, to put above or between others. */
  filler: readonly string[]
  findings: Readonly<Record<string, LabelledFinding>>
}>

interface LabelledFinding {
  readonly rule: string
  /** The line after a change that leaves the fault in. */
  readonly edited: string
  /** The line after the fault is fixed. */
  readonly fixed: string
}

export const samplesFolder = new URL('../data/identity', import.meta.url)

export function loadSamples(): CodeSample[] {
  return readCases(samplesFolder).map(parseSample)
}

export function parseSample(given: Case): CodeSample {
  return requireFields<CodeSample>(
    given,
    'renamed',
    'comment',
    'code',
    'newBlock',
    'newRule',
    'filler',
    'findings',
  )
}
