import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freePort } from '../../test/free-port.ts'
import { createOwnNats, type OwnNats } from '../../test/proofs/own-engines.ts'
import { waitFor } from '../../test/wait.ts'
import { createLog } from '../observe/log.ts'
import { type Bus, connectBus } from './connect.ts'
import { declareBus } from './declare.ts'
import { streams } from './streams.ts'

let servers: OwnNats[] = []
let bus: Bus

before(async () => {
  const ports = await Promise.all([1, 2, 3].map(() => freePort()))
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')
  servers = await Promise.all(
    ports.map((clusterPort, index) =>
      createOwnNats({
        settings: ({ port, folder }) => `server_name: n${index}
listen: "127.0.0.1:${port}"
jetstream { store_dir: "${folder}/store", max_file_store: 1GB }
cluster { name: test, listen: "127.0.0.1:${clusterPort}", routes: [${routes}] }
`,
      }),
    ),
  )
  const url = servers.map((server) => server.url).join(',')
  const log = createLog('test', 'silent')
  // The cluster elects its leader first.
  await waitFor('the cluster is ready', async () => {
    const connected = await connectBus({ url, prefix: 'test', name: 'test', log }).catch(() => null)
    if (connected !== null) bus = connected
    return connected !== null
  })
})
after(async () => {
  await bus?.close()
  await Promise.all(servers.map((server) => server.remove()))
})

const small = streams.map((stream) => ({ ...stream, maxBytes: 1024 ** 2 }))
const declare = (replicas: number) => declareBus(bus, { streams: small, consumers: [], replicas })

async function readReplicas(): Promise<Set<number>> {
  const found = await Promise.all(streams.map(({ name }) => bus.manager.streams.info(bus.streamName(name))))
  return new Set(found.map(({ config }) => config.num_replicas))
}

test('a worker raises the number of replicas and never reduces it', async () => {
  await declare(1)
  assert.deepEqual(await readReplicas(), new Set([1]))
  await declare(3)
  assert.deepEqual(await readReplicas(), new Set([3]))
  await declare(1)
  assert.deepEqual(await readReplicas(), new Set([3]))
  const { config } = await bus.manager.streams.info(bus.streamName('DEAD'))
  assert.equal(config.max_bytes, 1024 ** 2)
})
