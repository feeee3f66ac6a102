// Reads word vectors from the package's one large JSON file without making an object of all of it.
import { readFileSync } from 'node:fs'

export interface Vocabulary {
  /** Most frequent first. */
  readonly words: readonly string[]
  readonly ranks: readonly number[]
  readonly vectors: readonly Float64Array[]
}

const QUOTE = 0x22
const SLASH = 0x5c

/** Keeps the words that are wanted, by their rank of frequency. */
export function readVocabulary(
  file: string,
  dimensions: number,
  isWanted: (word: string, rank: number) => boolean,
): Vocabulary {
  const bytes = readFileSync(file)
  const words: string[] = []
  const ranks: number[] = []
  const vectors: Float64Array[] = []
  let at = bytes.indexOf('"vectors":{') + '"vectors":{'.length
  for (let rank = 0; bytes[at] === QUOTE; rank++) {
    const wordEnd = endOfString(bytes, at)
    const from = bytes.indexOf('[', wordEnd) + 1
    const to = bytes.indexOf(']', from)
    const word = bytes.toString('utf8', at + 1, wordEnd)
    if (isWanted(word, rank)) {
      words.push(word)
      ranks.push(rank)
      vectors.push(Float64Array.from(bytes.toString('latin1', from, to).split(',', dimensions), Number))
    }
    // A comma stands between words, a brace after the last.
    at = to + 2
  }
  return { words, ranks, vectors }
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1
  while (bytes[at] !== QUOTE) at += bytes[at] === SLASH ? 2 : 1
  return at
}
