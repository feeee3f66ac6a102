import { type Static, Type } from 'typebox'
import {
  normalizeOrganization,
  normalizeTime,
  OptionalName,
  OptionalTime,
  type OrganizationRef,
  optionalNullable,
  organizationFields,
  ProviderId,
  singleLineText,
} from '../../bus/ingest/shapes.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'
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
const Reason = Type.Union(dismissalReasons.map((reason) => Type.Literal(reason)))
const Comment = optionalNullable(Type.String({ maxLength: MAX_COMMENT_LENGTH }))

const FindingShape = Type.Object({
  rule_id: singleLineText(200),
  severity: Type.Union(severities.map((severity) => Type.Literal(severity))),
  cwe: optionalNullable(
    Type.String({ maxLength: 60, description: 'As CWE-79; anything else is kept as null.' }),
  ),
  title: singleLineText(MAX_TITLE_LENGTH),
  description: optionalNullable(
    Type.String({ maxLength: MAX_DESCRIPTION_LENGTH, description: 'Plain text.' }),
  ),
  file_path: optionalNullable(singleLineText(MAX_PATH_LENGTH, 'From the root of the repository.')),
  start_line: optionalNullable(LineNumber),
  end_line: optionalNullable(LineNumber),
  snippet: optionalNullable(
    Code('The code that was found. Digests of it are kept, to know the finding again; the code is not.'),
  ),
  context: optionalNullable(Code('The same with some lines before and after it.')),
  fingerprint: optionalNullable(
    singleLineText(
      MAX_FINGERPRINT_LENGTH,
      'A name of the scanner’s own for the finding that does not change when lines move.',
    ),
  ),
  suppressed: optionalNullable(
    Type.Object(
      { reason: Type.Optional(Reason), comment: Comment },
      { description: 'The code itself says that the finding is to be left.' },
    ),
  ),
})

export const ScanPayload = Type.Object({
  organization: Type.Object(organizationFields),
  repository: Type.Object({ id: ProviderId, name: OptionalName }),
  scan_id: singleLineText(200, 'Names the scan in its repository and tool.'),
  tool: singleLineText(200),
  category: optionalNullable(
    singleLineText(200, 'Tells scans of one tool apart that look at different parts of a repository.'),
  ),
  branch: optionalNullable(singleLineText(255, 'Default: the branch that is meant when none is named.')),
  commit: optionalNullable(singleLineText(100)),
  complete: Type.Boolean({
    description:
      'true: everything was looked at, so that what is missing is fixed on this branch. false: only what is here is said.',
  }),
  scanned_at: OptionalTime,
  findings: Type.Array(FindingShape, {
    maxItems: MAX_FINDINGS,
    description: 'A larger scan is sent as a file to /ingest/v1/sarif.',
  }),
})

export const DismissedPayload = Type.Object({
  organization: Type.Object(organizationFields),
  finding_id: Type.String({ format: 'uuid' }),
  dismissed: Type.Optional(Type.Boolean({ default: true, description: 'false takes a dismissal back.' })),
  reason: Type.Optional(Reason),
  comment: Comment,
  by: optionalNullable(Type.Object({ id: ProviderId, username: OptionalName })),
})

/** What is known of a scan but for its findings. */
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
  /** Where the findings lie, if they came as a file: never in what a sender says. */
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
  const wrong = findings.findIndex(
    ({ start_line, end_line }) =>
      (end_line ?? start_line ?? 0) < (start_line ?? (end_line ? MAX_LINE_NUMBER + 1 : 0)),
  )
  return wrong === -1 ? null : `findings.${wrong}.end_line lies before start_line, or stands alone.`
}

export function findDismissedFault({ dismissed, reason }: Static<typeof DismissedPayload>): string | null {
  return dismissed !== false && reason === undefined ? 'reason is missing: a dismissal needs one.' : null
}

export function normalizeScan(payload: Static<typeof ScanPayload>): Scan {
  const { repository, scan_id, tool, category, branch, commit, complete, scanned_at } = payload
  const redactText = createTextRedactor()
  return {
    organization: normalizeOrganization(payload.organization),
    repository: { id: repository.id, name: repository.name ?? null },
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
    by: by ? { id: by.id, username: by.username ?? null } : null,
  }
}
