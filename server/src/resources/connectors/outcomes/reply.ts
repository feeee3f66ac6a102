import { readFileSync } from 'node:fs'

export type ReplyMeaning = 'agrees' | 'declines' | 'unclear'

type Phrases = Readonly<Record<string, readonly string[]>>

/** Regular expressions by language. They are lists of phrases, not an understanding of language. */
interface ReplyPhrases {
  /** A reply with one of these means neither: a doubt, a question, a negation or a delay. */
  readonly doubt: Phrases
  /** Whole replies. */
  readonly short: Readonly<Record<'agrees' | 'declines', readonly string[]>>
  readonly declines: Phrases
  /** Says that the code was changed. */
  readonly fixed: Phrases
  /** The same, at the start of a reply: what follows are reasons. */
  readonly fixedFirst: Phrases
  readonly agrees: Phrases
}

const MAX_LENGTH = 600
/** With quotes and code. GitHub accepts no longer comment. */
const MAX_BODY_LENGTH = 65_536

export interface Reply {
  readonly meaning: ReplyMeaning
  /** It agrees, and says that the code was changed. */
  readonly isFixed: boolean
  /** The text without quotes and code, if it has no phrase and no doubt. */
  readonly open?: string
}

export type ReplyReader = (body: string) => Reply

const unclear: Reply = { meaning: 'unclear', isFixed: false }

/** Doubts come first, then whole replies, then phrases; a reply with phrases of both kinds means neither. */
export function createReplyReader(): ReplyReader {
  const file = new URL('reply-phrases.json', import.meta.url)
  const { short, ...phrases } = JSON.parse(readFileSync(file, 'utf8')) as ReplyPhrases
  const [doubt, declines, fixed, fixedFirst, agrees] = [
    toPattern(phrases.doubt),
    toPattern(phrases.declines),
    toPattern(phrases.fixed),
    toPattern(phrases.fixedFirst),
    toPattern(phrases.agrees),
  ]
  const [shortDeclines, shortAgrees] = [new Set(short.declines), new Set(short.agrees)]
  return (body) => {
    if (body.length > MAX_BODY_LENGTH) return unclear
    const text = normalize(body)
    const whole = text.replace(/^[^\p{L}\p{N}👎-]+|[^\p{L}\p{N}👎]+$/gu, '')
    if (text.length > MAX_LENGTH || /[?？]/.test(text)) return unclear
    if (shortDeclines.has(whole)) return { meaning: 'declines', isFixed: false }
    if (doubt.test(text)) return unclear
    if (fixedFirst.test(text)) return { meaning: 'agrees', isFixed: true }
    // "Already handled" declines, and has a word that agrees.
    const rest = text.replace(declines, ' ')
    const isFixed = fixed.test(rest)
    const isAgreed = isFixed || agrees.test(rest) || shortAgrees.has(whole)
    if (rest === text && !isAgreed) return { ...unclear, open: text }
    if ((rest !== text) === isAgreed) return unclear
    return { meaning: isAgreed ? 'agrees' : 'declines', isFixed }
  }
}

export function createReplyClassifier(): (body: string) => ReplyMeaning {
  const read = createReplyReader()
  return (body) => read(body).meaning
}

const reasons = ['wrong', 'later', 'wontfix'] as const

/** The reason of `/scholiast wrong`, `later` or `wontfix`; null = the comment is no such command. */
export function readVerdictCommand(body: string): (typeof reasons)[number] | null {
  const [, reason] = /^\s{0,10}\/scholiast\s{1,10}(wrong|later|wontfix)\b/i.exec(body) ?? []
  return reasons.find((one) => one === reason?.toLowerCase()) ?? null
}

const languagesWithoutSpaces = new Set(['ja', 'zh'])

/** Of whole words, where a language has spaces. */
function toPattern(phrases: Phrases): RegExp {
  const list = (hasSpaces: boolean) =>
    Object.entries(phrases)
      .filter(([language]) => languagesWithoutSpaces.has(language) !== hasSpaces)
      .flatMap(([, all]) => all)
  const words = `(?<![\\p{L}\\p{N}])(?:${list(true).join('|')})(?![\\p{L}\\p{N}])`
  return new RegExp([words, ...list(false)].join('|'), 'u')
}

/** Without quoted lines, code and mentions: they are the words of others. */
function normalize(body: string): string {
  return body
    .replace(/```[^]*?```/g, ' ')
    .replace(/`[^`]*`/g, ' ')
    .replace(/^[^\S\n\r\u2028\u2029]*>.*$/gm, ' ')
    .replace(/@[\w-]+(?:\[bot\])?/g, ' ')
    .replace(/[’‘]/g, "'")
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}
