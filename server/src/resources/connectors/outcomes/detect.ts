import type { Embedder } from '../../../text/embed/embedder.ts'
import type { DetectedOutcome, Evidence, OutcomeRule, ParsedFinding, ParsedReview } from '../finding.ts'
import { GitError } from '../git/git-error.ts'
import type { FilePair, GitReader } from '../git/git-reader.ts'
import type { ProviderUser, PullRequestSnapshot, ReviewThread } from '../snapshot.ts'
import { type Code, type FindingCase, type FixedCode, readCode, unreadable } from './code.ts'
import { appliesSuggestion, findFix, isAmong, readMessage, selectLaterCommits } from './fixing-commit.ts'
import { isSubstance, type LineRange } from './line-change.ts'
import { createReplyReader, type ReplyReader, readVerdictCommand } from './reply.ts'
import { createDeclineFinder } from './similar-replies.ts'
import { declining, ENOUGH, weights } from './weights.ts'

/** What is known of findings besides the pull request, by the id of the finding. */
export interface KnownOutcomes {
  /** Verdicts of people in our own store. */
  readonly verdicts: ReadonlyMap<string, { readonly accepted: boolean; readonly at: string }>
  /** Alerts of code scanning. `at`: when it was dismissed or fixed. */
  readonly alerts: ReadonlyMap<string, KnownAlert>
  /** Ids of people who may not write to the repository: their thumbs and commands do not count. */
  readonly outsiders?: ReadonlySet<string>
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

/** What somebody decided counts first, then the evidence is added up. Without enough of it the outcome is unknown. */
export function createOutcomeDetector(embedder: Embedder | null = null): OutcomeDetector {
  const readReply = createReplyReader()
  const isDeclining = embedder === null ? () => Promise.resolve(false) : createDeclineFinder(embedder)
  return async (snapshot, review, git, known = nothingKnown) => {
    const cases = review.findings.map((finding) => toCase(snapshot, finding))
    const readable = git !== null && (await prefetch(git, cases, listFirstCommits)) ? git : null
    const changes: Code[] = []
    for (const item of cases) changes.push(await readCode(item, readable))
    const changed = cases.filter((_, index) => changes[index]?.isChanged === true)
    const hasCommits = readable !== null && (await prefetch(readable, changed, listLaterCommits))
    const outcomes: DetectedOutcome[] = []
    let compared = 0
    for (const [index, item] of cases.entries()) {
      const change = changes[index] ?? unreadable
      const fix = hasCommits && change.isChanged ? await findFix(item, change, readable) : null
      const decideBy = (words: Words) => decide(item, { ...change, fix }, words, known)
      const words = gatherWords(item, readReply, known)
      const outcome = decideBy(words)
      const open = outcome.rule === 'undecided' ? findOpenReply(item, readReply) : null
      const isCompared = open !== null && compared++ < MAX_COMPARED
      const alike = isCompared && (await isDeclining(open.text)) ? open.evidence : null
      outcomes.push(alike === null ? outcome : decideBy([...words, alike]))
    }
    return [...withdrawContradicted(review.findings, outcomes), ...withdrawReopened(outcomes, known)]
  }
}

function toCase(snapshot: PullRequestSnapshot, finding: ParsedFinding): FindingCase {
  const thread = snapshot.threads.find(({ id }) => id === finding.threadId) ?? null
  const comment = thread?.comments.find(({ url }) => url === finding.url) ?? thread?.comments[0] ?? null
  const laterCommits = selectLaterCommits(snapshot, finding)
  return {
    snapshot,
    finding,
    thread,
    comment,
    range: getRange(finding, thread),
    commit: thread?.originalCommit ?? finding.commit,
    laterCommits,
    suggestionCommits: finding.clues.suggestion === null ? [] : laterCommits.filter(appliesSuggestion),
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

function listFirstCommits({ snapshot, suggestionCommits }: FindingCase): string[] {
  return [snapshot.headSha, ...suggestionCommits.map(({ sha }) => sha)]
}

function listLaterCommits({ laterCommits }: FindingCase): string[] {
  return laterCommits.map(({ sha }) => sha)
}

/** false: git reached a limit, and would again. Other failures pass, so that the caller tries again. */
async function prefetch(
  git: GitReader,
  cases: readonly FindingCase[],
  list: (item: FindingCase) => readonly string[],
): Promise<boolean> {
  const pairs = cases.flatMap((item): FilePair[] => {
    const { snapshot, range, commit } = item
    if (range === null || commit === null || snapshot.state === 'open') return []
    return [...new Set(list(item))].map((to) => ({ from: commit, to, path: range.path }))
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

/** The people whose thumbs or commands are evidence, if they may write to the repository. */
export function listVoices({ threads }: PullRequestSnapshot): ProviderUser[] {
  const users = threads.flatMap(({ comments }) =>
    comments.flatMap(({ user, body, reactions }) => [
      ...(readVerdictCommand(body) === null ? [] : [user]),
      ...reactions.flatMap((reaction) => (reaction.content === 'other' ? [] : [reaction.user])),
    ]),
  )
  return users.flatMap((user) => (user === null || user.isBot ? [] : [user]))
}

type Words = readonly Evidence[]

/** What people said, by reactions, commands and their last reply that has a meaning. */
function gatherWords({ thread, comment }: FindingCase, readReply: ReplyReader, known: KnownOutcomes): Words {
  const isPerson = (user: ProviderUser | null) => user !== null && !user.isBot
  const hasSay = (user: ProviderUser | null) =>
    isPerson(user) && known.outsiders?.has(user?.id ?? '') !== true
  const reactions = comment?.reactions.filter(({ user }) => hasSay(user)) ?? []
  const thumb = (['thumbs_down', 'thumbs_up'] as const).find((kind) =>
    reactions.some(({ content }) => content === kind),
  )
  const replies = (thread?.comments ?? []).filter((reply) => reply !== comment && isPerson(reply.user))
  const spoken = replies.flatMap(({ user, body, createdAt: at, isEdited }): Evidence[] => {
    const reason = readVerdictCommand(body)
    // Somebody else may have edited it.
    if (reason !== null) return hasSay(user) && isEdited !== true ? [{ kind: `command_${reason}`, at }] : []
    const { meaning, isFixed } = readReply(body)
    if (meaning === 'unclear') return []
    return [
      { kind: isFixed ? 'fixing_reply' : meaning === 'agrees' ? 'agreeing_reply' : 'declining_reply', at },
    ]
  })
  const last = spoken.at(-1)
  return [...(last === undefined ? [] : [last]), ...(thumb === undefined ? [] : [{ kind: thumb, at: null }])]
}

/** Per pull request; each takes some 15 ms of a thread. */
const MAX_COMPARED = 10

/** The last reply without a phrase that decides, with the evidence that it is if it declines. */
function findOpenReply({ thread, comment }: FindingCase, readReply: ReplyReader) {
  const replies = (thread?.comments ?? []).filter((reply) => reply !== comment && reply.user?.isBot === false)
  for (const { body, createdAt: at } of replies.toReversed()) {
    const { open: text } = readReply(body)
    if (text !== undefined) return { text, evidence: { kind: 'declining_reply_alike', at } }
  }
  return null
}

function decide(item: FindingCase, code: FixedCode, words: Words, known: KnownOutcomes): DetectedOutcome {
  return (
    decideByStoredOutcome(item, known) ??
    decideByProvider(item, code, known) ??
    decideBySuggestion(item, code) ??
    decideByEvidence(item, gatherEvidence(item, code, words), code)
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
  code: FixedCode,
  { alerts }: KnownOutcomes,
): DetectedOutcome | null {
  const provided = { findingId: finding.id, source: 'provider', rule: 'provider' } as const
  const alert = alerts.get(finding.id)
  if (alert !== undefined && alert.state !== 'open') {
    const evidence = [{ kind: `alert_${alert.state}`, at: alert.at }]
    return { ...provided, accepted: alert.state === 'fixed', evidence }
  }
  if (thread?.suggestionApplied !== true) return null
  const applied = { kind: 'suggestion_applied', at: thread.resolvedAt }
  return { ...provided, accepted: true, evidence: [applied, ...toCommit(code)] }
}

function decideBySuggestion({ snapshot, finding }: FindingCase, code: FixedCode): DetectedOutcome | null {
  if (snapshot.state !== 'merged' || code.suggestion === null) return null
  return toOutcome(finding, true, 'suggestion', [code.suggestion, ...toCommit(code)])
}

/** The time to the fix is measured to it. */
function toCommit({ fix }: FixedCode): Evidence[] {
  return fix === null ? [] : [{ kind: 'commit', at: fix.committedAt }]
}

function gatherEvidence(item: FindingCase, code: FixedCode, words: Words): Evidence[] {
  const { snapshot, thread } = item
  const at = snapshot.mergedAt ?? snapshot.closedAt
  const message = code.fix && readMessage(code.fix, item)
  const list = (kind: string | false | null, when: string | null = null): Evidence[] =>
    kind === false || kind === null ? [] : [{ kind, at: when }]
  return [
    ...list(snapshot.state !== 'merged' && `pull_request_${snapshot.state}`, snapshot.closedAt),
    ...list(code.isCommitLost && 'commit_lost'),
    ...list(code.lines && `lines_${code.lines}`, at),
    ...list(code.isLast && 'no_later_commit'),
    ...list(code.proposal, at),
    ...list(message, code.fix?.committedAt),
    ...words,
    ...gatherWordOfBot(item, code),
    ...gatherThread(item, code, words),
    ...list(thread?.isOutdated === true && 'thread_outdated'),
  ]
}

/** "Addressed" in commits that did not change the code says nothing. */
function gatherWordOfBot({ finding, snapshot, comment }: FindingCase, { fix }: FixedCode): Evidence[] {
  const { botOutcome, botCommits } = finding.clues
  if (botOutcome === null) return []
  const isOther = botOutcome === 'addressed' && fix !== null && !isAmong(fix, botCommits, snapshot.commits)
  return [{ kind: isOther ? 'bot_addressed_other' : `bot_${botOutcome}`, at: comment?.updatedAt ?? null }]
}

/** Who resolves a thread may dismiss it as well: it counts with a change. That nobody did counts without one. */
function gatherThread({ snapshot, thread }: FindingCase, { lines }: FixedCode, words: Words): Evidence[] {
  if (thread === null) return []
  const { isResolved, resolvedBy, resolvedAt } = thread
  const isChanged = isSubstance(lines)
  if (isResolved) {
    const isFix = isChanged && resolvedBy?.isBot === false
    return [{ kind: isFix ? 'fix_resolved_by_person' : 'thread_resolved', at: resolvedAt }]
  }
  if (snapshot.state !== 'merged') return []
  const isAgreed = words.some(({ kind }) => (weights.get(kind) ?? 0) > 0)
  return [{ kind: isChanged || isAgreed ? 'thread_open' : 'thread_unresolved', at: snapshot.mergedAt }]
}

function decideByEvidence(
  { snapshot, finding }: FindingCase,
  evidence: readonly Evidence[],
  code: FixedCode,
): DetectedOutcome {
  const { state, mergedAt } = snapshot
  const kinds = new Set(evidence.map(({ kind }) => kind))
  // Then the lines of the finding say nothing.
  const isFixedElsewhere = kinds.has('fixing_reply') && !code.isLast && !isSubstance(code.lines)
  const counted = evidence.filter(({ kind }) => !isFixedElsewhere || kind !== `lines_${code.lines}`)
  const sum = counted.reduce((total, { kind }) => total + (weights.get(kind) ?? 0), 0)
  const isMerged = state === 'merged' && mergedAt !== null
  const undecided = toOutcome(finding, null, 'undecided', evidence)
  if (code.lines === null || code.lines === 'unreadable' || Math.abs(sum) < ENOUGH) return undecided
  if (sum > 0) {
    const isFixed = isMerged && (isSubstance(code.lines) || isFixedElsewhere)
    return isFixed ? toOutcome(finding, true, 'evidence', [...evidence, ...toCommit(code)]) : undecided
  }
  // Nobody could act on what was posted after the merge.
  const couldAct = isMerged && isLater(mergedAt, finding.postedAt)
  const isDeclined = state === 'closed' && evidence.some(({ kind }) => declining.has(kind))
  return couldAct || isDeclined ? toOutcome(finding, false, 'evidence', evidence) : undecided
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
    const isIgnored = outcome.accepted === false && outcome.evidence.every(({ kind }) => !declining.has(kind))
    if (outcome.rule !== 'evidence' || !isIgnored || name === null || !accepted.has(name)) return outcome
    const evidence = [...outcome.evidence, { kind: 'accepted_elsewhere', at: null }]
    return { ...outcome, accepted: null, rule: 'undecided', evidence }
  })
}
