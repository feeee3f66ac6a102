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

/** The schema of a published event, for its consumers. Open, so that newer versions can add fields. */
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
