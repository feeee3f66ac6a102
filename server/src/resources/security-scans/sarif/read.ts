import { refuse } from '../../../errors.ts'
import {
  createTextRedactor,
  type Finding,
  normalizeFinding,
  removeDuplicates,
  toSingleLine,
} from '../finding.ts'
import { asFields, asList, parseRun, parseTime, readResult, type SarifRun } from './parse.ts'

export const MAX_RESULTS = 50_000
const MAX_RUNS = 100
const MAX_NAME_LENGTH = 200
const FINDINGS_PER_PART = 500

/** The findings of one tool and category in a file. */
export interface FileScan {
  readonly tool: string
  readonly category: string
  readonly branch: string | null
  readonly commit: string | null
  readonly endedAt: string | null
  readonly findings: readonly Finding[]
}

/** Reads a file within limits. Runs with the same tool and category form one scan. */
export function readSarif(text: string): readonly FileScan[] {
  const runs = parseRuns(text).map(parseRun)
  const unnamed = runs.findIndex(({ tool }) => tool === '')
  if (unnamed !== -1) refuse('INVALID_REQUEST', `runs[${unnamed}].tool.driver.name is required.`)
  const count = runs.reduce((sum, { results }) => sum + results.length, 0)
  if (count > MAX_RESULTS) {
    refuse(
      'PAYLOAD_TOO_LARGE',
      `The file has ${count} results, at most ${MAX_RESULTS} are allowed. Split it into one file per tool or category.`,
    )
  }
  const scans = Map.groupBy(runs, ({ tool, category }) => JSON.stringify([tool, category]))
  return [...scans.values()].map(readScan)
}

function parseRuns(text: string): readonly unknown[] {
  const violation = findLimitViolation(text)
  if (violation === 'levels')
    refuse('INVALID_REQUEST', `The file is nested deeper than ${MAX_NESTING_LEVELS} levels.`)
  if (violation === 'values') {
    refuse(
      'PAYLOAD_TOO_LARGE',
      `The file has more than ${MAX_VALUES} values. Remove code flows or split the file.`,
    )
  }
  const log = asFields(parseJson(text))
  if (log['version'] !== '2.1.0') {
    refuse('INVALID_REQUEST', 'The file is not SARIF 2.1.0: its version must be "2.1.0". Convert the file.')
  }
  if (!Array.isArray(log['runs'])) refuse('INVALID_REQUEST', 'The file is not SARIF: runs must be an array.')
  const runs = asList(log['runs'])
  if (runs.length === 0) refuse('INVALID_REQUEST', 'runs must have at least one run, which names the tool.')
  if (runs.length > MAX_RUNS) {
    refuse('PAYLOAD_TOO_LARGE', `The file has more than ${MAX_RUNS} runs. Split it into several files.`)
  }
  return runs
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return refuse('INVALID_REQUEST', 'The file is not valid JSON.')
  }
}

function readScan(runs: readonly SarifRun[]): FileScan {
  const [{ tool, category } = { tool: '', category: '' }] = runs
  const findings: Finding[] = []
  const redactText = createTextRedactor()
  for (const { rules, results } of runs) {
    const byId = new Map(rules.map((rule) => [rule.id, rule]))
    for (const result of results) {
      const raw = readResult(result, rules, byId)
      if (raw !== null) findings.push(normalizeFinding(raw, redactText))
    }
  }
  const firstNonNull = <Value>(of: (run: SarifRun) => Value | null) =>
    runs.map(of).find((value) => value !== null) ?? null
  return {
    tool: toSingleLine(tool, MAX_NAME_LENGTH),
    category: toSingleLine(category, MAX_NAME_LENGTH),
    branch: firstNonNull(({ branch }) => branch && toSingleLine(branch, MAX_NAME_LENGTH)),
    commit: firstNonNull(({ commit }) => commit && toSingleLine(commit, MAX_NAME_LENGTH)),
    endedAt: firstNonNull(({ endedAt }) => parseTime(endedAt)),
    findings: removeDuplicates(findings),
  }
}

/** A scan whose findings are serialized for storage. */
export interface PackedScan extends Omit<FileScan, 'findings'> {
  readonly count: number
  readonly parts: readonly string[]
}

/** Splits findings into parts, so that no row or message is large. A scan without findings has one empty part. */
export function packScan({ findings, ...scan }: FileScan): PackedScan {
  const parts: string[] = []
  for (let from = 0; from === 0 || from < findings.length; from += FINDINGS_PER_PART) {
    parts.push(JSON.stringify(findings.slice(from, from + FINDINGS_PER_PART)))
  }
  return { ...scan, count: findings.length, parts }
}

// A small file can be crafted to take a lot of memory when parsed: deep nesting, or a huge number of values. Both are
// counted in the text before it is parsed.
export const MAX_NESTING_LEVELS = 64
const MAX_VALUES = 4_000_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

type LimitViolation = 'levels' | 'values' | null

/** Returns which limit a JSON text exceeds, or null. */
function findLimitViolation(text: string): LimitViolation {
  let levels = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const charCode = text.charCodeAt(at)
    if (charCode === QUOTE) at = findStringEnd(text, at)
    else if (OPENING.has(charCode)) {
      values++
      if (++levels > MAX_NESTING_LEVELS) return 'levels'
    } else if (CLOSING.has(charCode)) levels--
    else if (charCode === COMMA && ++values > MAX_VALUES) return 'values'
  }
  return values > MAX_VALUES ? 'values' : null
}

function findStringEnd(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
