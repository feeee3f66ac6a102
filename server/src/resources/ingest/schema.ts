import { type TSchema, Type } from 'typebox'
import type { EventKind } from '../../bus/ingest-event.ts'
import { errorCodes } from '../../errors.ts'
import { closed } from '../../shape.ts'

const Id = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^\\P{Cc}{1,128}$',
  description: 'Names the event for good: the same event sent again is stored once.',
  examples: ['3f0c9a52-merged'],
})
const OccurredAt = Type.String({
  format: 'date-time',
  description: 'When it happened. More than 5 minutes ahead of our clock is cut to now.',
})

/** Any event, for the reference; the shape of each kind is in events.schema.json. */
export const AnyEvent = Type.Object({
  id: Id,
  type: Type.String({ description: 'As in events.schema.json.', examples: ['pull_request.finalized'] }),
  version: Type.Integer({ description: 'Of the shape of its payload.', examples: [1] }),
  occurred_at: OccurredAt,
  payload: Type.Object({}, { description: 'Depends on type and version. Unknown fields are ignored.' }),
})

/** A whole event of one kind. Open at every level: what a newer sender adds is no fault. */
export function toEventSchema({ type, version, summary, payload }: EventKind): TSchema {
  return Type.Object(
    { id: Id, type: Type.Literal(type), version: Type.Literal(version), occurred_at: OccurredAt, payload },
    { description: summary },
  )
}

export const Receipt = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0, description: 'Events that are stored for good.' }),
    rejected: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, description: 'Its place in the request, from 0.' }),
          code: Type.Enum(errorCodes),
          message: Type.String(),
        },
        closed,
      ),
      { description: 'Events that are not stored, and why. The same again would be rejected again.' },
    ),
  },
  closed,
)
