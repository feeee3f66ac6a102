import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createIngestQueue, disabledQueue } from './bus/queue/queue.ts'
import { readApiConfig } from './config.ts'
import { eventKinds } from './consumers.ts'
import { awaitDatabase } from './db/await-database.ts'
import { createDatabaseProbe } from './db/readiness.ts'
import { awaitSchema } from './db/schema-check.ts'
import { createAppContext } from './http/app-context.ts'
import { trackConnections } from './http/connections/hardening.ts'
import { createDashboardPages } from './http/dashboard.ts'
import { createDocumentationPages } from './http/docs/reference.ts'
import { createSitePages } from './http/docs/site.ts'
import { createHealthPages } from './http/health.ts'
import { createServer } from './http/server.ts'
import { warmUpModel } from './learning-index/models.ts'
import { createLog } from './observe/log.ts'
import { createMetrics, observeCaFile, serveMetrics } from './observe/metrics.ts'
import { createTraces } from './observe/traces.ts'
import { createThreadChecker } from './resources/events/check-thread.ts'
import { eventSchemasPage } from './resources/events/route.ts'
import {
  createHookEndpoints,
  createSignInEndpoints,
  endpoints,
  ingestEndpoints,
  scimEndpoints,
  sessionEndpoints,
  tools,
} from './routes.ts'

const config = readApiConfig(process.env)
const log = createLog('api', config.logLevel)
const metrics = createMetrics()
const traces = createTraces(config.tracesUrl)
const bus = {
  ...config.bus,
  log,
  requestsPerSecond: config.ingestRequestsPerSecond,
  maxParkedMessages: config.ingestMaxParkedMessages,
}
const queue = config.ingestKeys.length === 0 ? disabledQueue : createIngestQueue(bus)
const app = createAppContext(config, log, {
  reportUnguarded: stopUnguarded,
  readIngestStatus: queue.readTenantStatus,
})

observeCaFile(metrics, config.bus.caFile)
metrics.observed.models = app.embedders
metrics.observed.pools
  .set('auth', [app.authPool])
  .set('api', [app.apiPool])
  .set('admissions', [app.admissionPool])
  .set(
    'metrics',
    app.stores.names.flatMap((name) => [app.stores.pool(name), app.stores.copyingPool(name)]),
  )

const retentionMonths = config.metricsRetentionMonths
const checkLarge = createThreadChecker(new URL('check-events.ts', import.meta.url), retentionMonths)
const senderEndpoints = ingestEndpoints(eventKinds, checkLarge, retentionMonths)
const leaving = new AbortController()
let connected = false
const probe = createDatabaseProbe(config.apiDatabaseUrl, 'api')
const checkDatabase = async () => (await probe.check()) ?? (connected ? null : 'starting')
const health = createHealthPages({ check: checkDatabase }, queue)
const served = [...endpoints, ...sessionEndpoints]
const pages = [
  ...health.pages,
  ...createDocumentationPages(served, senderEndpoints),
  ...createSitePages(
    new URL('../../site/.vitepress/dist/', import.meta.url),
    new URL('../../docs/', import.meta.url),
  ),
  ...createDashboardPages(new URL('../../dashboard/dist/', import.meta.url), config.publicUrl),
  eventSchemasPage(eventKinds),
]
const observers = { log, metrics, traces }
const ingest = { queue, endpoints: senderEndpoints }
const server = createServer({
  app,
  observers,
  endpoints: served,
  pages,
  tools,
  signIn: createSignInEndpoints(),
  scim: scimEndpoints,
  hooks: createHookEndpoints(),
  ingest,
})
const closeIdle = trackConnections(server.server)
// So that callers open their next connection to another node.
server.server.prependListener('request', (_request, response: ServerResponse) => {
  if (leaving.signal.aborted) response.setHeader('connection', 'close')
})
const metricsServer = await serveMetrics(metrics, config.host, config.metricsPort)
const flushTimers = [
  setInterval(
    () =>
      void app.refusals.flush().catch((err) => log.warn({ err }, 'could not write refusal counts; retrying')),
    15_000,
  ),
  setInterval(
    () =>
      void app.credentialUses
        .flush()
        .catch((err) => log.warn({ err }, 'could not write the uses of keys and sessions; retrying')),
    30_000,
  ),
]
await server.listen({ host: config.host, port: config.port })
log.info({ host: config.host, port: config.port }, 'listening')
const reportUnavailable = (err: unknown) => log.warn({ err }, 'the database is unavailable: waiting for it')
const reportMissing = (missing: readonly string[]) =>
  log.warn({ missing }, 'the database lacks migrations: waiting for database migrate')
const reportModel = (model: string, err: unknown) =>
  log.warn({ model, err }, 'the model could not be loaded: searches use words only')
void awaitDatabase([app.authPool, app.apiPool], reportUnavailable, leaving.signal)
  .then(() => awaitSchema(app.apiPool, reportMissing, leaving.signal))
  .then((done) => {
    connected = done
    // Readiness does not wait for it: until the model is loaded, a search waits for it, and after two seconds uses terms.
    if (done) void warmUpModel(app.apiPool, app.embedders, reportModel)
  })
  .catch(stopUnusable)
for (const store of app.stores.names) {
  const reportStore = (err: unknown) => log.warn({ err, store }, 'a metrics store is unavailable')
  void awaitDatabase([app.stores.pool(store)], reportStore, leaving.signal).catch(stopUnusable)
}

function stopUnguarded(err: Error): never {
  log.fatal({ err }, 'refusing to serve')
  process.exit(1)
}

/** A wrong password or database name, or a schema that removed what this version uses: waiting would not help. */
function stopUnusable(err: unknown): void {
  if (leaving.signal.aborted) return
  log.fatal({ err }, 'cannot use the database')
  process.exit(1)
}

/**
 * Fails the readiness checks and still serves for a while, so that load balancers notice. Then it stops accepting
 * requests, finishes those in progress and closes the connections.
 */
async function drain(signal: string): Promise<void> {
  log.info({ signal }, 'draining')
  leaving.abort()
  health.startDraining()
  if (signal === 'SIGTERM') await sleep(config.drainDelaySeconds * 1000)
  setTimeout(() => process.exit(1), config.drainSeconds * 1000).unref()
  const idleCloser = setInterval(closeIdle, 100)
  await server.close()
  clearInterval(idleCloser)
  for (const timer of flushTimers) clearInterval(timer)
  await app.refusals.flush().catch((err) => log.warn({ err }, 'lost refusal counts'))
  await app.credentialUses.flush().catch((err) => log.warn({ err }, 'lost uses of keys and sessions'))
  metricsServer.close()
  await Promise.all([app.close(), probe.close(), queue.close(), traces.stop()])
  log.info('stopped')
}
process.once('SIGTERM', (signal) => void drain(signal))
process.once('SIGINT', (signal) => void drain(signal))
