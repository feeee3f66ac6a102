import { type Static, Type } from 'typebox'
import type { IngestEvent } from '../../../bus/ingest-event.ts'
import {
  normalizeName,
  normalizeOrganization,
  normalizeTime,
  OptionalName,
  OptionalTime,
  type OrganizationRef,
  optionalNullable,
  organizationFields,
  ProviderId,
  PullRequestNumber,
  singleLineText,
} from '../../../bus/queue/shapes.ts'
import type { LearningId } from '../../../ids.ts'
import { literals } from '../../../shape.ts'
import { isTooLong, MAX_CODE_POINTS, readLearning } from '../../../text/identity.ts'
import { redact } from '../../../text/redact.ts'
import type { LearningSource } from '../lifecycle.ts'

const MAX_LEARNING_IDS = 100

export const ProposedPayload = Type.Object({
  organization: Type.Object(organizationFields),
  repository_id: ProviderId,
  learning: Type.String({
    minLength: 1,
    description: `1 to ${MAX_CODE_POINTS} code points after trimming. Recognized credentials are redacted before the text is stored.`,
  }),
  file: optionalNullable(singleLineText(1024, 'Path of the file that the Learning is about.')),
  source_url: optionalNullable(
    Type.String({
      pattern: '^https?://[^/?#@\\\\\\s\\p{Cc}\\p{Cs}]{1,255}(?:[/?#][^\\s\\p{Cc}\\p{Cs}]{0,2040})?$',
      maxLength: 2048,
      description: 'Origin of the Learning: an http or https URL without user name and password.',
    }),
  ),
  author: optionalNullable(Type.Object({ id: ProviderId, username: OptionalName })),
  source: literals(['chat', 'review', 'agent', 'connector'], {
    description: 'A proposal from an agent or a connector is pending until a person approves it.',
  }),
  pull_request: optionalNullable(
    Type.Object(
      { number: PullRequestNumber },
      { description: 'While the pull request is open, only its own reviews use the Learning.' },
    ),
  ),
})

export const ClosedPayload = Type.Object({
  organization: Type.Object(organizationFields),
  repository_id: ProviderId,
  number: PullRequestNumber,
  merged: Type.Boolean(),
  closed_at: OptionalTime,
})

export const UsedPayload = Type.Object({
  organization: Type.Object(organizationFields),
  learning_ids: Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: MAX_LEARNING_IDS,
    description: 'Each id counts once. Unknown ids are ignored.',
  }),
  used_at: OptionalTime,
})

export interface ProposedLearning {
  readonly organization: OrganizationRef
  readonly repository_id: string
  /** Trimmed and redacted; file and source_url are redacted too. */
  readonly learning: string
  /** The text that the id derives from, if it differs from `learning`. */
  readonly identity?: string
  readonly file: string | null
  readonly source_url: string | null
  readonly author: { readonly id: string; readonly username: string | null } | null
  readonly source: Exclude<LearningSource, 'api'>
  readonly number: number | null
}

export interface ClosedPullRequest {
  readonly organization: OrganizationRef
  readonly repository_id: string
  readonly number: number
  readonly merged: boolean
  readonly closed_at: string | null
}

export interface UsedLearnings {
  readonly organization: OrganizationRef
  readonly learning_ids: readonly LearningId[]
  readonly used_at: string | null
}

export type ProposedEvent = IngestEvent<ProposedLearning> & { readonly type: 'learning.proposed' }
export type ClosedEvent = IngestEvent<ClosedPullRequest> & { readonly type: 'pull_request.closed' }
export type UsedEvent = IngestEvent<UsedLearnings> & { readonly type: 'learning.used' }
export type LearningEvent = ProposedEvent | ClosedEvent | UsedEvent

export function findProposedFault({ learning }: Static<typeof ProposedPayload>): string | null {
  const text = learning.trim()
  if (text === '') return 'learning is blank.'
  return isTooLong(text) ? `learning is longer than ${MAX_CODE_POINTS} code points.` : null
}

/** Redacts before the event is queued, so that neither the queue nor a dead letter contains the original text. */
export function normalizeProposed(payload: Static<typeof ProposedPayload>): ProposedLearning {
  const { file, source_url, author, pull_request } = payload
  const read = readLearning(payload.learning)
  if (read === null) throw new Error('readLearning() failed for a validated text.')
  const { stored, identity } = read
  return {
    organization: normalizeOrganization(payload.organization),
    repository_id: payload.repository_id,
    learning: stored.text,
    ...(identity === stored.text ? {} : { identity }),
    file: file ? redact(file).text : null,
    source_url: source_url ? redact(source_url).text : null,
    author: author ? { id: author.id, username: normalizeName(author.username) } : null,
    source: payload.source,
    number: pull_request?.number ?? null,
  }
}

export function normalizeClosed(payload: Static<typeof ClosedPayload>): ClosedPullRequest {
  const { repository_id, number, merged } = payload
  const organization = normalizeOrganization(payload.organization)
  return { organization, repository_id, number, merged, closed_at: normalizeTime(payload.closed_at) }
}

export function normalizeUsed({
  organization,
  learning_ids,
  used_at,
}: Static<typeof UsedPayload>): UsedLearnings {
  const ids = learning_ids.map((id) => id.toLowerCase() as LearningId)
  return {
    organization: normalizeOrganization(organization),
    learning_ids: [...new Set(ids)],
    used_at: normalizeTime(used_at),
  }
}

/** The id alone counts already (bus/queue/event-ids.ts). */
export function toEventKey({ type, id }: IngestEvent): string {
  return `${type} ${id}`
}

/** The reported time, but never later than the event itself: a sender's clock may be ahead. */
export function getEventTime({ occurred_at }: IngestEvent, reportedAt: string | null = null): Date {
  const latest = new Date(occurred_at)
  const reported = reportedAt === null ? latest : new Date(reportedAt)
  return reported < latest ? reported : latest
}
