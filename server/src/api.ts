import { authenticator } from './access/authenticate.ts'
import { limiter } from './access/limit.ts'
import { refusalLog } from './access/refusals.ts'
import { readApiConfig } from './config.ts'
import { connect } from './db/connect.ts'
import { refuseUnguardedRole } from './db/guard.ts'
import { trackConnections } from './http/connections/idle.ts'
import { documentPages } from './http/docs/documents.ts'
import { healthPages } from './http/health.ts'
import { buildServer } from './http/server.ts'
import { makeLog } from './observe/log.ts'
import { makeMetrics, serveMetrics } from './observe/metrics.ts'
import { makeTraces } from './observe/traces.ts'
import { endpoints } from './routes.ts'

const config = readApiConfig(process.env)
const log = makeLog('api', config.logLevel)
const metrics = makeMetrics()
const traces = makeTraces(config.tracesUrl)
const door = connect({ url: config.doorDatabaseUrl, name: 'door', connections: 2 })
const api = connect({ url: config.apiDatabaseUrl, name: 'api', connections: config.connections })
const admissions = connect({ url: config.apiDatabaseUrl, name: 'admissions', connections: 2 })
await Promise.all([refuseUnguardedRole(door), refuseUnguardedRole(api)])

const now = () => new Date()
const refusals = refusalLog(api, now)
const house = {
  config,
  api,
  admissions,
  log,
  authenticate: authenticator(door),
  limiter: limiter(config.limits),
  refusals,
  now,
}
const health = healthPages(api)
const pages = [...health.pages, ...documentPages(endpoints)]
const server = buildServer({ house, observers: { log, metrics, traces }, endpoints, pages })
const closeIdle = trackConnections(server.server)
const figures = await serveMetrics(metrics, config.host, config.metricsPort)
const flushing = setInterval(
  () => void refusals.flush().catch((err) => log.warn({ err }, 'refusal counts kept')),
  15_000,
)
await server.listen({ host: config.host, port: config.port })
log.info({ host: config.host, port: config.port }, 'listening')

/** Stops taking work, finishes what is under way, then closes what it holds. */
async function drain(signal: string): Promise<void> {
  log.info({ signal }, 'draining')
  health.leave()
  setTimeout(() => process.exit(1), config.drainSeconds * 1000).unref()
  const closing = setInterval(closeIdle, 100)
  await server.close()
  clearInterval(closing)
  clearInterval(flushing)
  await refusals.flush().catch((err) => log.warn({ err }, 'refusal counts lost'))
  figures.close()
  await Promise.all([door.end(), api.end(), admissions.end(), traces.stop()])
  log.info('stopped')
}
process.once('SIGTERM', (signal) => void drain(signal))
process.once('SIGINT', (signal) => void drain(signal))
