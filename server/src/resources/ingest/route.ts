import type { EventKind } from '../../bus/ingest-event.ts'
import type { IngestEndpoint } from '../../http/ingest/endpoint.ts'
import { NoQuery } from '../../shape.ts'
import { createEventAcceptor } from './accept.ts'
import { AnyEvent, Receipt } from './schema.ts'

export function ingestEvents(kinds: readonly EventKind[]): IngestEndpoint {
  return {
    method: 'POST',
    path: '/ingest/v1/events',
    operationId: 'ingestEvents',
    summary: 'Send events',
    description:
      'For reviewers and self-hosted deployments: an array of events, or one event a line. Each event is judged on its ' +
      'own; what is accepted is stored for good before the answer is sent, and is worked on soon after. An event may be ' +
      'sent again at any time, as after a 503 or an answer that got lost: its `id` makes it count once. The shape of ' +
      'every kind of event is in `/events.schema.json`.',
    tag: 'Events',
    errorBody: 'error',
    query: NoQuery,
    item: AnyEvent,
    maxItems: 500,
    replies: { 202: { description: 'What was stored, and what was not.', body: Receipt } },
    refusals: ['BATCH_SIZE_EXCEEDED'],
    run: createEventAcceptor(kinds),
  }
}
