import type { PullRequestKey, RowOwner } from '../../../metrics-store/write/pull-request-sql.ts'
import { renderEntry } from '../review-comments/entry.ts'
import { renderReview } from '../reviews/entry.ts'
import type { Evidence, FindingDetails } from './finding-details.ts'
import type { OutcomeSource, ResolvedOutcome } from './outcome.ts'
import type {
  FinalizedEvent,
  FinalizedPullRequest,
  NormalizedFinding,
  PullRequestMeasures,
} from './review-payload.ts'
import { cutToEvent, getFinalizedTime } from './review-payload.ts'

/** A finalized pull request. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`, names those at the time of the write. */
export interface PullRequestRow extends PullRequestKey, RowOwner, PullRequestMeasures {
  readonly provider: string
  readonly host: string
  readonly repository_id: string
  readonly number: number
  readonly provider_organization_id: string
  readonly organization_name: string
  readonly repository_name: string | null
  readonly url: string
  readonly author_id: string | null
  readonly author_username: string | null
  readonly status: 'merged' | 'closed'
  readonly merged_at: string | null
  readonly closed_at: string | null
  /** Also those without findings. */
  readonly reviewers: readonly string[]
  readonly day: string
  readonly position: number
  readonly event_id: string
  readonly event_at: string
  /** Merged, with findings: an entry of review comments, and its findings count. */
  readonly counted: boolean
}

/** What the lists return of a pull request. */
export interface Documents {
  /** null = it is not counted. */
  readonly entry: string | null
  readonly review: string
}

/** The outcome that counts. `source` is null when no source has a verdict or a reason. */
export interface FindingOutcomeColumns {
  readonly accepted: boolean | null
  readonly source: OutcomeSource | null
  readonly rule: string | null
  readonly evidence: readonly Evidence[] | null
  readonly decided_at: string | null
}

type DetailColumns = { readonly [Field in keyof FindingDetails]-?: NonNullable<FindingDetails[Field]> | null }

/** A finding of a pull request. */
export interface FindingRow extends FindingOutcomeColumns, DetailColumns {
  /** Its index in the event. */
  readonly ordinal: number
  readonly finding_id: string
  readonly url: string
  readonly reviewer: string | null
  readonly severity: string | null
  readonly category: string | null
}

/** A pull request with its findings, in their order. */
export interface StoredPullRequest {
  readonly row: PullRequestRow
  readonly findings: readonly FindingRow[]
}

/** A pull request before and after a write. */
export interface PullRequestChange {
  readonly before: StoredPullRequest | undefined
  readonly after: StoredPullRequest
}

export function renderDocuments({ row, findings }: StoredPullRequest): Documents {
  return {
    entry: row.counted ? renderEntry(row, findings) : null,
    review: renderReview(row, findings),
  }
}

/** What an event says of a pull request, before it has a position. */
export function toPullRequestRow(
  key: PullRequestKey,
  { id, occurred_at, payload }: FinalizedEvent,
  { organization_id, instance_id }: RowOwner,
  inventory: { readonly organization: string; readonly repository: string | null },
): Omit<PullRequestRow, 'position'> {
  const { organization, repository, author, status } = payload
  return {
    ...key,
    provider: organization.provider,
    host: organization.host,
    repository_id: repository.id,
    number: payload.number,
    organization_id,
    instance_id,
    provider_organization_id: organization.id,
    organization_name: organization.name ?? inventory.organization,
    repository_name: repository.name ?? inventory.repository,
    url: payload.url,
    author_id: author?.id ?? null,
    author_username: author?.username ?? null,
    status,
    ...pickMeasures(payload),
    merged_at: status === 'merged' ? cutToEvent(payload.merged_at, occurred_at) : null,
    closed_at: cutToEvent(payload.closed_at, occurred_at),
    reviewers: payload.reviewers ?? [],
    day: getFinalizedTime(payload, occurred_at).time.slice(0, 10),
    event_id: id,
    event_at: occurred_at,
    counted: status === 'merged' && payload.findings.length > 0,
  }
}

function pickMeasures(payload: FinalizedPullRequest): PullRequestMeasures {
  return {
    created_at: payload.created_at,
    ready_for_review_at: payload.ready_for_review_at,
    first_human_review_at: payload.first_human_review_at,
    last_commit_at: payload.last_commit_at,
    review_iterations: payload.review_iterations,
    estimated_complexity: payload.estimated_complexity,
    estimated_review_minutes: payload.estimated_review_minutes,
  }
}

export function toFindingRow(
  { id, url, severity, category, reviewer, details = {} }: NormalizedFinding,
  ordinal: number,
  outcome: ResolvedOutcome | null,
  occurredAt: string,
): FindingRow {
  return {
    ordinal,
    finding_id: id,
    url,
    reviewer,
    severity,
    category,
    ...toOutcomeColumns(outcome),
    file: details.file ?? null,
    start_line: details.start_line ?? null,
    end_line: details.end_line ?? null,
    commit: details.commit ?? null,
    posted_at: details.posted_at === undefined ? null : cutToEvent(details.posted_at, occurredAt),
    posted_as: details.posted_as ?? null,
    raw_severity: details.raw_severity ?? null,
    bot_key: details.bot_key ?? null,
    parser: details.parser ?? null,
    sketch: details.sketch ?? null,
  }
}

export function toOutcomeColumns(outcome: ResolvedOutcome | null): FindingOutcomeColumns {
  if (outcome === null) return { accepted: null, source: null, rule: null, evidence: null, decided_at: null }
  const { accepted, source, rule, evidence, at } = outcome
  return { accepted, source, rule, evidence: evidence.length === 0 ? null : evidence, decided_at: at }
}
