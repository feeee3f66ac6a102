import { Tokenizer } from '@huggingface/tokenizers'

/** The model was trained with texts of at most this length. */
const MAX_TOKENS = 256

/** What `tokenizer.json` says of the words. */
interface WordPieces {
  readonly vocab: Readonly<Record<string, number>>
  readonly unk_token: string
  /** Begins every piece of a word except its first. */
  readonly continuing_subword_prefix: string
  readonly max_input_chars_per_word: number
}

/**
 * Returns the first tokens of a text, as the library does, but in a time that is proportional to its length. The library
 * compares every part of a word with the vocabulary, also parts that are longer than any entry, and reads words behind the
 * last token. A tenant could block the model for others with such texts.
 */
export function createTokenReader(definition: {
  readonly model: WordPieces
}): (text: string) => readonly number[] {
  const tokenizer = new Tokenizer(definition, {})
  if (tokenizer.model === null) throw new Error('tokenizer.json has no model.')
  boundTokens(tokenizer.model, definition.model)
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: true }).ids
  const [separator = 0] = encode('').slice(-1)
  return (text) => {
    const ids = encode(boundMarks(text))
    return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), separator]
  }
}

function boundTokens(model: { encode(words: readonly string[]): string[] }, definition: WordPieces): void {
  const split = createWordSplitter(definition)
  model.encode = (words) => {
    const pieces: string[] = []
    for (const word of words) {
      if (pieces.length >= MAX_TOKENS) break
      pieces.push(...split(word))
    }
    return pieces
  }
}

// The library drops such characters before it normalizes: marks that they separate are then in a row.
const dropped = '(?:(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\ufffd])'
const longMarks = new RegExp(`((?:\\p{M}${dropped}*){30})(?:\\p{M}|${dropped})+`, 'gu')

/** Normalization sorts the marks of a letter, in the square of their number. No script needs more than 30 (UAX #15). */
function boundMarks(text: string): string {
  return text.replace(longMarks, '$1')
}

/** Splits a word into the longest pieces that the vocabulary has. */
function createWordSplitter({
  vocab,
  unk_token: unknown,
  continuing_subword_prefix: prefix,
  max_input_chars_per_word: maxCharacters,
}: WordPieces): (word: string) => readonly string[] {
  const known = new Set(Object.keys(vocab))
  const getStart = (piece: string) => piece.slice(0, piece.startsWith(prefix) ? prefix.length + 2 : 2)
  const lengthByStart = new Map<string, number>()
  for (const piece of known) {
    const start = getStart(piece)
    lengthByStart.set(start, Math.max(lengthByStart.get(start) ?? 0, piece.length))
  }
  const maxLength = Math.max(...lengthByStart.values())

  return (word) => {
    if (word.length > maxCharacters && Array.from(word).length > maxCharacters) return [unknown]
    const pieces: string[] = []
    for (let at = 0; at < word.length; ) {
      const added = at === 0 ? 0 : prefix.length
      const rest = (at === 0 ? '' : prefix) + word.slice(at, at + maxLength)
      let length = Math.min(rest.length, lengthByStart.get(getStart(rest)) ?? added + 1)
      while (length > added && !known.has(rest.slice(0, length))) length--
      if (length === added) return [unknown]
      pieces.push(rest.slice(0, length))
      at += length - added
    }
    return pieces
  }
}
