import { type TSchema, Type } from 'typebox'
import type { EventKind } from '../../bus/ingest-event.ts'
import { choice, closedObject, nullable, optionalOrgId } from '../../shape.ts'

export const MAX_BATCH_ITEMS = 500

const Id = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^\\P{Cc}{1,128}$',
  description:
    'ID of the event, unique in its organization. It counts once for at least 30 days: a second event with the same ID is ignored.',
  examples: ['3f0c9a52-merged'],
})
const OccurredAt = Type.String({
  format: 'date-time',
  description: 'Time of the event. A time more than 5 minutes in the future is replaced by the current time.',
})

export const EventStatusRequest = closedObject({
  ids: Type.Array(Id, {
    minItems: 1,
    maxItems: MAX_BATCH_ITEMS,
    description: 'IDs of events that you sent.',
  }),
})

export const EventStatusBody = closedObject({
  data: Type.Array(
    closedObject({
      id: Type.String({ description: 'The ID as sent in the request.' }),
      status: choice(['stored', 'refused', 'parked', 'unknown'], {
        description:
          'stored: what the event changes is committed. refused: it will not be stored, because it was given up or its ID ' +
          'stands for another event, or it is older than the metrics that are stored. parked: it could not be stored yet and is retried for about an hour, for example ' +
          'because its organization is unknown. unknown: it waits in the queue, never arrived, was sent with another ' +
          'credential or more than 7 days ago. Send it again if it stays unknown.',
      }),
    }),
    { description: 'One entry per ID, in the order of the request.' },
  ),
})

/** A complete event of one kind. All objects are open, so that newer senders can add fields. */
export function toEventSchema(kind: EventKind): TSchema {
  const { type, version, summary, payload } = kind
  return Type.Object(
    { id: Id, type: Type.Literal(type), version: Type.Literal(version), occurred_at: OccurredAt, payload },
    { description: summary, ...(kind.example !== undefined && { examples: [toExampleEvent(kind)] }) },
  )
}

export function toExampleEvent({ type, version, example }: EventKind) {
  const id = `4180-${type.replaceAll(/[._]/g, '-')}`
  return { id, type, version, occurred_at: '2026-01-30T16:20:05Z', payload: example }
}

/** The schema of each kind, by type and version. */
export function toEventSchemas(kinds: readonly EventKind[]): Record<string, TSchema> {
  return Object.fromEntries(kinds.map((kind) => [`${kind.type}.v${kind.version}`, toEventSchema(kind)]))
}

export const MAX_WARNINGS = 100

export const Receipt = closedObject({
  accepted: Type.Integer({ minimum: 0, description: 'Number of events that are stored durably.' }),
  rejected: Type.Array(
    closedObject({
      index: Type.Integer({ minimum: 0, description: 'Index of the event in the request, from 0.' }),
      code: Type.Enum(['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE']),
      message: Type.String(),
    }),
    {
      description:
        'Events that are not stored, with the reason. Sent again unchanged, they are rejected again.',
    },
  ),
  warnings: Type.Array(
    closedObject({
      index: Type.Integer({ minimum: 0, description: 'Index of the event in the request, from 0.' }),
      path: Type.String({
        description: 'The field in the event.',
        examples: ['payload.findings.0.severity'],
      }),
      message: Type.String(),
    }),
    {
      maxItems: MAX_WARNINGS + MAX_BATCH_ITEMS,
      description:
        'Accepted events that you probably meant otherwise: an unknown severity or category (stored as null), an ignored ' +
        `field that looks like a field of the schema, a provider that is not in lower case. The first ${MAX_WARNINGS}, and ` +
        'each event that is not stored because it is older than the metrics that the operator stores.',
    },
  ),
})

const nullableText = (description: string) => nullable(Type.String(), { description })

export const IngestStatusBody = closedObject({
  last_event_at: nullable(Type.String({ format: 'date-time' }), {
    description: 'When the latest event was accepted; null if there was none in the last 30 days.',
  }),
  waiting: Type.Array(
    closedObject({
      provider: nullableText('Null if the events name several organizations.'),
      organization: nullableText('ID of the organization, as the events name it.'),
      repository: nullableText('ID of the repository, as the events name it; null if they name none.'),
      type: Type.String({ examples: ['pull_request.finalized'] }),
      count: Type.Integer({ minimum: 1 }),
      since: Type.String({ format: 'date-time', description: 'When the oldest of them was accepted.' }),
    }),
    {
      maxItems: 100,
      description:
        'Events that could not be stored yet and are retried for about an hour, for example because their organization or ' +
        'repository is unknown. Oldest first.',
    },
  ),
  dead_letters: Type.Integer({
    minimum: 0,
    description: 'Messages whose events were given up. The operator can replay them.',
  }),
  lag_seconds: Type.Integer({
    minimum: 0,
    description: 'Age of the oldest accepted event that was not processed yet; 0 if all were.',
  }),
})

export const TenantStatusQuery = closedObject({
  org_id: optionalOrgId(
    'Workspace tokens only: ID of an organization, assigned by the Git provider. Default: the whole workspace. Other ' +
      'keys ignore it.',
  ),
})

const nullableCount = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description })

export const TenantStatusBody = closedObject({
  last_event_at: nullable(Type.String({ format: 'date-time' }), {
    description:
      'When the latest event was accepted; null if there was none in the last 30 days. Of one organization: the latest ' +
      'event that names it and is stored.',
  }),
  queued: nullableCount(
    'Messages in the queue, each with one or more events, including parked ones. null for one organization.',
  ),
  lag_seconds: nullableCount(
    'Age of the oldest accepted event that was not processed yet; 0 if all were. null for one organization.',
  ),
  parked: Type.Integer({
    minimum: 0,
    description:
      'Messages with events that could not be stored yet and are retried for about an hour, for example because their ' +
      'repository is unknown. At most 1,000 are counted.',
  }),
  dead_letters: nullableCount(
    'Messages whose events were given up. The operator can replay them. Of one organization, null if credentials that also ' +
      'send for other organizations have dead letters: it is then unknown whose they are.',
  ),
})

/** All events as JSON Schema, with one definition per type and version. */
export function describeEvents(kinds: readonly EventKind[]) {
  const schemas = toEventSchemas(kinds)
  const described = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of POST /ingest/v1/events',
    description: 'One event. A change that is incompatible for senders gets a new version.',
    oneOf: Object.keys(schemas).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: schemas,
  }
  // Removes the symbols that TypeBox adds to a schema.
  return JSON.parse(JSON.stringify(described)) as typeof described
}
