import { type Static, Type } from 'typebox'
import type { IngestEvent } from '../../bus/ingest-event.ts'
import {
  normalizeName,
  normalizeOrganization,
  normalizeTime,
  OptionalName,
  OptionalTime,
  type OrganizationRef,
  optionalNullable,
  organizationFields,
  ProviderId,
  singleLineText,
} from '../../bus/queue/shapes.ts'
import { literals } from '../../shape.ts'
import { redact } from '../../text/redact.ts'
import {
  createTextRedactor,
  type DismissalReason,
  dismissalReasons,
  type Finding,
  MAX_CODE_LENGTH,
  MAX_COMMENT_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_FINGERPRINT_LENGTH,
  MAX_LINE_NUMBER,
  MAX_PATH_LENGTH,
  MAX_TITLE_LENGTH,
  normalizeCwe,
  normalizeFinding,
  type RawFinding,
  type RedactText,
  removeDuplicates,
  severities,
  toPlainText,
} from './finding.ts'

const MAX_FINDINGS = 1000

const LineNumber = Type.Integer({ minimum: 1, maximum: MAX_LINE_NUMBER })
const Code = (description: string) => Type.String({ maxLength: MAX_CODE_LENGTH, description })
const Reason = literals(dismissalReasons)
const Comment = optionalNullable(Type.String({ maxLength: MAX_COMMENT_LENGTH }))

const FindingShape = Type.Object({
  rule_id: singleLineText(200),
  severity: literals(severities),
  cwe: optionalNullable(
    Type.String({ maxLength: 60, description: 'For example CWE-79. Any other text is stored as null.' }),
  ),
  title: singleLineText(MAX_TITLE_LENGTH),
  description: optionalNullable(
    Type.String({ maxLength: MAX_DESCRIPTION_LENGTH, description: 'Plain text.' }),
  ),
  file_path: optionalNullable(
    singleLineText(MAX_PATH_LENGTH, 'Path relative to the root of the repository.'),
  ),
  start_line: optionalNullable(LineNumber),
  end_line: optionalNullable(LineNumber),
  snippet: optionalNullable(
    Code('The code of the finding. Only digests of it are stored, to identify the finding in later scans.'),
  ),
  context: optionalNullable(Code('The code with some lines before and after it.')),
  fingerprint: optionalNullable(
    singleLineText(
      MAX_FINGERPRINT_LENGTH,
      'The scanner’s identifier of the finding, which must not change when lines move.',
    ),
  ),
  suppressed: optionalNullable(
    Type.Object(
      { reason: Type.Optional(Reason), comment: Comment },
      { description: 'Set if the finding is suppressed in the code.' },
    ),
  ),
})

export const ScanPayload = Type.Object({
  organization: Type.Object(organizationFields),
  repository: Type.Object({ id: ProviderId, name: OptionalName }),
  scan_id: singleLineText(200, 'ID of the scan, unique per repository and tool.'),
  tool: singleLineText(200),
  category: optionalNullable(
    singleLineText(200, 'Distinguishes scans of one tool that cover different parts of a repository.'),
  ),
  branch: optionalNullable(
    singleLineText(255, 'Branch of the scan. Scans without a branch form a series of their own.'),
  ),
  commit: optionalNullable(singleLineText(100)),
  complete: Type.Boolean({
    description:
      'true: the scan covers everything, so that missing findings are fixed on this branch. false: the scan is partial.',
  }),
  scanned_at: OptionalTime,
  findings: Type.Array(FindingShape, {
    maxItems: MAX_FINDINGS,
    description: 'Findings of the scan. Send larger scans as SARIF files to /ingest/v1/sarif.',
  }),
})

export const DismissedPayload = Type.Object({
  organization: Type.Object(organizationFields),
  finding_id: Type.String({ format: 'uuid' }),
  dismissed: Type.Optional(Type.Boolean({ default: true, description: 'false reopens the finding.' })),
  reason: Type.Optional(Reason),
  comment: Comment,
  by: optionalNullable(Type.Object({ id: ProviderId, username: OptionalName })),
})

/** A scan without its findings. */
export interface ScanMetadata {
  readonly organization: OrganizationRef
  readonly repository: { readonly id: string; readonly name: string | null }
  readonly scan_id: string
  readonly tool: string
  readonly category: string
  readonly branch: string
  readonly commit: string | null
  readonly complete: boolean
  readonly scanned_at: string | null
}

export interface Scan extends ScanMetadata {
  readonly findings: readonly Finding[]
  /** The stored file with the findings. Set only by the upload endpoint, never by senders. */
  readonly upload?: { readonly id: string; readonly run: number }
}

export interface Dismissal {
  readonly organization: OrganizationRef
  readonly finding_id: string
  readonly dismissed: boolean
  readonly reason: DismissalReason
  readonly comment: string | null
  readonly by: { readonly id: string; readonly username: string | null } | null
}

export type ScanEvent = IngestEvent<Scan> & { readonly type: 'security_scan.completed' }
export type DismissedEvent = IngestEvent<Dismissal> & { readonly type: 'security_finding.dismissed' }
export type SecurityEvent = ScanEvent | DismissedEvent

export function findScanFault({ findings }: Static<typeof ScanPayload>): string | null {
  const invalidIndex = findings.findIndex(
    ({ start_line, end_line }) =>
      (end_line ?? start_line ?? 0) < (start_line ?? (end_line ? MAX_LINE_NUMBER + 1 : 0)),
  )
  return invalidIndex === -1
    ? null
    : `findings.${invalidIndex}.end_line is before start_line, or start_line is missing.`
}

export function findDismissedFault({ dismissed, reason }: Static<typeof DismissedPayload>): string | null {
  return dismissed !== false && reason === undefined ? 'reason is required for a dismissal.' : null
}

export function normalizeScan(payload: Static<typeof ScanPayload>): Scan {
  const { repository, scan_id, tool, category, branch, commit, complete, scanned_at } = payload
  const redactText = createTextRedactor()
  return {
    organization: normalizeOrganization(payload.organization),
    repository: { id: repository.id, name: normalizeName(repository.name) },
    scan_id,
    tool,
    category: category ?? '',
    branch: branch ?? '',
    commit: commit ?? null,
    complete,
    scanned_at: normalizeTime(scanned_at),
    findings: removeDuplicates(payload.findings.map((shape) => normalizeShape(shape, redactText))),
  }
}

function normalizeShape(shape: Static<typeof FindingShape>, redactText: RedactText): Finding {
  const { suppressed } = shape
  const raw: RawFinding = {
    rule: shape.rule_id,
    severity: shape.severity,
    cwe: normalizeCwe(shape.cwe ?? ''),
    title: shape.title,
    description: shape.description ?? '',
    path: shape.file_path ?? '',
    start: shape.start_line ?? null,
    end: shape.end_line ?? null,
    snippet: shape.snippet ?? null,
    context: shape.context ?? null,
    fingerprint: shape.fingerprint ?? null,
    suppression: suppressed
      ? { reason: suppressed.reason ?? 'other', comment: suppressed.comment ?? null }
      : null,
    firstSeen: null,
  }
  return normalizeFinding(raw, redactText)
}

export function normalizeDismissed(payload: Static<typeof DismissedPayload>): Dismissal {
  const { organization, finding_id, dismissed = true, reason = 'other', comment, by } = payload
  return {
    organization: normalizeOrganization(organization),
    finding_id: finding_id.toLowerCase(),
    dismissed,
    reason,
    comment: comment ? redact(toPlainText(comment, MAX_COMMENT_LENGTH)).text || null : null,
    by: by ? { id: by.id, username: normalizeName(by.username) } : null,
  }
}
