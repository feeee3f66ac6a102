import { type Reading, readTerms, UNKNOWN } from '../words/read.ts'
import { readSubjects, type Subjects } from '../words/subjects.ts'
import type { Words } from '../words/words.ts'

/** A candidate's text, ready to be compared. */
export interface Prepared extends Reading {
  readonly subjects: Subjects
  /** Of all its words; names do not count, their parts do. */
  readonly totalWeight: number
}

// The same Learnings are compared in one review after another; reading a text costs more than comparing it.
const MOST_KEPT = 8_192
const LONGEST_KEPT = 4_000
const kept = new WeakMap<Words, Map<string, Prepared>>()

export function prepare(words: Words, text: string): Prepared {
  const memory = kept.get(words) ?? new Map<string, Prepared>()
  kept.set(words, memory)
  const known = memory.get(text)
  if (known !== undefined) return known
  const prepared = prepareReading(words, readTerms(words, text))
  if (text.length > LONGEST_KEPT) return prepared
  if (memory.size >= MOST_KEPT) for (const oldest of memory.keys()) if (memory.delete(oldest)) break
  memory.set(text, prepared)
  return prepared
}

export function prepareReading(words: Words, reading: Reading): Prepared {
  const { weights, names, places } = reading
  let totalWeight = 0
  for (let at = 0; at < weights.length; at++) {
    if (names[at] === 0 || places[at] !== UNKNOWN) totalWeight += weights[at] as number
  }
  return { ...reading, subjects: readSubjects(words, reading), totalWeight }
}
