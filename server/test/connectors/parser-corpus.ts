// Bodies that bots could have posted, written by us to their formats, with what a parser must read from them.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getKnownBot } from '../../src/resources/connectors/parsers/bots.ts'
import type { ProviderUser, PullRequestSnapshot } from '../../src/resources/connectors/snapshot.ts'

export { parseReview } from '../../src/resources/connectors/parsers/parse-review.ts'

const folder = new URL('../../src/resources/connectors/parsers/corpus/', import.meta.url)

export interface ExpectedFinding {
  readonly version: number
  readonly severity?: string
  readonly raw_severity?: string
  readonly category?: string
  readonly bot_key?: string
  readonly suggestion?: readonly string[]
  readonly file?: string
  readonly start_line?: number
  readonly end_line?: number
  readonly posted_as?: string
  readonly verdict?: string
  readonly commits?: readonly string[]
}

export interface CorpusItem {
  readonly bot: string
  readonly id: string
  readonly about: string
  readonly location: 'thread' | 'review' | 'comment' | 'check'
  readonly body: string
  readonly findings: readonly ExpectedFinding[]
  readonly unparsed: number
  readonly reviewed: boolean
}

export function loadParserCorpus(): CorpusItem[] {
  return readdirSync(fileURLToPath(folder))
    .toSorted()
    .flatMap((file) => {
      const lines = readFileSync(new URL(file, folder), 'utf8').trim().split('\n')
      return lines.map((line) => {
        const item = JSON.parse(line) as Omit<CorpusItem, 'bot'>
        return { ...item, bot: file.replace('.jsonl', ''), body: expand(item.body) }
      })
    })
}

/** `«word ×40000»` stands for a text that is too long for a file. */
function expand(body: string): string {
  return body.replaceAll(/«([^«»]*)×(\d+)»/g, (_, text: string, times: string) => text.repeat(Number(times)))
}

export const ownBots = [{ account_id: '4711', reviewer: 'custom' }]
export const THREAD_FILE = 'src/thread.ts'

export function getBotUser(bot: string): ProviderUser {
  const known = getKnownBot(bot)
  return {
    id: known?.ids[0] ?? (bot === 'custom' ? '4711' : '41898282'),
    login: `${bot}-renamed`,
    isBot: bot !== 'custom',
  }
}

const AT = '2026-10-05T10:00:00.000Z'
const SHA = 'd'.repeat(40)

/** A pull request in which a bot posted one text. */
export function toSnapshot({
  bot,
  location,
  body,
}: Pick<CorpusItem, 'bot' | 'location' | 'body'>): PullRequestSnapshot {
  const user = getBotUser(bot)
  const url = 'https://github.example/acme/app/pull/7'
  const comment = {
    id: '1001',
    url: `${url}#discussion_r1001`,
    user,
    body,
    createdAt: AT,
    updatedAt: AT,
    reactions: [],
  }
  return {
    ...emptySnapshot,
    threads:
      location === 'thread'
        ? [
            {
              id: 'thread-1',
              path: THREAD_FILE,
              originalStartLine: 10,
              originalEndLine: 12,
              side: 'right',
              originalCommit: SHA,
              isResolved: false,
              resolvedBy: null,
              resolvedAt: null,
              isOutdated: false,
              suggestionApplied: null,
              comments: [comment],
            },
          ]
        : [],
    reviews:
      location === 'review'
        ? [{ id: '2001', url, user, state: 'commented', body, commit: SHA, submittedAt: AT }]
        : [],
    comments: location === 'comment' ? [comment] : [],
    checkRuns:
      location === 'check'
        ? [{ id: '3001', url, name: 'Review', app: bot, commit: SHA, text: body, completedAt: AT }]
        : [],
  }
}

export const emptySnapshot: PullRequestSnapshot = {
  repository: { id: '620118401', fullName: 'acme/app', isPrivate: true },
  number: 7,
  url: 'https://github.example/acme/app/pull/7',
  state: 'open',
  author: { id: '5', login: 'ada', isBot: false },
  createdAt: AT,
  readyForReviewAt: AT,
  mergedAt: null,
  closedAt: null,
  updatedAt: AT,
  headSha: SHA,
  mergeSha: null,
  commits: [],
  reviews: [],
  threads: [],
  comments: [],
  readAt: AT,
}
