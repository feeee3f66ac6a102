// Every endpoint of the service, in the order of the reference.
import type { EventKind } from './bus/ingest-event.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { IngestEndpoint } from './http/ingest/endpoint.ts'
import { ingestEvents } from './resources/ingest/route.ts'
import { organizations, repositories } from './resources/organizations/route.ts'

import { reviewCommentChanges, reviewComments } from './resources/review-comments/route.ts'

export const endpoints: readonly Endpoint[] = [
  organizations,
  repositories,
  reviewComments,
  reviewCommentChanges,
]

/** The doors for events; the kinds that they take are those of the families in consumers.ts. */
export function ingestEndpoints(kinds: readonly EventKind[]): readonly IngestEndpoint[] {
  return [ingestEvents(kinds)]
}
