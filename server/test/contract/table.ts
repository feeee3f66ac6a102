import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type KeyKind, keyKinds } from '../../src/access/key-format.ts'
import type { Permission } from '../../src/access/permissions.ts'
import type { ErrorCode } from '../../src/errors.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { plantedLearningId, plantedRepositoryId } from '../planted/learnings.ts'

/**
 * The contract's complete table of key kinds, written by hand: organization · user · workspace · instance · legacy ·
 * agentic. ● means allowed, a number is the status of the error.
 */
const kinds = {
  'organizations, repositories': '● ● ● ● 410 ●',
  metrics: '● ● ● ● ● 403',
  'finding outcomes': '403 ● 403 403 410 403',
  'findings and reviewers': '● ● ● ● 410 403',
  'Learnings export': '● ● ● ● ● 403',
  'Learnings writes, approval': '● ● ● 403 410 403',
  'users, seats, roles': '● ● ● ● 410 403',
  'seat assignment mode': '● ● 403 ● 410 403',
  'audit logs': '● ● ● ● 410 403',
  'security findings': '● ● ● ● 410 403',
  'review-context, /mcp': '● ● ● 403 410 ●',
  keys: '403 ● ● 403 410 403',
  connectors: '403 ● 403 403 410 403',
  'keys/self': '● ● ● ● ● ●',
} as const

/** The contract's rules for a route. A route without a row here fails. */
export interface EndpointContract {
  readonly kinds: keyof typeof kinds
  readonly plan: 'any' | 'enterprise'
  /** An inactive subscription is 402. */
  readonly paymentRequired?: true
  readonly admin: boolean
  readonly permission: Permission | null
  /** Whether a workspace token must, may or cannot name an organization. */
  readonly selector: 'path' | 'org_id required' | 'org_id optional' | 'none'
  /** The Learning, role or key that the path names. */
  readonly createPathId?: () => string
  /** What else a valid request needs. */
  readonly query?: string
  readonly body?: Record<string, unknown> | ((kind: KeyKind | undefined) => Record<string, unknown>)
  /** The error code of a valid request, because nothing has the id that it names. */
  readonly notFoundCode?: ErrorCode
  /** The error code of a valid request for an organization that is not self-hosted. */
  readonly cloudCode?: ErrorCode
  /**
   * Instance keys too may name an organization, or `ALL` of them. The worker processes a request for `ALL`;
   * resources/user-roles tests it.
   */
  readonly instanceMaySelect?: true
  /** Two valid requests have different responses: something was created or changed between them. */
  readonly responseVaries?: true
}

const learningWrites = {
  kinds: 'Learnings writes, approval',
  plan: 'enterprise',
  admin: false,
  permission: 'learning:write',
  selector: 'org_id required',
} as const

const agentEndpoint = {
  kinds: 'review-context, /mcp',
  plan: 'enterprise',
  admin: false,
  permission: 'learning:read',
  selector: 'org_id required',
} as const

const roleEndpoint = {
  kinds: 'users, seats, roles',
  plan: 'enterprise',
  admin: true,
  permission: 'role_management:read',
  selector: 'org_id required',
} as const

const unknownId = '0197a000-0000-7000-8000-000000000000'

const keyEndpoint = { kinds: 'keys', plan: 'any', admin: true, selector: 'none' } as const

const connectorEndpoint = {
  kinds: 'connectors',
  plan: 'any',
  admin: true,
  permission: 'organization_management:write',
  selector: 'none',
} as const

const accountEndpoints = {
  'GET /v1/audit-logs': {
    kinds: 'audit logs',
    plan: 'enterprise',
    admin: false,
    permission: 'audit_log:read',
    selector: 'org_id optional',
    responseVaries: true,
  },
  'GET /v1/audit-logs/chain': {
    kinds: 'audit logs',
    plan: 'enterprise',
    admin: false,
    permission: 'audit_log:read',
    selector: 'org_id optional',
    responseVaries: true,
  },
  'GET /v1/users': { ...roleEndpoint, permission: 'user_management:read', selector: 'org_id optional' },
  'POST /v1/users/seats': {
    ...roleEndpoint,
    paymentRequired: true,
    permission: 'user_management:write',
    selector: 'none',
    body: (kind) => ({
      action: 'unassign',
      ...(kind === 'workspace' ? { members: [{ email: 'nobody@example.com' }] } : { user_ids: ['nobody'] }),
    }),
  },
  'POST /v1/users/seats/assignment': {
    ...roleEndpoint,
    paymentRequired: true,
    kinds: 'seat assignment mode',
    permission: 'user_management:write',
    selector: 'none',
    body: { mode: 'manual' },
    cloudCode: 'SELF_HOSTED_ONLY',
  },
  'POST /v1/users/offboarding': {
    ...roleEndpoint,
    permission: 'user_management:write',
    selector: 'org_id optional',
    body: { member: { email: 'nobody@example.com' }, dry_run: false },
    notFoundCode: 'NOT_FOUND',
  },
  'DELETE /v1/users/{cr_user_id}/sessions': {
    ...roleEndpoint,
    permission: 'user_management:write',
    selector: 'none',
    createPathId: () => unknownId,
    notFoundCode: 'NOT_FOUND',
  },
  'POST /v1/users/roles': {
    ...roleEndpoint,
    permission: 'user_management:write',
    body: { role: 'cr_member', user_ids: ['nobody'] },
    instanceMaySelect: true,
  },
  'POST /v1/roles/{role_id}/members': {
    ...roleEndpoint,
    permission: 'user_management:write',
    createPathId: () => 'cr_member',
    body: { user_ids: ['nobody'] },
    instanceMaySelect: true,
  },
  'GET /v1/settings': { ...roleEndpoint, plan: 'any', permission: 'organization_management:read' },
  'GET /v1/ingest/status': {
    ...roleEndpoint,
    plan: 'any',
    permission: 'user_management:read',
    selector: 'org_id optional',
  },
  'PATCH /v1/settings': {
    ...roleEndpoint,
    plan: 'any',
    permission: 'organization_management:write',
    body: { settings: { knowledge_base: { learnings: { approval_delay: 3 } } } },
  },
  'GET /v1/connectors': { ...connectorEndpoint, responseVaries: true },
  'POST /v1/connectors': {
    ...connectorEndpoint,
    body: () => ({
      provider: 'github',
      mode: 'polling',
      account: `acme-${randomUUID().slice(0, 8)}`,
      credential: { app_id: '1', installation_id: '2', private_key: 'PEM' },
    }),
    responseVaries: true,
  },
  'DELETE /v1/connectors/{connector_id}': {
    ...connectorEndpoint,
    createPathId: () => unknownId,
    notFoundCode: 'NOT_FOUND',
  },
  'GET /v1/roles': roleEndpoint,
  'GET /v1/roles/permissions': roleEndpoint,
  'GET /v1/roles/{role_id}': { ...roleEndpoint, createPathId: () => unknownId, notFoundCode: 'NOT_FOUND' },
  'POST /v1/roles': {
    ...roleEndpoint,
    permission: 'role_management:write',
    body: () => ({ name: randomUUID() }),
    responseVaries: true,
  },
  'PATCH /v1/roles/{role_id}': {
    ...roleEndpoint,
    permission: 'role_management:write',
    createPathId: () => unknownId,
    body: { description: 'Changed' },
    notFoundCode: 'NOT_FOUND',
  },
  'DELETE /v1/roles/{role_id}': {
    ...roleEndpoint,
    permission: 'role_management:delete',
    createPathId: () => unknownId,
    notFoundCode: 'NOT_FOUND',
  },
  'GET /v1/keys': { ...keyEndpoint, permission: 'api_key:read', selector: 'org_id optional' },
  'POST /v1/keys': {
    ...keyEndpoint,
    permission: 'api_key:write',
    selector: 'org_id required',
    body: { kind: 'agentic', name: 'For an agent' },
    responseVaries: true,
  },
  'GET /v1/keys/self': { kinds: 'keys/self', plan: 'any', admin: false, permission: null, selector: 'none' },
  'POST /v1/keys/{key_id}/rotate': {
    ...keyEndpoint,
    permission: 'api_key:write',
    createPathId: () => unknownId,
    body: { overlap_days: 1 },
    notFoundCode: 'NOT_FOUND',
  },
  'DELETE /v1/keys/{key_id}': {
    ...keyEndpoint,
    permission: 'api_key:delete',
    createPathId: () => unknownId,
    notFoundCode: 'NOT_FOUND',
  },
} as const satisfies Readonly<Record<string, EndpointContract>>

export const contract: Readonly<Record<string, EndpointContract>> = {
  ...accountEndpoints,
  'GET /v1/organizations': {
    kinds: 'organizations, repositories',
    plan: 'enterprise',
    admin: false,
    permission: 'organization_management:read',
    selector: 'none',
  },
  'GET /v1/organizations/{organization_id}/repositories': {
    kinds: 'organizations, repositories',
    plan: 'enterprise',
    admin: false,
    permission: 'repository_management:read',
    selector: 'path',
  },
  'GET /v1/metrics/reviews': {
    kinds: 'metrics',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31',
  },
  'GET /v1/metrics/review-comments': {
    kinds: 'metrics',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31',
  },
  'GET /v1/metrics/review-comments/changes': {
    kinds: 'metrics',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
  },
  'GET /v1/metrics/mcp': {
    kinds: 'metrics',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31',
  },
  'GET /v1/metrics/summary': {
    kinds: 'metrics',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31&group_by=reviewer,repository',
  },
  'GET /v1/metrics/reviews/summary': {
    kinds: 'metrics',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31&group_by=week,repository',
  },
  'GET /v1/metrics/mcp/summary': {
    kinds: 'metrics',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31&group_by=server,tool',
  },
  'GET /v1/metrics/findings': {
    kinds: 'findings and reviewers',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31&outcome=unknown',
  },
  'PUT /v1/metrics/findings/{id}/outcome': {
    kinds: 'finding outcomes',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:write',
    selector: 'org_id required',
    createPathId: () => unknownId,
    body: { accepted: true },
    notFoundCode: 'NOT_FOUND',
  },
  'GET /v1/metrics/reviewers': {
    kinds: 'findings and reviewers',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31',
  },
  'GET /v1/metrics/reviewers/overlap': {
    kinds: 'findings and reviewers',
    plan: 'enterprise',
    admin: false,
    permission: 'metrics:read',
    selector: 'org_id optional',
    query: 'start_date=2026-01-01&end_date=2026-01-31',
  },
  'GET /v1/security/scans/code': {
    kinds: 'security findings',
    plan: 'any',
    admin: false,
    permission: 'security:read',
    selector: 'org_id optional',
  },
  'GET /v1/security/summary': {
    kinds: 'security findings',
    plan: 'any',
    admin: false,
    permission: 'security:read',
    selector: 'org_id optional',
    query: 'group_by=severity,repository',
  },
  'GET /v1/learnings': {
    kinds: 'Learnings export',
    plan: 'enterprise',
    admin: false,
    permission: 'learning:read',
    selector: 'org_id optional',
  },
  'POST /v1/learnings': {
    ...learningWrites,
    body: { data: [{ repository_id: 'none', learning: 'Nobody has this repository.' }] },
  },
  'PATCH /v1/learnings/{learning_id}': {
    ...learningWrites,
    createPathId: () => plantedLearningId,
    body: { learning: 'What is planted is changed.' },
  },
  'DELETE /v1/learnings/{learning_id}': { ...learningWrites, createPathId: randomUUID },
  'GET /v1/learnings/pending': { ...learningWrites, admin: true },
  'POST /v1/learnings/{learning_id}/approval': {
    ...learningWrites,
    admin: true,
    createPathId: () => plantedLearningId,
    body: { decision: 'approve' },
  },
  'POST /v1/learnings/approvals': {
    ...learningWrites,
    admin: true,
    body: { decisions: [{ learning_id: plantedLearningId, decision: 'approve' }] },
  },
  'POST /v1/review-context': {
    ...agentEndpoint,
    body: { repository_id: plantedRepositoryId, text: 'as is usual' },
  },
  'POST /mcp/explain_learning': { ...agentEndpoint, body: { learning_id: plantedLearningId } },
  'POST /mcp/propose_learning': {
    ...agentEndpoint,
    permission: 'learning:write',
    body: { repository_id: plantedRepositoryId, learning: 'Proposed by every key.' },
  },
}

export const toEndpointName = ({ method, path }: Endpoint) => `${method} ${path}`
export const findContract = (endpoint: Endpoint): EndpointContract =>
  contract[toEndpointName(endpoint)] ??
  assert.fail(`${toEndpointName(endpoint)} has no row in server/test/contract/table.ts`)

/** The error code of the table for a kind of key; null = allowed. */
export function getKeyKindRefusal(row: EndpointContract, kind: KeyKind): ErrorCode | null {
  const verdict = kinds[row.kinds].split(' ')[keyKinds.indexOf(kind)]
  if (verdict === '●') return null
  if (verdict === '410') return 'LEGACY_API_KEY'
  return verdict === '403' ? 'KEY_KIND_NOT_ALLOWED' : assert.fail(`the table has an unknown entry ${verdict}`)
}

export const allowedKinds = (row: EndpointContract) =>
  keyKinds.filter((kind) => getKeyKindRefusal(row, kind) === null)
