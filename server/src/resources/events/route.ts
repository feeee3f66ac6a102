import type { Static } from 'typebox'
import type { EventKind } from '../../bus/ingest-event.ts'
import { readEventStatuses } from '../../bus/queue/event-status-sql.ts'
import { allButLegacyAndAgenticKeys, defineEndpoint } from '../../http/endpoint.ts'
import type { IngestEndpoint, SenderQueryEndpoint, SenderStatusEndpoint } from '../../http/ingest/endpoint.ts'
import type { PublicPage } from '../../http/server.ts'
import { NoQuery } from '../../shape.ts'
import { type CheckLargeBatch, createBatchChecker, createEventAcceptor } from './accept.ts'
import {
  describeEvents,
  EventStatusBody,
  EventStatusRequest,
  IngestStatusBody,
  MAX_BATCH_ITEMS,
  Receipt,
  TenantStatusBody,
  TenantStatusQuery,
  toEventSchemas,
  toExampleEvent,
} from './schema.ts'
import { prepareTenantStatus, showTenantStatus } from './tenant-status.ts'

const exampleTypes = new Set(['pull_request.finalized', 'finding.outcome'])

export function ingestEvents(
  kinds: readonly EventKind[],
  checkLarge?: CheckLargeBatch,
  retentionMonths: number | null = null,
): IngestEndpoint {
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
    itemSchemas: toEventSchemas(kinds),
    maxItems: MAX_BATCH_ITEMS,
    replies: { 202: { description: 'The number of accepted events, and the rejected ones.', body: Receipt } },
    refusals: ['BATCH_SIZE_EXCEEDED'],
    example: {
      body: kinds.filter(({ type }) => exampleTypes.has(type)).map(toExampleEvent),
      response: { accepted: 2, rejected: [], warnings: [] },
    },
    run: createEventAcceptor(createBatchChecker(kinds, retentionMonths), checkLarge),
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
  example: {
    response: {
      last_event_at: '2026-11-16T09:26:31.204Z',
      waiting: [
        {
          provider: 'github',
          organization: '41207732',
          repository: '620118401',
          type: 'pull_request.finalized',
          count: 2,
          since: '2026-11-16T09:21:07.530Z',
        },
      ],
      dead_letters: 0,
      lag_seconds: 0,
    },
  },
  refusals: [],
  run: async ({ credential, queue }) => ({
    status: 200,
    body: { json: await queue.readStatus(credential) },
  }),
}

export const eventStatuses: SenderQueryEndpoint = {
  method: 'POST',
  path: '/ingest/v1/events/status',
  operationId: 'getEventStatuses',
  summary: 'Get the status of events by ID',
  description:
    'Says which events were stored, so that a sender can keep its events until then and send them again if they were lost ' +
    'with the queue. Only events that were sent with this credential in the last 7 days are known.',
  tag: 'Events',
  errorBody: 'error',
  query: NoQuery,
  request: EventStatusRequest,
  limit: 'event-status',
  replies: { 200: { description: 'The status of each event.', body: EventStatusBody } },
  refusals: [],
  example: {
    body: { ids: ['4180-pull-request-finalized', '4181-pull-request-finalized'] },
    response: {
      data: [
        { id: '4180-pull-request-finalized', status: 'stored' },
        { id: '4181-pull-request-finalized', status: 'unknown' },
      ],
    },
  },
  async run({ credential, tx }, body) {
    const { ids } = body as Static<typeof EventStatusRequest>
    const statuses = await readEventStatuses(tx, credential, ids)
    const data = ids.map((id) => ({ id, status: statuses.get(id) ?? 'unknown' }))
    return { status: 200, body: { json: { data } } }
  },
}

export const tenantIngestStatus = defineEndpoint({
  method: 'GET',
  path: '/v1/ingest/status',
  operationId: 'getTenantIngestStatus',
  example: {
    response: {
      last_event_at: '2026-11-16T09:26:31.204Z',
      queued: null,
      lag_seconds: null,
      parked: 0,
      dead_letters: 0,
    },
  },
  summary: 'Get the status of events',
  description:
    'Says whether events arrive and are processed: of the whole workspace for workspace tokens without org_id, otherwise of ' +
    'one organization. The response can be two seconds old. 503 means that the event queue does not respond.',
  tag: 'Events',
  keys: allButLegacyAndAgenticKeys,
  organization: 'own',
  plan: 'any',
  permission: 'user_management:read',
  admin: true,
  limit: 'ingest-status',
  query: TenantStatusQuery,
  replies: { 200: { description: 'The status of events.', body: TenantStatusBody } },
  prepare: prepareTenantStatus,
  run: showTenantStatus,
})

export function eventSchemasPage(kinds: readonly EventKind[]): PublicPage {
  const body = { text: JSON.stringify(describeEvents(kinds)), type: 'application/schema+json; charset=utf-8' }
  return {
    path: '/events.schema.json',
    run: () => ({ status: 200, headers: { 'x-content-type-options': 'nosniff' }, body }),
  }
}
