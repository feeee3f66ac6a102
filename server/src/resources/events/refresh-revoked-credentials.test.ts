import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createBus, createWorkerContext, type TestBus } from '../../../test/bus.ts'
import { openTenant } from '../../../test/fixture.ts'
import { publishRevoked } from '../../../test/ingest.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { publishRevokedCredentials } from '../../bus/queue/revoked-credentials.ts'
import { connect } from '../../db/connect.ts'
import { type KeyId, newId } from '../../ids.ts'
import { DAY_MS } from '../../time.ts'
import { revokeKey, rotateKey } from '../keys/manage.ts'
import { refreshRevokedCredentials } from './refresh-revoked-credentials.ts'

let testBus: TestBus
let context: WorkerContext

const { database, superuser, tenant, use, defer } = await openTenant()
const worker = use(connect({ url: database.urls.worker, name: 'worker', connections: 2 }))
defer(() => testBus.drop())
beforeEach(async () => {
  await testBus?.drop()
  testBus = await createBus()
  context = createWorkerContext(worker, testBus.bus)
})

/** The newest published list: concatenated ids of 16 bytes. */
async function readPublishedIds(): Promise<string[]> {
  const { bus } = testBus
  const message = await bus.manager.streams.getMessage(bus.streamName('REVOKED'), {
    last_by_subj: bus.subject('revoked.ingest'),
  })
  const hex = Buffer.from(message?.data ?? assert.fail('no list was published')).toString('hex')
  return hex.match(/.{32}/g) ?? []
}

const toHex = (id: string) => id.replaceAll('-', '')
const sorted = (ids: readonly string[]) => ids.map(toHex).toSorted()

test('an empty list is published once when no credential is revoked', async () => {
  await tenant.createKey('ingest')
  await tenant.createKey('user', { revoked: true })
  await refreshRevokedCredentials(context)
  assert.deepEqual(await readPublishedIds(), [])
  await refreshRevokedCredentials(context)
  const { state } = await testBus.bus.manager.streams.info(testBus.bus.streamName('REVOKED'))
  assert.equal(state.last_seq, 1)
})

test('the list contains revoked, rotated and expired credentials of every root and no valid ones [P2-ingest-3]', async () => {
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

test('a list that was read before a revocation does not replace the one that contains it [P11-revocation-1]', async () => {
  const [early, late] = [newId<KeyId>(), newId<KeyId>()]
  let reads = 0
  // Between the read of the database and the publication, another process revokes a credential and publishes it.
  const readIds = async () => {
    reads += 1
    if (reads > 1) return [early, late]
    await publishRevoked(testBus.bus, [early, late])
    return [early]
  }
  await publishRevokedCredentials(testBus.bus, readIds, new Date())
  assert.equal(reads, 2)
  assert.deepEqual(await readPublishedIds(), sorted([early, late]))
})

test('many processes that publish at the same time lose no revocation', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => tenant.createKey('ingest')))
  await Promise.all(
    keys.map(async ({ root, id }) => {
      await tenant.change(root, (change) => revokeKey(change, id))
      await refreshRevokedCredentials(context)
      assert.ok((await readPublishedIds()).includes(toHex(id)))
    }),
  )
})

test('a revocation that the database has lost stays in the list', async () => {
  const key = await tenant.createKey('ingest', { revoked: true })
  await refreshRevokedCredentials(context)
  await superuser.query('update api_key set revoked_at = null where id = $1', [key.id])
  await tenant.createKey('ingest', { revoked: true })
  await refreshRevokedCredentials(context)
  assert.ok((await readPublishedIds()).includes(toHex(key.id)))
  const afterItsLife = { ...context, now: () => new Date(Date.now() + 368 * DAY_MS) }
  await refreshRevokedCredentials(afterItsLife)
  assert.deepEqual(await readPublishedIds(), [])
})

test('a list that would not fit into a message is refused with what to do', async () => {
  const ids = Array.from({ length: 44_737 }, () => newId<KeyId>())
  await assert.rejects(publishRevoked(testBus.bus, ids), /at most 44736, but 44737 are revoked.*INGEST_KEYS/)
  assert.equal(await publishRevoked(testBus.bus, ids.slice(1)), true)
  assert.equal((await readPublishedIds()).length, 44_736)
})
