import { hash } from 'node:crypto'
import { toLine } from './event-values.ts'
import type { CodeScanningAlert } from './git-providers/provider-client.ts'

// Turns the alerts of code scanning into scans: the payloads of `security_scan.completed`. The Git provider is the
// scanner, and an alert's number identifies its finding. A dismissal there is a suppression of the finding, so that it
// needs no id of ours and a dismissal by a person here still takes precedence.

/** So many numbers of alerts are a series of scans of their own, which fits into an event however long its texts are. */
const NUMBERS_PER_SERIES = 100
const MAX_RULE_LENGTH = 200
const MAX_TITLE_LENGTH = 300
const MAX_PATH_LENGTH = 1024
const BRANCH_PREFIX = 'refs/heads/'
/** As for SARIF results without a level. */
const DEFAULT_SEVERITY = 'medium'

export interface ScannedRepository {
  readonly organization: { readonly provider: string; readonly host?: string; readonly id: string }
  readonly id: string
  readonly name: string
}

export interface AlertScan {
  readonly organization: ScannedRepository['organization']
  readonly repository: { readonly id: string; readonly name: string }
  readonly scan_id: string
  readonly tool: string
  readonly category: string
  /** null = the Git provider reports none. */
  readonly branch: string | null
  readonly commit: string | null
  readonly complete: true
  readonly scanned_at: string
  readonly findings: readonly AlertFinding[]
}

interface AlertFinding {
  readonly rule_id: string
  readonly severity: 'critical' | 'high' | 'medium' | 'low'
  readonly cwe: string | null
  readonly title: string
  readonly file_path: string | null
  readonly start_line: number | null
  readonly end_line: number | null
  readonly fingerprint: string
  readonly suppressed: { readonly reason: NonNullable<CodeScanningAlert['dismissedReason']> } | null
}

/** The alerts of one tool, branch and range of numbers. */
export interface AlertSeries {
  /** Names the series: `[tool, branch, category]`. */
  readonly key: string
  /** Digest of what the scan says, without its time. */
  readonly digest: string
  readonly commit: string | null
  readonly findings: readonly AlertFinding[]
}

/**
 * All alerts of a repository. Fixed ones are missing in the findings of their series, which is always complete. Alerts of
 * pull requests are left out: they are not on a branch yet.
 */
export function toAlertSeries(alerts: readonly CodeScanningAlert[]): AlertSeries[] {
  const onBranches = alerts.filter(({ ref }) => ref === null || ref.startsWith(BRANCH_PREFIX))
  const groups = Map.groupBy(onBranches, ({ tool, ref, number }) =>
    JSON.stringify([
      toLine(tool, MAX_RULE_LENGTH) || 'unknown',
      ref?.slice(BRANCH_PREFIX.length) ?? null,
      toCategory(number),
    ]),
  )
  return [...groups].map(([key, group]) => toSeries(key, group))
}

/** The first hundred alerts of a repository have the plain name. */
function toCategory(number: number): string {
  const index = Math.floor((number - 1) / NUMBERS_PER_SERIES)
  return index <= 0 ? 'code-scanning' : `code-scanning-${index + 1}`
}

function toSeries(key: string, alerts: readonly CodeScanningAlert[]): AlertSeries {
  const byUpdate = alerts.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
  const present = alerts.filter(({ state }) => state !== 'fixed').toSorted((a, b) => a.number - b.number)
  const findings = present.map(toFinding)
  const digest = hash('sha256', JSON.stringify(findings)).slice(0, 32)
  return { key, digest, commit: byUpdate[0]?.commit ?? null, findings }
}

/** A series that the Git provider does not report any more, while it reports others. */
export function toEmptySeries(key: string): AlertSeries {
  return { key, digest: '', commit: null, findings: [] }
}

/** `at` is after that of every earlier scan of the series: of two scans, the later one is true. */
export function toScan(repository: ScannedRepository, series: AlertSeries, at: string): AlertScan {
  const { key, digest, commit, findings } = series
  const [tool, branch, category] = JSON.parse(key) as [string, string | null, string]
  return {
    organization: repository.organization,
    repository: { id: repository.id, name: repository.name },
    scan_id: `code-scanning-${hash('sha256', JSON.stringify([key, digest, at])).slice(0, 32)}`,
    tool,
    category,
    branch,
    commit,
    complete: true,
    scanned_at: at,
    findings,
  }
}

function toFinding(alert: CodeScanningAlert): AlertFinding {
  const { number, ruleId, title, severity, cwe, path, startLine, endLine, state, dismissedReason } = alert
  return {
    rule_id: toLine(ruleId, MAX_RULE_LENGTH) || 'unknown',
    severity: severity ?? DEFAULT_SEVERITY,
    cwe,
    title: toLine(title, MAX_TITLE_LENGTH) || toLine(ruleId, MAX_TITLE_LENGTH) || 'unknown',
    file_path: path === null ? null : toLine(path, MAX_PATH_LENGTH) || null,
    ...orderLines(startLine, endLine),
    fingerprint: `alert-${number}`,
    suppressed: state === 'dismissed' ? { reason: dismissedReason ?? 'other' } : null,
  }
}

/** A finding without a start has no end, and none ends before it starts. */
function orderLines(start: number | null, end: number | null): Pick<AlertFinding, 'start_line' | 'end_line'> {
  if (start === null || start < 1) return { start_line: null, end_line: null }
  return { start_line: start, end_line: Math.max(start, end ?? start) }
}
