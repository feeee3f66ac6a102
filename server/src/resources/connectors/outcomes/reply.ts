import { readFileSync } from 'node:fs'

export type ReplyMeaning = 'agrees' | 'declines' | 'unclear'

/** Regular expressions for English replies. It is a list of phrases, not an understanding of language. */
interface ReplyPhrases {
  readonly declines: readonly string[]
  /** A reply with one of these does not decline, whatever else it has. */
  readonly agrees: readonly string[]
  /** A reply with one of these means neither. */
  readonly unclear: readonly string[]
}

const MAX_LENGTH = 600
/** With quotes and code. GitHub accepts no longer comment. */
const MAX_BODY_LENGTH = 65_536

export type ReplyClassifier = (body: string) => ReplyMeaning

/** Declines only if the reply has a declining phrase, none that agrees and no doubt. */
export function createReplyClassifier(): ReplyClassifier {
  const file = new URL('reply-phrases.json', import.meta.url)
  const phrases = JSON.parse(readFileSync(file, 'utf8')) as ReplyPhrases
  const [declines, agrees, unclear] = [
    toPattern(phrases.declines),
    toPattern(phrases.agrees),
    toPattern(phrases.unclear),
  ]
  return (body) => {
    if (body.length > MAX_BODY_LENGTH) return 'unclear'
    const text = normalize(body)
    if (text.length > MAX_LENGTH || unclear.test(text)) return 'unclear'
    const [isDeclined, isAgreed] = [declines.test(text), agrees.test(text)]
    if (isDeclined === isAgreed) return 'unclear'
    return isDeclined ? 'declines' : 'agrees'
  }
}

function toPattern(phrases: readonly string[]): RegExp {
  return new RegExp(phrases.map((phrase) => `(?:${phrase})`).join('|'))
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
