import {
  type CountableFinding,
  categories,
  countFindings,
  type FindingCounter,
  type FindingCounters,
  severities,
} from '../../../metrics-store/findings.ts'
import { csvLine } from '../../../text/csv.ts'
import type { EntryIdentity } from '../review-comments/entry.ts'
import type { PullRequestMeasures } from '../write/review-payload.ts'
import { type ReviewScalar, reviewScalars } from './schema.ts'

interface ReviewFields extends EntryIdentity, PullRequestMeasures {
  readonly organization_name: string
  readonly repository_name: string | null
  readonly author_id: string | null
  readonly author_username: string | null
  readonly status: 'merged' | 'closed'
  readonly merged_at: string | null
  readonly closed_at: string | null
}

/** The entry of GET /v1/metrics/reviews; `counted_on` is added from its row when a page is read. */
export function renderReview(row: ReviewFields, findings: readonly CountableFinding[]): string {
  return JSON.stringify({
    pr_url: row.url,
    author_id: row.author_id,
    author_username: row.author_username,
    organization_id: row.provider_organization_id,
    organization_name: row.organization_name,
    repository_id: row.repository_id,
    repository_name: row.repository_name,
    status: row.status,
    created_at: row.created_at,
    ready_for_review_at: row.ready_for_review_at,
    first_human_review_at: row.first_human_review_at,
    last_commit_at: row.last_commit_at,
    merged_at: row.merged_at,
    closed_at: row.closed_at,
    review_iterations: row.review_iterations,
    estimated_complexity: row.estimated_complexity,
    estimated_review_minutes: row.estimated_review_minutes,
    coderabbit_comments: countFindings(findings),
  })
}

/** An entry of a page. */
type ReviewEntry = Readonly<Record<ReviewScalar, string | number | null>> & {
  readonly counted_on: string
  readonly coderabbit_comments: FindingCounters
}

const counterNames = ['total_coderabbit', ...severities, ...categories]

/** The columns of the CSV response: one line per pull request. Later additions are at the end. */
export const reviewColumns: readonly string[] = [
  ...reviewScalars,
  ...counterNames.flatMap((name) => [`${name}_comments_posted`, `${name}_comments_accepted`]),
  'counted_on',
]

/** `entries` is JSON, joined with commas. */
export function renderTable(entries: string): string {
  const reviews = JSON.parse(`[${entries}]`) as ReviewEntry[]
  return csvLine(reviewColumns) + reviews.map((review) => csvLine(toCells(review))).join('')
}

function toCells(review: ReviewEntry): (string | number | null)[] {
  const { total, severity, category } = review.coderabbit_comments
  const counters: FindingCounter[] = [
    total,
    ...severities.map((name) => severity[name]),
    ...categories.map((name) => category[name]),
  ]
  return [
    ...reviewScalars.map((field) => review[field]),
    ...counters.flatMap(({ posted, accepted }) => [posted, accepted]),
    review.counted_on,
  ]
}
