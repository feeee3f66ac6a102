import { createHash } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import type { TestOrganization } from '../tenant.ts'

/** Values of a planted finding. The defaults are those of a plausible open one. */
export interface PlantedFinding {
  readonly repository_id?: string
  readonly repository_name?: string
  readonly scan_id?: string
  readonly severity?: 'critical' | 'high' | 'medium' | 'low' | 'info'
  readonly state?: 'open' | 'fixed' | 'dismissed'
  readonly cwe?: string | null
  readonly title?: string
  readonly description?: string
  readonly file_path?: string
  readonly start_line?: number | null
  readonly end_line?: number | null
  readonly rule_id?: string
  readonly tool?: string
  readonly fingerprint?: string
  readonly first_seen_at?: string
  readonly last_seen_at?: string
}

const defaultFinding = {
  scan_id: 'scan-1',
  severity: 'high',
  state: 'open',
  cwe: 'CWE-89',
  title: 'SQL built from a request parameter',
  description: 'The text of a query is concatenated from values of the request.',
  file_path: 'src/orders/search.ts',
  start_line: 12,
  end_line: 14,
  rule_id: 'sql-injection',
  tool: 'Warden',
  first_seen_at: '2026-03-01T08:00:00.000Z',
  last_seen_at: '2026-03-02T08:00:00.000Z',
} as const

/** Inserts findings in their order, without the service, and returns their ids. */
export async function plantFindings(
  superuser: ClientBase | Pool,
  { root, id, instance, orgId, name, repositories }: TestOrganization,
  findings: readonly PlantedFinding[],
): Promise<string[]> {
  const [repository] = repositories
  const rows = findings.map((finding, index) => {
    const whole = {
      repository_id: repository?.repositoryId ?? '1',
      repository_name: repository?.name ?? 'planted',
      fingerprint: createHash('sha256')
        .update(`${id} ${index} ${JSON.stringify(finding)}`)
        .digest('hex'),
      ...defaultFinding,
      ...finding,
    }
    return { ...whole, id: toUuid(`${id} ${whole.fingerprint}`), ordinal: index + 1 }
  })
  await superuser.query(
    `with head as (
       insert into security_head as h values ($1, $7)
       on conflict (root_id) do update set position = h.position + $7 returning position - $7 as position
     ), scans as (
       insert into security_scan (root_id, organization_id, instance_id, repository_id, tool, scan_id, part, complete,
         branch, category, at, event_id, findings)
       select distinct $1::uuid, $2::uuid, $3::uuid, repository_id, tool, scan_id, 'planted', true, 'main', '', now(),
         scan_id, 1
       from jsonb_to_recordset($6) as f (repository_id text, tool text, scan_id text)
       on conflict do nothing
     )
     insert into security_finding (root_id, organization_id, instance_id, id, provider, host, provider_organization_id,
       organization_name, repository_id, repository_name, scan_id, severity, state, dismissal_reason, dismissed_by,
       dismissed_at, cwe, title, description, file_path, start_line, end_line, rule_id, tool, fingerprint, first_seen_at,
       last_seen_at, position, lanes, redactor_version)
     select $1, $2, $3, f.id, 'github', 'github.com', $4, $5, repository_id, repository_name, scan_id, severity, state,
       case state when 'dismissed' then 'wont_fix' end, case state when 'dismissed' then 'planted' end,
       case state when 'dismissed' then last_seen_at end, cwe, title, description, file_path, start_line, end_line,
       rule_id, tool, fingerprint, first_seen_at, last_seen_at, head.position + f.ordinal, '{}', 1
     from head, jsonb_to_recordset($6) as f (id uuid, ordinal integer, repository_id text, repository_name text, scan_id text,
       severity text, state text, cwe text, title text, description text, file_path text, start_line integer,
       end_line integer, rule_id text, tool text, fingerprint text, first_seen_at timestamptz, last_seen_at timestamptz)`,
    [root, id, instance, orgId, name, JSON.stringify(rows), rows.length],
  )
  return rows.map((row) => row.id)
}

/** Formats a hash as a UUID of version 5. */
function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
