import type { EventKind } from '../../bus/ingest-event.ts'
import type { IngestEndpoint, SenderStatusEndpoint } from '../../http/ingest/endpoint.ts'
import type { PublicPage } from '../../http/server.ts'
import { NoQuery } from '../../shape.ts'
import { type CheckLargeBatch, createBatchChecker, createEventAcceptor, MAX_BATCH_ITEMS } from './accept.ts'
import { AnyEvent, describeEvents, IngestStatusBody, Receipt } from './schema.ts'

export function ingestEvents(kinds: readonly EventKind[], checkLarge?: CheckLargeBatch): IngestEndpoint {
  return {
    method: 'POST',
    path: '/ingest/v1/events',
    operationId: 'ingestEvents',
    summary: 'Send events',
    description:
      'For reviewers and self-hosted deployments. The body is an array of events, or one event per line. Each event is ' +
      'accepted or rejected on its own. Accepted events are stored durably before the response is sent and are processed ' +
      'shortly after. You can send an event again at any time, for example after a 503 or a lost response: its `id` makes ' +
      'it count once. `/events.schema.json` has the schemas of all events.',
    tag: 'Events',
    errorBody: 'error',
    query: NoQuery,
    item: AnyEvent,
    maxItems: MAX_BATCH_ITEMS,
    replies: { 202: { description: 'The number of accepted events, and the rejected ones.', body: Receipt } },
    refusals: ['BATCH_SIZE_EXCEEDED'],
    run: createEventAcceptor(createBatchChecker(kinds), checkLarge),
  }
}

export const ingestStatus: SenderStatusEndpoint = {
  method: 'GET',
  path: '/ingest/v1/status',
  operationId: 'getIngestStatus',
  summary: 'Get the status of your events',
  description:
    'Says what became of the events that were sent with this credential, and of no others: which wait, for example because ' +
    'their organization or repository is unknown, how many messages are dead letters, and how far processing is behind. ' +
    'The response can be two seconds old.',
  tag: 'Events',
  errorBody: 'error',
  query: NoQuery,
  replies: { 200: { description: 'The status of the events of the credential.', body: IngestStatusBody } },
  refusals: [],
  run: async ({ credential, queue }) => ({
    status: 200,
    body: { json: await queue.readStatus(credential) },
  }),
}

export function eventSchemasPage(kinds: readonly EventKind[]): PublicPage {
  const body = { text: JSON.stringify(describeEvents(kinds)), type: 'application/schema+json; charset=utf-8' }
  return {
    path: '/events.schema.json',
    run: () => ({ status: 200, headers: { 'x-content-type-options': 'nosniff' }, body }),
  }
}
