import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { startService, type TestService } from '../../../../test/call.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import {
  connectOrganization,
  createTestSync,
  runUntilIdle,
  type SentEvent,
} from '../../../../test/connectors/test-sync.ts'
import { makeDatabase, type TestDatabase } from '../../../../test/database.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { makeTenant, type Tenant } from '../../../../test/tenant.ts'
import { connect, type Pool } from '../../../db/connect.ts'
import { HOUR_MS } from '../../../time.ts'

let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let service: TestService
let pool: Pool
let forge: MemoryForge
let sent: SentEvent[]
let key: string

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  tenant = await makeTenant(database)
  service = startService(database, limitsOff)
  pool = connect({ url: database.urls.worker, name: 'test', connections: 4 })
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), pool.end()])
  await database.drop()
})

beforeEach(async () => {
  const clock = Date.now() + HOUR_MS
  forge = new MemoryForge(tenant.workspace.organizations[0].orgId, () => new Date(clock))
  forge.addRepository('700')
  sent = []
  key = (await connectOrganization(service, tenant, 'polling')).key
})
afterEach(async () => {
  await superuser.query('delete from connector')
})

interface Account {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly email?: string
}

const listSent = <Item>(list: string) =>
  sent.flatMap(({ payload }) => (payload[list] ?? []) as unknown as Item[])

async function readStatus(): Promise<unknown> {
  const { body } = await service.call('/v1/connectors', { key })
  return (body.data as unknown as { status: string; error: string | null }[]).map(({ status, error }) => [
    status,
    error,
  ])
}

test('names that an event cannot have are made fit, and an address that it cannot have is left out', async () => {
  const names: readonly (readonly [name: string | null, email: string | null])[] = [
    ['x'.repeat(255), 'long@acme.example'],
    ['Tab\tand\nline', 'two words@acme.example'],
    ['\u0000\u0085', `${'a'.repeat(400)}@acme.example`],
    ['half \uD800 a pair', 'no address'],
    [`${'x'.repeat(199)}😀`, 'a@b@c'],
    ['', ''],
  ]
  for (const [index, [name, email]] of names.entries()) {
    const user = forge.addMember(String(index + 1))
    forge.members.set(user.id, { user, name, email })
  }
  const long = { id: '90', login: `l${'o'.repeat(254)}\u0007`, isBot: false }
  forge.members.set('90', { user: long, name: null, email: null })
  await runUntilIdle(createTestSync(pool, forge, sent))
  assert.deepEqual(await readStatus(), [['active', null]])
  assert.deepEqual(
    listSent<Account>('accounts').map(({ username, name, email = null }) => [username, name, email]),
    [
      ['user-1', 'x'.repeat(200), 'long@acme.example'],
      ['user-2', 'Tab and line', null],
      ['user-3', 'user-3', null],
      ['user-4', 'half \uFFFD a pair', null],
      ['user-5', `${'x'.repeat(199)}\uFFFD`, null],
      ['user-6', 'user-6', null],
      [`l${'o'.repeat(199)}`, `l${'o'.repeat(199)}`, null],
    ],
  )
  assert.equal(listSent('memberships').length, 7)
})

test('long names of many members are sent in as many events as they need', async () => {
  for (let member = 1; member <= 500; member++) {
    const user = forge.addMember(String(member))
    const email = `${'ü'.repeat(150)}${member}@${'ü'.repeat(150)}.example`
    forge.members.set(user.id, { user, name: '中'.repeat(200), email })
  }
  await runUntilIdle(createTestSync(pool, forge, sent))
  assert.deepEqual(await readStatus(), [['active', null]])
  const ids = listSent<Account>('accounts').map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    Array.from({ length: 500 }, (_, index) => index + 1),
  )
})
