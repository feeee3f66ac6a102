import { createIngestQueue, disabledQueue } from './bus/ingest/queue.ts'
import { listDeprecatedSettings, readApiConfig } from './config.ts'
import { eventKinds } from './consumers.ts'
import { refuseUnguardedRole, refuseUnguardedStores } from './db/guard.ts'
import { createAppContext } from './http/app-context.ts'
import { trackConnections } from './http/connections/idle.ts'
import { createDocumentationPages } from './http/docs/documentation-pages.ts'
import { createHealthPages } from './http/health.ts'
import { buildServer } from './http/server.ts'
import { makeLog } from './observe/log.ts'
import { makeMetrics, serveMetrics } from './observe/metrics.ts'
import { makeTraces } from './observe/traces.ts'
import { eventSchemasPage } from './resources/ingest/route.ts'
import { endpoints, ingestEndpoints, tools } from './routes.ts'

const config = readApiConfig(process.env)
const log = makeLog('api', config.logLevel)
for (const warning of listDeprecatedSettings(process.env)) log.warn(warning)
const metrics = makeMetrics()
const traces = makeTraces(config.tracesUrl)
const app = createAppContext(config, log)
await Promise.all([refuseUnguardedRole(app.authPool), refuseUnguardedRole(app.apiPool)])
await refuseUnguardedStores(app.stores, (store, err) =>
  log.warn({ err, store }, 'a metrics store is unavailable'),
)

const bus = { url: config.natsUrl, prefix: config.busPrefix, log }
const queue = config.ingestKeys.length === 0 ? disabledQueue : createIngestQueue(bus)
const senderEndpoints = ingestEndpoints(eventKinds)
const health = createHealthPages(app.apiPool, queue)
const pages = [
  ...health.pages,
  ...createDocumentationPages(endpoints, senderEndpoints),
  eventSchemasPage(eventKinds),
]
const observers = { log, metrics, traces }
const ingest = { queue, endpoints: senderEndpoints }
const server = buildServer({ app, observers, endpoints, pages, tools, ingest })
const closeIdle = trackConnections(server.server)
const metricsServer = await serveMetrics(metrics, config.host, config.metricsPort)
const flushTimers = [
  setInterval(
    () =>
      void app.refusals.flush().catch((err) => log.warn({ err }, 'could not write refusal counts; retrying')),
    15_000,
  ),
  setInterval(
    () => void app.keyUses.flush().catch((err) => log.warn({ err }, 'could not write key uses; retrying')),
    30_000,
  ),
]
await server.listen({ host: config.host, port: config.port })
log.info({ host: config.host, port: config.port }, 'listening')

/** Stops accepting requests, finishes those in progress, then closes the connections. */
async function drain(signal: string): Promise<void> {
  log.info({ signal }, 'draining')
  health.startDraining()
  setTimeout(() => process.exit(1), config.drainSeconds * 1000).unref()
  const idleCloser = setInterval(closeIdle, 100)
  await server.close()
  clearInterval(idleCloser)
  for (const timer of flushTimers) clearInterval(timer)
  await app.refusals.flush().catch((err) => log.warn({ err }, 'lost refusal counts'))
  await app.keyUses.flush().catch((err) => log.warn({ err }, 'lost key uses'))
  metricsServer.close()
  await Promise.all([app.close(), queue.close(), traces.stop()])
  log.info('stopped')
}
process.once('SIGTERM', (signal) => void drain(signal))
process.once('SIGINT', (signal) => void drain(signal))
