import agentPhrases from './agent-phrases.json' with { type: 'json' }

/** What a person should look at before a text reaches an agent. */
export const textFlags = ['addresses_agent', 'hidden_characters'] as const
export type TextFlag = (typeof textFlags)[number]

// A heuristic: a few phrases that are meant for an agent or a tool rather than for a colleague.
const phrases = agentPhrases.map((phrase) => new RegExp(phrase, 'imu'))

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

/** Returns the flags of a text, in the order of `textFlags`. */
export function findTextFlags(text: string): TextFlag[] {
  const hides = text.search(hidden) !== -1
  // Without hidden characters and compatibility forms, so that they do not interrupt a phrase.
  const plain = (hides ? text.replaceAll(hidden, '') : text).normalize('NFKC')
  const found: Record<TextFlag, boolean> = {
    addresses_agent: phrases.some((phrase) => phrase.test(plain)),
    hidden_characters: hides && text.replaceAll(visibleSequences, '').search(hidden) !== -1,
  }
  return textFlags.filter((flag) => found[flag])
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
