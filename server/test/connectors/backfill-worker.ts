// A worker that serves connectors as `startConnectors` does, by the clock of the proof. It runs until it is killed.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleepRealTime } from 'node:timers/promises'
import { createThreadParser } from '../../src/resources/connectors/parsers/thread/run.ts'
import type { SyncContext } from '../../src/resources/connectors/sync/context.ts'
import type { FromWorker, ToWorker, WorkerSettings } from './backfill-messages.ts'
import { followClock } from './clock-file.ts'

const IDLE_MS = 1000
/** Events are sent in real time, so that the limit of a real second would not be one of the simulated ones. */
const SENDS_PER_SECOND = 100_000

const { source, clockFile } = JSON.parse(process.argv[2] ?? '') as WorkerSettings
const load = async <Module>(path: string) => (await import(`${source}/${path}`)) as Module
const { readWorkerConfig } = await load<typeof import('../../src/config.ts')>('config.ts')
const { createLog } = await load<typeof import('../../src/observe/log.ts')>('observe/log.ts')
const { connect } = await load<typeof import('../../src/db/connect.ts')>('db/connect.ts')
const { eventKinds } = await load<typeof import('../../src/consumers.ts')>('consumers.ts')
const { createIngestQueue } = await load<typeof import('../../src/bus/queue/queue.ts')>('bus/queue/queue.ts')
const { createEventChecker } = await load<typeof import('../../src/resources/events/accept.ts')>(
  'resources/events/accept.ts',
)
const { createEventSender } = await load<typeof import('../../src/resources/connectors/sync/send-events.ts')>(
  'resources/connectors/sync/send-events.ts',
)
const { createClients } = await load<typeof import('../../src/resources/connectors/sync/create-client.ts')>(
  'resources/connectors/sync/create-client.ts',
)
const { runRound } = await load<typeof import('../../src/resources/connectors/sync/loop.ts')>(
  'resources/connectors/sync/loop.ts',
)

const config = readWorkerConfig(process.env)
const log = createLog('backfill', config.logLevel)
const now = followClock(clockFile)
const database = connect({ url: config.workerDatabaseUrl, name: 'worker', connections: 4 })
const queue = createIngestQueue({
  ...config.bus,
  name: 'worker',
  log,
  requestsPerSecond: SENDS_PER_SECOND,
  maxParkedMessages: config.ingestMaxParkedMessages,
})
while ((await queue.checkReady()) !== null) await sleepRealTime(20)

let wake = () => {}
process.on('message', (message: ToWorker) => {
  if (message.kind === 'wake') wake()
  else measureMemory()
})
const { connectorKeys: keys, connectorHosts: hosts } = config
const { createClient } = createClients({ database, keys, hosts, now, sleep: (ms) => sleep(ms, false) })
const sync: SyncContext = {
  database,
  log,
  now,
  owner: randomUUID(),
  createClient: (connector, work) => reportReads(createClient(connector, work)),
  sendEvents: createEventSender(queue, createEventChecker(eventKinds), now),
  parseComments: createThreadParser(),
  // The repositories of the proof have no code.
  detectOutcomes: () => Promise.resolve([]),
}
send({ kind: 'ready', owner: sync.owner })
for (;;) if (!(await runRound(sync))) await sleep(IDLE_MS, true)

function send(message: FromWorker): void {
  process.send?.(message)
}

function sleep(ms: number, isIdle: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  wake = resolve
  send({ kind: 'sleep', ms, isIdle })
  return promise
}

function reportReads(client: ReturnType<SyncContext['createClient']>) {
  const read = client.readPullRequest.bind(client)
  client.readPullRequest = async (repository, number) => {
    const snapshot = await read(repository, number)
    send({ kind: 'read', repository: repository.id, number, at: now().getTime() })
    return snapshot
  }
  return client
}

function measureMemory(): void {
  globalThis.gc?.()
  const { heapUsed: heap, rss } = process.memoryUsage()
  send({ kind: 'memory', heap, rss })
}
