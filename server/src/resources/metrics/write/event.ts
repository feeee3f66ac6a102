import { defineEventKind, type EventFamily } from '../../../bus/ingest-event.ts'
import examples from './examples.json' with { type: 'json' }
import { findMcpUsageFault, McpUsedPayload, normalizeMcpUsage } from './mcp-payload.ts'
import {
  FinalizedPayload,
  findFinalizedWarnings,
  getFinalizedTime,
  getOccurrence,
  normalizeFinalized,
  normalizeOutcome,
  OutcomePayload,
} from './review-payload.ts'
import { storeUsage } from './store-mcp-usage.ts'
import { storeReviewEvents } from './store-reviews.ts'

const finalized = defineEventKind({
  type: 'pull_request.finalized',
  version: 1,
  summary: 'A pull request was merged or closed. Carries its metadata and its findings without their text.',
  payload: FinalizedPayload,
  example: examples.finalized,
  findWarnings: findFinalizedWarnings,
  normalize: normalizeFinalized,
  getCountedTime: getFinalizedTime,
})

const outcome = defineEventKind({
  type: 'finding.outcome',
  version: 1,
  summary:
    'The outcome of a finding at the time of the event: accepted, not accepted or unknown. It may arrive before its pull request.',
  payload: OutcomePayload,
  example: examples.outcome,
  normalize: normalizeOutcome,
  getCountedTime: getOccurrence,
})

const used = defineEventKind({
  type: 'mcp.used',
  version: 1,
  summary: 'A review of a pull request called tools of MCP servers. It may arrive before its pull request.',
  payload: McpUsedPayload,
  example: examples.used,
  findFault: findMcpUsageFault,
  normalize: normalizeMcpUsage,
  getCountedTime: getOccurrence,
})

export const reviewEvents: EventFamily = { kinds: [finalized, outcome], handle: storeReviewEvents }
export const mcpUsageEvents: EventFamily = { kinds: [used], handle: storeUsage }
