import type { EventKind, IngestEvent } from '../../bus/ingest-event.ts'
import type { ErrorCode } from '../../errors.ts'
import { explainShapeErrors } from '../../http/validate.ts'
import { compileShape } from '../../shape.ts'
import { measureEvent } from './measure.ts'
import { toEventSchema } from './schema.ts'

const MAX_EVENT_BYTES = 512 * 1024
// What is kept may be a little larger than what was sent: fields that were left out are written as null.
const MAX_NORMALIZED_BYTES = 640 * 1024
const MAX_CLOCK_AHEAD_MS = 5 * 60 * 1000

export interface Rejection {
  readonly code: ErrorCode
  readonly message: string
}

/** The text that goes into the queue, or why the event is rejected. */
export type CheckedEvent = string | Rejection

/** Compiles the shapes once; each event is then validated once, reduced to what its kind keeps, and written once. */
export function createEventChecker(
  kinds: readonly EventKind[],
): (event: unknown, now: Date) => Promise<CheckedEvent> {
  const kindsByType = Map.groupBy(kinds, ({ type }) => type)
  const compiled = new Map(kinds.map((kind) => [kind, compileShape(toEventSchema(kind))]))

  function findKind({ type, version }: Partial<IngestEvent>): EventKind | Rejection {
    const versions = kindsByType.get(type ?? '')
    if (versions === undefined)
      return invalid('This type of event is not known. GET /events.schema.json lists them.')
    const numbers = versions.map((kind) => kind.version)
    return (
      versions.find((kind) => kind.version === version) ??
      invalid(`This version of the event is not known. Known versions: ${numbers.join(', ')}.`)
    )
  }

  return async (event, now) => {
    if (event === null || typeof event !== 'object' || Array.isArray(event)) {
      return invalid('An event is an object.')
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
  if (occurredAt < 0) return invalid('The event is not valid: occurred_at lies before 1970.')
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
  message: `An event is at most ${MAX_EVENT_BYTES / 1024} KiB of JSON. Send it in parts.`,
}

function invalid(message: string): Rejection {
  return { code: 'INVALID_REQUEST', message }
}
