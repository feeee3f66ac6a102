import { createAuditMaintenance } from './access/maintenance/audit-timers.ts'
import { connectBus } from './bus/connect.ts'
import { startConsumer } from './bus/consume.ts'
import type { WorkerContext } from './bus/context.ts'
import { declareBus } from './bus/declare.ts'
import { startRelay } from './bus/outbox.ts'
import { configureStreams } from './bus/streams.ts'
import { startTimers } from './bus/timers.ts'
import { readWorkerConfig } from './config.ts'
import { consumers, timers } from './consumers.ts'
import { connect } from './db/connect.ts'
import { refuseUnguardedRole, refuseUnguardedStores } from './db/guard.ts'
import { connectMetricsStores } from './db/stores.ts'
import { makeLog } from './observe/log.ts'
import { makeMetrics, serveMetrics } from './observe/metrics.ts'
import { makeTraces } from './observe/traces.ts'
import { createEmbedders } from './text/embed/create.ts'
import { createLocalEmbedder } from './text/embed/local.ts'
import { openWords } from './text/words/words.ts'

const config = readWorkerConfig(process.env)
const log = makeLog('worker', config.logLevel)
const audit = createAuditMaintenance(config.audit)
const metrics = makeMetrics()
const traces = makeTraces(config.tracesUrl)
const database = connect({ url: config.workerDatabaseUrl, name: 'worker', connections: config.connections })
const lockPool = connect({ url: config.workerDatabaseUrl, name: 'worker-locks', connections: timers.length })
const stores = connectMetricsStores(config.metricsStores, 'worker', config.connections)
await refuseUnguardedRole(database)
await refuseUnguardedStores(stores, (store, err) =>
  log.warn({ err, store }, 'a metrics store is unavailable'),
)

const bus = await connectBus({ url: config.natsUrl, prefix: config.busPrefix, name: 'worker', log })
await declareBus(bus, { streams: configureStreams(config), consumers, replicas: config.busReplicas })
const embedders = createEmbedders(config.embedder, createLocalEmbedder(openWords()))
const now = () => new Date()
const context: WorkerContext = {
  database,
  stores,
  embedders,
  bus,
  log,
  metrics,
  traces,
  audit,
  organizationCache: new Map(),
  now,
}
const running = [
  ...(await Promise.all(consumers.map((consumer) => startConsumer(context, consumer)))),
  startRelay(context),
  startTimers(context, timers, lockPool),
]
const metricsServer = await serveMetrics(metrics, config.host, config.metricsPort)
log.info({ consumers: consumers.length, timers: timers.length }, 'working')

/** Stops accepting work, finishes what is in progress, then closes the connections. */
async function drain(signal: string): Promise<void> {
  log.info({ signal }, 'draining')
  setTimeout(() => process.exit(1), config.drainSeconds * 1000).unref()
  await Promise.all(running.map((work) => work.stop()))
  metricsServer.close()
  await Promise.all([bus.close(), database.end(), lockPool.end(), stores.close(), traces.stop()])
  log.info('stopped')
}
process.once('SIGTERM', (signal) => void drain(signal))
process.once('SIGINT', (signal) => void drain(signal))
