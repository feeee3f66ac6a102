import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Prometheus metrics of one process. No label names a tenant, a person or a key. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly refusals: Counter<'route' | 'code'>
  readonly events: Histogram<'consumer' | 'outcome'>
  readonly unsignedMessages: Counter
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Histogram({
      name: 'scholiast_http_request_duration_seconds',
      help: 'Duration of requests by route and status: rate, errors and duration.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    refusals: new Counter({
      name: 'scholiast_http_refusals_total',
      help: 'Refused requests by route and error code.',
      labelNames: ['route', 'code'],
      registers: [registry],
    }),
    events: new Histogram({
      name: 'scholiast_event_duration_seconds',
      help: 'Duration of handled events by consumer and outcome.',
      labelNames: ['consumer', 'outcome'],
      registers: [registry],
    }),
    unsignedMessages: new Counter({
      name: 'scholiast_unsigned_messages_total',
      help: 'Messages of the event queue that were handled without a verified signature.',
      registers: [registry],
    }),
  }
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
