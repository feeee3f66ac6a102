// Every endpoint, in the order of the reference.
import type { EventKind } from './bus/ingest-event.ts'
import type { Endpoint } from './http/endpoint.ts'
import type { HookEndpoint } from './http/hooks.ts'
import type { SenderEndpoint } from './http/ingest/endpoint.ts'
import type { Tool } from './http/mcp/tool.ts'
import type { ScimEndpoint } from './http/scim/endpoint.ts'
import type { SignInEndpoint } from './http/sign-in.ts'
import { auditChain, auditLogs } from './resources/audit-logs/route.ts'
import { createHookEndpoint } from './resources/connectors/hooks/receive.ts'
import { connectorRemoval, connectors, newConnector } from './resources/connectors/route.ts'
import type { CheckLargeBatch } from './resources/events/accept.ts'
import { eventStatuses, ingestEvents, ingestStatus, tenantIngestStatus } from './resources/events/route.ts'
import { keyRemoval, keyRotation, keys, newKey } from './resources/keys/route.ts'
import { keySelf } from './resources/keys/self/route.ts'
import {
  approveLearning,
  approveLearnings,
  createLearning,
  learnings,
  pendingLearnings,
  proposeLearningTool,
  removeLearning,
  updateLearning,
} from './resources/learnings/route.ts'
import { findingOutcome, findings } from './resources/metrics/findings/route.ts'
import { mcpUsage } from './resources/metrics/mcp/route.ts'
import { mcpUsageSummary } from './resources/metrics/mcp/summary/route.ts'
import { reviewCommentChanges, reviewComments } from './resources/metrics/review-comments/route.ts'
import { reviewerOverlap, reviewers } from './resources/metrics/reviewers/route.ts'
import { reviews } from './resources/metrics/reviews/route.ts'
import { reviewSummary } from './resources/metrics/reviews/summary/route.ts'
import { summary } from './resources/metrics/summary/route.ts'
import { organizations, repositories } from './resources/organizations/route.ts'
import { linkEndpoints } from './resources/people/links/route.ts'
import { offboarding, personSessions } from './resources/people/offboarding/route.ts'
import { createPasskeyEndpoints } from './resources/people/passkeys/route.ts'
import { scimDiscovery, scimGroups, scimUsers } from './resources/people/scim/route.ts'
import { createProviderRoutes } from './resources/people/sign-in/provider-routes.ts'
import { session, sessionRemoval, sessions } from './resources/people/sign-in/route.ts'
import { reviewContext } from './resources/review-context/route.ts'
import { explainLearningTool, searchLearningsTool } from './resources/review-context/tools.ts'
import { newRole, role, roleChange, rolePermissions, roleRemoval, roles } from './resources/roles/route.ts'
import { seatMode, seats } from './resources/seats/route.ts'
import { securityFindings, securitySummary } from './resources/security-findings/route.ts'
import { uploadSarif } from './resources/security-scans/route.ts'
import { settings, settingsChange } from './resources/settings/route.ts'
import { roleMembers, userRoles } from './resources/user-roles/route.ts'
import { users } from './resources/users/route.ts'

export const endpoints: readonly Endpoint[] = [
  organizations,
  repositories,
  reviews,
  reviewComments,
  reviewCommentChanges,
  mcpUsage,
  summary,
  reviewSummary,
  mcpUsageSummary,
  findings,
  findingOutcome,
  reviewers,
  reviewerOverlap,
  users,
  seats,
  seatMode,
  offboarding,
  personSessions,
  userRoles,
  roles,
  newRole,
  rolePermissions,
  role,
  roleChange,
  roleRemoval,
  roleMembers,
  settings,
  settingsChange,
  connectors,
  newConnector,
  connectorRemoval,
  tenantIngestStatus,
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
  pendingLearnings,
  approveLearning,
  approveLearnings,
  reviewContext,
]

/** What only a person who is signed in may call. */
export const sessionEndpoints: readonly Endpoint[] = [session, sessions, sessionRemoval]

/** The tools at /mcp. */
export const tools: readonly Tool[] = [searchLearningsTool, explainLearningTool, proposeLearningTool]

/** The routes under /auth, where people sign in. */
export function createSignInEndpoints(): readonly SignInEndpoint[] {
  return [...createProviderRoutes(), ...linkEndpoints, ...createPasskeyEndpoints()]
}
/** The endpoints of SCIM 2.0, for identity providers. */
export const scimEndpoints: readonly ScimEndpoint[] = [...scimDiscovery, ...scimUsers, ...scimGroups]

/** Where Git providers report changes to connectors. */
export function createHookEndpoints(): readonly HookEndpoint[] {
  return [createHookEndpoint()]
}

/** The ingest endpoints. They accept the event kinds of consumers.ts. */
export function ingestEndpoints(
  kinds: readonly EventKind[],
  checkLarge?: CheckLargeBatch,
  retentionMonths: number | null = null,
): readonly SenderEndpoint[] {
  return [ingestEvents(kinds, checkLarge, retentionMonths), uploadSarif, ingestStatus, eventStatuses]
}
