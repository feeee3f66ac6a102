import { computeSimilarity, hashFeatures } from './sketch.ts'
import { tokenize } from './tokens/tokenize.ts'

// Two bots report the same problem in other words, but they name the same things: what the code calls them, and what goes wrong.
// A sketch holds hashes of these words. The threshold was chosen on two thirds of labelled pairs: `npm run prove -- same-finding`.

export interface FindingText {
  readonly title: string
  /** The explanation, without the title. */
  readonly prose: string
}

const MAX_NUMBERS = 64
/** Explanations differ in length; what comes first says what the problem is. */
const MAX_PROSE_CHARACTERS = 300
const STEM_LETTERS = 4
export const MIN_SIMILARITY = 0.085

/** At most 64 numbers of two bytes, smallest first. */
export function sketchFinding({ title, prose }: FindingText): number[] {
  const words = tokenize(`${title}\n${prose.slice(0, MAX_PROSE_CHARACTERS)}`)
  return hashFeatures(words.map(({ term }) => toStem(term))).slice(0, MAX_NUMBERS)
}

/** `mutates`, `mutation` and `mutable` are one word to a reader. */
function toStem(term: string): string {
  return term.slice(0, STEM_LETTERS)
}

/** The share of common words: 0 to 1. */
export function compareSketches(one: ArrayLike<number>, other: ArrayLike<number>): number {
  return computeSimilarity(one, other, MAX_NUMBERS) ?? 0
}
