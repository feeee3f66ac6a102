import type { Pool } from '../db/connect.ts'
import { readScoped, type TransactionScope } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import type { InstanceId, OrganizationId, RootId } from '../ids.ts'
import type { Principal } from './principal.ts'
import { findOrganization, findOrganizationsByProviderId } from './sql.ts'

/** What a request may read and write. The first argument of every statement function; created only here. */
export interface Scope extends TransactionScope {
  readonly root: RootId
  readonly organizations: readonly OrganizationId[] | null
  readonly instance: InstanceId | null
}

/** How an endpoint selects organizations. */
export type SelectionMode =
  /** Everything the key can read; there is no selector. */
  | 'whole'
  /** `org_id` narrows a workspace token; other kinds ignore it. */
  | 'optional'
  /** As `optional`; `organization_ids` filters within that scope, for every kind of key. */
  | 'filtered'
  /** A workspace token must give `org_id`; other kinds act on their own organization. */
  | 'required'
  /** `org_id` narrows a workspace token; other kinds act on their own organization. */
  | 'own'
  /** As `required`; an instance key may pass `org_id` too: one organization of the instance, or `ALL` of them. */
  | 'required-or-all'
  /** The organization's UUID in the path. */
  | 'path'

export interface Selectors {
  readonly org_id?: string | undefined
  readonly organization_ids?: readonly string[] | undefined
  readonly organization_id?: string | undefined
}

/** `organization` is the selected or bound organization, the owner of rate limits and writes; null if there are several. */
export interface SelectedScope {
  readonly scope: Scope
  readonly organization: OrganizationId | null
}

export async function selectScope(
  pool: Pool,
  principal: Principal,
  selection: SelectionMode,
  selectors: Selectors,
): Promise<SelectedScope> {
  if (selection === 'path') return selectByPath(pool, principal, selectors.organization_id ?? '')
  if (selection === 'filtered') {
    const { organization_ids, ...others } = selectors
    const selected = await selectScope(pool, principal, 'optional', others)
    return organization_ids === undefined ? selected : filterScope(pool, selected, organization_ids)
  }
  if (selectors.organization_ids !== undefined)
    return selectByFilter(pool, requireInstanceKey(principal), selectors.organization_ids)
  if (selection === 'required-or-all' && principal.kind === 'instance' && selectors.org_id !== undefined)
    return selectOfInstance(pool, principal, checkOrgId(selectors.org_id))
  if (principal.kind === 'workspace' && selection !== 'whole' && selectors.org_id !== undefined)
    return selectByProviderId(pool, principal, checkOrgId(selectors.org_id))
  return (
    selectDefaultScope(principal, selection) ??
    refuse('ORG_ID_REQUIRED', 'A workspace token must select an organization. Pass org_id.')
  )
}

const MAX_ORG_ID_LENGTH = 400

function checkOrgId(orgId: string): string {
  if (orgId !== '' && orgId.length <= MAX_ORG_ID_LENGTH) return orgId
  return refuse('INVALID_REQUEST', `org_id must be a string of 1 to ${MAX_ORG_ID_LENGTH} characters.`)
}

/** Whether `org_id` says anything for this key. Keys that are bound to organizations ignore it. */
export function readsOrgId({ kind }: Principal, selection: SelectionMode): boolean {
  return kind === 'workspace' || (kind === 'instance' && selection === 'required-or-all')
}

/** The scope of a request that selects no organization; null if it must select one. */
export function selectDefaultScope(principal: Principal, selection: SelectionMode): SelectedScope | null {
  if ('organization' in principal) return selectOwnScope(principal, selection)
  switch (selection) {
    case 'path':
      return null
    case 'required':
    case 'required-or-all':
      return principal.kind === 'workspace' ? null : selectOwnScope(principal, selection)
    case 'whole':
    case 'optional':
    case 'filtered':
    case 'own':
      return selectOwnScope(principal, selection)
  }
}

/** Everything the key can read. */
function wholeScope(principal: Principal): Scope {
  switch (principal.kind) {
    case 'organization':
    case 'user':
    case 'legacy':
    case 'agentic':
      return { root: principal.root, organizations: [principal.organization], instance: null }
    case 'workspace':
    // Endpoints that serve the person alone read by the person's id.
    case 'person':
      return { root: principal.root, organizations: null, instance: null }
    case 'instance':
      return { root: principal.root, organizations: principal.authorized, instance: principal.instance }
  }
}

/** The whole root, for audit rows, the worker and the operator; never for reads of a caller. */
export function rootScope(root: RootId): Scope {
  return { root, organizations: null, instance: null }
}

/** The organization that a scope is limited to; null if it is wider than one. */
export function getSoleOrganization({ organizations }: Scope): OrganizationId | null {
  return organizations?.length === 1 ? (organizations[0] ?? null) : null
}

/** What an ingest credential may write. */
export function credentialScope({
  root,
  organizations,
}: {
  readonly root: RootId
  readonly organizations: readonly OrganizationId[] | null
}): Scope {
  return { root, organizations, instance: null }
}

/** Restores the scope of a request for work that outlives it. */
export function restoreScope(
  root: RootId,
  instance: InstanceId,
  organizations: readonly OrganizationId[] | null,
): Scope {
  return { root, organizations, instance }
}

export function isAllOrganizations(orgId: unknown): boolean {
  return typeof orgId === 'string' && orgId.toUpperCase() === 'ALL'
}

function selectOwnScope(principal: Principal, selection: SelectionMode): SelectedScope {
  switch (principal.kind) {
    case 'organization':
    case 'user':
    case 'legacy':
    case 'agentic':
      if (!principal.organizationActive && selection !== 'whole') return refuseOrganization()
      return { scope: wholeScope(principal), organization: principal.organization }
    case 'instance':
      if (selection === 'whole' || selection === 'optional' || selection === 'filtered')
        return { scope: wholeScope(principal), organization: null }
      return principal.homeActive ? narrowScope(principal, principal.home) : refuseOrganization()
    case 'workspace':
    case 'person':
      return { scope: wholeScope(principal), organization: null }
  }
}

async function selectByPath(pool: Pool, principal: Principal, id: string): Promise<SelectedScope> {
  const scope = wholeScope(principal)
  const [found] = await readScoped(pool, scope, (tx) =>
    tx.query<{ id: OrganizationId }>(findOrganization, [scope.root, id, scope.instance, scope.organizations]),
  )
  return found === undefined ? refuseOrganization() : narrowScope(principal, found.id)
}

async function selectByProviderId(pool: Pool, principal: Principal, orgId: string): Promise<SelectedScope> {
  const found = await findByProviderIds(pool, wholeScope(principal), [orgId])
  if (found.length > 1) {
    return refuse(
      'ORG_ID_AMBIGUOUS',
      'Two organizations have this org_id at different providers. Pass provider:id.',
    )
  }
  const [organization] = found
  return organization === undefined ? refuseOrganization() : narrowScope(principal, organization)
}

type InstancePrincipal = Extract<Principal, { kind: 'instance' }>

async function selectOfInstance(
  pool: Pool,
  principal: InstancePrincipal,
  orgId: string,
): Promise<SelectedScope> {
  if (isAllOrganizations(orgId)) return { scope: wholeScope(principal), organization: null }
  const { organizations } = (await selectByFilter(pool, principal, [orgId])).scope
  const [organization] = organizations ?? []
  return organization === undefined ? refuseOrganization() : narrowScope(principal, organization)
}

/** Ids outside the scope match nothing. The owner of rate limits stays: a filter selects rows, not another organization. */
async function filterScope(
  pool: Pool,
  { scope, organization }: SelectedScope,
  ids: readonly string[],
): Promise<SelectedScope> {
  const found = await findByProviderIds(pool, scope, ids)
  const organizations = found.filter((id) => scope.organizations?.includes(id) ?? true)
  return { scope: { ...scope, organizations }, organization }
}

function requireInstanceKey(principal: Principal): InstancePrincipal {
  if (principal.kind === 'instance') return principal
  return refuse('INVALID_REQUEST', 'Only instance keys may use organization_ids. Remove it.')
}

/** The `organization_ids` of metrics. It can only narrow the scope. */
async function selectByFilter(
  pool: Pool,
  principal: InstancePrincipal,
  ids: readonly string[],
): Promise<SelectedScope> {
  const { root, instance } = principal
  const found = await findByProviderIds(pool, { root, instance, organizations: null }, ids)
  if (found.length === 0) return refuseOrganization()
  if (!isAuthorizedForAll(principal, found)) {
    return refuse(
      'ORGANIZATION_OUT_OF_SCOPE',
      'This key is not authorized for every organization in the request. Remove the others.',
    )
  }
  return { scope: { root, instance, organizations: found }, organization: null }
}

function isAuthorizedForAll({ authorized }: InstancePrincipal, ids: readonly OrganizationId[]): boolean {
  return authorized === null || ids.every((id) => authorized.includes(id))
}

/** An id may have its provider as a prefix, such as `github:42`. */
async function findByProviderIds(
  pool: Pool,
  scope: Scope,
  ids: readonly string[],
): Promise<OrganizationId[]> {
  const plain = ids.flatMap((id) => [id, id.slice(id.indexOf(':') + 1)])
  const rows = await readScoped(pool, scope, (tx) =>
    tx.query<{ id: OrganizationId; provider: string; provider_organization_id: string }>(
      findOrganizationsByProviderId,
      [scope.root, plain, scope.instance],
    ),
  )
  return rows
    .filter(
      (row) =>
        ids.includes(row.provider_organization_id) ||
        ids.includes(`${row.provider}:${row.provider_organization_id}`),
    )
    .map((row) => row.id)
}

function narrowScope(principal: Principal, organization: OrganizationId): SelectedScope {
  return { scope: { ...wholeScope(principal), organizations: [organization] }, organization }
}

function refuseOrganization(): never {
  return refuse(
    'ORGANIZATION_NOT_FOUND',
    'No active organization that this key can read matches. List them with GET /v1/organizations.',
  )
}
