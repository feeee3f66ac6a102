import type { Pool } from '../db/connect.ts'
import { runUnscoped } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import type { InstanceId, KeyId, OrganizationId, PersonId, RootId } from '../ids.ts'
import { createCredentialReader } from './credentials.ts'
import { hashKey, INGEST_PREFIX, isWellFormedKey, type KeyKind } from './key-format.ts'
import { isPermission, resolveRolePermissions, type SystemRole } from './permissions.ts'
import type { Plan, Principal } from './principal.ts'
import { FIRST_EPOCH } from './restore-point.ts'
import { readKeysUnscoped } from './sql.ts'

interface KeyRow {
  readonly lookup: string
  readonly id: KeyId
  readonly kind: KeyKind
  readonly root_id: RootId
  readonly organization_id: OrganizationId | null
  readonly instance_id: InstanceId | null
  readonly organization_ids: OrganizationId[] | null
  readonly owner_id: PersonId | null
  readonly permissions: string[]
  readonly plan: Plan | null
  readonly subscription_active: boolean | null
  readonly organization_active: boolean | null
  readonly workspace_admin: boolean | null
  readonly system_role: SystemRole | null
  readonly role_permissions: string[] | null
  readonly restore_epoch: number | null
  readonly recently_used: boolean
  /** null unless the credential is a workspace token. */
  readonly sso: boolean | null
}

export type Authenticate = (value: string | undefined) => Promise<Principal>

export interface Authenticator extends Authenticate {
  /** Called when a request was refused by a rate limit: a flood of them must cost few reads. */
  readonly noteLimited: (principal: Principal) => void
}

/** Reads the key's principal from the database at every request; nothing is cached. */
export function createAuthenticator(pool: Pool): Authenticator {
  const { read: readKey, noteRefused: noteLimited } = createCredentialReader(
    createRowReader(pool),
    toPrincipal,
  )
  const authenticate: Authenticate = async (value) => {
    if (value?.startsWith(INGEST_PREFIX)) return refuseIngestCredential()
    if (value === undefined || !isWellFormedKey(value)) return refuseKey()
    return (await readKey(hashKey(value).toString('hex'))) ?? refuseKey()
  }
  return Object.assign(authenticate, { noteLimited })
}

function createRowReader(pool: Pool) {
  return (hashes: readonly string[]) =>
    runUnscoped<KeyRow>(pool, readKeysUnscoped, [hashes.map((hash) => Buffer.from(hash, 'hex'))])
}

// One message for missing, malformed, unknown, expired and revoked keys, so that callers cannot learn which keys exist.
export function refuseKey(): never {
  return refuse(
    'UNAUTHORIZED',
    'The API key is missing, invalid or no longer active. Send a valid key in x-service-api-key.',
  )
}

// The prefix alone decides, so that these messages do not reveal whether the value is valid.
function refuseIngestCredential(): never {
  return refuse(
    'UNAUTHORIZED',
    'This is an ingest credential, which only sends events. This endpoint needs an API key in x-service-api-key.',
  )
}

const kindNames: Readonly<Record<KeyKind, string>> = {
  organization: 'an organization key',
  user: 'a user key',
  workspace: 'a workspace token',
  instance: 'an instance key',
  legacy: 'a legacy key',
  agentic: 'an agentic key',
}

/** Refuses an API key on an ingest endpoint. */
export function refuseApiKey(kind: KeyKind): never {
  return refuse(
    'UNAUTHORIZED',
    `This is ${kindNames[kind]}; events need an ingest credential. Ask the operator for one and send it in x-service-api-key.`,
  )
}

function toPrincipal(row: KeyRow): Principal {
  const role = resolveRolePermissions(isAdmin(row) ? 'cr_admin' : row.system_role, row.role_permissions)
  const common = {
    credential: { kind: 'key', id: row.id, recentlyUsed: row.recently_used } as const,
    root: row.root_id,
    plan: row.plan ?? 'free',
    subscriptionActive: row.subscription_active ?? false,
    permissions: new Set(row.permissions.filter((name) => role.has(name)).filter(isPermission)),
    admin: isAdmin(row),
    restoreEpoch: row.restore_epoch ?? FIRST_EPOCH,
  }
  switch (row.kind) {
    case 'organization':
    case 'user':
    case 'legacy':
    case 'agentic':
      return {
        ...common,
        kind: row.kind,
        owner: required(row.owner_id),
        organization: required(row.organization_id),
        organizationActive: row.organization_active ?? false,
      }
    case 'workspace':
      return { ...common, kind: row.kind, owner: required(row.owner_id), sso: row.sso ?? false }
    case 'instance':
      return {
        ...common,
        kind: row.kind,
        instance: required(row.instance_id),
        home: required(row.organization_id),
        homeActive: row.organization_active ?? false,
        authorized: row.organization_ids,
      }
  }
}

function isAdmin(row: KeyRow): boolean {
  return row.kind === 'instance' || row.workspace_admin === true || row.system_role === 'cr_admin'
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('A key row lacks a column that its kind requires.')
  return value
}
