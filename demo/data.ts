// Loads the data files of a folder: demo/data, or acceptance/fixtures.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Severity = 'critical' | 'major' | 'minor' | 'trivial' | 'info'
export type Category =
  | 'data_integrity_and_integration'
  | 'functional_correctness'
  | 'maintainability_and_code_quality'
  | 'performance_and_scalability'
  | 'security_and_privacy'
  | 'stability_and_availability'

export interface Repository {
  readonly org_id: string
  readonly repository_id: string
  readonly name: string
  /** A line of repository-kinds.jsonl; determines the findings in the repository. */
  readonly kind: string
  /** Weight among the repositories of the organization. */
  readonly share: number
  readonly public?: boolean
  readonly inactive?: boolean
}

/** An account that opens pull requests and belongs to no person of the tenant. */
export interface Contributor {
  readonly org_id: string
  readonly email: string
  readonly username: string
  readonly account_id: string
}

export interface Organization {
  readonly tenant: string
  readonly org_id: string
  readonly name: string
  readonly provider: string
  readonly host: string
  /** Deactivated after its history is stored. */
  readonly inactive?: boolean
  readonly repositories: readonly Repository[]
  /** In the order in which they joined. */
  readonly contributors: readonly Contributor[]
}

export interface Person {
  readonly tenant: string
  readonly email: string
  readonly name: string
  readonly username: string
  /** By provider. */
  readonly account_ids: Readonly<Record<string, string>>
  readonly roles: readonly { readonly org_id: string; readonly role: string }[]
  readonly workspace_admin?: boolean
  /** Organizations whose active repositories the person can read. */
  readonly reads?: readonly string[]
}

export interface Tenant {
  readonly tenant: string
  readonly kind: 'workspace' | 'instance' | 'organization'
  readonly name: string
  readonly plan: string
  readonly seats: number
  readonly provider?: string
  readonly host?: string
  readonly metrics?: 'off'
  readonly organizations: readonly Organization[]
  readonly people: readonly Person[]
}

export interface KeyDefinition {
  readonly name: string
  readonly tenant: string
  readonly kind: string
  /** Organizations by org_id. */
  readonly organization?: string
  readonly authorized?: readonly string[]
  /** A person by e-mail. */
  readonly owner?: string
  /** The owner is a workspace admin only while the key is created. */
  readonly demoted_owner?: boolean
  readonly state?: 'expired' | 'revoked'
  readonly expires_in_days?: number
}

export interface Learning {
  readonly repository_id: string
  readonly learning: string
  readonly file?: string
  readonly source: 'api' | 'chat' | 'review' | 'agent'
  readonly state: 'shared' | 'pending' | 'private' | 'disapproved'
  readonly age_days: number
  readonly uses?: number
}

export interface LearningSetting {
  readonly org_id: string
  readonly repository_id?: string
  readonly approval_delay: number
}

/** A scanner reports it in every repository of this kind. */
export interface SecurityFinding {
  readonly repository_kind: string
  readonly tool: string
  readonly rule_id: string
  readonly severity: string
  readonly cwe: string
  readonly title: string
  readonly description: string
  readonly file_path: string
  readonly line: number
  readonly snippet: string
  /** Weeks are counted from 0; without them, every scan reports it. */
  readonly first_week?: number
  readonly fixed_in_week?: number
  readonly dismissed?: string
  readonly renamed?: { readonly week: number; readonly file_path: string }
}

export interface McpServer {
  readonly name: string
  /** The share of reviews with MCP usage that call it. */
  readonly share: number
  readonly failure_rate: number
  /** Mean calls of each tool in such a review. */
  readonly tools: Readonly<Record<string, number>>
}

export interface RepositoryKind {
  readonly kind: string
  readonly severities: Readonly<Record<Severity, number>>
  readonly categories: Readonly<Record<Category, number>>
  readonly mcp_servers: readonly string[]
}

export interface Data {
  readonly tenants: readonly Tenant[]
  readonly keys: readonly KeyDefinition[]
  readonly learnings: readonly Learning[]
  readonly learningSettings: readonly LearningSetting[]
  readonly securityFindings: readonly SecurityFinding[]
  readonly mcpServers: ReadonlyMap<string, McpServer>
  readonly repositoryKinds: ReadonlyMap<string, RepositoryKind>
}

export function loadData(folder: string): Data {
  const read = <Row>(name: string): Row[] => readJsonLines<Row>(join(folder, `${name}.jsonl`))
  const repositories = Map.groupBy(read<Repository>('repositories'), ({ org_id }) => org_id)
  const contributors = Map.groupBy(read<Contributor>('contributors'), ({ org_id }) => org_id)
  const organizations = Map.groupBy(
    read<Omit<Organization, 'repositories' | 'contributors' | 'host'>>('organizations'),
    ({ tenant }) => tenant,
  )
  const people = Map.groupBy(read<Person>('people'), ({ tenant }) => tenant)
  const tenants = read<Omit<Tenant, 'organizations' | 'people'>>('tenants').map((tenant) => ({
    ...tenant,
    organizations: (organizations.get(tenant.tenant) ?? []).map((organization) => ({
      ...organization,
      host: tenant.host ?? `${organization.provider}.com`,
      repositories: repositories.get(organization.org_id) ?? [],
      contributors: contributors.get(organization.org_id) ?? [],
    })),
    people: people.get(tenant.tenant) ?? [],
  }))
  return {
    tenants,
    keys: read('keys'),
    learnings: read('learnings'),
    learningSettings: read('learning-settings'),
    securityFindings: read('security-findings'),
    mcpServers: new Map(read<McpServer>('mcp-servers').map((server) => [server.name, server])),
    repositoryKinds: new Map(read<RepositoryKind>('repository-kinds').map((kind) => [kind.kind, kind])),
  }
}

function readJsonLines<Row>(file: string): Row[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as Row]
    } catch (cause) {
      throw new Error(`${file}:${index + 1} is not JSON`, { cause })
    }
  })
}

/** Identifies an organization in events. */
export function toReference({ provider, host, org_id: id }: Organization) {
  return { provider, host, id }
}

export function membersOf({ people }: Tenant, { org_id }: Organization): Person[] {
  return people.filter(({ roles }) => roles.some((role) => role.org_id === org_id))
}

export function roleIn({ roles }: Person, { org_id }: Organization): string | undefined {
  return roles.find((role) => role.org_id === org_id)?.role
}

export function accountOf({ account_ids, username }: Person, { provider }: Organization) {
  return { id: account_ids[provider] ?? '', username }
}
