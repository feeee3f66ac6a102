import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

interface ObservedPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** Pools by a name that identifies no tenant. */
type ObservedPools = Map<string, readonly ObservedPool[]>

/** The Prometheus metrics of one process. No label names a tenant, a person or a key. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const pools: ObservedPools = new Map()
  countConnections(registry, pools)
  collectDefaultMetrics({ register: registry })
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers })
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    registry,
    /** Pools whose connections are counted. */
    pools,
    requests: new Histogram({
      name: 'scholiast_http_request_duration_seconds',
      help: 'Duration of requests by route and status: rate, errors and duration.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    refusals: counter(
      'scholiast_http_refusals_total',
      'Refused requests by route and error code.',
      'route',
      'code',
    ),
    signInRefusals: counter(
      'scholiast_sign_in_refusals_total',
      'Refused sign-ins by reason and method.',
      'reason',
      'method',
    ),
    slots: gauge(
      'scholiast_http_slots_in_use',
      'Requests that are being authenticated, received or worked on.',
      'kind',
    ),
    events: new Histogram({
      name: 'scholiast_event_duration_seconds',
      help: 'Duration of handled events by consumer and outcome.',
      labelNames: ['consumer', 'outcome'],
      registers,
    }),
    /** Organizations that lost their last active admin through SCIM. */
    lostAdmins: counter(
      'scholiast_organizations_without_admin_total',
      'Organizations whose last active admin was deactivated through SCIM.',
    ),
    timerRuns: counter(
      'scholiast_timer_runs_total',
      'Runs of timers by outcome; skipped means that another worker holds the lock.',
      'timer',
      'outcome',
    ),
    timerSuccess: gauge(
      'scholiast_timer_last_success_timestamp_seconds',
      'When this worker last completed a run of the timer.',
      'timer',
    ),
    outboxAge: gauge(
      'scholiast_outbox_oldest_age_seconds',
      'Age of the oldest event that is not yet published; 0 if there is none.',
    ),
    streamMessages: gauge(
      'scholiast_stream_messages',
      'Messages in each stream; those in DEAD are dead letters.',
      'stream',
    ),
    consumerPending: gauge(
      'scholiast_consumer_pending_messages',
      'Messages that wait for a consumer or for its acknowledgement.',
      'consumer',
    ),
    // What waits in the event queue and among the dead letters, reported by workers.
    queueMessages: gauge('scholiast_queue_messages', 'Messages in the event queue.'),
    queueBytes: gauge('scholiast_queue_bytes', 'Bytes in the event queue.'),
    queueOldestAge: gauge('scholiast_queue_oldest_seconds', 'Age of the oldest message in the event queue.'),
    deadLetters: gauge('scholiast_dead_letters', 'Number of dead letters.'),
    deadLetterBytes: gauge('scholiast_dead_letter_bytes', 'Bytes of the dead letters.'),
  }
}

/** The pools are counted whenever the metrics are read. */
function countConnections(registry: Registry, pools: ObservedPools): void {
  const gauge = new Gauge({
    name: 'scholiast_database_connections',
    help: 'Connections of each pool that are in use or idle, and requests that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, members] of pools) {
        const sum = (count: (member: ObservedPool) => number) =>
          members.reduce((total, member) => total + count(member), 0)
        const idle = sum(({ idleCount }) => idleCount)
        const used = sum(({ totalCount }) => totalCount) - idle
        const waiting = sum(({ waitingCount }) => waitingCount)
        for (const [state, count] of Object.entries({ used, idle, waiting }))
          gauge.set({ pool, state }, count)
      }
    },
  })
}

/** Returns why the process cannot do its work, or null. */
export type CheckReady = () => Promise<string | null>

/**
 * Uses a separate port, so that a proxy in front of the API does not expose the metrics. With `checkReady`, it also serves
 * /healthz and /readyz, for a process that serves nothing else.
 */
export async function serveMetrics(
  { registry }: Metrics,
  host: string,
  port: number,
  checkReady?: CheckReady,
): Promise<Server> {
  const pages: Readonly<
    Record<string, () => Promise<readonly [status: number, body: string, type: string]>>
  > = {
    '/metrics': async () => [200, await registry.metrics(), registry.contentType],
    ...(checkReady && {
      '/healthz': () => Promise.resolve([200, '{"status":"ok"}', JSON_TYPE] as const),
      '/readyz': async () => renderReadiness(await checkReady()),
    }),
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const render = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (render === undefined) {
      response.writeHead(404).end()
      return
    }
    void render().then(
      ([status, body, type]) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}

const JSON_TYPE = 'application/json; charset=utf-8'

function renderReadiness(reason: string | null) {
  return reason === null
    ? ([200, '{"status":"ready"}', JSON_TYPE] as const)
    : ([503, JSON.stringify({ status: 'unavailable', reason }), JSON_TYPE] as const)
}
