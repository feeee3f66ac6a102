import type { DetectedOutcome, Evidence, OutcomeRule, ParsedFinding, ParsedReview } from '../finding.ts'
import { GitError } from '../git/git-error.ts'
import type { FilePair, GitReader } from '../git/git-reader.ts'
import type { Commit, ProviderComment, PullRequestSnapshot, ReviewThread } from '../snapshot.ts'
import { addFixingCommit, type FixedCase, selectLaterCommits } from './fixing-commit.ts'
import { findLineChange, isFix, type LineChange, type LineRange } from './line-change.ts'
import { createReplyClassifier, type ReplyClassifier } from './reply.ts'
import { isSuggestionPresent } from './suggestion.ts'

/** What is known of findings besides the pull request, by the id of the finding. */
export interface KnownOutcomes {
  /** Verdicts of people in our own store. */
  readonly verdicts: ReadonlyMap<string, { readonly accepted: boolean; readonly at: string }>
  /** Alerts of code scanning. `at`: when it was dismissed or fixed. */
  readonly alerts: ReadonlyMap<string, KnownAlert>
}

export interface KnownAlert {
  readonly state: 'open' | 'dismissed' | 'fixed'
  readonly at: string | null
}

const nothingKnown: KnownOutcomes = { verdicts: new Map(), alerts: new Map() }

export type OutcomeDetector = (
  snapshot: PullRequestSnapshot,
  review: ParsedReview,
  /** null: nothing of the code can be read. */
  git: GitReader | null,
  known?: KnownOutcomes,
) => Promise<DetectedOutcome[]>

/** Applies the rules in their order; the first that matches decides. Without enough evidence the outcome is unknown. */
export function createOutcomeDetector(): OutcomeDetector {
  const classifyReply = createReplyClassifier()
  return async (snapshot, review, git, known = nothingKnown) => {
    const cases = review.findings.map((finding) => toCase(snapshot, finding))
    const readable = git !== null && (await prefetch(git, cases)) ? git : null
    const outcomes: DetectedOutcome[] = []
    for (const item of cases) {
      const evidence = await gatherEvidence(item, readable, classifyReply)
      const outcome = decide(item, evidence, known)
      outcomes.push(readable === null ? outcome : await addFixingCommit(item, outcome, readable))
    }
    return [...withdrawContradicted(review.findings, outcomes), ...withdrawReopened(outcomes, known)]
  }
}

interface FindingCase extends FixedCase {
  readonly thread: ReviewThread | null
  readonly comment: ProviderComment | null
  /** Commits that the Git provider made when somebody applied suggestions, after the finding. */
  readonly suggestionCommits: readonly Commit[]
}

const suggestionMessage =
  /^(?:apply suggestions? from|apply \d+ suggestions? to \d+ files?|apply \d+ suggestion\(s\) to)/i

function toCase(snapshot: PullRequestSnapshot, finding: ParsedFinding): FindingCase {
  const thread = snapshot.threads.find(({ id }) => id === finding.threadId) ?? null
  const comment = thread?.comments.find(({ url }) => url === finding.url) ?? thread?.comments[0] ?? null
  const { suggestion, botOutcome } = finding.clues
  const canBeFixed = suggestion !== null || botOutcome === 'addressed' || thread?.suggestionApplied === true
  return {
    snapshot,
    finding,
    thread,
    comment,
    range: getRange(finding, thread),
    commit: thread?.originalCommit ?? finding.commit,
    suggestionCommits:
      suggestion === null
        ? []
        : snapshot.commits.filter(
            ({ message, committedAt }) =>
              suggestionMessage.test(message) && isLater(committedAt, finding.postedAt),
          ),
    laterCommits: canBeFixed ? selectLaterCommits(snapshot, finding) : [],
  }
}

/** The Git provider's own lines are those of the commit that was commented on. */
function getRange(finding: ParsedFinding, thread: ReviewThread | null): LineRange | null {
  if (thread !== null) {
    const { path, originalStartLine, originalEndLine } = thread
    if (thread.side === 'left') return null
    return { path, start: originalStartLine ?? originalEndLine, end: originalEndLine ?? originalStartLine }
  }
  const { file, startLine, endLine } = finding
  return file === null ? null : { path: file, start: startLine ?? endLine, end: endLine ?? startLine }
}

function isLater(time: string, than: string): boolean {
  return Date.parse(time) > Date.parse(than)
}

/** false: git reached a limit, and would again. Other failures pass, so that the caller tries again. */
async function prefetch(git: GitReader, cases: readonly FindingCase[]): Promise<boolean> {
  const pairs = cases.flatMap(({ snapshot, range, commit, suggestionCommits, laterCommits }): FilePair[] => {
    if (range === null || commit === null || snapshot.state === 'open') return []
    const later = [...suggestionCommits, ...laterCommits].map(({ sha }) => sha)
    return [...new Set([snapshot.headSha, ...later])].map((to) => ({
      from: commit,
      to,
      path: range.path,
    }))
  })
  try {
    if (pairs.length > 0) await git.prefetch([], pairs)
    return true
  } catch (error) {
    if (error instanceof GitError && (error.failure === 'limit' || error.failure === 'disk_quota'))
      return false
    throw error
  }
}

interface CaseEvidence {
  readonly lines: LineChange | null
  readonly isCommitLost: boolean
  readonly suggestion: Evidence | null
  /** A person's disapproval or refusal. */
  readonly declined: Evidence | null
  /** A person's word that the finding is right. */
  readonly agreed: Evidence | null
}

async function gatherEvidence(
  item: FindingCase,
  git: GitReader | null,
  classifyReply: ReplyClassifier,
): Promise<CaseEvidence> {
  const { snapshot, range, commit } = item
  const people = gatherReactions(item, classifyReply)
  if (git === null || range === null || commit === null || snapshot.state === 'open')
    return { ...people, lines: null, isCommitLost: false, suggestion: null }
  const head = await findHead(snapshot, git)
  if (head === null || !(await git.hasCommit(commit)))
    return { ...people, lines: null, isCommitLost: true, suggestion: null }
  const lines = await findLineChange(git, commit, head, range)
  const suggestion = await findSuggestion(item, git, range, { from: commit, to: head }, lines)
  return { ...people, lines, isCommitLost: false, suggestion }
}

/** What was merged; if the branch is lost, what the merge made of it. */
async function findHead(snapshot: PullRequestSnapshot, git: GitReader): Promise<string | null> {
  if (await git.hasCommit(snapshot.headSha)) return snapshot.headSha
  const { mergeSha } = snapshot
  return mergeSha !== null && (await git.hasCommit(mergeSha)) ? mergeSha : null
}

async function findSuggestion(
  { snapshot, finding, suggestionCommits }: FindingCase,
  git: GitReader,
  range: LineRange,
  { from, to }: { readonly from: string; readonly to: string },
  lines: LineChange,
): Promise<Evidence | null> {
  const { suggestion } = finding.clues
  if (suggestion === null) return null
  if (await isSuggestionPresent(git, from, to, range, suggestion))
    return { kind: 'suggestion_present', at: snapshot.mergedAt }
  // It was applied and edited later; but a revert brings the old lines back.
  if (lines !== 'changed') return null
  for (const { sha, committedAt } of suggestionCommits)
    if (await isSuggestionPresent(git, from, sha, range, suggestion))
      return { kind: 'suggestion_commit', at: committedAt }
  return null
}

function gatherReactions(
  { thread, comment }: FindingCase,
  classifyReply: ReplyClassifier,
): Pick<CaseEvidence, 'agreed' | 'declined'> {
  const reactions = comment?.reactions.filter(({ user }) => user !== null && !user.isBot) ?? []
  const replies = (thread?.comments ?? [])
    .filter((reply) => reply !== comment && reply.user !== null && !reply.user.isBot)
    .map(({ body, createdAt }) => ({ meaning: classifyReply(body), at: createdAt }))
  const find = (meaning: 'agrees' | 'declines') => replies.findLast((reply) => reply.meaning === meaning)
  const [declining, agreeing] = [find('declines'), find('agrees')]
  const hasReaction = (content: string) => reactions.some((reaction) => reaction.content === content)
  const toEvidence = (reply: typeof declining, kind: string, content: string, reaction: string) => {
    if (reply !== undefined) return { kind, at: reply.at }
    return hasReaction(content) ? { kind: reaction, at: null } : null
  }
  return {
    declined: toEvidence(declining, 'declining_reply', 'thumbs_down', 'thumbs_down'),
    agreed: toEvidence(agreeing, 'agreeing_reply', 'thumbs_up', 'thumbs_up'),
  }
}

function decide(item: FindingCase, found: CaseEvidence, known: KnownOutcomes): DetectedOutcome {
  return (
    decideByStoredOutcome(item, known) ??
    decideByProvider(item, known) ??
    decideBySuggestion(item, found) ??
    decideByBot(item, found) ??
    decideByPerson(item, found) ??
    decideByThread(item, found) ??
    leaveUndecided(item, found)
  )
}

function decideByStoredOutcome(
  { finding }: FindingCase,
  { verdicts }: KnownOutcomes,
): DetectedOutcome | null {
  const verdict = verdicts.get(finding.id)
  if (verdict === undefined) return null
  const evidence = [{ kind: 'person_verdict', at: verdict.at }]
  return { findingId: finding.id, accepted: verdict.accepted, source: 'person', rule: 'verdict', evidence }
}

function decideByProvider(
  { finding, thread }: FindingCase,
  { alerts }: KnownOutcomes,
): DetectedOutcome | null {
  const provided = { findingId: finding.id, source: 'provider', rule: 'provider' } as const
  const alert = alerts.get(finding.id)
  if (alert !== undefined && alert.state !== 'open') {
    const evidence = [{ kind: `alert_${alert.state}`, at: alert.at }]
    return { ...provided, accepted: alert.state === 'fixed', evidence }
  }
  if (thread?.suggestionApplied !== true) return null
  return { ...provided, accepted: true, evidence: [{ kind: 'suggestion_applied', at: thread.resolvedAt }] }
}

function decideBySuggestion({ snapshot, finding }: FindingCase, found: CaseEvidence): DetectedOutcome | null {
  if (snapshot.state !== 'merged' || found.suggestion === null) return null
  return toOutcome(finding, true, 'suggestion', [found.suggestion])
}

/** The word of the bot alone is not enough: it also says so when it no longer finds the lines. */
function decideByBot(
  { snapshot, finding, comment }: FindingCase,
  found: CaseEvidence,
): DetectedOutcome | null {
  if (snapshot.state !== 'merged' || finding.clues.botOutcome !== 'addressed') return null
  const areChanged = isFix(found.lines)
  if (!areChanged || found.declined !== null) return null
  return toOutcome(finding, true, 'addressed', [
    { kind: 'bot_addressed', at: comment?.updatedAt ?? null },
    { kind: 'lines_changed', at: snapshot.mergedAt },
  ])
}

function decideByPerson({ snapshot, finding }: FindingCase, found: CaseEvidence): DetectedOutcome | null {
  const { declined, agreed, lines } = found
  if (snapshot.state === 'open' || declined === null || agreed !== null) return null
  if (lines !== 'unchanged' && lines !== 'whitespace' && lines !== 'moved') return null
  return toOutcome(finding, false, 'declined', [declined, toLinesEvidence(snapshot, lines)])
}

function decideByThread(item: FindingCase, found: CaseEvidence): DetectedOutcome | null {
  const { snapshot, finding, thread } = item
  if (thread === null || snapshot.state !== 'merged' || snapshot.mergedAt === null) return null
  if (thread.isResolved || thread.isOutdated || found.lines !== 'unchanged' || found.agreed !== null)
    return null
  // Nobody could act on it.
  if (!isLater(snapshot.mergedAt, finding.postedAt) || finding.clues.botOutcome !== null) return null
  return toOutcome(finding, false, 'unresolved', [
    { kind: 'thread_unresolved', at: snapshot.mergedAt },
    toLinesEvidence(snapshot, found.lines),
  ])
}

function leaveUndecided(item: FindingCase, found: CaseEvidence): DetectedOutcome {
  const { snapshot, finding, thread, comment } = item
  const evidence: Evidence[] = []
  if (snapshot.state !== 'merged')
    evidence.push({ kind: `pull_request_${snapshot.state}`, at: snapshot.closedAt })
  if (found.isCommitLost) evidence.push({ kind: 'commit_lost', at: null })
  if (found.lines !== null) evidence.push(toLinesEvidence(snapshot, found.lines))
  if (thread?.isResolved === true) evidence.push({ kind: 'thread_resolved', at: thread.resolvedAt })
  if (thread?.isOutdated === true) evidence.push({ kind: 'thread_outdated', at: null })
  if (finding.clues.botOutcome !== null)
    evidence.push({ kind: `bot_${finding.clues.botOutcome}`, at: comment?.updatedAt ?? null })
  for (const spoken of [found.declined, found.agreed]) if (spoken !== null) evidence.push(spoken)
  return toOutcome(finding, null, 'undecided', evidence)
}

function toLinesEvidence(snapshot: PullRequestSnapshot, lines: LineChange): Evidence {
  return { kind: `lines_${lines}`, at: snapshot.mergedAt ?? snapshot.closedAt }
}

function toOutcome(
  finding: ParsedFinding,
  accepted: boolean | null,
  rule: OutcomeRule,
  evidence: readonly Evidence[],
): DetectedOutcome {
  return { findingId: finding.id, accepted, source: 'detector', rule, evidence }
}

/** An alert that is open again takes back what the provider said when it was closed. */
function withdrawReopened(
  outcomes: readonly DetectedOutcome[],
  { alerts }: KnownOutcomes,
): DetectedOutcome[] {
  return outcomes
    .filter(({ findingId, source }) => source !== 'provider' && alerts.get(findingId)?.state === 'open')
    .map(({ findingId }) => ({
      findingId,
      accepted: null,
      source: 'provider',
      rule: 'provider',
      evidence: [{ kind: 'alert_open', at: null }],
    }))
}

/** Some bots post a finding again at every push: one posting that was accepted speaks against ignored ones. */
function withdrawContradicted(
  findings: readonly ParsedFinding[],
  outcomes: readonly DetectedOutcome[],
): DetectedOutcome[] {
  const toName = ({ reviewer, botKey }: ParsedFinding) => (botKey === null ? null : `${reviewer} ${botKey}`)
  const accepted = new Set(
    findings.flatMap((finding, index) => (outcomes[index]?.accepted === true ? [toName(finding)] : [])),
  )
  return outcomes.map((outcome, index) => {
    const finding = findings[index]
    const name = finding === undefined ? null : toName(finding)
    if (outcome.rule !== 'unresolved' || name === null || !accepted.has(name)) return outcome
    const evidence = [...outcome.evidence, { kind: 'accepted_elsewhere', at: null }]
    return { ...outcome, accepted: null, rule: 'undecided', evidence }
  })
}
