// Security scans: one per week, tool and repository. One tool reports by event, the other one uploads SARIF files.
import {
  accountOf,
  membersOf,
  type Organization,
  type Repository,
  type SecurityFinding,
  toReference,
} from './data.ts'
import { DAY, HOUR } from './history/calendar.ts'
import { randomOf } from './history/random.ts'
import type { IngestEvent } from './service.ts'
import type { Session } from './session.ts'
import type { Root } from './tenants.ts'

const WEEKS = 8
const SARIF_TOOL = 'Palisade'

interface Scan {
  readonly organization: Organization
  readonly repository: Repository
  readonly scanId: string
  readonly tool: string
  readonly at: string
  readonly week: number
  readonly findings: readonly SecurityFinding[]
}

export function scansOf({ data }: Session, { tenant, createdAt }: Root): Scan[] {
  return tenant.organizations.flatMap((organization) =>
    organization.repositories.flatMap((repository) => {
      const hour = randomOf(`scan/${repository.repository_id}`).integer(1, 5)
      const known = data.securityFindings.filter((one) => one.repository_kind === repository.kind)
      return [...Map.groupBy(known, ({ tool }) => tool)].flatMap(([tool, findings]) =>
        Array.from({ length: WEEKS }, (_, week): Scan => {
          const at = Date.parse(createdAt) - (WEEKS - week) * 7 * DAY + hour * HOUR
          return {
            organization,
            repository,
            scanId: `${tool.toLowerCase()}-${repository.name}-${week + 1}`,
            tool,
            at: new Date(at).toISOString(),
            week,
            findings: findings.filter(
              ({ first_week = 0, fixed_in_week = WEEKS }) => first_week <= week && week < fixed_in_week,
            ),
          }
        }),
      )
    }),
  )
}

export function scanEvents(scans: readonly Scan[]): IngestEvent[] {
  return scans
    .filter(({ tool }) => tool !== SARIF_TOOL)
    .map(({ organization, repository, scanId, tool, at, week, findings }) => ({
      id: `demo-${scanId}`,
      type: 'security_scan.completed',
      version: 1,
      occurred_at: at,
      payload: {
        organization: toReference(organization),
        repository: { id: repository.repository_id, name: repository.name },
        scan_id: scanId,
        tool,
        branch: 'main',
        complete: true,
        findings: findings.map((finding) => {
          const { rule_id, severity, cwe, title, description, snippet } = finding
          const { file_path, line } = locate(finding, week)
          const location = { file_path, start_line: line, end_line: line }
          return { rule_id, severity, cwe, title, description, snippet, ...location }
        }),
      },
    }))
}

export async function uploadScans(
  { service }: Session,
  credential: string,
  scans: readonly Scan[],
): Promise<void> {
  for (const { organization, repository, scanId, tool, at, week, findings } of scans) {
    if (tool !== SARIF_TOOL) continue
    const { provider, host, org_id } = organization
    const repo_id = repository.repository_id
    const scan = {
      repo_id,
      repository_name: repository.name,
      scan_id: scanId,
      branch: 'main',
      scanned_at: at,
    }
    await service.uploadSarif(credential, { provider, host, org_id, ...scan }, toSarif(tool, findings, week))
  }
}

function toSarif(tool: string, findings: readonly SecurityFinding[], week: number): object {
  const rules = new Map(findings.map((finding) => [finding.rule_id, finding]))
  return {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool,
            rules: [...rules.values()].map(({ rule_id: id, title, description, cwe }) => ({
              id,
              shortDescription: { text: title },
              fullDescription: { text: description },
              properties: { tags: [`external/cwe/${cwe.toLowerCase()}`] },
            })),
          },
        },
        results: findings.map((finding) => {
          const { file_path, line } = locate(finding, week)
          const region = { startLine: line, endLine: line, snippet: { text: finding.snippet } }
          return {
            ruleId: finding.rule_id,
            message: { text: finding.description },
            properties: { severity: finding.severity },
            locations: [{ physicalLocation: { artifactLocation: { uri: file_path }, region } }],
          }
        }),
      },
    ],
  }
}

/** Line numbers change from week to week, as code is added above them. */
function locate({ file_path, line, renamed }: SecurityFinding, week: number) {
  const isRenamed = renamed !== undefined && week >= renamed.week
  return { file_path: isRenamed ? renamed.file_path : file_path, line: line + week * 3 }
}

interface StoredFinding {
  readonly id: string
  readonly repository_id: string
  readonly title: string
  readonly file_path: string
}

/** Runs after the scans are stored, because the service assigns the ids of findings. */
export async function dismissalsOf(
  { data, service }: Session,
  { tenant, createdAt }: Root,
  keys: ReadonlyMap<string, string>,
): Promise<IngestEvent[]> {
  const events: IngestEvent[] = []
  for (const organization of tenant.organizations) {
    const key = keys.get(organization.org_id)
    if (key === undefined) continue
    const stored = await service.readAll<StoredFinding>('/v1/security/scans/code', key)
    for (const { repository_id, kind } of organization.repositories) {
      const by = randomOf(`dismissal/${repository_id}`).pick(membersOf(tenant, organization))
      for (const finding of data.securityFindings) {
        const { title, repository_kind, dismissed: reason } = finding
        if (reason === undefined || repository_kind !== kind) continue
        const { file_path } = locate(finding, WEEKS)
        const found = stored.find((one) => {
          return one.repository_id === repository_id && one.title === title && one.file_path === file_path
        })
        // An interrupted seeding has already dismissed it: the list has open findings only.
        if (found === undefined) continue
        events.push({
          id: `demo-dismissal-${found.id}`,
          type: 'security_finding.dismissed',
          version: 1,
          occurred_at: new Date(Date.parse(createdAt) - 3 * DAY).toISOString(),
          payload: {
            organization: toReference(organization),
            finding_id: found.id,
            reason,
            by: accountOf(by, organization),
          },
        })
      }
    }
  }
  return events
}
