import { tokensOf } from './tokenize.ts'
import type { Words } from './words.ts'

/** The distinct terms of a text, in order: words, phrases that are known, whole names. */
export interface Reading {
  readonly terms: readonly string[]
  /** Where a term stands among the known words, -1 when it is not known. */
  readonly places: Int32Array
  readonly weights: Float32Array
  /** 1 for a name of several parts, which are terms of their own. */
  readonly names: Uint8Array
}

export const UNKNOWN = -1
const UNKNOWN_WEIGHT = 1
const MOST_READ = 512

export function readTerms(words: Words, text: string): Reading {
  const found = new Map<string, boolean>()
  let previous = ''
  for (const { term, kind } of tokensOf(text)) {
    if (found.size >= MOST_READ) break
    if (!found.has(term)) found.set(term, kind === 'name')
    if (kind === 'name') continue
    if (words.phraseStarts.has(previous)) {
      const phrase = `${previous} ${term}`
      if (words.places.has(phrase)) found.set(phrase, false)
    }
    previous = term
  }
  const terms = [...found.keys()]
  const places = new Int32Array(terms.length)
  const weights = new Float32Array(terms.length)
  const names = new Uint8Array(terms.length)
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as string
    const place = words.places.get(term)
    places[at] = place ?? UNKNOWN
    weights[at] = place === undefined ? UNKNOWN_WEIGHT : (words.weights[place] as number)
    if (found.get(term) === true) names[at] = 1
  }
  return { terms, places, weights, names }
}
