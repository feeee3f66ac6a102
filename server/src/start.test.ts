// How processes start without their engines, and how a node leaves.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { busUrl, createBus } from '../test/bus.ts'
import { startTcpProxy } from '../test/engines/tcp-proxy.ts'
import { openTenant } from '../test/fixture.ts'
import { ingestSettings } from '../test/ingest.ts'
import { startApi, startWaitingWorker } from '../test/process.ts'
import { waitFor } from '../test/wait.ts'
import { readMigrations } from './db/migration-files.ts'

const { database, tenant, use } = await openTenant()
const testBus = use(await createBus())
const workspace = await tenant.createKey('workspace')

/** The database behind a proxy that is not connected yet. */
async function createUnreachable(user?: string) {
  const proxy = await startTcpProxy(database.urls.api, { cut: true })
  const { host } = new URL(proxy.url)
  const viaProxy = (url: string) =>
    Object.assign(new URL(url), { host, ...(user !== undefined && { username: user }) }).href
  const urls = Object.fromEntries(
    Object.entries(database.urls).map(([role, url]) => [role, viaProxy(url)]),
  ) as typeof database.urls
  return { proxy, database: { ...database, urls } }
}

const statusOf = async (url: string, key?: string) => {
  const response = await fetch(url, key === undefined ? {} : { headers: { 'x-service-api-key': key } })
  await response.text()
  return response.status
}

describe('without its engines', () => {
  test('the API starts, answers 503, and serves when PostgreSQL is there', async () => {
    const { proxy, database: unreachable } = await createUnreachable()
    const api = await startApi(unreachable, {}, undefined, '/healthz')
    const path = `${api.url}/v1/organizations`
    assert.equal(await statusOf(`${api.url}/readyz`), 503)
    assert.equal(await statusOf(path, workspace.value), 503)
    await proxy.reconnect()
    await waitFor('it is ready', async () => (await statusOf(`${api.url}/readyz`)) === 200)
    assert.equal(await statusOf(path, workspace.value), 200)
    await api.stop()
    assert.equal(api.process.exitCode, 0)
    await proxy.disconnect()
  })

  test('the API that waits for PostgreSQL stops on SIGTERM', async () => {
    const { database: unreachable } = await createUnreachable()
    const api = await startApi(unreachable, {}, undefined, '/healthz')
    await api.stop()
    assert.equal(api.process.exitCode, 0, api.output())
  })

  test('the API stops as soon as PostgreSQL shows that row-level security does not bind its role', async () => {
    const { proxy, database: unreachable } = await createUnreachable('scholiast_owner')
    const api = await startApi(unreachable, {}, undefined, '/healthz')
    const exited = once(api.process, 'exit')
    const asked = setInterval(() => {
      statusOf(`${api.url}/v1/organizations`, workspace.value).then(
        (status) => assert.notEqual(status, 200),
        () => {},
      )
    }, 10)
    await proxy.reconnect()
    assert.deepEqual(await exited, [1, null])
    clearInterval(asked)
    assert.match(api.output(), /Refusing to run as database role scholiast_owner/)
    await proxy.disconnect()
  })

  test('the worker starts, is not ready, and works when PostgreSQL and the bus are there', async () => {
    const { proxy, database: unreachable } = await createUnreachable()
    const bus = await startTcpProxy(busUrl, { cut: true })
    const worker = await startWaitingWorker(unreachable, {
      ...ingestSettings(testBus),
      NATS_URL: bus.url,
    })
    const isReady = async () => (await statusOf(`${worker.url}/readyz`)) === 200
    assert.equal(await isReady(), false)
    await proxy.reconnect()
    await waitFor('it has the database', async () => {
      const response = await fetch(`${worker.url}/readyz`)
      return (await response.text()).includes('starting')
    })
    await bus.reconnect()
    await waitFor('it works', isReady)
    await bus.disconnect()
    await waitFor('it lost the bus', async () => !(await isReady()))
    assert.equal(await statusOf(`${worker.url}/healthz`), 200)
    await bus.reconnect()
    await waitFor('it works again', isReady)
    await worker.stop()
    assert.equal(worker.process.exitCode, 0, worker.output())
    await Promise.all([proxy.disconnect(), bus.disconnect()])
  })

  test('the worker that waits for its engines stops on SIGTERM', async () => {
    const { database: unreachable } = await createUnreachable()
    const worker = await startWaitingWorker(unreachable, {
      ...ingestSettings(testBus),
      NATS_URL: 'nats://127.0.0.1:1',
    })
    await worker.stop()
    assert.equal(worker.process.exitCode, 0, worker.output())
  })
})

test('the API waits for missing migrations, and stops if a later version removed what it uses', async () => {
  const superuser = database.superuser()
  const last = (await readMigrations()).findLast(({ contract }) => contract === null)
  await superuser.query('delete from migration where name = $1', [last?.name])
  const api = await startApi(database, {}, undefined, '/healthz')
  await waitFor('it says what it waits for', () => api.output().includes(last?.name ?? 'a migration'))
  assert.equal(await statusOf(`${api.url}/readyz`), 503)
  await superuser.query('insert into migration (name, checksum) values ($1, $2)', [
    last?.name,
    last?.checksum,
  ])
  await waitFor('it is ready', async () => (await statusOf(`${api.url}/readyz`)) === 200)
  await api.stop()
  await superuser.query(`insert into migration (name, checksum, contract) values ('9999_drop.sql', '', true)`)
  await assert.rejects(startApi(database), /9999_drop\.sql, which removed what this version uses/)
  await superuser.query(`delete from migration where name = '9999_drop.sql'`)
  await superuser.end()
})

test('a node that leaves fails its readiness first, serves meanwhile and asks for new connections elsewhere', async () => {
  const api = await startApi(database, { DRAIN_DELAY_SECONDS: '5' })
  const exited = once(api.process, 'exit')
  const path = `${api.url}/v1/organizations`
  const alive = await fetch(path, { headers: { 'x-service-api-key': workspace.value } })
  assert.equal(alive.headers.get('connection'), 'keep-alive')
  api.process.kill('SIGTERM')
  await waitFor('readiness fails', async () => (await statusOf(`${api.url}/readyz`)) === 503)
  assert.equal(await statusOf(`${api.url}/readyz/ingest`), 503)
  const served = await fetch(path, { headers: { 'x-service-api-key': workspace.value } })
  assert.equal(served.status, 200)
  assert.equal(served.headers.get('connection'), 'close')
  assert.deepEqual(await exited, [0, null])
})
