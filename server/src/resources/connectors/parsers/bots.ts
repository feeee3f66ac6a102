import type { Category, Severity } from '../../../metrics-store/findings.ts'
import type { OwnBot } from '../schema.ts'
import type { ProviderComment, ProviderUser, PullRequestSnapshot } from '../snapshot.ts'
import knownBots from './bots.json' with { type: 'json' }

/** What is known about a bot: bots.json. */
export interface Bot {
  readonly name: string
  /** Which parser reads it: the name of a known bot, or `custom`. */
  readonly parser: string
  readonly ids: readonly string[]
  readonly logins: readonly string[]
  /** What people call it after an @, without `[bot]`. */
  readonly mentions: readonly string[]
  /** Short names of the apps that run its checks. */
  readonly apps: readonly string[]
  /** Texts in small letters that show that a comment is the report of a review. */
  readonly reviewMarks: readonly string[]
  /** Texts in small letters that show that no review took place. */
  readonly limitMarks: readonly string[]
  /** The bot's scale in small letters. */
  readonly severities: ReadonlyMap<string, Severity>
  readonly categories: ReadonlyMap<string, Category>
}

export const REVIEWDOG_MARK = '__reviewdog__:'

const known: readonly Bot[] = knownBots.map((bot) => ({
  ...bot,
  parser: bot.name,
  severities: new Map(Object.entries(bot.severities) as [string, Severity][]),
  categories: new Map(Object.entries(bot.categories) as [string, Category][]),
}))

/** Words for severity in the documented form `**Severity** title`. */
export const customSeverities: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['blocker', 'critical'],
  ['high', 'major'],
  ['major', 'major'],
  ['error', 'major'],
  ['medium', 'minor'],
  ['moderate', 'minor'],
  ['minor', 'minor'],
  ['warning', 'minor'],
  ['low', 'trivial'],
  ['trivial', 'trivial'],
  ['nit', 'trivial'],
  ['info', 'info'],
  ['note', 'info'],
])

/** Finds the bot that wrote a text; null = a person, or an account that nobody configured. */
export type BotFinder = (user: ProviderUser | null, body: string) => Bot | null

export function createBotFinder(ownBots: readonly OwnBot[]): BotFinder {
  const own = new Map(ownBots.map((bot) => [bot.account_id, toBot(bot)]))
  return (user, body) => {
    if (user === null) return null
    const configured = own.get(user.id)
    if (configured) return configured
    // Ids and logins of one Git provider are other accounts on the next one: only accounts that the Git provider calls bots count.
    if (!user.isBot) return null
    const login = user.login.toLowerCase()
    const plainLogin = login.endsWith('[bot]') ? login.slice(0, -'[bot]'.length) : login
    return (
      known.find(({ ids }) => ids.includes(user.id)) ??
      known.find(({ logins }) => logins.includes(plainLogin)) ??
      (body.includes(REVIEWDOG_MARK) ? getKnownBot('reviewdog') : null)
    )
  }
}

export function getKnownBot(name: string): Bot | null {
  return known.find((bot) => bot.name === name) ?? null
}

/** Names after an @ that address a bot, in small letters. */
export function listMentions(ownBots: readonly OwnBot[]): string[] {
  return [
    ...known.flatMap(({ mentions }) => mentions),
    ...ownBots.map(({ reviewer }) => reviewer.toLowerCase()),
  ]
}

export function findBotOfApp(app: string | null): Bot | null {
  return app === null ? null : (known.find(({ apps }) => apps.includes(app)) ?? null)
}

export function isOwnBot(user: ProviderUser, ownBots: readonly OwnBot[]): boolean {
  return ownBots.some(({ account_id }) => account_id === user.id)
}

/** Nothing that a bot of one's own says or does then counts as the word of a person. */
export function markOwnBots(snapshot: PullRequestSnapshot, ownBots: readonly OwnBot[]): PullRequestSnapshot {
  if (ownBots.length === 0) return snapshot
  const mark = (user: ProviderUser | null) =>
    user && (isOwnBot(user, ownBots) ? { ...user, isBot: true } : user)
  const markComment = (comment: ProviderComment): ProviderComment => ({
    ...comment,
    user: mark(comment.user),
    reactions: comment.reactions.map((reaction) => ({ ...reaction, user: mark(reaction.user) })),
  })
  return {
    ...snapshot,
    author: mark(snapshot.author),
    reviews: snapshot.reviews.map((review) => ({ ...review, user: mark(review.user) })),
    threads: snapshot.threads.map((thread) => ({
      ...thread,
      resolvedBy: mark(thread.resolvedBy),
      comments: thread.comments.map(markComment),
    })),
    comments: snapshot.comments.map(markComment),
  }
}

function toBot({ reviewer: name, format }: OwnBot): Bot {
  const base = format === undefined ? null : getKnownBot(format)
  if (base) return { ...base, name }
  return {
    name,
    parser: 'custom',
    ids: [],
    logins: [],
    mentions: [],
    apps: [],
    reviewMarks: [],
    limitMarks: [],
    severities: customSeverities,
    categories: new Map(),
  }
}

export function toSeverity({ severities }: Bot, raw: string | null): Severity | null {
  return severities.get(raw?.toLowerCase() ?? '') ?? null
}

export function toCategory({ categories }: Bot, raw: string | null): Category | null {
  return categories.get(raw?.toLowerCase() ?? '') ?? null
}
