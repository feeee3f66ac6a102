import { defineEventKind, type EventFamily } from '../../../bus/ingest-event.ts'
import { findMcpUsageFault, McpUsedPayload, normalizeMcpUsage } from './mcp-payload.ts'
import {
  FinalizedPayload,
  findFinalizedWarnings,
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
  example: {
    organization: { provider: 'github', id: '41207731' },
    repository: { id: '620118401', name: 'booking-api' },
    number: 4180,
    url: 'https://github.com/meridian-platform/booking-api/pull/4180',
    status: 'merged',
    author: { id: '17549942', username: 'mei-tanaka' },
    created_at: '2026-01-30T13:05:00Z',
    ready_for_review_at: '2026-01-30T13:05:00Z',
    first_human_review_at: '2026-01-30T14:40:00Z',
    last_commit_at: '2026-01-30T15:55:00Z',
    merged_at: '2026-01-30T16:20:00Z',
    closed_at: '2026-01-30T16:20:00Z',
    review_iterations: 2,
    estimated_complexity: 3,
    estimated_review_minutes: 20.5,
    findings: [
      {
        id: '620118401-4180-1',
        url: 'https://github.com/meridian-platform/booking-api/pull/4180#discussion_r2100000001',
        severity: 'major',
        category: 'functional_correctness',
        reviewer: 'scholiast',
        file: 'src/booking/reserve.ts',
        start_line: 118,
        end_line: 121,
        commit: '3f9d2c1ab04e5d6f7a8b9c0d1e2f3a4b5c6d7e8f',
        posted_at: '2026-01-30T13:11:00Z',
        posted_as: 'inline',
        raw_severity: 'P1',
        bot_key: 'b7c41d',
        parser: 'scholiast@1',
        sketch: [411, 2890, 17422, 40961],
      },
    ],
    reviewers: ['scholiast', 'linter'],
  },
  findWarnings: findFinalizedWarnings,
  normalize: normalizeFinalized,
})

const outcome = defineEventKind({
  type: 'finding.outcome',
  version: 1,
  summary:
    'The outcome of a finding at the time of the event: accepted, not accepted or unknown. It may arrive before its pull request.',
  payload: OutcomePayload,
  example: {
    organization: { provider: 'github', id: '41207731' },
    repository: { id: '620118401' },
    number: 4180,
    finding_id: '620118401-4180-1',
    accepted: true,
    source: 'detector',
    rule: 'suggestion',
    evidence: [{ kind: 'commit', at: '2026-01-30T15:55:00Z' }],
  },
  normalize: normalizeOutcome,
})

const used = defineEventKind({
  type: 'mcp.used',
  version: 1,
  summary: 'A review of a pull request called tools of MCP servers. It may arrive before its pull request.',
  payload: McpUsedPayload,
  example: {
    organization: { provider: 'github', id: '41207731' },
    repository: { id: '620118401' },
    number: 4180,
    servers: [{ name: 'linear', tools: [{ name: 'get_issue', calls: 2, errors: 0 }] }],
  },
  findFault: findMcpUsageFault,
  normalize: normalizeMcpUsage,
})

export const reviewEvents: EventFamily = { kinds: [finalized, outcome], handle: storeReviewEvents }
export const mcpUsageEvents: EventFamily = { kinds: [used], handle: storeUsage }
