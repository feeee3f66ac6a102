import { type TSchema, Type } from 'typebox'
import type { EventType, OutboxEvent } from './emit.ts'

/** The body of a message on `<prefix>.events.<type>`, as JSON. */
export interface EventBody {
  readonly id: string
  readonly type: EventType
  readonly version: 1
  readonly root: string
  readonly occurred_at: string
  readonly payload: OutboxEvent['payload']
}

/** The shape for a consumer of one of our own events. Open: a field that a newer version adds is no fault. */
export function eventShape<Payload extends TSchema>(type: EventType, payload: Payload) {
  return Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal(type),
    version: Type.Literal(1),
    root: Type.String({ format: 'uuid' }),
    occurred_at: Type.String({ format: 'date-time' }),
    payload,
  })
}
