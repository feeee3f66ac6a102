import { createHash } from 'node:crypto'
import { compareSketches } from '../../../text/same-finding.ts'
import { toCommit, toKey, toLine, toLineNumber, toPath, toTime, toUrl } from '../event-values.ts'
import type { DetectedOutcome, ParsedFinding, ParsedReview } from '../finding.ts'
import type { PullRequestSnapshot } from '../snapshot.ts'
import type { NewEvent, SyncedConnector } from './context.ts'

const MAX_FINDINGS = 1000
/** Sum over all findings of an event, which may have 512 KiB with everything else. */
const MAX_FINDINGS_BYTES = 480 * 1024
const MAX_REVIEWERS = 100
const MAX_ID_LENGTH = 128
const MAX_NAME_LENGTH = 255
const MAX_SEVERITY_LENGTH = 100

/** The events that say what a pull request is now. An open one has none: findings count when it is merged or closed. */
export function toPullRequestEvents(
  connector: SyncedConnector,
  snapshot: PullRequestSnapshot,
  review: ParsedReview,
  outcomes: readonly DetectedOutcome[],
  deleted: readonly SentFinding[] = [],
): NewEvent[] {
  if (snapshot.state === 'open') return []
  const name = {
    organization: toOrganizationRef(connector),
    repository: { id: snapshot.repository.id },
    number: snapshot.number,
  }
  const current = review.findings.map((finding) => toFinding(finding, snapshot))
  const findings = fitFindings([...current, ...deleted])
  const known = new Set(findings.map(({ id }) => id))
  const decided = outcomes.map(toOutcome).filter(({ finding_id }) => known.has(finding_id))
  return [
    {
      type: 'pull_request.finalized',
      payload: { ...name, ...toFinalized(connector, snapshot, review, findings) },
    },
    ...decided.map((outcome) => ({ type: 'finding.outcome', payload: { ...name, ...outcome } })),
  ]
}

function toFinalized(
  { account }: SyncedConnector,
  snapshot: PullRequestSnapshot,
  review: ParsedReview,
  findings: readonly SentFinding[],
) {
  const reviewers = new Set([...review.reviewers, ...findings.map(({ reviewer }) => reviewer)])
  const { repository, author, commits, url, state } = snapshot
  const human = snapshot.reviews.filter(({ user }) => user !== null && !user.isBot && user.id !== author?.id)
  return {
    repository: { id: repository.id, name: toRepositoryName(account, repository.fullName) },
    url,
    status: state,
    author: author && { id: author.id, username: toLine(author.login, MAX_NAME_LENGTH) || null },
    created_at: snapshot.createdAt,
    ready_for_review_at: snapshot.readyForReviewAt,
    first_human_review_at: findEarliest(human.map(({ submittedAt }) => submittedAt)),
    last_commit_at: findLatest(commits.flatMap(({ committedAt }) => toTime(committedAt) ?? [])),
    merged_at: snapshot.mergedAt,
    closed_at: snapshot.closedAt,
    // Commits that people reviewed.
    review_iterations: new Set(human.map(({ commit }) => commit)).size,
    findings,
    reviewers: [...reviewers].slice(0, MAX_REVIEWERS),
  }
}

export type SentFinding = ReturnType<typeof toFinding>

/** From here on, two findings of a bot in one file are the same one, posted again. Lines move with every commit. */
const MIN_REPOSTED_SIMILARITY = 0.8

/**
 * Findings that an earlier read saw, and whose comments on lines are gone: what became of them is unknown. Those that the bot
 * posted again are left out.
 */
export function findDeleted(
  seen: readonly SentFinding[],
  snapshot: PullRequestSnapshot,
  review: ParsedReview,
): SentFinding[] {
  // A comment that is missing may have been left out.
  if ((snapshot.omittedComments ?? 0) > 0) return []
  const present = new Set(snapshot.threads.flatMap(({ comments }) => comments.map(({ url }) => toUrl(url))))
  const current = review.findings.map((finding) => toFinding(finding, snapshot))
  return seen.filter(
    (finding) => !present.has(finding.url) && !current.some((one) => isSameFinding(one, finding)),
  )
}

function isSameFinding(one: SentFinding, other: SentFinding): boolean {
  if (one.id === other.id) return true
  if (one.reviewer !== other.reviewer || one.file !== other.file) return false
  return compareSketches(one.sketch ?? [], other.sketch ?? []) >= MIN_REPOSTED_SIMILARITY
}

/** What to remember of an open pull request: its findings in comments on lines, and those of deleted comments. */
export function toSeenFindings(
  snapshot: PullRequestSnapshot,
  { findings }: ParsedReview,
  deleted: readonly SentFinding[],
): SentFinding[] {
  const inline = findings.filter(({ threadId }) => threadId !== null)
  return fitFindings([...inline.map((finding) => toFinding(finding, snapshot)), ...deleted])
}

function toFinding(finding: ParsedFinding, { url }: PullRequestSnapshot) {
  const { rawSeverity, botKey } = finding
  return {
    id: toKey(finding.id, MAX_ID_LENGTH),
    url: toUrl(finding.url) ?? url,
    severity: finding.severity,
    category: finding.category,
    reviewer: finding.reviewer,
    file: toPath(finding.file),
    start_line: toLineNumber(finding.startLine),
    end_line: toLineNumber(finding.endLine),
    commit: toCommit(finding.commit),
    posted_at: finding.postedAt,
    posted_as: finding.postedAs,
    raw_severity: rawSeverity === null ? null : toLine(rawSeverity, MAX_SEVERITY_LENGTH) || null,
    bot_key: botKey === null ? null : toKey(botKey, MAX_NAME_LENGTH),
    parser: finding.parser,
    sketch: finding.sketch as readonly number[] | null,
  }
}

/** Sketches are left out before findings are: without its sketch a finding still counts. */
function fitFindings(findings: readonly SentFinding[]): SentFinding[] {
  const measure = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1
  let bytesLeft = MAX_FINDINGS_BYTES
  const fitting: SentFinding[] = []
  for (const finding of findings.slice(0, MAX_FINDINGS)) {
    bytesLeft -= measure({ ...finding, sketch: null })
    if (bytesLeft < 0) break
    fitting.push(finding)
  }
  return fitting.map((finding) => {
    bytesLeft -= measure(finding.sketch)
    return bytesLeft < 0 ? { ...finding, sketch: null } : finding
  })
}

function toOutcome({ findingId, accepted, source, rule, evidence }: DetectedOutcome) {
  return {
    finding_id: toKey(findingId, MAX_ID_LENGTH),
    accepted,
    source,
    rule,
    evidence: evidence.map(({ kind, at }) => ({ kind, at: toTime(at) })),
  }
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

/** Covers what the events say, without ids and times of sending. */
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
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

function findLatest(times: readonly string[]): string | null {
  return times.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null
}
