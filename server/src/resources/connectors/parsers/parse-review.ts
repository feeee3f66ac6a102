import { hash } from 'node:crypto'
import { sketchFinding } from '../../../text/same-finding.ts'
import type { ParsedFinding, ParsedReview } from '../finding.ts'
import type { OwnBot } from '../schema.ts'
import type { CheckRun, ProviderComment, PullRequestSnapshot, Review, ReviewThread } from '../snapshot.ts'
import {
  type BotFinding,
  nothingFound,
  type ParsedText,
  type Parser,
  type TextLocation,
  type ThreadNote,
} from './bot-finding.ts'
import { type Bot, type BotFinder, createBotFinder, findBotOfApp, toCategory, toSeverity } from './bots.ts'
import { bugbotParser } from './bugbot.ts'
import { claudeParser } from './claude.ts'
import { codeQlParser } from './codeql.ts'
import { codeRabbitParser } from './coderabbit.ts'
import { codexParser } from './codex.ts'
import { readBotOutcome } from './content.ts'
import { copilotParser } from './copilot.ts'
import { customParser } from './custom.ts'
import { geminiParser } from './gemini.ts'
import { greptileParser } from './greptile.ts'
import { readMarkup } from './markup.ts'
import { qodoParser } from './qodo.ts'
import { reviewdogParser } from './reviewdog.ts'
import { sourceryParser } from './sourcery.ts'

const parsers: ReadonlyMap<string, Parser> = new Map([
  ['bugbot', bugbotParser],
  ['claude', claudeParser],
  ['codeql', codeQlParser],
  ['coderabbit', codeRabbitParser],
  ['codex', codexParser],
  ['copilot', copilotParser],
  ['custom', customParser],
  ['gemini', geminiParser],
  ['greptile', greptileParser],
  ['qodo', qodoParser],
  ['reviewdog', reviewdogParser],
  ['sourcery', sourceryParser],
])

/** Marks are looked for at the start of a text, so that a long review that quotes one is still a review. */
const MAX_MARK_CHARACTERS = 1500
const DIGEST_LENGTH = 24

/** Reads the findings of all bots from a pull request. Texts of people are not read. */
export function parseReview(snapshot: PullRequestSnapshot, ownBots: readonly OwnBot[] = []): ParsedReview {
  const collector = new Collector()
  const findBot = createBotFinder(ownBots)
  for (const thread of snapshot.threads) collectThread(collector, findBot, thread)
  for (const review of snapshot.reviews) collectReview(collector, findBot, review)
  for (const comment of snapshot.comments) collectComment(collector, findBot, comment)
  for (const check of snapshot.checkRuns ?? []) collectCheck(collector, check)
  return collector.finish()
}

function collectReview(collector: Collector, findBot: BotFinder, review: Review): void {
  const bot = findBot(review.user, review.body)
  if (!bot) return
  const origin = { url: review.url, postedAt: review.submittedAt, commit: review.commit }
  const parsed = collector.addText(bot, 'review', review.body, origin)
  const isVerdict = review.state === 'approved' || review.state === 'changes_requested'
  if (isVerdict || parsed.findings.length > 0 || isReport(bot, review.body)) collector.addReviewer(bot)
}

function collectComment(collector: Collector, findBot: BotFinder, comment: ProviderComment): void {
  const bot = findBot(comment.user, comment.body)
  if (!bot) return
  const origin = { url: comment.url, postedAt: comment.createdAt, commit: null }
  const parsed = collector.addText(bot, 'comment', comment.body, origin)
  if (parsed.findings.length > 0 || hasReviewMark(bot, comment.body)) collector.addReviewer(bot)
}

function collectCheck(collector: Collector, { app, completedAt, text, url, commit }: CheckRun): void {
  const bot = findBotOfApp(app)
  if (!bot || completedAt === null) return
  collector.addText(bot, 'check', text, { url, postedAt: completedAt, commit })
  // The mark is the last line of a text that may be long.
  const lower = text.toLowerCase()
  if (bot.reviewMarks.some((mark) => lower.includes(mark))) collector.addReviewer(bot)
}

function collectThread(collector: Collector, findBot: BotFinder, thread: ReviewThread): void {
  const [opener, ...replies] = thread.comments
  const bot = opener ? findBot(opener.user, opener.body) : null
  if (!opener || !bot) return
  const parsed = parseText(bot, 'thread', opener.body)
  for (const finding of parsed.findings)
    collector.addThreadFinding(bot, finding, thread, opener, readReplies(bot, replies, opener))
  collector.unparsed += parsed.unparsed
  if (parsed.findings.length + parsed.unparsed > 0) collector.addReviewer(bot)
}

/** A bot may report in a reply that its finding was addressed. */
function readReplies(
  bot: Bot,
  replies: readonly ProviderComment[],
  opener: ProviderComment,
): Pick<BotFinding, 'outcome' | 'commits'> {
  if (bot.parser !== 'coderabbit' && bot.parser !== 'sourcery') return { outcome: null, commits: [] }
  const own = replies.filter(({ user }) => user !== null && user.id === opener.user?.id)
  const outcomes = own.map(({ body }) => readBotOutcome(readMarkup(body).lines))
  return outcomes.findLast(({ outcome }) => outcome !== null) ?? { outcome: null, commits: [] }
}

function parseText(bot: Bot, location: TextLocation, body: string): ParsedText {
  const parser = parsers.get(bot.parser) ?? customParser
  const parse = parser[location] ?? parser.elsewhere
  return parse?.(readMarkup(body)) ?? nothingFound
}

/** A review with a text, other than a notice that there was none. */
function isReport(bot: Bot, body: string): boolean {
  return body.trim() !== '' && !hasLimitMark(bot, body)
}

function hasReviewMark(bot: Bot, body: string): boolean {
  const start = body.slice(0, MAX_MARK_CHARACTERS).toLowerCase()
  return bot.reviewMarks.some((mark) => start.includes(mark)) && !hasLimitMark(bot, body)
}

function hasLimitMark({ limitMarks }: Bot, body: string): boolean {
  const start = body.slice(0, MAX_MARK_CHARACTERS).toLowerCase()
  return limitMarks.some((mark) => start.includes(mark))
}

interface Origin {
  readonly url: string
  readonly postedAt: string
  readonly commit: string | null
}

class Collector {
  unparsed = 0
  readonly #reviewers = new Set<string>()
  readonly #findings = new Map<string, ParsedFinding>()
  readonly #notes: { readonly bot: Bot; readonly note: ThreadNote }[] = []

  addReviewer(bot: Bot): void {
    this.#reviewers.add(bot.name)
  }

  addThreadFinding(
    bot: Bot,
    finding: BotFinding,
    thread: ReviewThread,
    opener: ProviderComment,
    reply: Pick<BotFinding, 'outcome' | 'commits'>,
  ): void {
    const read = toParsedFinding(bot, finding, {
      url: opener.url,
      postedAt: opener.createdAt,
      commit: thread.originalCommit,
    })
    const isAddressed = finding.outcome !== null
    this.#add({
      ...read,
      id: getKey(bot, finding) ?? opener.id,
      postedAs: 'inline',
      file: thread.path,
      startLine: thread.originalStartLine ?? thread.originalEndLine,
      endLine: thread.originalEndLine ?? thread.originalStartLine,
      threadId: thread.id,
      clues: {
        ...read.clues,
        botOutcome: isAddressed ? finding.outcome : reply.outcome,
        botCommits: isAddressed ? finding.commits : reply.commits,
      },
    })
  }

  addText(bot: Bot, location: TextLocation, body: string, origin: Origin): ParsedText {
    const parsed = parseText(bot, location, body)
    for (const finding of parsed.findings) {
      const read = toParsedFinding(bot, finding, origin)
      if (location !== 'check' || !this.#hasOnLines(read)) this.#add(read)
    }
    this.#notes.push(...parsed.notes.map((note) => ({ bot, note })))
    this.unparsed += parsed.unparsed
    return parsed
  }

  /** A check lists also what was posted on lines, where the finding has a thread. */
  #hasOnLines({ reviewer, file, startLine, rawSeverity }: ParsedFinding): boolean {
    return this.#findings
      .values()
      .some(
        (other) =>
          other.reviewer === reviewer &&
          other.postedAs === 'inline' &&
          other.file === file &&
          other.rawSeverity === rawSeverity &&
          (other.startLine ?? 0) <= (startLine ?? 0) &&
          (other.endLine ?? 0) >= (startLine ?? 0),
      )
  }

  /** A finding that is posted again keeps the time of its first text; the thread, else the latest text, says where it is. */
  #add(finding: ParsedFinding): void {
    const earlier = this.#findings.get(finding.id)
    if (earlier === undefined) {
      this.#findings.set(finding.id, finding)
      return
    }
    const isNewer = finding.postedAt >= earlier.postedAt
    const [older, newer] = isNewer ? [earlier, finding] : [finding, earlier]
    const located = newer.threadId === null && older.threadId !== null ? older : newer
    const reported = newer.clues.botOutcome === null ? older.clues : newer.clues
    this.#findings.set(finding.id, {
      ...located,
      severity: located.severity ?? older.severity,
      rawSeverity: located.rawSeverity ?? older.rawSeverity,
      postedAt: older.postedAt,
      clues: { ...located.clues, botOutcome: reported.botOutcome, botCommits: reported.botCommits },
    })
  }

  finish(): ParsedReview {
    for (const { bot, note } of this.#notes) this.#applyNote(bot, note)
    return {
      reviewers: [...this.#reviewers],
      findings: [...this.#findings.values()],
      unparsedComments: this.unparsed,
    }
  }

  #applyNote(bot: Bot, { discussion, rawSeverity, isResolved }: ThreadNote): void {
    const end = `#discussion_r${discussion}`
    const finding = this.#findings.values().find((one) => one.reviewer === bot.name && one.url.endsWith(end))
    if (!finding) return
    const raw = finding.rawSeverity ?? rawSeverity
    this.#findings.set(finding.id, {
      ...finding,
      rawSeverity: raw,
      severity: toSeverity(bot, raw),
      clues: isResolved ? { ...finding.clues, botOutcome: 'addressed' } : finding.clues,
    })
  }
}

/** The same for every text about one finding; null = the comment itself is its identity. */
function getKey(bot: Bot, { botKey, mergeKey }: BotFinding): string | null {
  if (botKey !== null) return `${bot.name}:${botKey}`
  return mergeKey === null ? null : `${bot.name}:${hash('sha256', mergeKey).slice(0, DIGEST_LENGTH)}`
}

function toParsedFinding(bot: Bot, finding: BotFinding, origin: Origin): ParsedFinding {
  const { title, suggestion } = finding
  const digest = hash('sha256', `${finding.file}\n${title}`).slice(0, DIGEST_LENGTH)
  return {
    id: getKey(bot, finding) ?? `${bot.name}:${digest}`,
    reviewer: bot.name,
    severity: toSeverity(bot, finding.rawSeverity),
    category: toCategory(bot, finding.rawCategory),
    rawSeverity: finding.rawSeverity,
    botKey: finding.botKey,
    parser: `${bot.parser}@${finding.format}`,
    postedAs: finding.postedAs ?? 'body',
    postedAt: origin.postedAt,
    url: origin.url,
    file: finding.file,
    startLine: finding.startLine,
    endLine: finding.endLine,
    commit: origin.commit,
    threadId: null,
    sketch: sketchFinding({ title, prose: getExplanation(finding) }),
    clues: { suggestion, botOutcome: finding.outcome, botCommits: finding.commits },
  }
}

/** What follows the title. */
function getExplanation({ title, prose }: BotFinding): string {
  const at = title === '' ? -1 : prose.indexOf(title)
  return at === -1 ? prose : prose.slice(at + title.length)
}
