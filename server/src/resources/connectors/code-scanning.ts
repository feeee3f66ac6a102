import { hash } from 'node:crypto'
import type { CodeScanningAlert } from './forge/forge-client.ts'

// Alerts of a forge's code scanning as scans: the payloads of `security_scan.completed`. The forge is the scanner, and an alert's number
// identifies its finding. A dismissal on the forge is a suppression of the finding, so that no id of ours is needed for it and
// a dismissal by a person here still takes precedence.

/** One event has at most a thousand findings. */
const MAX_FINDINGS = 1000
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
  /** The same for the same state, another one for every change of an alert. */
  readonly scan_id: string
  readonly tool: string
  readonly category: string
  /** null = the forge reports none. */
  readonly branch: string | null
  readonly commit: string | null
  readonly complete: boolean
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

/**
 * One scan for each tool and branch. `isComplete`: these are all alerts of the repository, so that findings that are missing
 * are fixed. Alerts that changed since a time are not: fixed ones among them are then left for the next complete reading. More than
 * a thousand alerts of one tool are sent in parts, which are never complete.
 */
export function toScans(
  repository: ScannedRepository,
  alerts: readonly CodeScanningAlert[],
  { isComplete }: { readonly isComplete: boolean },
): AlertScan[] {
  const onBranches = alerts.filter(({ ref }) => ref === null || ref.startsWith(BRANCH_PREFIX))
  const series = Map.groupBy(onBranches, ({ tool, ref }) => JSON.stringify([tool, ref]))
  return [...series.values()].flatMap((group) => toSeries(repository, group, isComplete))
}

function toSeries(
  repository: ScannedRepository,
  alerts: readonly CodeScanningAlert[],
  isComplete: boolean,
): AlertScan[] {
  const [first] = alerts
  if (!first) return []
  const latest = alerts.reduce(
    (newest, alert) => (alert.updatedAt > newest.updatedAt ? alert : newest),
    first,
  )
  const present = alerts.filter(({ state }) => state !== 'fixed').toSorted((a, b) => a.number - b.number)
  const parts = Array.from({ length: Math.max(1, Math.ceil(present.length / MAX_FINDINGS)) }, (_, index) =>
    present.slice(index * MAX_FINDINGS, (index + 1) * MAX_FINDINGS).map(toFinding),
  )
  const isWhole = isComplete && parts.length === 1
  return parts
    .filter((findings) => isWhole || findings.length > 0)
    .map((findings) => ({
      organization: repository.organization,
      repository: { id: repository.id, name: repository.name },
      scan_id: `code-scanning-${digest([latest.updatedAt, isWhole, findings])}`,
      tool: first.tool,
      category: 'code-scanning',
      branch: first.ref?.slice(BRANCH_PREFIX.length) ?? null,
      commit: latest.commit,
      complete: isWhole,
      scanned_at: latest.updatedAt,
      findings,
    }))
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 32)
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

function toLine(text: string, maxLength: number): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
}
