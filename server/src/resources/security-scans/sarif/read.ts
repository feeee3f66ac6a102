import { refuse } from '../../../errors.ts'
import {
  createTextRedactor,
  type Finding,
  normalizeFinding,
  removeDuplicates,
  toSingleLine,
} from '../finding.ts'
import { findLimitViolation, MAX_NESTING_LEVELS, MAX_VALUES } from './limits.ts'
import { asFields, asList, parseRun, type SarifRun } from './log.ts'
import { parseTime, readResult } from './result.ts'

export const MAX_RESULTS = 50_000
const MAX_RUNS = 100
const MAX_NAME_LENGTH = 200

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
