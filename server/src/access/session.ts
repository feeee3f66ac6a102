import type { Pool } from '../db/connect.ts'
import { runUnscoped } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import { isUuid, type OrganizationId, type PersonId, type RootId, type SessionId } from '../ids.ts'
import { createCredentialReader } from './credentials.ts'
import { createSecret, hashKey, isWellFormedSecret } from './key-format.ts'
import { isPermission, resolveRolePermissions, type SystemRole } from './permissions.ts'
import type { Plan, Principal } from './principal.ts'
import { runAsCaller } from './refusals.ts'
import { FIRST_EPOCH } from './restore-point.ts'
import { readSessionsUnscoped } from './sql.ts'

export const SESSION_COOKIE = '__Host-scholiast'
/** Names the organization that a session acts in: its id, or `all` for a workspace admin. */
export const ORGANIZATION_HEADER = 'x-scholiast-organization'
export const ABSOLUTE_HOURS = 24
export const FRESH_MINUTES = 10

const prefix = 'sch_ses_'

/** `organization` is the value of the header; null for endpoints that serve the person alone. */
export type AuthenticateSession = (
  value: string,
  organization: string | undefined | null,
) => Promise<Principal>

interface SessionRow {
  readonly lookup: string
  readonly id: SessionId
  readonly root_id: RootId
  readonly person_id: PersonId
  readonly authenticated_at: string | null
  readonly plan: Plan | null
  readonly subscription_active: boolean | null
  readonly workspace_admin: boolean
  readonly sso: boolean
  readonly organization_id: OrganizationId | null
  readonly organization_active: boolean | null
  readonly system_role: SystemRole | null
  readonly role_permissions: string[] | null
  readonly restore_epoch: number | null
}

export function createSessionValue(): string {
  return createSecret(prefix)
}

/** Reads the session at every request, as keys are read; nothing is cached. */
export function createSessionAuthenticator(pool: Pool): AuthenticateSession {
  const reader = createCredentialReader(
    async (lookups) => {
      const pairs = lookups.map((lookup) => lookup.split(' '))
      return runUnscoped<SessionRow>(pool, readSessionsUnscoped, [
        pairs.map(([hash = '']) => Buffer.from(hash, 'hex')),
        pairs.map(([, organization]) => organization || null),
      ])
    },
    (row) => row,
  )
  return async (value, organization) => {
    if (!isWellFormedSecret(prefix, value)) return refuseSession()
    const named = organization?.toLowerCase() ?? null
    const lookup = `${hashKey(value).toString('hex')} ${named !== null && isUuid(named) ? named : ''}`
    const row = await reader.read(lookup)
    if (row === undefined) return refuseSession()
    return runAsCaller(toPrincipal(row, null, null), () => toPrincipal(row, organization, named))
  }
}

/** One message for missing, ended, idle and expired sessions, and for people who are deactivated. */
function refuseSession(): never {
  return refuse(
    'UNAUTHORIZED',
    'You are not signed in, or your session has ended. Sign in again at /auth/sign-in.',
  )
}

function toPrincipal(row: SessionRow, requested: string | undefined | null, named: string | null): Principal {
  const { workspace_admin: workspaceAdmin, system_role: systemRole, authenticated_at: at } = row
  const common = {
    credential: { kind: 'session', id: row.id, authenticatedAt: at === null ? null : new Date(at) },
    root: row.root_id,
    plan: row.plan ?? 'free',
    subscriptionActive: row.subscription_active ?? false,
    restoreEpoch: row.restore_epoch ?? FIRST_EPOCH,
    owner: row.person_id,
  } as const
  if (requested === null) return { ...common, kind: 'person', permissions: new Set(), admin: false }
  if (named === null) return refuseMissingHeader()
  if (named === 'all' ? !workspaceAdmin : !isMember(row)) return refuseOrganizationHeader()
  const admin = workspaceAdmin || systemRole === 'cr_admin'
  const granted = resolveRolePermissions(admin ? 'cr_admin' : systemRole, row.role_permissions)
  const rights = { permissions: new Set([...granted].filter(isPermission)), admin }
  // The contract: outside an Enterprise workspace with SSO, an `all` session is refused as a workspace token is.
  if (named === 'all')
    return { ...common, ...rights, kind: 'workspace', sso: row.sso && row.plan === 'enterprise' }
  return { ...common, ...rights, kind: 'user', ...getOrganization(row) }
}

function isMember({ organization_id, workspace_admin, system_role, role_permissions }: SessionRow): boolean {
  return organization_id !== null && (workspace_admin || system_role !== null || role_permissions !== null)
}

function getOrganization({ organization_id, organization_active }: SessionRow) {
  return {
    organization: organization_id ?? refuseOrganizationHeader(),
    organizationActive: organization_active ?? false,
  }
}

function refuseMissingHeader(): never {
  return refuse(
    'ORG_ID_REQUIRED',
    `Name the organization in the header ${ORGANIZATION_HEADER}. GET /v1/session lists your organizations.`,
  )
}

/** The same for organizations that do not exist and those that the person is not a member of. */
function refuseOrganizationHeader(): never {
  return refuse(
    'ORGANIZATION_NOT_FOUND',
    `No organization with the id in ${ORGANIZATION_HEADER} exists or you are not a member. GET /v1/session lists yours.`,
  )
}
