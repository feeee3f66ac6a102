// Creates the keys of keys.jsonl. Values that still work are reused; the others are replaced.
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyDefinition, Organization } from './data.ts'
import type { Session } from './session.ts'
import { organizationArgument, type Root } from './tenants.ts'

export type KeyValues = Readonly<Record<string, string>>

export interface ListedKey {
  readonly id: string
  readonly name: string | null
  /** First and last characters of the value, as in `sch_usr_…9fQ2`. */
  readonly key: string
  readonly state: 'active' | 'expired' | 'revoked'
  readonly expires: string | null
}

const DAY = 86_400_000
const EXPIRES_IN_MS = 1000
const MAX_EXPIRES_IN_MS = 60_000

export function listKeys({ operator }: Session, { id }: Root): Promise<ListedKey[]> {
  return operator.list<ListedKey>('key', 'list', '--root', id)
}

export async function ensureKeys(
  session: Session,
  roots: readonly Root[],
  listed: ReadonlyMap<Root, readonly ListedKey[]>,
  known: KeyValues,
) {
  const values: Record<string, string> = {}
  let created = 0
  for (const definition of session.data.keys) {
    const root = roots.find(({ tenant }) => tenant.tenant === definition.tenant)
    if (root === undefined)
      throw new Error(`The key ${definition.name} has an unknown tenant: ${definition.tenant}`)
    const keys = (listed.get(root) ?? []).filter(({ name }) => name === titleOf(definition))
    const value = known[definition.name]
    if (value !== undefined && (await isUsable(session, definition, value, keys))) {
      values[definition.name] = value
    } else {
      values[definition.name] = await replaceKey(session, root, definition, keys, values)
      created += 1
    }
  }
  return { values, created }
}

function titleOf({ name }: KeyDefinition): string {
  return `Demo: ${name.replaceAll('_', ' ')}`
}

async function isUsable(
  { service }: Session,
  { kind, state: wanted }: KeyDefinition,
  value: string,
  keys: readonly ListedKey[],
): Promise<boolean> {
  const listed = keys.find(({ key }) => {
    const [prefix = '', lastFour = ''] = key.split('…')
    return value.startsWith(prefix) && value.endsWith(lastFour)
  })
  if (listed?.state !== (wanted ?? 'active')) return false
  if (wanted !== undefined) return true
  // A key in its last day would expire while the demo is in use.
  if (listed.expires !== null && Date.parse(listed.expires) < Date.now() + DAY) return false
  // A credential signed with an old signing key is listed as active but rejected.
  return kind !== 'ingest' || service.accepts(value)
}

async function replaceKey(
  session: Session,
  root: Root,
  definition: KeyDefinition,
  former: readonly ListedKey[],
  values: KeyValues,
): Promise<string> {
  const { operator } = session
  for (const { id } of former.filter(({ state }) => state === 'active')) await revokeKey(session, root, id)
  const { owner, demoted_owner, state } = definition
  if (state === 'expired') return createExpiredKey(session, definition, values)
  const person = ['--root', root.id, '--person', owner ?? '']
  if (demoted_owner) await operator.run('person', 'promote', ...person)
  const { id, value } = await createKey(session, root, { ...definition, name: titleOf(definition) })
  if (demoted_owner) await operator.run('person', 'demote', ...person)
  if (state === 'revoked') await revokeKey(session, root, id)
  return value
}

function createKey(
  { operator }: Session,
  { tenant, id }: Root,
  { kind, name, organization, owner, authorized, expires_in_days }: Omit<KeyDefinition, 'tenant'>,
): Promise<{ id: string; value: string }> {
  const find = (org_id: string) => {
    const found = tenant.organizations.find((one) => one.org_id === org_id)
    if (found === undefined) throw new Error(`${tenant.name} has no organization ${org_id}.`)
    return organizationArgument(found)
  }
  return operator.run(
    'key',
    'create',
    '--root',
    id,
    '--kind',
    kind,
    '--name',
    name,
    ...(organization === undefined ? [] : ['--organization', find(organization)]),
    ...(owner === undefined ? [] : ['--owner', owner]),
    ...(authorized === undefined ? [] : ['--authorized', authorized.map(find).join(',')]),
    ...(expires_in_days === undefined ? [] : ['--expires-in-days', String(expires_in_days)]),
  )
}

export async function revokeKey({ operator }: Session, root: Root, id: string): Promise<void> {
  await operator.run('key', 'revoke', '--root', root.id, '--key', id)
}

/** `key create` takes an expiry in days; the API takes a time, so that a key can expire within a second. */
async function createExpiredKey(
  { data, service }: Session,
  definition: KeyDefinition,
  values: KeyValues,
): Promise<string> {
  const { kind, organization, owner } = definition
  const creator = data.keys.find((one) => {
    return (
      one.state === undefined && one.kind === kind && one.organization === organization && one.owner === owner
    )
  })
  const key = values[creator?.name ?? '']
  if (key === undefined) throw new Error(`No earlier key of keys.jsonl can create ${definition.name}.`)
  for (let lifetimeMs = EXPIRES_IN_MS; ; lifetimeMs *= 4) {
    const expiry = Date.now() + lifetimeMs
    const body = { kind, name: titleOf(definition), expires_at: new Date(expiry).toISOString() }
    const created = await service
      .call<{ value: string }>('/v1/keys', { key, body: JSON.stringify(body) })
      .catch((error: unknown) => {
        // A busy machine needs longer than that for the request.
        if (Date.now() > expiry && lifetimeMs < MAX_EXPIRES_IN_MS) return null
        throw error
      })
    if (created === null) continue
    await sleep(Math.max(0, expiry - Date.now()) + 10)
    return created.value
  }
}

const SEEDING = 'Demo seeding'

/** Keys that exist only while a tenant is seeded. When they are all revoked, the seeding of the tenant is complete. */
export interface SeedingKeys {
  readonly credential: string
  /** API keys of an Admin, by org_id. */
  readonly api: ReadonlyMap<string, string>
  readonly ids: readonly string[]
}

export function isSeeded(keys: readonly ListedKey[]): boolean {
  const seeding = keys.filter(({ name }) => name === SEEDING)
  return seeding.length > 0 && seeding.every(({ state }) => state === 'revoked')
}

export async function createCredential(session: Session, root: Root, former: readonly ListedKey[]) {
  const left = former.filter(({ name, state }) => name === SEEDING && state !== 'revoked')
  const credential = await createKey(session, root, { kind: 'ingest', name: SEEDING, expires_in_days: 2 })
  for (const { id } of left) await revokeKey(session, root, id)
  return credential
}

export async function createAdminKey(session: Session, root: Root, { org_id }: Organization, owner: string) {
  return createKey(session, root, {
    kind: 'user',
    name: SEEDING,
    organization: org_id,
    owner,
    expires_in_days: 2,
  })
}
