import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openDatabase } from '../../test/fixture.ts'
import { startApi } from '../../test/process.ts'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}
interface Export {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const received: Span[] = []

const { database, defer } = await openDatabase()
const collector = createServer((request, response) => void collect(request).then(() => response.end('{}')))
await once(collector.listen(0, '127.0.0.1'), 'listening')
defer(() => collector.close())

async function collect(request: IncomingMessage): Promise<void> {
  const { resourceSpans } = JSON.parse(await text(request)) as Export
  received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
}

test('a request is a span of the caller’s trace, by its route and status, without path values or keys', async () => {
  const { port } = collector.address() as AddressInfo
  const api = await startApi(database, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
  })
  const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'x-service-api-key': 'not-a-key' }
  await fetch(`${api.url}/v1/organizations/0b9e5a3c-6f0d-4c1e-9a57-2b1d0c9e8a41/repositories`, { headers })
  await api.stop()
  const span = received.find((candidate) => candidate.traceId === traceId)
  assert.ok(span, 'the drain sends what is still to be sent')
  assert.equal(span.name, 'GET /v1/organizations/{organization_id}/repositories')
  assert.equal(span.parentSpanId, spanId)
  assert.deepEqual(span.attributes.find(({ key }) => key === 'http.response.status_code')?.value, {
    intValue: 401,
  })
  assert.doesNotMatch(JSON.stringify(span), /0b9e5a3c|not-a-key/)
})
