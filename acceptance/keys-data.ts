import assert from 'node:assert/strict'
import type { Reply } from '../cli/src/conformance/http.ts'
import { assertPage, call, demo } from './service.ts'

export const keysPath = '/v1/keys'
export const platform = '41207731'
export const terminals = '41207915'
const DAY = 86_400_000

export type Key = {
  id: string
  name: string
  kind: string
  prefix: string
  last_four: string
  org_id: string | null
  owner: { cr_user_id: string; name: string } | null
  permissions: string[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}
export type MadeKey = Key & { value: string }
export type KeysPage = { data: Key[]; next_cursor: string | null }
export type Verdict = { allowed: boolean; code: string | null }
export type Self = Omit<Key, 'org_id'> & {
  tenant_root: { id: string; kind: string; name: string; plan: string; subscription_active: boolean }
  organizations: { count: number; first: { id: string; name: string }[] }
  admin: boolean
  endpoints: (Verdict & { method: string; path: string })[]
  tools: (Verdict & { name: string })[]
}

export const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

/** Authenticates with this value. */
export function ask(
  key: string,
  method: string,
  place = '',
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return call(keysPath + place, { key, method, headers: { ...type, ...headers }, ...sent })
}

export async function listKeys(key: string, query = ''): Promise<KeysPage> {
  const reply = await ask(key, 'GET', query)
  assertPage(reply)
  return reply.body as KeysPage
}

export async function readSelf(key: string): Promise<Self> {
  const reply = await ask(key, 'GET', '/self')
  assertPage(reply)
  return reply.body as Self
}

export function madeIn<Made extends MadeKey>(reply: Reply): Made {
  assert.equal(reply.status, 201, reply.text)
  return reply.body as Made
}

export async function remove(id: string, key = demo.keys.workspace): Promise<void> {
  const reply = await ask(key, 'DELETE', `/${id}`)
  assert.deepEqual([reply.status, reply.text], [204, ''])
}

/** A key that is gone when the work is done. */
export async function withKey(
  maker: string,
  body: object,
  work: (key: MadeKey) => Promise<void>,
): Promise<void> {
  const key = madeIn(await ask(maker, 'POST', '', body))
  try {
    await work(key)
  } finally {
    await remove(key.id, maker)
  }
}
