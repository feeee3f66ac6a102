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
  summary: 'A Learning was proposed in a chat or a review, or by an agent.',
  payload: ProposedPayload,
  findFault: findProposedFault,
  normalize: normalizeProposed,
})

const closed = defineEventKind({
  type: 'pull_request.closed',
  version: 1,
  summary:
    'A pull request was merged or closed. Learnings proposed from it are shared on merge and deleted on close.',
  payload: ClosedPayload,
  normalize: normalizeClosed,
})

const used = defineEventKind({
  type: 'learning.used',
  version: 1,
  summary: 'A review used Learnings.',
  payload: UsedPayload,
  normalize: normalizeUsed,
})

export const learningEvents: EventFamily = { kinds: [proposed, closed, used], handle: applyLearningEvents }
