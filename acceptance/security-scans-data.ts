import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Reply } from '../cli/src/conformance/http.ts'
import { createEvent, type Event, eventually, ownOrganization, send } from './metrics-data.ts'
import { assertPage, call, demo, home, type KeyName } from './service.ts'

const findingsPath = '/v1/security/scans/code'
export const sarifPath = '/ingest/v1/sarif'

export type SecurityFinding = {
  id: string
  scan_id: string
  repository_id: string
  severity: string
  state: string
  cwe: string | null
  title: string
  description: string
  file_path: string
  start_line: number | null
  end_line: number | null
  first_seen_at: string
  last_seen_at: string
}

/** A repository that no other test scans. */
export function newRepository(): string {
  return `scanned-${randomUUID()}`
}

/** Minutes after a time that lies behind us. */
export function minute(count: number): string {
  return new Date(Date.UTC(2026, 1, 2, 8) + count * 60_000).toISOString()
}

export function flaw(over: Record<string, unknown> = {}) {
  return {
    rule_id: 'sql-injection',
    severity: 'high',
    cwe: 'CWE-89',
    title: 'SQL built from a request parameter',
    description: 'The text of a query is put together from what a caller sent.',
    file_path: 'src/orders.ts',
    start_line: 12,
    end_line: 12,
    snippet: "  const rows = await pool.query('select * from orders where id = ' + id)",
    ...over,
  }
}

export function otherFlaw(over: Record<string, unknown> = {}) {
  const code = { snippet: '  const path = join(root, request.query.name)', start_line: 40, end_line: 40 }
  return flaw({ rule_id: 'path-traversal', cwe: 'CWE-22', title: 'Path from a request', ...code, ...over })
}

export function scanOf(repository: string, at: number, findings: unknown[], over: object = {}): Event {
  return createEvent('security_scan.completed', minute(at), {
    organization: ownOrganization,
    repository: { id: repository, name: 'scanned' },
    scan_id: `scan-${at}`,
    tool: 'Warden',
    complete: true,
    findings,
    ...over,
  })
}

export function dismissalOf(finding: string, at: number, over: object = {}): Event {
  const payload = { organization: ownOrganization, finding_id: finding, reason: 'false_positive', ...over }
  return createEvent('security_finding.dismissed', minute(at), payload)
}

export async function findingsOf(
  repository: string,
  query = 'state=all',
  key: KeyName = 'organization',
): Promise<SecurityFinding[]> {
  const reply = await call(`${findingsPath}?repo_id=${repository}&limit=1000&${query}`, {
    key: demo.keys[key],
  })
  assertPage(reply)
  return (reply.body as { data: SecurityFinding[] }).data.toSorted(
    (a, b) => (a.start_line ?? 0) - (b.start_line ?? 0),
  )
}

/** Sends them and waits until what can be read is so. */
export async function tell(
  repository: string,
  events: Event[],
  isSo: (findings: readonly SecurityFinding[]) => boolean,
): Promise<SecurityFinding[]> {
  await send(events)
  return until(repository, isSo)
}

export async function until(
  repository: string,
  isSo: (findings: readonly SecurityFinding[]) => boolean,
): Promise<SecurityFinding[]> {
  let findings: SecurityFinding[] = []
  await eventually('the findings are so', async () => {
    findings = await findingsOf(repository)
    return isSo(findings)
  })
  return findings
}

export const statesOf = (findings: readonly SecurityFinding[]) => findings.map(({ state }) => state).join(' ')

export type Upload = {
  key?: string
  headers?: Record<string, string>
  query?: Record<string, string>
}

export function upload(
  repository: string,
  body: string | Uint8Array<ArrayBuffer>,
  given: Upload = {},
): Promise<Reply> {
  const place = { provider: 'github', org_id: home.org_id, repo_id: repository, ...given.query }
  return call(`${sarifPath}?${new URLSearchParams(place).toString()}`, {
    method: 'POST',
    key: given.key ?? demo.keys.ingest,
    headers: { 'content-type': 'application/sarif+json', ...given.headers },
    body,
  })
}

export function sarifOf(results: readonly object[], over: object = {}): string {
  const driver = { name: 'Warden', rules: [{ id: 'sql', properties: { 'security-severity': '9.1' } }] }
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results }], ...over })
}

export function resultOf(line: number, over: object = {}) {
  return {
    ruleId: 'sql',
    message: { text: 'A query is put together from what a caller sent.' },
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/orders.ts' }, region: { startLine: line } } },
    ],
    ...over,
  }
}

export function receiptOf(reply: Reply): { scan_id: string; tool: string; findings: number }[] {
  assert.equal(reply.status, 202, reply.text)
  return (reply.body as { scans: { scan_id: string; tool: string; findings: number }[] }).scans
}
