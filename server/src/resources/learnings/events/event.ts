import { defineEventKind, type EventFamily } from '../../../bus/ingest-event.ts'
import { applyLearningEvents } from './apply.ts'
import {
  ClosedPayload,
  findProposedFault,
  normalizeClosed,
  normalizeProposed,
  normalizeUsed,
  ProposedPayload,
  UsedPayload,
} from './payload.ts'

const proposed = defineEventKind({
  type: 'learning.proposed',
  version: 1,
  summary: 'A Learning was proposed in a chat or a review, by an agent or by a connector.',
  payload: ProposedPayload,
  example: {
    organization: { provider: 'github', id: '41207731' },
    repository_id: '620118401',
    learning: 'Times that people see are shown in the time zone of the port.',
    file: 'src/quotes/expiry.ts',
    source_url: 'https://github.com/meridian-platform/booking-api/pull/4180#discussion_r2100000002',
    author: { id: '17549942', username: 'mei-tanaka' },
    source: 'chat',
    pull_request: { number: 4180 },
  },
  findFault: findProposedFault,
  normalize: normalizeProposed,
})

const closed = defineEventKind({
  type: 'pull_request.closed',
  version: 1,
  summary:
    'A pull request was merged or closed. Learnings proposed from it are shared on merge and deleted on close.',
  payload: ClosedPayload,
  example: {
    organization: { provider: 'github', id: '41207731' },
    repository_id: '620118401',
    number: 4180,
    merged: true,
    closed_at: '2026-01-30T16:20:00Z',
  },
  normalize: normalizeClosed,
})

const used = defineEventKind({
  type: 'learning.used',
  version: 1,
  summary: 'A review used Learnings.',
  payload: UsedPayload,
  example: {
    organization: { provider: 'github', id: '41207731' },
    learning_ids: ['b8aecc4d-2080-5888-bf68-0885578e3178'],
    used_at: '2026-01-30T14:10:00Z',
  },
  normalize: normalizeUsed,
})

export const learningEvents: EventFamily = { kinds: [proposed, closed, used], handle: applyLearningEvents }
