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
  summary: 'Somebody said in a chat or a review what reviews should know, or an agent proposes it.',
  payload: ProposedPayload,
  findFault: findProposedFault,
  normalize: normalizeProposed,
})

const closed = defineEventKind({
  type: 'pull_request.closed',
  version: 1,
  summary: 'A pull request was merged or closed: what was proposed from it is shared, or vanishes.',
  payload: ClosedPayload,
  normalize: normalizeClosed,
})

const used = defineEventKind({
  type: 'learning.used',
  version: 1,
  summary: 'A review was guided by Learnings.',
  payload: UsedPayload,
  normalize: normalizeUsed,
})

export const learningEvents: EventFamily = { kinds: [proposed, closed, used], handle: applyLearningEvents }
