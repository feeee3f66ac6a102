import { defineEventKind, type EventFamily } from '../../../bus/ingest-event.ts'
import { FinalizedPayload, normalizeFinalized, normalizeOutcome, OutcomePayload } from './review-payload.ts'
import { storeReviewEvents } from './store-reviews.ts'

const finalized = defineEventKind({
  type: 'pull_request.finalized',
  version: 1,
  summary: 'A pull request was merged or closed: what is known of it, and its findings without their text.',
  payload: FinalizedPayload,
  normalize: normalizeFinalized,
})

const outcome = defineEventKind({
  type: 'finding.outcome',
  version: 1,
  summary: 'A finding was accepted or not, as of the time of the event. It may come before its pull request.',
  payload: OutcomePayload,
  normalize: normalizeOutcome,
})

export const reviewEvents: EventFamily = { kinds: [finalized, outcome], handle: storeReviewEvents }
