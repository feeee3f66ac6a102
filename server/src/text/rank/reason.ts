import { UNKNOWN } from '../words/read.ts'
import { tokensOf } from '../words/tokenize.ts'
import type { Words } from '../words/words.ts'
import type { MatchScores } from './match.ts'
import type { Nearness } from './paths.ts'
import type { PreparedText } from './prepare.ts'

const MAX_WORDS = 4
const MAX_PAIRS = 2
const MIN_WORD_LIKENESS = 0.55
const MIN_SUBJECT_OVERLAP = 0.35
const MIN_SIMILARITY = 0.5
const MIN_WEIGHT = 0.35

interface RankedMatch {
  readonly words: Words
  readonly query: PreparedText
  readonly candidate: PreparedText
  readonly text: string
  readonly match: MatchScores
  readonly nearness: Nearness
  readonly similarity: number
}

/** Explains in one sentence why a candidate matches. */
export function explain(ranked: RankedMatch): string {
  const { match, nearness, similarity } = ranked
  const { names, common } = findSharedTerms(ranked)
  const parts = [
    describeNearness(nearness),
    names.length === 0 ? '' : `names ${renderList(restoreSpelling(ranked.text, names))}`,
    common.length === 0 ? '' : `shares ${renderList(common)}`,
    ...(names.length + common.length < MAX_PAIRS ? describeSimilarWords(ranked) : []),
  ].filter(Boolean)
  if (parts.length < 2 && match.subjectOverlap > MIN_SUBJECT_OVERLAP) parts.push('is about the same subject')
  else if (parts.length < 2 && similarity > MIN_SIMILARITY) parts.push('is close in meaning')
  const sentence = parts.length === 0 ? 'is the closest match, although not close' : parts.join(', ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

function describeNearness(nearness: Nearness): string {
  switch (nearness) {
    case 'file':
      return 'is about the same file'
    case 'folder':
      return 'is about the same folder'
    case 'above':
      return 'is about a folder above'
    case 'language':
    case 'none':
      return ''
  }
}

function findSharedTerms({ query, candidate }: RankedMatch): { names: string[]; common: string[] } {
  const own = new Set(candidate.terms)
  const both = query.terms
    .map((term, at) => ({ term, weight: query.weights[at] as number, isName: query.names[at] === 1 }))
    .filter(({ term, weight }) => own.has(term) && weight > MIN_WEIGHT / 2)
    .sort((a, b) => b.weight - a.weight)
  const phrases = both.filter(({ term }) => term.includes(' ')).map(({ term }) => term)
  const isInPhrase = (term: string) => phrases.some((phrase) => phrase !== term && isPartOf(term, phrase))
  const pick = (isName: boolean) =>
    both
      .filter((one) => one.isName === isName && !isInPhrase(one.term))
      .slice(0, MAX_WORDS)
      .map(({ term }) => term)
  return { names: pick(true), common: pick(false) }
}

function isPartOf(term: string, phrase: string): boolean {
  return phrase.split(' ').includes(term)
}

/** The closest pairs of different words, most significant first. */
function describeSimilarWords({ words, query, candidate }: RankedMatch): string[] {
  const own = new Map(Array.from(candidate.places, (wordIndex, at) => [wordIndex, at]))
  const pairs = query.terms.flatMap((term, at) => {
    const wordIndex = query.places[at] as number
    if (wordIndex === UNKNOWN || own.has(wordIndex)) return []
    for (
      let kin = words.kinStarts[wordIndex] as number;
      kin < (words.kinStarts[wordIndex + 1] as number);
      kin++
    ) {
      const other = own.get(words.kin[kin] as number)
      if (other === undefined) continue
      const likeness = (words.kinLikeness[kin] as number) / 255
      const weight = Math.min(query.weights[at] as number, candidate.weights[other] as number)
      const near = candidate.terms[other] as string
      if (likeness < MIN_WORD_LIKENESS || weight < MIN_WEIGHT) return []
      if (isPartOf(term, near) || isPartOf(near, term)) return []
      return [{ near, sentence: `“${near}” is close to “${term}”`, rank: likeness * weight }]
    }
    return []
  })
  const seen = new Set<string>()
  return pairs
    .sort((a, b) => b.rank - a.rank)
    .filter(({ near }) => !seen.has(near) && seen.add(near))
    .slice(0, MAX_PAIRS)
    .map(({ sentence }) => sentence)
}

/** Names are compared without punctuation and case; show them as written. */
function restoreSpelling(text: string, names: readonly string[]): string[] {
  const written = new Map<string, string>()
  for (const { term, kind, at } of tokensOf(text)) {
    const name = /^[\w$.:-]{1,64}/.exec(text.slice(at, at + 64))?.[0] ?? term
    if (kind === 'name' && !written.has(term)) written.set(term, name.replace(/[.:-]$/, ''))
  }
  return names.map((name) => written.get(name) ?? name)
}

function renderList(terms: readonly string[]): string {
  const quoted = terms.map((term) => `“${term}”`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}
