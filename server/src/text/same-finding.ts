import findingConcepts from './finding-concepts.json' with { type: 'json' }
import { hashFeatures } from './sketch.ts'
import { fold } from './tokens/fold.ts'
import { tokensOf } from './tokens/tokenize.ts'

// Two bots report the same problem in other words. A sketch holds hashes of the words of a finding, and of the concepts that
// at least two of its words belong to (finding-concepts.json): "race" and "atomic" are about concurrency. Names from the code
// are left out, because all findings on a line share them. The thresholds were chosen on two thirds of labelled pairs:
// `npm run prove -- same-finding`.

export interface FindingText {
  readonly title: string
  /** The explanation, without the title. */
  readonly prose: string
}

const MAX_NUMBERS = 64
/** Explanations differ in length; what comes first says what the problem is. */
const MAX_PROSE_CHARACTERS = 300
const MIN_WORDS = 3
const MIN_WORDS_OF_CONCEPT = 2
const STEM_LETTERS = 4
/** Smaller numbers are concepts, the others words. */
const FIRST_WORD = 0x1000
const CONCEPT_WEIGHT = 0.2
/** Both are about known concepts, and share none. */
const OTHER_CONCEPT_PENALTY = 0.1
export const MIN_SIMILARITY = 0.11

/** Words of every review that say nothing about the problem. */
const generic = new Set(
  'use add make check set call value return code line function method need instead avoid ensure consider move pass read first cause give'
    .split(' ')
    .map(fold),
)

const conceptsOfWord: ReadonlyMap<string, readonly string[]> = indexConcepts()

function indexConcepts(): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const [concept, words] of Object.entries(findingConcepts))
    for (const word of new Set(words.split(' ').map(fold)))
      index.set(word, [...(index.get(word) ?? []), concept])
  return index
}

/** At most 64 numbers of two bytes, smallest first. */
export function sketchFinding({ title, prose }: FindingText): number[] {
  const text = `${title}\n${prose.slice(0, MAX_PROSE_CHARACTERS)}`
  const words = listWords(text.replaceAll(/`[^`]{0,200}`/g, ' '))
  const terms = words.length < MIN_WORDS ? listWords(text) : words
  const concepts = hashFeatures(listConcepts(terms)).map((number) => number % FIRST_WORD)
  const hashes = hashFeatures(terms.map(toStem)).map(
    (number) => FIRST_WORD + (number % (0x10000 - FIRST_WORD)),
  )
  return [...new Set([...concepts, ...hashes])].toSorted((a, b) => a - b).slice(0, MAX_NUMBERS)
}

function listWords(text: string): string[] {
  return [...new Set(tokensOf(text).map(({ term }) => term))].filter((term) => !generic.has(term))
}

/** `mutates`, `mutation` and `mutable` are one word to a reader. */
function toStem(term: string): string {
  return term.slice(0, STEM_LETTERS)
}

function listConcepts(words: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const concept of words.flatMap((word) => conceptsOfWord.get(word) ?? []))
    counts.set(concept, (counts.get(concept) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= MIN_WORDS_OF_CONCEPT).map(([concept]) => concept)
}

/** The share of common words, more for common concepts, less where the concepts differ: -0.1 to 1.2. */
export function compareSketches(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const [a, b] = [splitSketch(one), splitSketch(other)]
  const words = computeShare(a.words, b.words)
  if (a.concepts.size === 0 || b.concepts.size === 0) return words
  const concepts = computeShare(a.concepts, b.concepts)
  return words + (concepts === 0 ? -OTHER_CONCEPT_PENALTY : CONCEPT_WEIGHT * concepts)
}

function splitSketch(sketch: ArrayLike<number>): { concepts: Set<number>; words: Set<number> } {
  const numbers = Array.from(sketch)
  return {
    concepts: new Set(numbers.filter((number) => number < FIRST_WORD)),
    words: new Set(numbers.filter((number) => number >= FIRST_WORD)),
  }
}

function computeShare(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  const all = one.union(other).size
  return all === 0 ? 0 : one.intersection(other).size / all
}
