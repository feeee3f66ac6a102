import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export interface Traces {
  readonly tracer: Tracer
  stop(): Promise<void>
}

/** Exports spans to an OTLP endpoint if one is configured; otherwise OpenTelemetry's no-op tracer is used. */
export function createTraces(url: string | null): Traces {
  if (url === null) return { tracer: trace.getTracer('scholiast'), stop: () => Promise.resolve() }
  const exporter = new OTLPTraceExporter({ url })
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] })
  return { tracer: provider.getTracer('scholiast'), stop: () => provider.shutdown() }
}

const traceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Continues the caller's trace when it sends a W3C traceparent. */
export function startServerSpan({ tracer }: Traces, name: string, parent: string | undefined): Span {
  const [, traceId, spanId, flags] = traceparent.exec(parent ?? '') ?? []
  if (!traceId || !spanId) return tracer.startSpan(name, { kind: SpanKind.SERVER })
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags ?? '00', 16), isRemote: true }
  return tracer.startSpan(name, { kind: SpanKind.SERVER }, trace.setSpanContext(ROOT_CONTEXT, remote))
}

export function endServerSpan(span: Span, route: string, status: number): void {
  span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
