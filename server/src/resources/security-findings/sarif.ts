import type { Severity } from './schema.ts'
import type { FindingRow } from './sql.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** Name of our fingerprint in files. Increase the version when its computation changes. */
const FINGERPRINT_NAME = 'scholiastFinding/v1'

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const

// Viewers sort by this number: the middle of each CVSS band.
const securityScores = { critical: '9.5', high: '8.0', medium: '5.5', low: '2.0', info: '0.0' } as const

const severityOrder: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical']

interface ReportedRule {
  readonly id: string
  readonly index: number
  readonly title: string
  /** CWEs of all findings; null for findings without one. */
  readonly cwes: Set<string | null>
  severity: Severity
}

/** Findings of one tool in one repository: paths are relative to a repository. */
interface ReportedRun {
  readonly firstFinding: FindingRow
  readonly rules: Map<string, ReportedRule>
  readonly results: Buffer[]
}

/** Builds a file from batches of findings; rendered results are held as bytes. */
export function createSarifFile() {
  const runs = new Map<string, ReportedRun>()
  return {
    /** Returns the number of bytes that the findings add to the file. */
    add(rows: readonly FindingRow[]): number {
      let bytes = 0
      for (const [key, found] of Map.groupBy(rows, toRunKey)) {
        const run: ReportedRun = runs.get(key) ?? {
          firstFinding: found[0] as FindingRow,
          rules: new Map(),
          results: [],
        }
        runs.set(key, run)
        const first = run.results.length === 0 ? '' : ','
        const results = found.map((row) => JSON.stringify(renderResult(row, getOrAddRule(run.rules, row))))
        const chunk = Buffer.from(first + results.join(','))
        run.results.push(chunk)
        bytes += chunk.length
      }
      return bytes
    },
    end(): Buffer[] {
      const opening = Buffer.from(`{"$schema":"${SCHEMA}","version":"2.1.0","runs":[`)
      const written = [...runs.values()].flatMap((run, index) => writeRun(run, index === 0 ? '' : ','))
      return [opening, ...written, Buffer.from(']}\n')]
    },
  }
}

function toRunKey({ organization_id, repository_id, tool }: FindingRow): string {
  return JSON.stringify([organization_id, repository_id, tool])
}

function writeRun({ firstFinding, rules, results }: ReportedRun, separator: string): Buffer[] {
  const { organization_id, organization_name, repository_id, repository_name } = firstFinding
  const tool = { driver: { name: firstFinding.tool, rules: [...rules.values()].map(renderRuleDescriptor) } }
  const properties = { organization_id, organization_name, repository_id, repository_name }
  const opening = `{"tool":${JSON.stringify(tool)},"properties":${JSON.stringify(properties)},"results":[`
  return [Buffer.from(separator + opening), ...results, Buffer.from(']}')]
}

function getOrAddRule(
  rules: Map<string, ReportedRule>,
  { rule_id: id, title, cwe, severity }: FindingRow,
): ReportedRule {
  const rule = rules.get(id) ?? {
    id,
    index: rules.size,
    title: escapeLinks(title),
    cwes: new Set(),
    severity,
  }
  rules.set(id, rule)
  rule.cwes.add(cwe)
  // A rule has the severity of its worst finding.
  if (severityOrder.indexOf(severity) > severityOrder.indexOf(rule.severity)) rule.severity = severity
  return rule
}

function renderRuleDescriptor({ id, title, cwes, severity }: ReportedRule) {
  return {
    id,
    shortDescription: { text: title },
    defaultConfiguration: { level: levels[severity] },
    properties: {
      tags: ['security', ...cweTags(cwes)],
      'security-severity': securityScores[severity],
    },
  }
}

/** Tags of a rule apply to all of its findings, so one finding without a CWE leaves no tags. */
function cweTags(cwes: ReadonlySet<string | null>): string[] {
  if (cwes.has(null)) return []
  return [...cwes].map((cwe) => `external/cwe/${cwe?.toLowerCase()}`).sort()
}

function renderResult(row: FindingRow, rule: ReportedRule) {
  const { state, severity, title, cwe } = row
  return {
    ruleId: row.rule_id,
    ruleIndex: rule.index,
    level: levels[severity],
    message: { text: escapeLinks(row.description === '' ? title : row.description) },
    locations: row.file_path === '' ? [] : [renderLocation(row)],
    partialFingerprints: { [FINGERPRINT_NAME]: row.fingerprint },
    correlationGuid: row.id,
    // SARIF requires it in all results if one has it; an empty list means not suppressed.
    suppressions:
      state === 'dismissed'
        ? [{ kind: 'external', status: 'accepted', justification: row.dismissal_reason ?? 'other' }]
        : [],
    // Open findings have no baselineState: it is unknown whether the last scan was the first to see them.
    ...(state === 'fixed' && { baselineState: 'absent' }),
    provenance: { firstDetectionTimeUtc: row.first_seen_at },
    properties: { severity, ...(title !== rule.title && { title }), ...(cwe !== null && { cwe }) },
  }
}

function renderLocation({ file_path, start_line, end_line }: FindingRow) {
  const region = start_line !== null && {
    region: { startLine: start_line, endLine: end_line ?? start_line },
  }
  return {
    physicalLocation: {
      artifactLocation: { uri: relativeUri(file_path), uriBaseId: '%SRCROOT%' },
      ...region,
    },
  }
}

/** Encodes a path so that it can never become a scheme, a host or an absolute path. */
function relativeUri(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return encoded.replace(/^\/{1,10000}/, (slashes) => '%2F'.repeat(slashes.length))
}

/** SARIF renders `[text](target)` as a link even in plain text; text from scanners must not become one. */
function escapeLinks(text: string): string {
  return text.replaceAll('](', '] (')
}
