import { createHash } from 'node:crypto'
import type { DetectedOutcome, ParsedFinding, ParsedReview } from '../finding.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { NewEvent, SyncedConnector } from './context.ts'

const MAX_FINDINGS = 1000
const MAX_REVIEWERS = 100

/** The events that say what a pull request is now. An open one has none: findings count when it is merged or closed. */
export function toPullRequestEvents(
  connector: SyncedConnector,
  snapshot: PullRequestSnapshot,
  review: ParsedReview,
  outcomes: readonly DetectedOutcome[],
): NewEvent[] {
  if (snapshot.state === 'open') return []
  const name = {
    organization: toOrganizationRef(connector),
    repository: { id: snapshot.repository.id },
    number: snapshot.number,
  }
  const findings = review.findings.slice(0, MAX_FINDINGS)
  const known = new Set(findings.map(({ id }) => id))
  const decided = outcomes.filter(({ findingId }) => known.has(findingId))
  return [
    {
      type: 'pull_request.finalized',
      payload: { ...name, ...toFinalized(connector, snapshot, review, findings) },
    },
    ...decided.map((outcome) => ({ type: 'finding.outcome', payload: { ...name, ...toOutcome(outcome) } })),
  ]
}

function toFinalized(
  { account }: SyncedConnector,
  snapshot: PullRequestSnapshot,
  { reviewers }: ParsedReview,
  findings: readonly ParsedFinding[],
) {
  const { repository, author, commits, url, state } = snapshot
  const human = snapshot.reviews.filter(({ user }) => user !== null && !user.isBot && user.id !== author?.id)
  return {
    repository: { id: repository.id, name: toRepositoryName(account, repository.fullName) },
    url,
    status: state,
    author: author && { id: author.id, username: author.login },
    created_at: snapshot.createdAt,
    ready_for_review_at: snapshot.readyForReviewAt,
    first_human_review_at: findEarliest(human.map(({ submittedAt }) => submittedAt)),
    last_commit_at: findLatest(commits.map(({ committedAt }) => committedAt)),
    merged_at: snapshot.mergedAt,
    closed_at: snapshot.closedAt,
    // Commits that people reviewed.
    review_iterations: new Set(human.map(({ commit }) => commit)).size,
    findings: findings.map(toFinding),
    reviewers: reviewers.slice(0, MAX_REVIEWERS),
  }
}

function toFinding(finding: ParsedFinding) {
  return {
    id: finding.id,
    url: finding.url,
    severity: finding.severity,
    category: finding.category,
    reviewer: finding.reviewer,
    file: finding.file,
    start_line: finding.startLine,
    end_line: finding.endLine,
    commit: finding.commit,
    posted_at: finding.postedAt,
    posted_as: finding.postedAs,
    raw_severity: finding.rawSeverity,
    bot_key: finding.botKey,
    parser: finding.parser,
    sketch: finding.sketch,
  }
}

function toOutcome({ findingId, accepted, source, rule, evidence }: DetectedOutcome) {
  return { finding_id: findingId, accepted, source, rule, evidence }
}

export function toOrganizationRef({ provider, host, organizationId }: SyncedConnector) {
  return { provider, host, id: organizationId }
}

/** Without the organization or group, as the inventory has it. */
export function toRepositoryName(account: string, fullName: string): string {
  const prefix = `${account}/`
  const isBelow = fullName.toLowerCase().startsWith(prefix.toLowerCase())
  return (isBelow ? fullName.slice(prefix.length) : fullName).slice(0, 200)
}

/** Of what the events say, without ids and times of sending. */
export function computeDigest(events: readonly NewEvent[]): Buffer {
  return createHash('sha256').update(JSON.stringify(events)).digest()
}

/** A state may return, so that its digest alone does not make an id. */
export function toSentEvents(events: readonly NewEvent[], digest: Buffer, occurredAt: string) {
  return events.map((event, index) => ({
    ...event,
    id: createHash('sha256').update(digest).update(`\n${occurredAt}\n${index}`).digest('hex').slice(0, 40),
    version: 1,
    occurred_at: occurredAt,
  }))
}

function findEarliest(times: readonly string[]): string | null {
  return times.toSorted((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null
}

function findLatest(times: readonly string[]): string | null {
  return times.toSorted((one, other) => Date.parse(other) - Date.parse(one))[0] ?? null
}
