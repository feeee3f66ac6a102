import type { ChangeContext } from '../../access/change-context.ts'
import { MAX_CREDENTIAL_ORGANIZATIONS } from '../../access/ingest-credential.ts'
import { refuse } from '../../errors.ts'
import type { InstanceId, OrganizationId, PersonId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import type { KeyRequest } from './request.ts'
import { type OrganizationFacts, readOrganizationFacts, readOwnerFacts, readRootFacts } from './sql.ts'

const MAX_LIFETIME_DAYS = 366

/** Refuses a key whose kind, expiry, owner or organizations break the rules. */
export async function checkKeyRules(change: ChangeContext, request: KeyRequest): Promise<void> {
  checkExpiry(request, change.at)
  switch (request.kind) {
    case 'organization':
    case 'user':
    case 'legacy':
    case 'agentic':
      await checkOrganizationActive(change, request.organization)
      await checkOwner(change, request.owner, request.organization)
      return
    case 'workspace':
      await checkWorkspaceToken(change, request)
      return
    case 'instance':
      await checkInstanceKey(change, request)
      return
    case 'ingest':
      await checkOrganizationsExist(change, request.organizations ?? [])
      return
  }
}

function checkExpiry({ kind, expiresAt = null }: KeyRequest, at: Date): void {
  const bounded = kind === 'workspace' || kind === 'ingest'
  const subject = kind === 'workspace' ? 'A workspace token' : 'An ingest credential'
  if (expiresAt === null) {
    if (!bounded) return
    return refuse('INVALID_REQUEST', `${subject} requires an expiry in 1 to ${MAX_LIFETIME_DAYS} days.`)
  }
  const lifetimeMs = expiresAt.getTime() - at.getTime()
  if (lifetimeMs <= 0) return refuse('INVALID_REQUEST', 'The expiry is in the past. Pass a later one.')
  const minLifetimeMs = kind === 'workspace' ? DAY_MS : 0
  if (bounded && (lifetimeMs < minLifetimeMs || lifetimeMs > MAX_LIFETIME_DAYS * DAY_MS)) {
    return refuse(
      'INVALID_REQUEST',
      `${subject} must expire in 1 to ${MAX_LIFETIME_DAYS} days. Pass an expiry in that range.`,
    )
  }
}

async function checkWorkspaceToken(
  change: ChangeContext,
  request: KeyRequest & { kind: 'workspace' },
): Promise<void> {
  const root = await readRootFacts(change.scope, change.tx)
  if (root?.kind !== 'workspace' || !root.sso || root.plan !== 'enterprise') {
    return refuse('INVALID_REQUEST', 'Workspace tokens are available only in Enterprise workspaces with SSO.')
  }
  if (!request.name?.trim()) {
    return refuse('INVALID_REQUEST', 'A workspace token requires a name. Pass one that states its purpose.')
  }
  await checkTokenOwner(change, request.owner)
}

async function checkTokenOwner(change: ChangeContext, person: PersonId): Promise<void> {
  const owner = await readActiveOwner(change, person, null)
  if (owner.workspace_admin) return
  refuse(
    'OWNER_NOT_ADMIN',
    'The owner of a workspace token must be a workspace admin. Promote the person first.',
  )
}

async function checkInstanceKey(
  change: ChangeContext,
  request: KeyRequest & { kind: 'instance' },
): Promise<void> {
  const { instance, home, organizations } = request
  if (organizations !== null && !organizations.includes(home)) {
    refuse(
      'INVALID_REQUEST',
      'The home organization of an instance key must be one of the organizations it is authorized for.',
    )
  }
  const facts = await checkOrganizationsExist(change, [...new Set([home, ...(organizations ?? [])])])
  const foreign = facts.find(({ instance_id }) => instance_id !== instance)
  if (foreign !== undefined) refuseForeign(foreign.id, instance)
}

async function checkOrganizationActive(change: ChangeContext, organization: OrganizationId): Promise<void> {
  const [found] = await checkOrganizationsExist(change, [organization])
  if (found?.active === false) {
    refuse(
      'INVALID_REQUEST',
      `Organization ${organization} is inactive. Activate it before you create a key.`,
    )
  }
}

async function checkOwner(
  change: ChangeContext,
  person: PersonId,
  organization: OrganizationId,
): Promise<void> {
  const owner = await readActiveOwner(change, person, organization)
  if (!owner.member && !owner.workspace_admin) {
    refuse(
      'INVALID_REQUEST',
      `The owner is not a member of organization ${organization}. Add the person to it first.`,
    )
  }
}

async function readActiveOwner(
  { scope, tx }: ChangeContext,
  person: PersonId,
  organization: OrganizationId | null,
) {
  const owner = await readOwnerFacts(scope, tx, person, organization)
  if (owner === null) return refuse('NOT_FOUND', `The tenant root has no person with the id ${person}.`)
  if (!owner.active)
    return refuse('INVALID_REQUEST', `The owner ${person} is inactive. Reactivate the person first.`)
  return owner
}

async function checkOrganizationsExist(
  { scope, tx }: ChangeContext,
  organizations: readonly OrganizationId[],
): Promise<OrganizationFacts[]> {
  if (organizations.length > MAX_CREDENTIAL_ORGANIZATIONS) {
    refuse(
      'INVALID_REQUEST',
      `A key can name at most ${MAX_CREDENTIAL_ORGANIZATIONS} organizations. Name none to include all.`,
    )
  }
  const found = await readOrganizationFacts(scope, tx, organizations)
  const missing = organizations.find((id) => !found.some((row) => row.id === id))
  if (missing === undefined) return found
  return refuse('ORGANIZATION_NOT_FOUND', `The tenant root has no organization with the id ${missing}.`)
}

function refuseForeign(organization: OrganizationId, instance: InstanceId): never {
  return refuse(
    'ORGANIZATION_OUT_OF_SCOPE',
    `Organization ${organization} does not belong to instance ${instance}.`,
  )
}
