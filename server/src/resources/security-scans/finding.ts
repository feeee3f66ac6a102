import { hash } from 'node:crypto'
import { redact } from '../../text/redact.ts'
import { describeCode, packCode } from './identity/traits.ts'

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof severities)[number]

export const dismissalReasons = ['false_positive', 'wont_fix', 'used_in_tests', 'other'] as const
export type DismissalReason = (typeof dismissalReasons)[number]

export const MAX_TITLE_LENGTH = 300
export const MAX_DESCRIPTION_LENGTH = 4000
export const MAX_COMMENT_LENGTH = 1000
export const MAX_CODE_LENGTH = 8000
export const MAX_PATH_LENGTH = 1024
export const MAX_FINGERPRINT_LENGTH = 300
export const MAX_LINE_NUMBER = 2 ** 31 - 1
const MAX_CACHED_TEXTS = 5000

/** A finding as sent by a scanner. */
export interface RawFinding {
  readonly rule: string
  readonly severity: Severity
  readonly cwe: string | null
  readonly title: string
  readonly description: string
  readonly path: string
  readonly start: number | null
  readonly end: number | null
  readonly snippet: string | null
  readonly context: string | null
  readonly fingerprint: string | null
  readonly suppression: Suppression | null
  /** Earlier detection time that the scanner reports. */
  readonly firstSeen: string | null
}

/** The scanned code or the SARIF file marks the finding as suppressed. */
export interface Suppression {
  readonly reason: DismissalReason
  readonly comment: string | null
}

/** A finding without anything that must not be stored: texts are redacted, and code is reduced to digests. */
export interface Finding {
  readonly rule: string
  readonly severity: Severity
  readonly cwe?: string
  readonly title: string
  readonly description: string
  readonly path: string
  readonly start?: number
  readonly end?: number
  readonly fingerprint?: string
  readonly suppression?: Suppression
  readonly firstSeen?: string
  /** Packed CodeTraits, see identity/traits.ts. */
  readonly code: string
}

export type RedactText = (text: string) => string

/** Removes credentials. Results are cached, because files repeat many texts. */
export function createTextRedactor(): RedactText {
  const cache = new Map<string, string>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const redacted = redact(text).text
    if (cache.size >= MAX_CACHED_TEXTS) cache.clear()
    cache.set(text, redacted)
    return redacted
  }
}

export function normalizeFinding(raw: RawFinding, redactText: RedactText = createTextRedactor()): Finding {
  const { rule, severity, cwe, start, suppression } = raw
  const title = redactText(toSingleLine(raw.title, MAX_TITLE_LENGTH)) || rule
  const description = redactText(toPlainText(raw.description, MAX_DESCRIPTION_LENGTH))
  // Without code, the texts identify the finding.
  const snippet =
    raw.snippet === null ? `${title} ${description}` : redactText(raw.snippet.slice(0, MAX_CODE_LENGTH))
  const context = raw.context === null ? null : redactText(raw.context.slice(0, MAX_CODE_LENGTH))
  return {
    rule,
    severity,
    ...(cwe !== null && { cwe }),
    title,
    description,
    path: redactText(toSingleLine(raw.path, MAX_PATH_LENGTH).replace(/^(?:\.\/){1,100}/, '')),
    ...(start !== null && { start, end: Math.max(start, raw.end ?? start) }),
    ...(raw.fingerprint !== null && { fingerprint: normalizeFingerprint(raw.fingerprint, redactText) }),
    ...(suppression !== null && { suppression: normalizeSuppression(suppression, redactText) }),
    ...(raw.firstSeen !== null && { firstSeen: raw.firstSeen }),
    code: packCode(describeCode(snippet, context)),
  }
}

/** Tools report some findings twice; the last one wins. */
export function removeDuplicates(findings: readonly Finding[]): Finding[] {
  const byKey = new Map<string, Finding>()
  for (const finding of findings) {
    const { rule, path, start, end, fingerprint, code } = finding
    byKey.set(JSON.stringify([rule, path, start, end, fingerprint, code]), finding)
  }
  return [...byKey.values()]
}

/** Removes control characters except line ends and tabs, and replaces unpaired surrogates. */
export function toPlainText(text: string, maxLength: number): string {
  return truncate(
    text
      .slice(0, 2 * maxLength)
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[^\P{Cc}\n\t]/gu, '')
      .trim(),
    maxLength,
  )
}

export function toSingleLine(text: string, maxLength: number): string {
  return toPlainText(text, maxLength).replaceAll(/\s/g, ' ')
}

/** Returns `CWE-79` for `cwe-079` and similar forms; null for other texts. */
export function normalizeCwe(text: string): string | null {
  const [, number] = /^(?:.{0,40}\/)?cwe[-_ ]?0{0,8}([1-9]\d{0,4})$/i.exec(text.trim()) ?? []
  return number === undefined ? null : `CWE-${number}`
}

function normalizeFingerprint(given: string, redactText: RedactText): string {
  const text = toSingleLine(given, MAX_FINGERPRINT_LENGTH + 1)
  // Redaction would turn different fingerprints into the same marker; a digest keeps them distinct.
  const isPlain = text.length <= MAX_FINGERPRINT_LENGTH && redactText(text) === text
  return isPlain ? text : hash('sha256', given, 'hex')
}

function normalizeSuppression({ reason, comment }: Suppression, redactText: RedactText): Suppression {
  return {
    reason,
    comment: comment === null ? null : redactText(toPlainText(comment, MAX_COMMENT_LENGTH)) || null,
  }
}

function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
