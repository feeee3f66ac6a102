import type { Pool } from '../db/connect.ts'
import { runUnscoped } from '../db/transaction.ts'
import { refuse } from '../errors.ts'
import type { InstanceId, KeyId, OrganizationId, PersonId, RootId } from '../ids.ts'
import { hashKey, isWellFormedKey, type KeyKind } from './key-format.ts'
import { isPermission, type Permission, permissionsOfRole, type SystemRole } from './permissions.ts'
import type { Principal } from './principal.ts'
import { readKeysUnscoped } from './sql.ts'

interface KeyRow {
  readonly hash: string
  readonly id: KeyId
  readonly kind: KeyKind
  readonly root_id: RootId
  readonly organization_id: OrganizationId | null
  readonly instance_id: InstanceId | null
  readonly organization_ids: OrganizationId[] | null
  readonly owner_id: PersonId | null
  readonly permissions: string[]
  readonly plan: Principal['plan'] | null
  readonly subscription_active: boolean | null
  readonly organization_active: boolean | null
  readonly workspace_admin: boolean | null
  readonly system_role: SystemRole | null
  readonly role_permissions: string[] | null
}

export type Authenticate = (value: string | undefined) => Promise<Principal>

/**
 * Says who holds a key, from the database at every request. Requests that arrive while a read is under way are
 * answered together by the next one: a read always starts after the request did, so a revocation that was answered
 * before is always seen, and a flood on one key costs no more statements than one caller.
 */
export function authenticator(pool: Pool): Authenticate {
  let waiting = new Map<string, ((row: KeyRow | undefined) => void)[]>()
  let failures: ((error: unknown) => void)[] = []
  let reading = false

  async function readWaiting(): Promise<void> {
    reading = true
    while (waiting.size > 0) {
      const batch = waiting
      const failBatch = failures
      waiting = new Map()
      failures = []
      try {
        const rows = await readKeys(pool, [...batch.keys()])
        for (const [hash, answers] of batch) for (const answer of answers) answer(rows.get(hash))
      } catch (error) {
        for (const fail of failBatch) fail(error)
      }
    }
    reading = false
  }

  function readKey(hash: string): Promise<KeyRow | undefined> {
    return new Promise((resolve, reject) => {
      const answers = waiting.get(hash)
      if (answers) answers.push(resolve)
      else waiting.set(hash, [resolve])
      failures.push(reject)
      if (!reading) void readWaiting()
    })
  }

  return async (value) => {
    if (value === undefined || !isWellFormedKey(value)) return refuseKey()
    const row = await readKey(hashKey(value).toString('hex'))
    return row === undefined ? refuseKey() : principalOf(row)
  }
}

// One message for missing, malformed, unknown, expired and revoked keys: a caller learns nothing about which keys exist.
function refuseKey(): never {
  return refuse(
    'UNAUTHORIZED',
    'The API key is missing, invalid or no longer active. Send a valid key in x-service-api-key.',
  )
}

async function readKeys(pool: Pool, hashes: readonly string[]): Promise<Map<string, KeyRow>> {
  const values = [hashes.map((hash) => Buffer.from(hash, 'hex'))]
  const rows = await runUnscoped<KeyRow & object>(pool, readKeysUnscoped, values)
  return new Map(rows.map((row) => [row.hash, row]))
}

function principalOf(row: KeyRow): Principal {
  const role = rolePermissions(row)
  const known = {
    keyId: row.id,
    root: row.root_id,
    plan: row.plan ?? 'free',
    subscriptionActive: row.subscription_active ?? false,
    permissions: new Set(
      row.permissions.filter((name): name is Permission => isPermission(name) && role.has(name)),
    ),
    admin: isAdmin(row),
  }
  switch (row.kind) {
    case 'organization':
    case 'user':
    case 'legacy':
    case 'agentic':
      return {
        ...known,
        kind: row.kind,
        owner: required(row.owner_id),
        organization: required(row.organization_id),
        organizationActive: row.organization_active ?? false,
      }
    case 'workspace':
      return { ...known, kind: row.kind, owner: required(row.owner_id) }
    case 'instance':
      return {
        ...known,
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

function rolePermissions(row: KeyRow): ReadonlySet<string> {
  if (isAdmin(row)) return new Set(permissionsOfRole('cr_admin'))
  if (row.system_role !== null) return new Set(permissionsOfRole(row.system_role))
  return new Set(row.role_permissions)
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('A key row lacks what its kind requires.')
  return value
}
