import agentPhrases from './agent-phrases.json' with { type: 'json' }
import { normalizeText } from './normalize.ts'

/** What a person should look at before a text reaches an agent. */
export const textFlags = ['addresses_agent', 'hidden_characters'] as const
export type TextFlag = (typeof textFlags)[number]

// A heuristic: a few phrases that are meant for an agent or a tool rather than for a colleague.
const toPatterns = (sources: readonly string[]) => sources.map((source) => new RegExp(source, 'imu'))
const phrases = toPatterns(agentPhrases.phrases)
/** Of words only, so that they may be stricter: anything else may stand between the words. */
const wordSequences = toPatterns(agentPhrases.words)

const latinLetters = new Map(
  Object.entries(agentPhrases.lookAlikes).flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
  ),
)
const lookAlikes = new RegExp(`[${[...latinLetters.keys()].join('')}]`, 'gu')

/** A line break that does not begin a paragraph, a heading, a quotation or a list item. */
const breakInSentence = /\\?\n(?![-*+#>|\n]|\d{1,3}[.)] )/g

/** Characters that no reader sees, or that change the order of others: controls, formats, separators, fillers. */
const hidden = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\r\t]]/gv

// Invisible characters with a purpose: in emoji, and after letters of scripts that join them.
const visibleSequences = new RegExp(
  [
    /\p{Extended_Pictographic}\p{Emoji_Modifier}?[\uFE0E\uFE0F]?(?:\u200D\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?){0,8}/v,
    /[#*0-9]\uFE0F?\u20E3/v,
    /[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Sinh}\p{scx=Mlym}\p{scx=Knda}\p{scx=Telu}\p{scx=Taml}\p{scx=Gujr}][\u200C\u200D]/v,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gv',
)

/** Returns the flags of texts that are read together, in the order of `textFlags`. */
export function findTextFlags(...texts: readonly (string | null)[]): TextFlag[] {
  return explainTextFlags(...texts).map(({ flag }) => flag)
}

const MAX_EXCERPT_LENGTH = 120
const MAX_NAMED_CHARACTERS = 5

export interface ExplainedFlag {
  readonly flag: TextFlag
  /** What in the text raises the flag: the phrase, or the code points of hidden characters. */
  readonly excerpt: string
}

/** Returns the flags of texts with their reasons, each flag once, in the order of `textFlags`. */
export function explainTextFlags(...texts: readonly (string | null)[]): ExplainedFlag[] {
  const explained = texts.flatMap((text) => (text === null ? [] : explainFlagsOfText(text)))
  return textFlags.flatMap((flag) => explained.find((one) => one.flag === flag) ?? [])
}

function explainFlagsOfText(text: string): ExplainedFlag[] {
  const hides = text.search(hidden) !== -1
  const excerpts: Record<TextFlag, string | undefined> = {
    addresses_agent: findPhrase(hides ? text.replaceAll(hidden, '') : text),
    hidden_characters: hides ? nameHiddenCharacters(text.replaceAll(visibleSequences, '')) : undefined,
  }
  return textFlags.flatMap((flag) => {
    const excerpt = excerpts[flag]
    return excerpt === undefined ? [] : [{ flag, excerpt }]
  })
}

function findPhrase(text: string): string | undefined {
  const lines = foldText(text)
  const sentences = lines.replaceAll(breakInSentence, ' ')
  const words = lines.replaceAll(/\P{L}+/gu, ' ')
  const found = findFirst(phrases, lines) ?? findFirst(phrases, sentences) ?? findFirst(wordSequences, words)
  return found?.trim().replaceAll(/\s+/g, ' ').slice(0, MAX_EXCERPT_LENGTH).toWellFormed()
}

/** One form for everything that reads the same: without marks, in Latin letters, with one space between words. */
function foldText(text: string): string {
  return normalizeText(text, 'NFKC')
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(lookAlikes, (letter) => latinLetters.get(letter) ?? letter)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
}

function findFirst(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)
    if (found) return found[0]
  }
  return undefined
}

function nameHiddenCharacters(text: string): string | undefined {
  const names = new Set<string>()
  for (const [character] of text.matchAll(hidden)) {
    names.add(`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    if (names.size === MAX_NAMED_CHARACTERS) break
  }
  return names.size === 0 ? undefined : [...names].join(', ')
}

/**
 * One line of JSON in which every hidden character is escaped. No text can end its string, add a line, or change how the
 * line is displayed.
 */
export function quoteAsJsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeCodeUnit(character.charCodeAt(index))).join(
      '',
    ),
  )
}

function escapeCodeUnit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}
