import { type EventFamily, eventKind } from '../../../bus/ingest-event.ts'
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

const proposed = eventKind({
  type: 'learning.proposed',
  version: 1,
  summary: 'Somebody said in a chat or a review what reviews should know, or an agent proposes it.',
  payload: ProposedPayload,
  fault: findProposedFault,
  normalize: normalizeProposed,
})

const closed = eventKind({
  type: 'pull_request.closed',
  version: 1,
  summary: 'A pull request was merged or closed: what was proposed from it is shared, or vanishes.',
  payload: ClosedPayload,
  normalize: normalizeClosed,
})

const used = eventKind({
  type: 'learning.used',
  version: 1,
  summary: 'A review was guided by Learnings.',
  payload: UsedPayload,
  normalize: normalizeUsed,
})

export const learnings: EventFamily = { kinds: [proposed, closed, used], handle: applyLearningEvents }
