import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Reply } from '../cli/src/conformance/http.ts'
import { createEvent, type Event, eventually, ownOrganization, send } from './metrics-data.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'

export const securityPath = '/v1/security/scans/code'

export const findingFields = [
  'id',
  'scan_id',
  'organization_id',
  'organization_name',
  'repository_id',
  'repository_name',
  'severity',
  'state',
  'cwe',
  'title',
  'description',
  'file_path',
  'start_line',
  'end_line',
  'first_seen_at',
  'last_seen_at',
] as const

export type SecurityFinding = Record<(typeof findingFields)[number], string | number | null>
type SecurityPage = { data: SecurityFinding[]; next_cursor: string | null }

/** A finding as a scanner reports it. */
export type Found = Record<string, unknown>

/** A repository that nobody else writes about: what a test asks for by it is its own. */
export function ownRepository(): string {
  return `acceptance-${randomUUID()}`
}

/** A finding with its own rule by default, so that no other finding is taken for it. */
export function found(over: Found = {}): Found {
  return {
    rule_id: `rule-${randomUUID()}`,
    severity: 'high',
    cwe: 'CWE-89',
    title: 'SQL built from a request parameter',
    description: 'The text of a query is put together from what a caller sent.',
    file_path: 'src/orders/search.ts',
    start_line: 12,
    end_line: 14,
    fingerprint: randomUUID(),
    ...over,
  }
}

/** A complete scan of a repository of the home organization, unless it says otherwise. */
export function scanOf(repository: string, findings: Found[], over: Record<string, unknown> = {}): Event {
  const scanned_at = new Date().toISOString()
  return createEvent('security_scan.completed', scanned_at, {
    organization: ownOrganization,
    repository: { id: repository, name: 'booking-api' },
    scan_id: randomUUID(),
    tool: 'Warden',
    complete: true,
    scanned_at,
    findings,
    ...over,
  })
}

/** Returns when the scan is stored: as many are open in its repository then. */
export async function storeScan(scan: Event, open: number, key: KeyName = 'workspace'): Promise<void> {
  const credentials = { instance: 'ingest_instance', other_tenant: 'ingest_other_tenant' } as const
  await send([scan], key in credentials ? credentials[key as 'instance'] : 'ingest')
  const { repository } = scan.payload as { repository: { id: string } }
  await eventually('a scan is stored', async () => {
    const { data } = await readFindings(`repo_id=${repository.id}&limit=1000`, key)
    return data.length === open
  })
}

export function askFindings(query: string, key: KeyName = 'workspace', base?: string): Promise<Reply> {
  return call(`${securityPath}?${query}`, { key: demo.keys[key], ...(base !== undefined && { base }) })
}

export async function readFindings(query: string, key: KeyName = 'workspace'): Promise<SecurityPage> {
  const reply = await askFindings(query, key)
  assertPage(reply)
  return reply.body as SecurityPage
}

export async function readFindingPages(
  query: string,
  key: KeyName = 'workspace',
): Promise<SecurityFinding[][]> {
  const pages: SecurityFinding[][] = []
  const search = new URLSearchParams(query)
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readFindings(search.toString(), key)
    pages.push(page.data)
    cursor = page.next_cursor
    search.set('cursor', cursor ?? '')
  }
  return pages
}

type SarifResult = {
  ruleId: string
  ruleIndex: number
  level: string
  message: { text: string }
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[]
  partialFingerprints: Record<string, string>
  correlationGuid: string
  suppressions: { justification: string }[]
  baselineState?: string
  properties: Record<string, string>
}
export type Sarif = {
  version: string
  runs: {
    tool: { driver: { name: string; rules: { id: string; properties: Record<string, unknown> }[] } }
    results: SarifResult[]
  }[]
}

export async function downloadSarif(query: string, key: KeyName = 'workspace'): Promise<Sarif> {
  const reply = await askFindings(`${query}&format=sarif`, key)
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.headers.get('content-type'), 'application/sarif+json; charset=utf-8')
  return JSON.parse(reply.text) as Sarif
}
