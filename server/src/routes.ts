// Every endpoint, in the order of the reference.
import type { EventKind } from './bus/ingest-event.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { SenderEndpoint } from './http/ingest/endpoint.ts'
import type { Tool } from './http/mcp/tool.ts'
import { auditChain, auditLogs } from './resources/audit-logs/route.ts'
import type { CheckLargeBatch } from './resources/ingest/accept.ts'
import { ingestEvents, ingestStatus } from './resources/ingest/route.ts'
import { keyRemoval, keyRotation, keys, newKey } from './resources/keys/route.ts'
import { keySelf } from './resources/keys/self/route.ts'
import {
  approveLearning,
  approveLearnings,
  createLearning,
  learnings,
  proposeLearningTool,
  removeLearning,
  updateLearning,
} from './resources/learnings/route.ts'
import { mcpUsage } from './resources/metrics/mcp/route.ts'
import { reviewCommentChanges, reviewComments } from './resources/metrics/review-comments/route.ts'
import { reviews } from './resources/metrics/reviews/route.ts'
import { summary } from './resources/metrics/summary/route.ts'
import { organizations, repositories } from './resources/organizations/route.ts'
import { reviewContext } from './resources/review-context/route.ts'
import { explainLearningTool, searchLearningsTool } from './resources/review-context/tools.ts'
import { newRole, role, roleChange, rolePermissions, roleRemoval, roles } from './resources/roles/route.ts'
import { seatMode, seats } from './resources/seats/route.ts'
import { securityFindings, securitySummary } from './resources/security-findings/route.ts'
import { uploadSarif } from './resources/security-scans/route.ts'
import { userRoles } from './resources/user-roles/route.ts'
import { users } from './resources/users/route.ts'

export const endpoints: readonly Endpoint[] = [
  organizations,
  repositories,
  reviews,
  reviewComments,
  reviewCommentChanges,
  mcpUsage,
  summary,
  users,
  seats,
  seatMode,
  userRoles,
  roles,
  newRole,
  rolePermissions,
  role,
  roleChange,
  roleRemoval,
  auditLogs,
  auditChain,
  securityFindings,
  securitySummary,
  keys,
  newKey,
  keySelf(() => ({ endpoints, tools })),
  keyRotation,
  keyRemoval,
  learnings,
  createLearning,
  updateLearning,
  removeLearning,
  approveLearning,
  approveLearnings,
  reviewContext,
]

/** The tools at /mcp. */
export const tools: readonly Tool[] = [searchLearningsTool, explainLearningTool, proposeLearningTool]

/** The ingest endpoints. They accept the event kinds of consumers.ts. */
export function ingestEndpoints(
  kinds: readonly EventKind[],
  checkLarge?: CheckLargeBatch,
): readonly SenderEndpoint[] {
  return [ingestEvents(kinds, checkLarge), uploadSarif, ingestStatus]
}
