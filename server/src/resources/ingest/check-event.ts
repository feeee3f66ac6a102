import type { EventKind, IngestEvent } from '../../bus/ingest-event.ts'
import type { ErrorCode } from '../../errors.ts'
import { explainShapeErrors } from '../../http/validate.ts'
import { compileShape } from '../../shape.ts'
import { measureEvent } from './measure.ts'
import { toEventSchema } from './schema.ts'

const MAX_EVENT_BYTES = 512 * 1024
// A normalized event can be slightly larger than the original: omitted fields are written as null.
const MAX_NORMALIZED_BYTES = 640 * 1024
const MAX_CLOCK_AHEAD_MS = 5 * 60 * 1000

export interface Rejection {
  readonly code: ErrorCode
  readonly message: string
}

/** The JSON text to queue, or the reason for the rejection. */
export type CheckedEvent = string | Rejection

/** Compiles the schemas once. Each event is then validated, normalized and serialized exactly once. */
export function createEventChecker(
  kinds: readonly EventKind[],
): (event: unknown, now: Date) => Promise<CheckedEvent> {
  const kindsByType = Map.groupBy(kinds, ({ type }) => type)
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
    return normalizeEvent(kind, event as IngestEvent<never>, now)
  }
}

async function normalizeEvent(kind: EventKind, event: IngestEvent<never>, now: Date): Promise<CheckedEvent> {
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
    payload: await kind.normalize(payload),
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
