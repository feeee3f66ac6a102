import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Prometheus metrics of one process. No label names a tenant, a person or a key. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly refusals: Counter<'route' | 'code'>
  readonly events: Histogram<'consumer' | 'outcome'>
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
  }
}

/** Uses a separate port, so that a proxy in front of the API does not expose the metrics. */
export async function serveMetrics({ registry }: Metrics, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    void registry.metrics().then((text) => {
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
