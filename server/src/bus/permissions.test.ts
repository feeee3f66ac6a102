import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTenant } from '../../test/fixture.ts'
import { freePort } from '../../test/free-port.ts'
import { ingestSettings, sendEvents } from '../../test/ingest.ts'
import { startApi, startWorker } from '../../test/process.ts'
import { createOwnNats } from '../../test/proofs/own-engines.ts'
import { createEventGenerator, toReviewTarget } from '../../test/pull-requests.ts'
import { waitFor } from '../../test/wait.ts'
import { createAdminContext } from '../admin/context.ts'
import { explainFailure } from '../admin/output.ts'
import { runCommand } from '../admin/program.ts'
import { commands } from '../commands.ts'
import { createLog } from '../observe/log.ts'
import { type Bus, connectBus } from './connect.ts'

// The processes and the operator's commands against a server with deploy/nats.conf, each as its own user.

const file = fileURLToPath(new URL('../../../deploy/nats.conf', import.meta.url))
// Digits only: NATS would read them as a number without the quotes.
const passwords = { api: '1111111111111111111111', worker: '5e12', admin: 'f00d' }
const env = Object.fromEntries(
  Object.entries(passwords).map(([user, password]) => [
    `NATS_${user.toUpperCase()}_PASSWORD`,
    `"${password}"`,
  ]),
)

const { database, tenant, use, defer } = await openTenant()
const monitoringPort = await freePort()
const nats = await createOwnNats({
  settings: ({ port, folder }) =>
    readFileSync(file, 'utf8')
      .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8222', `127.0.0.1:${monitoringPort}`)
      .replace('"/data"', `"${folder}/store"`),
  env,
})
defer(() => nats.remove())
const urlOf = (user: keyof typeof passwords) => `nats://${user}:${passwords[user]}@127.0.0.1:${nats.port}`
const [api, worker] = await Promise.all([
  startApi(database, settingsOf('api')),
  startWorker(database, settingsOf('worker')),
])
use(api)
use(worker)

function settingsOf(user: keyof typeof passwords) {
  return {
    ...ingestSettings({ prefix: 'scholiast' }),
    NATS_URL: urlOf(user),
    INGEST_MAX_BYTES: String(64 * 1024 ** 2),
    INGEST_ARCHIVE_DAYS: '7',
    INGEST_ARCHIVE_MAX_BYTES: String(16 * 1024 ** 2),
  }
}

async function connectAs(user: keyof typeof passwords): Promise<Bus> {
  return connectBus({ url: urlOf(user), prefix: 'scholiast', name: user, log: createLog('test', 'silent') })
}

async function runAdmin(...words: string[]): Promise<string> {
  const settings = { ...settingsOf('admin'), WORKER_DATABASE_URL: database.urls.worker }
  const admin = createAdminContext(settings, () => {})
  try {
    return await runCommand(admin, commands, words)
  } catch (error) {
    return assert.fail(explainFailure(error))
  } finally {
    await admin.close()
  }
}

async function assertDenied(what: string, attempt: Promise<unknown>): Promise<void> {
  await assert.rejects(attempt, /permission/i, what)
}

/** Rejects if the server refuses the subscription, which it does before it answers the flush. */
async function subscribe({ connection }: Bus, subject: string): Promise<void> {
  const refusals: Error[] = []
  connection.subscribe(subject, { callback: (error) => void (error && refusals.push(error)) })
  await connection.flush()
  if (refusals[0] !== undefined) throw refusals[0]
}

test('the shipped configuration is valid, and not without passwords', () => {
  const check = (variables: Readonly<Record<string, string>>) =>
    execFileSync('nats-server', ['-t', '-c', file], {
      env: { PATH: `${process.env['PATH']}:${enginesPath()}`, ...variables },
      stdio: 'pipe',
      encoding: 'utf8',
    })
  check(env)
  assert.throws(() => check({}), /NATS_API_PASSWORD/)
})

function enginesPath(): string {
  const script = fileURLToPath(new URL('../../../scripts/engines', import.meta.url))
  return execFileSync(script, ['scratch'], { encoding: 'utf8' }).trim().replace(/tmp$/, 'usr/sbin')
}

test('events are accepted, stored and revoked with the rights of each process', async () => {
  const { root, organizations } = tenant.workspace
  const key = await tenant.createKey('ingest')
  const send = () =>
    sendEvents(api.url, key.value, [createEventGenerator().finalized(toReviewTarget(organizations[0]))])
  await waitFor('the API accepts events', async () => (await send()).status === 202)
  const superuser = database.superuser()
  await waitFor('the worker has stored one', async () => {
    return (await superuser.query('select from pull_request where root_id = $1', [root])).rows.length > 0
  })
  await superuser.end()
  const status = async () => {
    const headers = { 'x-service-api-key': key.value }
    const response = await fetch(`${api.url}/ingest/v1/status`, { headers })
    return (await response.json()) as { last_event_at?: string; lag_seconds?: number }
  }
  await waitFor('the status is known', async () => {
    const { last_event_at, lag_seconds } = await status()
    return last_event_at !== undefined && last_event_at !== null && lag_seconds === 0
  })
  assert.match(await runAdmin('dead-letters', 'list'), /^There are no/)
  assert.match(await runAdmin('queue', 'replay', '--from', '2026-01-01T00:00:00Z'), /^Queued 1 message again/)
  await runAdmin('key', 'revoke', '--root', key.root, '--key', key.id)
  await waitFor('the API refuses the credential', async () => (await send()).status === 401)
})

test('the API can neither delete streams nor read or write what belongs to the worker', async () => {
  const bus = await connectAs('api')
  const { manager, jetstream } = bus
  const [queue, dead, ended] = [bus.streamName('QUEUE'), bus.streamName('DEAD'), bus.streamName('REVOKED')]
  await manager.streams.info(queue)
  await Promise.all([
    assertDenied('delete a stream', manager.streams.delete(queue)),
    assertDenied('purge a stream', manager.streams.purge(queue)),
    assertDenied('change a stream', manager.streams.update(queue, { max_bytes: 1024 })),
    assertDenied('read dead letters', manager.streams.getMessage(dead, { seq: 1 })),
    assertDenied('read the queue', manager.streams.getMessage(queue, { seq: 1 })),
    assertDenied('consume the queue', manager.consumers.add(queue, { durable_name: 'spy' })),
    assertDenied('consume dead letters', manager.consumers.add(dead, { durable_name: 'spy' })),
    assertDenied('report events as handled', jetstream.publish(bus.subject('status.handled.x'), '{}')),
    assertDenied('withdraw a revocation', jetstream.publish(bus.subject('revoked.ingest'), '')),
    assertDenied('publish an event', jetstream.publish(bus.subject('events.key.created'), '{}')),
    assertDenied('read requests', subscribe(bus, 'scholiast.>')),
    assertDenied('read responses to the worker', subscribe(bus, '_INBOX_worker.>')),
    assertDenied('delete a revocation', manager.streams.deleteMessage(ended, 1)),
  ])
  await bus.close()
})

test('the worker cannot delete streams, and nobody connects without a password', async () => {
  const bus = await connectAs('worker')
  await Promise.all([
    assertDenied('delete a stream', bus.manager.streams.delete(bus.streamName('QUEUE'))),
    assertDenied('purge a stream', bus.manager.streams.purge(bus.streamName('DEAD'))),
    assertDenied('read responses to the API', subscribe(bus, '_INBOX_api.>')),
  ])
  await bus.close()
  const anonymous = { url: nats.url, prefix: 'scholiast', name: 'api', log: createLog('test', 'silent') }
  await assert.rejects(connectBus(anonymous), /authorization violation/i)
})
