import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EventKind, IngestEvent } from '../../bus/ingest-event.ts'
import type { ErrorCode } from '../../errors.ts'
import { createKeyedMutex, type RunExclusive, withWaitLimit } from '../../http/connections/keyed-mutex.ts'
import type { IngestContext } from '../../http/ingest/endpoint.ts'
import type { Reply } from '../../http/reply.ts'
import { explainShapeErrors } from '../../http/validate.ts'
import { compileShape } from '../../shape.ts'
import { toEventSchema } from './schema.ts'

const MAX_EVENT_BYTES = 512 * 1024
// A normalized event can be slightly larger than the original: omitted fields are written as null.
const MAX_NORMALIZED_BYTES = 640 * 1024
const MAX_CLOCK_AHEAD_MS = 5 * 60 * 1000
const MAX_DEPTH = 64
// Redacting a batch of long texts must not block the event loop for other requests.
const MAX_BLOCKING_MS = 20

/** Queues the valid events and lists the rejected ones. Responds after the queue has acknowledged every message. */
export function createEventAcceptor(
  kinds: readonly EventKind[],
): (context: IngestContext, items: readonly unknown[]) => Promise<Reply> {
  const check = createEventChecker(kinds)
  return async ({ credential, queue, now }, items) => {
    const at = now()
    const accepted: string[] = []
    const rejected: (Rejection & { readonly index: number })[] = []
    let sliceStart = performance.now()
    for (const [index, item] of items.entries()) {
      if (performance.now() - sliceStart > MAX_BLOCKING_MS) {
        await yieldToEventLoop()
        sliceStart = performance.now()
      }
      const checked = await check(item, at)
      if (typeof checked === 'string') accepted.push(checked)
      else rejected.push({ index, ...checked })
    }
    if (accepted.length > 0) await queue.store(credential, accepted)
    return { status: 202, body: { json: { accepted: accepted.length, rejected } } }
  }
}

interface Rejection {
  readonly code: ErrorCode
  readonly message: string
}

/** The JSON text to queue, or the reason for the rejection. */
type CheckedEvent = string | Rejection

/** Compiles the schemas once. Each event is then validated, normalized and serialized exactly once. */
function createEventChecker(
  kinds: readonly EventKind[],
): (event: unknown, now: Date) => Promise<CheckedEvent> {
  const kindsByType = Map.groupBy(kinds, ({ type }) => type)
  // Expensive payloads are normalized in threads, which compete with requests for processors.
  const runExclusive = withWaitLimit(createKeyedMutex())
  const compiled = new Map(kinds.map((kind) => [kind, compileShape(toEventSchema(kind))]))

  function findKind({ type, version }: Partial<IngestEvent>): EventKind | Rejection {
    const versions = kindsByType.get(type ?? '')
    if (versions === undefined)
      return invalid('The event type is unknown. GET /events.schema.json lists all types.')
    const numbers = versions.map((kind) => kind.version)
    return (
      versions.find((kind) => kind.version === version) ??
      invalid(`The event version is unknown. Known versions: ${numbers.join(', ')}.`)
    )
  }

  return async (event, now) => {
    if (event === null || typeof event !== 'object' || Array.isArray(event)) {
      return invalid('An event must be an object.')
    }
    const { bytes, fault } = measureEvent(event, MAX_EVENT_BYTES)
    if (fault !== null) return invalid(fault)
    if (bytes > MAX_EVENT_BYTES) return tooLarge
    const kind = findKind(event)
    if ('code' in kind) return kind
    const validate = compiled.get(kind)
    if (!validate?.(event)) return invalid(explainShapeErrors('event', validate?.errors))
    return normalizeEvent(kind, event as IngestEvent<never>, now, runExclusive)
  }
}

async function normalizeEvent(
  kind: EventKind,
  event: IngestEvent<never>,
  now: Date,
  runExclusive: RunExclusive,
): Promise<CheckedEvent> {
  const { id, type, version, payload } = event
  const occurredAt = Date.parse(event.occurred_at)
  if (occurredAt < 0) return invalid('The event is not valid: occurred_at is before 1970.')
  const fault = kind.findFault?.(payload) ?? null
  if (fault !== null) return invalid(`The event is not valid: payload.${fault}`)
  const time = occurredAt > now.getTime() + MAX_CLOCK_AHEAD_MS ? now : new Date(occurredAt)
  const normalized: IngestEvent = {
    id,
    type,
    version,
    occurred_at: time.toISOString(),
    payload: kind.isExpensive?.(payload)
      ? await runExclusive('normalize', async () => kind.normalize(payload))
      : await kind.normalize(payload),
  }
  const text = JSON.stringify(normalized)
  const fits = text.length * 3 <= MAX_NORMALIZED_BYTES || Buffer.byteLength(text) <= MAX_NORMALIZED_BYTES
  return fits ? text : tooLarge
}

const tooLarge: Rejection = {
  code: 'PAYLOAD_TOO_LARGE',
  message: `An event must not exceed ${MAX_EVENT_BYTES / 1024} KiB of JSON. Split it into several events.`,
}

function invalid(message: string): Rejection {
  return { code: 'INVALID_REQUEST', message }
}

interface EventMeasurement {
  /** Size as compact JSON: an upper bound, and exact if that bound exceeds the limit. */
  readonly bytes: number
  /** Why the value cannot be stored; null if it can. */
  readonly fault: string | null
}

/** Measures and checks a parsed value in one pass, including fields that are not stored. */
function measureEvent(value: unknown, limitBytes: number): EventMeasurement {
  const state: MeasureState = { bound: 0, fault: null }
  visit(value, 0, state)
  const { bound, fault } = state
  return {
    bytes: bound <= limitBytes || fault !== null ? bound : Buffer.byteLength(JSON.stringify(value)),
    fault,
  }
}

interface MeasureState {
  bound: number
  fault: string | null
}

// Upper bounds in JSON: 6 bytes per character; 25 per number, 5 for null, true and false, plus a comma.
const CHARACTER_BYTES = 6
const SCALAR_BYTES = 26

function visit(value: unknown, depth: number, state: MeasureState): void {
  if (typeof value === 'string') {
    visitText(value, state)
  } else if (value === null || typeof value !== 'object') {
    state.bound += SCALAR_BYTES
  } else if (depth >= MAX_DEPTH) {
    state.fault = `The event is nested deeper than ${MAX_DEPTH} levels.`
  } else if (Array.isArray(value)) {
    state.bound += 3
    for (const item of value) visit(item, depth + 1, state)
  } else {
    state.bound += 3
    for (const name of Object.keys(value)) {
      visitText(name, state)
      visit((value as Record<string, unknown>)[name], depth + 1, state)
    }
  }
}

function visitText(text: string, state: MeasureState): void {
  state.bound += text.length * CHARACTER_BYTES + 3
  if (text.includes('\0') || !text.isWellFormed()) {
    state.fault = 'The event contains a NUL character or half a surrogate pair.'
  }
}
