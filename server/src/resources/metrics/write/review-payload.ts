import { type Static, Type } from 'typebox'
import type { CountedTime, EventWarning, IngestEvent } from '../../../bus/ingest-event.ts'
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
import { type Category, categories, type Severity, severities } from '../../../metrics-store/findings.ts'
import { nullable } from '../../../shape.ts'
import {
  choice,
  detailFields,
  type Evidence,
  evidenceFields,
  type FindingDetails,
  normalizeDetails,
  postingForms,
} from './finding-details.ts'
import type { OutcomeSource } from './outcome.ts'

const Url = Type.String({ pattern: '^https?://[^\\s\\p{Cc}\\p{Cs}]{1,2040}$', maxLength: 2048 })
const FindingId = singleLineText(128)

const FindingShape = Type.Object({
  id: FindingId,
  url: Url,
  severity: choice(severities),
  category: choice(categories),
  reviewer: optionalNullable(singleLineText(255)),
  ...detailFields,
})

const MAX_REVIEWERS = 100

export const FinalizedPayload = Type.Object({
  organization: Type.Object({ ...organizationFields, name: OptionalName }),
  repository: Type.Object({ id: ProviderId, name: OptionalName }),
  number: PullRequestNumber,
  url: Url,
  status: Type.Union([Type.Literal('merged'), Type.Literal('closed')]),
  author: optionalNullable(Type.Object({ id: ProviderId, username: OptionalName })),
  created_at: OptionalTime,
  ready_for_review_at: OptionalTime,
  first_human_review_at: OptionalTime,
  last_commit_at: OptionalTime,
  merged_at: OptionalTime,
  closed_at: OptionalTime,
  review_iterations: optionalNullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  estimated_complexity: optionalNullable(Type.Integer({ minimum: 1, maximum: 5 })),
  estimated_review_minutes: optionalNullable(Type.Number({ minimum: 0 })),
  findings: Type.Array(FindingShape, {
    maxItems: 1000,
    description: 'If several findings have the same id, the last one is stored.',
  }),
  reviewers: optionalNullable(
    Type.Array(singleLineText(255), {
      maxItems: MAX_REVIEWERS,
      description:
        'Reviewers that reviewed the pull request, also those without findings: reviewers are compared only on pull ' +
        'requests that each of them reviewed. Reviewers of findings need not be repeated.',
    }),
  ),
})

export const OutcomePayload = Type.Object({
  organization: Type.Object(organizationFields),
  repository: Type.Object({ id: ProviderId }),
  number: PullRequestNumber,
  finding_id: FindingId,
  accepted: nullable(Type.Boolean()),
  source: Type.Union([Type.Literal('detector'), Type.Literal('person'), Type.Literal('provider')], {
    description:
      'A person counts before the provider, the provider before a detector; of one source the latest event counts. With ' +
      '`accepted: null` a source withdraws what it said before.',
  }),
  ...evidenceFields,
})

export interface NormalizedFinding {
  readonly id: string
  readonly url: string
  readonly severity: Severity | null
  readonly category: Category | null
  readonly reviewer: string | null
  /** Absent when none was sent, and in events that were queued before the field existed. */
  readonly details?: FindingDetails
}

export interface PullRequestMeasures {
  readonly created_at: string | null
  readonly ready_for_review_at: string | null
  readonly first_human_review_at: string | null
  readonly last_commit_at: string | null
  readonly review_iterations: number | null
  readonly estimated_complexity: number | null
  readonly estimated_review_minutes: number | null
}

export interface FinalizedPullRequest extends PullRequestMeasures {
  readonly organization: OrganizationRef & { readonly name: string | null }
  readonly repository: { readonly id: string; readonly name: string | null }
  readonly number: number
  readonly url: string
  readonly status: 'merged' | 'closed'
  readonly author: { readonly id: string; readonly username: string | null } | null
  readonly merged_at: string | null
  readonly closed_at: string | null
  readonly findings: readonly NormalizedFinding[]
  /** Absent when none was sent. */
  readonly reviewers?: readonly string[]
}

export interface FindingOutcome {
  readonly organization: OrganizationRef
  readonly repository: { readonly id: string }
  readonly number: number
  readonly finding_id: string
  readonly accepted: boolean | null
  readonly source: OutcomeSource
  /** Absent when none was sent. */
  readonly rule?: string
  readonly evidence?: readonly Evidence[]
}

export type FinalizedEvent = IngestEvent<FinalizedPullRequest> & { readonly type: 'pull_request.finalized' }
export type OutcomeEvent = IngestEvent<FindingOutcome> & { readonly type: 'finding.outcome' }
export type ReviewEvent = FinalizedEvent | OutcomeEvent

export function normalizeFinalized(payload: Static<typeof FinalizedPayload>): FinalizedPullRequest {
  const { organization, repository, author, reviewers } = payload
  return {
    organization: { ...normalizeOrganization(organization), name: normalizeName(organization.name) },
    repository: { id: repository.id, name: normalizeName(repository.name) },
    number: payload.number,
    url: payload.url,
    status: payload.status,
    author: author ? { id: author.id, username: normalizeName(author.username) } : null,
    created_at: normalizeTime(payload.created_at),
    ready_for_review_at: normalizeTime(payload.ready_for_review_at),
    first_human_review_at: normalizeTime(payload.first_human_review_at),
    last_commit_at: normalizeTime(payload.last_commit_at),
    merged_at: normalizeTime(payload.merged_at),
    closed_at: normalizeTime(payload.closed_at),
    review_iterations: payload.review_iterations ?? null,
    estimated_complexity: payload.estimated_complexity ?? null,
    estimated_review_minutes: payload.estimated_review_minutes ?? null,
    findings: normalizeFindings(payload.findings),
    ...(reviewers && reviewers.length > 0 && { reviewers: [...new Set(reviewers)] }),
  }
}

/** What an event reports has happened before it; a later time is an error of the sender's clock. */
export function cutToEvent<Time extends string | null>(time: Time, occurredAt: string): Time | string {
  return time !== null && time > occurredAt ? occurredAt : time
}

/** The time whose day is `counted_on`. */
export function getFinalizedTime(
  { status, merged_at, closed_at }: FinalizedPullRequest,
  occurredAt: string,
): CountedTime {
  if (status === 'merged' && merged_at !== null)
    return { path: 'payload.merged_at', time: cutToEvent(merged_at, occurredAt) }
  if (closed_at !== null) return { path: 'payload.closed_at', time: cutToEvent(closed_at, occurredAt) }
  return getOccurrence(null, occurredAt)
}

export function getOccurrence(_payload: unknown, occurredAt: string): CountedTime {
  return { path: 'occurred_at', time: occurredAt }
}

export function normalizeOutcome(payload: Static<typeof OutcomePayload>): FindingOutcome {
  const { organization, repository, number, finding_id, accepted, source } = payload
  const evidence = (payload.evidence ?? []).map(({ kind, at }) => ({ kind, at: normalizeTime(at) }))
  return {
    organization: normalizeOrganization(organization),
    repository: { id: repository.id },
    number,
    finding_id,
    accepted,
    source,
    ...(payload.rule && { rule: payload.rule }),
    ...(evidence.length > 0 && { evidence }),
  }
}

/** Unknown choices are stored as null, which a sender would notice only in the metrics. */
export function findFinalizedWarnings({ findings }: Static<typeof FinalizedPayload>): EventWarning[] {
  return findings.flatMap(({ severity, category, posted_as }, index) => [
    ...describeUnknownChoice(`findings.${index}.severity`, severities, severity),
    ...describeUnknownChoice(`findings.${index}.category`, categories, category),
    ...describeUnknownChoice(`findings.${index}.posted_as`, postingForms, posted_as),
  ])
}

function describeUnknownChoice(
  path: string,
  among: readonly string[],
  given: string | null | undefined,
): EventWarning[] {
  if (given === null || given === undefined || among.includes(given)) return []
  const name = path.slice(path.lastIndexOf('.') + 1)
  return [{ path, message: `The ${name} is unknown, so null is stored. Send one of ${among.join(', ')}.` }]
}

function normalizeFindings(findings: readonly Static<typeof FindingShape>[]): NormalizedFinding[] {
  const normalized = new Map<string, NormalizedFinding>()
  for (const { id, url, severity, category, reviewer, ...rest } of findings) {
    const details = normalizeDetails(rest)
    normalized.set(id, {
      id,
      url,
      severity: normalizeChoice(severities, severity),
      category: normalizeChoice(categories, category),
      reviewer: reviewer ?? null,
      ...(details !== null && { details }),
    })
  }
  return [...normalized.values()]
}

function normalizeChoice<Choice extends string>(
  among: readonly Choice[],
  given: string | null | undefined,
): Choice | null {
  return among.find((known) => known === given) ?? null
}
