import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Reply } from '../cli/src/conformance/http.ts'
import { createEvent, type Event, eventually, send } from './metrics-data.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'

const usersPath = '/v1/users'
export const seatsPath = '/v1/users/seats'
export const modePath = '/v1/users/seats/assignment'

export type User = {
  user_id: string
  active: boolean
  seat_assigned: boolean
  role: string
  role_name: string
  role_type: string
  name: string
  username: string | null
  email: string | null
  seat_requested_at: string | null
}
/** Reading users is an activity of the key's owner, so two reads may differ in it. */
export type ActiveUser = User & { last_active_at: string | null }
export type UsersPage = {
  seats_purchased: number
  seats_assigned: number
  seat_assignment_mode: string
  users: User[]
  next_cursor: string | null
}
export type Person = {
  cr_user_id: string
  email: string | null
  name: string
  active: boolean
  seat_assigned: boolean
  accounts: {
    org_id: string
    provider: string
    user_id: string
    username: string
    role: string
    role_name: string
  }[]
}
export type PeoplePage = Omit<UsersPage, 'users' | 'seat_assignment_mode'> & { users: Person[] }
export type Result = {
  status: string
  succeeded: string[]
  failed: { user_id: string; id: string; code: string; message: string }[]
}

/** Who failed, with which code; every failure has exactly user_id, id (the same) and code, and says what is wrong. */
export function codesOf({ failed }: Result): [string, string][] {
  return failed.map((failure) => {
    const { user_id, code, message } = failure
    assert.ok(message !== '')
    assert.deepEqual(failure, { user_id, id: user_id, code, message })
    return [user_id, code]
  })
}

export function askUsers(key: KeyName, query = '', base?: string): Promise<Reply> {
  return call(usersPath + query, { key: demo.keys[key], ...(base && { base }) })
}

export async function readActiveUsers(
  key: KeyName,
  query = '',
): Promise<Omit<UsersPage, 'users'> & { users: ActiveUser[] }> {
  const reply = await askUsers(key, query)
  assertPage(reply)
  return reply.body as UsersPage & { users: ActiveUser[] }
}

function withoutActivity(active: ActiveUser): User {
  const { last_active_at: _, ...user } = active
  return user
}

/** Without last_active_at. */
export async function readUsers(key: KeyName, query = ''): Promise<UsersPage> {
  const page = await readActiveUsers(key, query)
  return { ...page, users: page.users.map(withoutActivity) }
}

export async function readPeople(query = ''): Promise<PeoplePage> {
  const reply = await askUsers('workspace', query)
  assertPage(reply)
  return reply.body as PeoplePage
}

export async function personOf(email: string): Promise<Person> {
  const person = (await readPeople()).users.find((candidate) => candidate.email === email)
  assert.ok(person, `the demo should have ${email}`)
  return person
}

export function post(path: string, key: KeyName, body: unknown, base?: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', key: demo.keys[key], headers, body: JSON.stringify(body) }
  return call(path, { ...options, ...(base && { base }) })
}

export async function changeSeats(
  key: KeyName,
  action: 'assign' | 'unassign',
  named: string[] | ({ email: string } | { cr_user_id: string })[],
): Promise<Result> {
  const field = key === 'workspace' ? 'members' : 'user_ids'
  const reply = await post(seatsPath, key, { action, [field]: named })
  assertPage(reply)
  return reply.body as Result
}

type Place = { provider: string; host?: string; id: string }
export const copperfield = { provider: 'github', id: '58801264' }
export const firmware = { provider: 'gitlab', host: 'git.halden.example.com', id: '12' }

const senders = {
  other_tenant: { credential: 'ingest_other_tenant', organization: copperfield },
  instance: { credential: 'ingest_instance', organization: firmware },
} as const
export type Sender = keyof typeof senders

/** People that no other test knows; they leave when the work is done. */
export async function withNewcomers(
  key: Sender,
  asked: number | string[],
  work: (ids: string[]) => Promise<void>,
): Promise<void> {
  const ids = typeof asked === 'number' ? Array.from({ length: asked }, () => randomUUID()) : asked
  await join(key, ids, true)
  try {
    await work(ids)
  } finally {
    await join(key, ids, false)
  }
}

async function join(key: Sender, ids: readonly string[], active: boolean): Promise<void> {
  const { credential, organization } = senders[key]
  const { provider, host } = organization as Place
  const at = host === undefined ? { provider } : { provider, host }
  const accounts = ids.map((id) => ({ ...at, id, username: id, email: `${id}@example.com`, name: id }))
  const memberships = ids.map((account_id) => ({ organization, account_id, active }))
  const told = active ? { accounts, memberships } : { memberships }
  await send([createEvent('inventory.changed', new Date().toISOString(), told)], credential)
  await eventually(active ? 'they are members' : 'they have left', async () => {
    const known = new Set((await readUsers(key)).users.map(({ user_id }) => user_id))
    return ids.every((id) => known.has(id) === active)
  })
}

export function tagged(organization: Place, id: string, occurredAt = new Date().toISOString()): Event {
  return createEvent('reviewer.tagged', occurredAt, { organization, author: { id } })
}

export async function seatOf(key: KeyName, id: string): Promise<boolean | undefined> {
  return (await readUsers(key)).users.find(({ user_id }) => user_id === id)?.seat_assigned
}
