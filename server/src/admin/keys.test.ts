import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { busUrl, createBus, type TestBus } from '../../test/bus.ts'
import { startService, type TestService } from '../../test/call.ts'
import { openTenant } from '../../test/fixture.ts'
import { createEvent, ingestSettings, probeKind, publishRevoked } from '../../test/ingest.ts'
import type { TestKey } from '../../test/tenant.ts'
import { waitFor } from '../../test/wait.ts'
import { commands } from '../commands.ts'
import { IncompleteError } from './command.ts'
import { createAdminContext } from './context.ts'
import { explainFailure } from './output.ts'
import { runCommand } from './program.ts'

let testBus: TestBus
let service: TestService | undefined

const { database, tenant, defer } = await openTenant()
defer(end)
beforeEach(async () => {
  await end()
  testBus = await createBus()
})

async function end(): Promise<void> {
  await service?.stop()
  service = undefined
  await testBus?.drop()
}

interface Run {
  readonly stdout: string
  readonly error: string | null
}

/** Runs a command of an operator. No worker runs in these tests. */
async function run(words: readonly string[], natsUrl = busUrl): Promise<Run> {
  const env = {
    ...ingestSettings(testBus),
    WORKER_DATABASE_URL: database.urls.worker,
    NATS_URL: natsUrl,
  }
  const admin = createAdminContext(env, () => {})
  try {
    return { stdout: await runCommand(admin, commands, [...words, '--json']), error: null }
  } catch (error) {
    const stdout = error instanceof IncompleteError ? error.rendered : ''
    return { stdout, error: explainFailure(error) }
  } finally {
    await admin.close()
  }
}

const nowhere = 'nats://127.0.0.1:1'
const revoke = (key: TestKey, natsUrl?: string) =>
  run(['key', 'revoke', '--root', key.root, '--key', key.id], natsUrl)
const rotate = (key: TestKey, natsUrl?: string) =>
  run(['key', 'rotate', '--root', key.root, '--key', key.id], natsUrl)

async function isPublished({ id }: { readonly id: string }): Promise<boolean> {
  const [message] = await testBus.messages('REVOKED')
  return Buffer.from(message?.data ?? [])
    .toString('hex')
    .includes(id.replaceAll('-', ''))
}

test('an ingest credential expires after 366 days by default; a workspace token needs an expiry, and the message says so', async () => {
  const create = (...words: string[]) => run(['key', 'create', '--root', tenant.workspace.root, ...words])
  const { stdout, error } = await create('--kind', 'ingest', '--name', 'Reviewer')
  assert.equal(error, null)
  const { expires } = JSON.parse(stdout) as { expires: string }
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  assert.ok(days > 365.9 && days <= 366, expires)
  const token = await create('--kind', 'workspace', '--name', 'Sync', '--owner', tenant.workspace.root)
  assert.match(token.error ?? '', /--expires-in-days is required for a workspace token\. Pass 1 to 366\./)
})

test('revoking and rotating an ingest credential return after the bus has the revocation, without a worker [P2-ingest-3 P11-revocation-1]', async () => {
  service = startService(database, ingestSettings(testBus), [], [probeKind])
  const [revoked, rotated, valid] = await Promise.all([1, 2, 3].map(() => tenant.createKey('ingest')))
  assert.ok(revoked && rotated && valid)
  const statusOf = async ({ value }: TestKey) => {
    const body = [createEvent()]
    return (await service?.call('/ingest/v1/events', { key: value, method: 'POST', body }))?.status
  }
  await publishRevoked(testBus.bus, [])
  await waitFor('the node accepts events', async () => (await statusOf(revoked)) === 202)
  assert.equal((await revoke(revoked)).error, null)
  assert.equal(await isPublished(revoked), true)
  assert.equal((await rotate(rotated)).error, null)
  assert.equal(await isPublished(rotated), true)
  for (const key of [revoked, rotated])
    await waitFor('the node refuses the credential', async () => (await statusOf(key)) === 401)
  assert.equal(await statusOf(valid), 202)
})

test('a dry run publishes nothing, and other kinds of keys need no bus', async () => {
  const [credential, user] = await Promise.all([tenant.createKey('ingest'), tenant.createKey('user')])
  const words = ['key', 'revoke', '--root', credential.root, '--key', credential.id, '--dry-run']
  assert.equal((await run(words, nowhere)).error, null)
  assert.equal((await revoke(user, nowhere)).error, null)
  assert.deepEqual(await testBus.messages('REVOKED'), [])
})

test('without the bus a revocation is stored and reported as unpublished, and repeating it publishes it', async () => {
  const key = await tenant.createKey('ingest')
  const failed = await revoke(key, nowhere)
  assert.match(failed.error ?? '', /is stored, but NATS has not acknowledged it.*key revoke --root .* --key /)
  assert.match(failed.error ?? '', /cannot be reached/)
  assert.equal((JSON.parse(failed.stdout) as { changed: boolean }).changed, true)
  const again = await revoke(key)
  assert.deepEqual([again.error, (JSON.parse(again.stdout) as { changed: boolean }).changed], [null, false])
  assert.equal(await isPublished(key), true)
})

test('without the bus an ingest credential is not rotated', async () => {
  const key = await tenant.createKey('ingest')
  const failed = await rotate(key, nowhere)
  assert.match(failed.error ?? '', /cannot be reached/)
  assert.equal(failed.stdout, '')
  assert.equal((await rotate(key)).error, null)
})

test('a rotation whose revocation cannot be published still shows the new credential', async () => {
  const key = await tenant.createKey('ingest')
  await testBus.bus.manager.streams.delete(testBus.bus.streamName('REVOKED'))
  const { stdout, error } = await rotate(key)
  assert.match(error ?? '', /NATS has not acknowledged it.*The worker creates them/)
  assert.match((JSON.parse(stdout) as { value: string }).value, /^sch_ing_/)
  await testBus.declare()
  assert.equal((await revoke(key)).error, null)
  assert.equal(await isPublished(key), true)
})
