// Every endpoint of the service, in the order of the reference.
import type { EventKind } from './bus/ingest-event.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { IngestEndpoint } from './http/ingest/endpoint.ts'
import type { Tool } from './http/mcp/tool.ts'
import { ingestEvents } from './resources/ingest/route.ts'
import { proposeLearningTool } from './resources/learnings/propose-route.ts'
import { learnings } from './resources/learnings/read-route.ts'
import {
  approveLearning,
  createLearning,
  removeLearning,
  updateLearning,
} from './resources/learnings/route.ts'
import { organizations, repositories } from './resources/organizations/route.ts'

import { reviewCommentChanges, reviewComments } from './resources/review-comments/route.ts'
import { reviewContext } from './resources/review-context/route.ts'
import { explainLearningTool, searchLearningsTool } from './resources/review-context/tools.ts'

export const endpoints: readonly Endpoint[] = [
  organizations,
  repositories,
  reviewComments,
  reviewCommentChanges,
  learnings,
  createLearning,
  updateLearning,
  removeLearning,
  approveLearning,
  reviewContext,
]

/** What agents are offered at /mcp. */
export const tools: readonly Tool[] = [searchLearningsTool, explainLearningTool, proposeLearningTool]

/** The doors for events; the kinds that they take are those of the families in consumers.ts. */
export function ingestEndpoints(kinds: readonly EventKind[]): readonly IngestEndpoint[] {
  return [ingestEvents(kinds)]
}
