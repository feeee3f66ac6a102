import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { makeBus, makeWorkerContext, type TestBus } from '../../../test/bus.ts'
import { makeDatabase, type TestDatabase } from '../../../test/database.ts'
import { makeTenant, type Tenant } from '../../../test/tenant.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { DAY_MS } from '../../time.ts'
import { revokeKey, rotateKey } from '../keys/manage.ts'
import { refreshRevokedCredentials } from './refresh-revoked-credentials.ts'

let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let worker: Pool
let testBus: TestBus
let context: WorkerContext

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  worker = connect({ url: database.urls.worker, name: 'worker', connections: 2 })
  ;[tenant, testBus] = await Promise.all([makeTenant(database), makeBus()])
  context = makeWorkerContext(worker, testBus.bus)
})
after(async () => {
  await Promise.all([tenant.close(), worker.end(), superuser.end(), testBus.drop()])
  await database.drop()
})

/** The published list: concatenated ids of 16 bytes. */
async function readPublishedIds(): Promise<string[]> {
  const [message] = await testBus.messages('ENDED')
  const hex = Buffer.from(message?.data ?? assert.fail('no list was published')).toString('hex')
  return hex.match(/.{32}/g) ?? []
}

const sorted = (ids: readonly string[]) => ids.map((id) => id.replaceAll('-', '')).toSorted()

test('an empty list is published once when no credential is revoked', async () => {
  await tenant.createKey('ingest')
  await tenant.createKey('user', { revoked: true })
  await refreshRevokedCredentials(context)
  assert.deepEqual(await readPublishedIds(), [])
  await refreshRevokedCredentials(context)
  const { state } = await testBus.bus.manager.streams.info(testBus.bus.streamName('ENDED'))
  assert.equal(state.last_seq, 1)
})

test('the list contains revoked, rotated and expired credentials of every root and no valid ones', async () => {
  const [revoked, rotated, overlapping, shortened, ancient] = await Promise.all([
    tenant.createKey('ingest'),
    tenant.createKey('ingest', { of: 'instance' }),
    tenant.createKey('ingest'),
    tenant.createKey('ingest', { of: 'alone' }),
    tenant.createKey('ingest', { revoked: true }),
  ])
  const expired = await tenant.createKey('ingest', { expired: true })
  const { ring } = tenant
  await tenant.change(revoked.root, (change) => revokeKey(change, revoked.id))
  await tenant.change(rotated.root, (change) => rotateKey(change, rotated.id, { overlapDays: 0, ring }))
  await tenant.change(overlapping.root, (change) =>
    rotateKey(change, overlapping.id, { overlapDays: 7, ring }),
  )
  await superuser.query('update api_key set expires_at = now() where id = $1', [shortened.id])
  await superuser.query(`update api_key set created_at = now() - interval '368 days' where id = $1`, [
    ancient.id,
  ])
  await refreshRevokedCredentials(context)
  const revokedIds = [revoked, rotated, shortened, expired].map(({ id }) => id)
  assert.deepEqual(await readPublishedIds(), sorted(revokedIds))
  const later = { ...context, now: () => new Date(Date.now() + 8 * DAY_MS) }
  await refreshRevokedCredentials(later)
  assert.deepEqual(await readPublishedIds(), sorted([...revokedIds, overlapping.id]))
})
