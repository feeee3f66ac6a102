import { createAuditMaintenance } from './access/audit/timers.ts'
import { type Bus, connectBus } from './bus/connect.ts'
import { startConsumer } from './bus/consume.ts'
import type { RunningTask, WorkerContext } from './bus/context.ts'
import { declareBus } from './bus/declare.ts'
import { startRelay } from './bus/outbox.ts'
import { startQueueConsumer } from './bus/queue/consume-queue.ts'
import { createIngestQueue, disabledQueue } from './bus/queue/queue.ts'
import { watchShares } from './bus/queue/shares.ts'
import { checkStream } from './bus/readiness.ts'
import { retryUntilAvailable } from './bus/retry.ts'
import { startSampling } from './bus/sample-metrics.ts'
import { configureStreams } from './bus/streams.ts'
import { startTimers } from './bus/timers.ts'
import { readWorkerConfig } from './config.ts'
import { consumers, eventConsumer, samples, startConnectorSync, timers } from './consumers.ts'
import { awaitDatabase } from './db/await-database.ts'
import { connect } from './db/connect.ts'
import { createRoleCheck } from './db/guard.ts'
import { createDatabaseProbe } from './db/readiness.ts'
import { awaitSchema } from './db/schema-check.ts'
import { connectMetricsStores } from './db/stores.ts'
import { jobLimits, lockLimits, type WaitLimits } from './db/wait-limits.ts'
import { createLog } from './observe/log.ts'
import { createMetrics, observeCaFile, serveMetrics } from './observe/metrics.ts'
import { createTraces } from './observe/traces.ts'
import { createEmbedders } from './text/embed/create.ts'
import { createLocalEmbedder } from './text/embed/local.ts'

/** Limit per connector, in any second. */
const MAX_CONNECTOR_SENDS = 100

const config = readWorkerConfig(process.env)
const log = createLog('worker', config.logLevel)
const audit = createAuditMaintenance(config.audit)
const embedders = createEmbedders(config.embedder, createLocalEmbedder())
const metrics = createMetrics()
const traces = createTraces(config.tracesUrl)
const createCheck = () => createRoleCheck(stopUnguarded)
const open = (name: string, connections: number, limits: WaitLimits) =>
  connect({ url: config.workerDatabaseUrl, name, connections, limits, check: createCheck() })
const database = open('worker', config.connections, jobLimits)
const lockPool = open('worker-locks', timers.length, lockLimits)
const stores = connectMetricsStores(config.metricsStores, 'worker', config.connections, { createCheck })
observeCaFile(metrics, config.bus.caFile)
metrics.observed.models = embedders
metrics.observed.pools
  .set('worker', [database])
  .set('locks', [lockPool])
  .set(
    'metrics',
    stores.names.map((name) => stores.pool(name)),
  )
const probe = createDatabaseProbe(config.workerDatabaseUrl, 'worker')
const stopping = new AbortController()
let bus: Bus | null = null
const running: RunningTask[] = []
let working = false
const metricsServer = await serveMetrics(metrics, config.host, config.metricsPort, checkReady)
process.once('SIGTERM', (signal) => void drain(signal))
process.once('SIGINT', (signal) => void drain(signal))
const started = start().catch((err: unknown) => {
  if (stopping.signal.aborted) return
  log.fatal({ err }, 'cannot start')
  process.exit(1)
})

/** Waits for the engines, then starts the work. */
async function start(): Promise<void> {
  const { signal } = stopping
  const reportUnavailable = (err: unknown) => log.warn({ err }, 'the database is unavailable: waiting for it')
  const reportMissing = (missing: readonly string[]) =>
    log.warn({ missing }, 'the database lacks migrations: waiting for database migrate')
  await awaitDatabase([database], reportUnavailable, signal)
  await awaitSchema(database, reportMissing, signal)
  const connected = await retryUntilAvailable(log, signal, async () => {
    bus ??= await connectBus({ ...config.bus, name: 'worker', log })
    await declareBus(bus, { streams: configureStreams(config), consumers, replicas: config.busReplicas })
    return bus
  })
  if (connected === null) return
  const context: WorkerContext = {
    database,
    stores,
    embedders,
    bus: connected,
    log,
    metrics,
    traces,
    audit,
    connectorKeys: config.connectorKeys,
    organizationCache: new Map(),
    maxPendingLearnings: config.maxPendingLearnings,
    archives: config.ingestArchiveDays > 0,
    metricsRetentionMonths: config.metricsRetentionMonths,
    now: () => new Date(),
  }
  const deadLetterShares = watchShares(connected, 'DEAD', {
    everyMs: 1000,
    signal,
    log,
  })
  running.push(startQueueConsumer(context, eventConsumer(config.ingestMaxParkedMessages), deadLetterShares))
  for (const consumer of consumers) {
    const task = await retryUntilAvailable(log, signal, () =>
      startConsumer(context, consumer, deadLetterShares),
    )
    if (task !== null) running.push(task)
  }
  if (signal.aborted) return
  running.push(
    startRelay(context),
    startTimers(context, timers, lockPool),
    startSampling(context, { consumers, samples }),
  )
  const connectors = await startConnectorSync(context, {
    keys: config.connectorKeys,
    hosts: config.connectorHosts,
    queue: createQueue(),
  })
  if (connectors !== null) running.push(connectors)
  for (const store of stores.names) {
    const reportStore = (err: unknown) => log.warn({ err, store }, 'a metrics store is unavailable')
    void awaitDatabase([stores.pool(store)], reportStore, signal).catch((err: unknown) =>
      log.error({ err, store }, 'cannot use a metrics store'),
    )
  }
  working = true
  log.info({ consumers: consumers.length, timers: timers.length }, 'working')
}

/** Connectors send their events as API processes do. */
function createQueue() {
  const { bus: busSettings, connectorKeys, ingestMaxParkedMessages: maxParkedMessages } = config
  if (connectorKeys.length === 0 || busSettings.ingestKeys.length === 0) return disabledQueue
  return createIngestQueue({
    ...busSettings,
    name: 'worker',
    log,
    requestsPerSecond: MAX_CONNECTOR_SENDS,
    maxParkedMessages,
  })
}

function stopUnguarded(err: Error): never {
  log.fatal({ err }, 'refusing to run')
  process.exit(1)
}

async function checkReady(): Promise<string | null> {
  if (stopping.signal.aborted) return 'leaving'
  const reason = await probe.check()
  if (reason !== null) return reason
  if (bus === null || !working) return 'starting'
  return checkStream(bus, 'QUEUE')
}

/** Stops accepting work, finishes what is in progress, then closes the connections. */
async function drain(signal: string): Promise<void> {
  log.info({ signal }, 'draining')
  stopping.abort()
  setTimeout(() => process.exit(1), config.drainSeconds * 1000).unref()
  await started
  await Promise.all(running.map((work) => work.stop()))
  metricsServer.close()
  await Promise.all([
    bus?.close(),
    database.end(),
    lockPool.end(),
    stores.close(),
    probe.close(),
    traces.stop(),
  ])
  log.info('stopped')
}
