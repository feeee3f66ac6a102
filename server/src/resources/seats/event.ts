import { defineEventKind, type EventFamily } from '../../bus/ingest-event.ts'
import { normalizeTag, TaggedPayload } from './payload.ts'
import { handleTags } from './tag.ts'

const reviewerTagged = defineEventKind({
  type: 'reviewer.tagged',
  version: 1,
  summary: 'A developer tagged the reviewer and thereby requests a seat.',
  payload: TaggedPayload,
  example: {
    organization: { provider: 'github', id: '41207731' },
    author: { id: '17549942' },
  },
  normalize: normalizeTag,
})

/** Requests for a seat, made by tagging the reviewer. */
export const seatRequests: EventFamily = { kinds: [reviewerTagged], handle: handleTags }
