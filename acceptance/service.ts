import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type Reply,
  type RequestOptions,
  requestIdPattern,
  sendRequest,
} from '../cli/src/conformance/http.ts'

export type KeyName =
  | 'organization'
  | 'user'
  | 'workspace'
  | 'instance'
  | 'legacy'
  | 'agentic'
  | 'expired'
  | 'revoked'
  | 'workspace_demoted_owner'
  | 'other_tenant'
  | 'lower_plan'
  | 'metrics_off'
  | 'instance_narrow'
  | 'ingest'
  | 'ingest_instance'
  | 'ingest_other_tenant'

type DemoOrganization = {
  id: string
  org_id: string
  name: string
  root: 'workspace' | 'instance' | 'organization'
  repositories: { repository_id: string; name: string }[]
}

type Demo = { base_url: string; keys: Record<KeyName, string>; organizations: DemoOrganization[] }

type Organization = { id: string; name: string; provider: string; provider_organization_id: string }
type OrganizationsPage = { organizations: Organization[]; next_cursor: string | null }
type Repository = {
  id: string
  name: string
  provider: string
  provider_repository_id: string
  private: boolean
}
export type RepositoriesPage = { repositories: Repository[]; next_cursor: string | null }

export const demo = readDemo()

export const organizationsPath = '/v1/organizations'

export function repositoriesPath(organizationId: string): string {
  return `/v1/organizations/${organizationId}/repositories`
}

export function organizationsOf(root: DemoOrganization['root']): DemoOrganization[] {
  return demo.organizations.filter((organization) => organization.root === root)
}

// The organization, user, legacy and agentic keys of the demo belong to the workspace's first organization.
export const home = at(organizationsOf('workspace'), 0)

/** Every list endpoint that exists, addressed so that the demo's workspace and home keys may read it. */
export const listPaths = [organizationsPath, repositoriesPath(home.id)]

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items.at(index)
  assert.ok(item !== undefined, `the demo should have an element ${index} here, it has ${items.length}`)
  return item
}

export function call(path: string, options: RequestOptions & { base?: string } = {}): Promise<Reply> {
  return sendRequest(options.base ?? demo.base_url, path, options)
}

export async function listOrganizations(key: KeyName, query = ''): Promise<OrganizationsPage> {
  const reply = await call(organizationsPath + query, { key: demo.keys[key] })
  assertPage(reply)
  return reply.body as OrganizationsPage
}

export async function listRepositories(
  key: KeyName,
  organizationId: string,
  query = '',
): Promise<RepositoriesPage> {
  const reply = await call(repositoriesPath(organizationId) + query, { key: demo.keys[key] })
  assertPage(reply)
  return reply.body as RepositoriesPage
}

export function assertPage(reply: Reply): void {
  assert.equal(reply.status, 200, reply.text)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
  assert.match(reply.headers.get('x-request-id') ?? '', requestIdPattern)
}

/** The only organization of a key that is bound to one, as the service tells it. */
export async function boundOrganization(key: KeyName): Promise<Organization> {
  const page = await listOrganizations(key)
  assert.equal(page.organizations.length, 1, `the ${key} key should see one organization`)
  return at(page.organizations, 0)
}

function readDemo(): Demo {
  const file = process.env['SCHOLIAST_DEMO'] ?? fileURLToPath(new URL('../.dev/demo.json', import.meta.url))
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Demo
  } catch (cause) {
    throw new Error(`no demo to test: start one with npm run acceptance or npm run dev (${file})`, { cause })
  }
}
