import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freePort } from '../../test/free-port.ts'
import { createOwnNats, type OwnNats } from '../../test/proofs/own-engines.ts'
import { connectBus } from '../bus/connect.ts'
import { declareBus } from '../bus/declare.ts'
import { streams } from '../bus/streams.ts'
import { commands } from '../commands.ts'
import { createLog } from '../observe/log.ts'
import { IncompleteError } from './command.ts'
import { createAdminContext } from './context.ts'
import { runCommand } from './program.ts'

// A server that syncs every two minutes, the default of NATS, and requires no password.
let nats: OwnNats
let monitoringUrl: string

before(async () => {
  const monitoringPort = await freePort()
  monitoringUrl = `http://127.0.0.1:${monitoringPort}`
  nats = await createOwnNats({
    settings: ({ port, folder }) => `server_name: careless
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitoringPort}"
jetstream { store_dir: "${folder}/store" }
`,
  })
})
after(() => nats.remove())

/** Returns what to do by check and server or stream. */
async function check(settings: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const admin = createAdminContext({ NATS_URL: nats.url, ...settings }, () => {})
  try {
    return assert.fail(await runCommand(admin, commands, ['bus', 'check', '--json']))
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw error
    assert.match(error.message, /checks failed/)
    const rows = JSON.parse(error.rendered) as { check: string; of: string; to_do: string }[]
    return new Map(rows.map((row) => [`${row.check} ${row.of}`, row.to_do]))
  } finally {
    await admin.close()
  }
}

test('bus check says what to change: sync_interval, passwords, missing streams', async () => {
  const findings = await check({ NATS_MONITORING_URL: monitoringUrl })
  assert.match(findings.get('sync_interval careless') ?? '', /set sync_interval: always/)
  assert.match(findings.get('password careless') ?? '', /define users/)
  assert.match(findings.get('stream scholiast_QUEUE') ?? '', /start a worker/)
  assert.equal(findings.get('version careless'), 'OK')
})

test('bus check does not take an unknown sync_interval for a good one', async () => {
  const bus = await connectBus({
    url: nats.url,
    prefix: 'scholiast',
    name: 'test',
    log: createLog('test', 'silent'),
  })
  const small = streams.map((stream) => ({ ...stream, maxBytes: 1024 ** 2 }))
  await declareBus(bus, { streams: small, consumers: [], replicas: 1 })
  await bus.close()
  const findings = await check({})
  assert.equal(findings.get('stream scholiast_QUEUE'), 'OK')
  assert.match(findings.get('sync_interval servers') ?? '', /set NATS_MONITORING_URL/)
})
