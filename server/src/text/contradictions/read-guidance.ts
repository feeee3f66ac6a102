import { createTextCache } from '../text-cache.ts'
import { tokenize } from '../tokens/tokenize.ts'
import { type Alternative, findAlternatives } from './alternatives.ts'

// Reads what a text asks for and rejects from its grammar: negation, words of permission, "prefer A over B", "always" and "only",
// quantities. alternatives.jsonl lists the words that exclude each other.

/** A text read as clauses. Reading costs more than comparing, so read each text once. */
export type Guidance = readonly Clause[]

export interface Clause {
  /** What the clause asks for or permits. */
  readonly wanted: readonly Term[]
  readonly rejected: readonly Term[]
  /** What is wanted, in the parts of the sentence that also reject something: "functions have no side effects". */
  readonly contrasted: readonly Term[]
  /** "when …", "if …": part of the subject, neither wanted nor rejected. */
  readonly condition: readonly Term[]
  /** "always", "every", "by default". */
  readonly universal: boolean
  /** "only": the rule does not hold elsewhere. */
  readonly restricted: boolean
  readonly quantities: readonly Quantity[]
  readonly choices: readonly Choice[]
  /** Folders and files. */
  readonly paths: readonly string[]
  /** What is wanted, rejected or a condition. */
  readonly terms: readonly Term[]
  /** Keys of all terms, for a quick check whether another clause can share enough of them. */
  readonly keys: ReadonlySet<string>
  /** Whether a wanted term may have an antonym. */
  readonly hasPrefix: boolean
}

export interface Term {
  readonly text: string
  /** A prefix that may turn the meaning round, and what follows it. */
  readonly prefix: string
  readonly base: string
  /** The first letters, with and without the prefix. */
  readonly keys: readonly [string, string]
}

type Stance = 'wanted' | 'rejected' | 'condition'

/** An alternative with what the clause says about it. */
export interface Choice extends Pick<Alternative, 'kind' | 'group' | 'member'> {
  readonly stance: Stance
  /** Its terms, and the one that follows. */
  readonly terms: readonly string[]
  readonly next: string | undefined
}

interface Quantity {
  readonly value: number
  /** What follows the number, and what is before it. */
  readonly units: readonly string[]
  /** A default and a limit may differ. */
  readonly isDefault: boolean
}

const listWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Reject their whole part of the sentence. */
const negations = listWords(`
  not never cannot nobody nothing none neither nor off optional
  avoid avoids avoided avoiding stops skip skips skipped
  omit omits omitted unwanted
  forbid forbids forbidden ban bans banned disallow disallows disallowed prohibit prohibits prohibited`)
/** With one of these, a negation is a requirement: "never merge without an approval". */
const exceptions = listWords('without unless except')
const universals = listWords('always every each all everywhere')
const conditions = listWords('when if unless where while whenever after before until during')
const reasons = listWords('because since otherwise')
const prepositions = listWords('for in on at between with by from to of into onto over among')
/** Words of guidance and permission: they say nothing about the subject. */
const directives = listWords(`
  use uses used using prefer prefers preferred choose chooses favor favour allow allows allowed permit permits permitted
  acceptable fine ok okay welcome encouraged recommended need needs needed require requires required mandatory`)
const purposes = listWords(`
  make keep avoid prevent ensure save get help allow be preserve protect reduce improve show simplify support match`)
/** Terms that say nothing about a subject, folded. */
export const neutralTerms = listWords(`
  make keep run write have set add put name call create live come belong most least maximum minimum limit exceed stay new
  code project rule default end go contain return take give time must include handle handling work happen follow target
  naming format style choice valid long length accept expire last`)
const preferences = listWords('prefer prefers preferred choose chooses favor favour')
const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** Units that are compared with each other. */
const dimensions = new Map(
  Object.entries({
    time: { ms: 0.001, millisecond: 0.001, second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 },
    size: { kb: 1, mb: 1_000, gb: 1_000_000 },
    length: { character: 1, column: 1 },
  }).flatMap(([dimension, units]) =>
    Object.entries(units).flatMap(([unit, factor]) =>
      [unit, `${unit}s`].map((name) => [name, { dimension, factor }] as const),
    ),
  ),
)

const MAX_LENGTH = 2_000
const MAX_CLAUSES = 12

const MAX_CACHED_TEXTS = 2_048

export type ReadGuidance = (text: string) => Guidance

/** Caches what it has read: create one per process. */
export function createGuidanceReader(): ReadGuidance {
  return createTextCache(MAX_CACHED_TEXTS, readGuidance)
}

export function readGuidance(text: string): Guidance {
  return text
    .slice(0, MAX_LENGTH)
    .split(/[.;:!?](?=\s|$)|\n|\s[-–—]\s|\((?!\))|(?<!\()\)/)
    .filter((sentence) => /\p{L}/u.test(sentence))
    .slice(0, MAX_CLAUSES)
    .map(readClause)
}

const path = /(?<![\w/@.-])(?:[\w@.-]{1,64}\/){1,8}[\w@.*-]{0,64}/g
const token = /`?[\p{L}\p{N}%]+(?:[_$'’./-]+[\p{L}\p{N}]+)*/gu

function readClause(sentence: string): Clause {
  const clause: ClauseInProgress = {
    wanted: [],
    rejected: [],
    contrasted: [],
    condition: [],
    universal: /\bby default\b/i.test(sentence),
    restricted: false,
    quantities: [],
    choices: [],
  }
  for (const part of sentence.split(/,(?=\s)/)) {
    const words = (part.match(token) ?? []).map(readWord)
    const written = words.map((word) => word.toLowerCase())
    const reason = written.findIndex(
      (word, at) =>
        reasons.has(word) || (word === 'so' && written[at + 1] === 'that') || isPurpose(written, at),
    )
    const end = reason === -1 ? words.length : reason
    readPart(words.slice(0, end), written.slice(0, end), clause)
    if (reason !== -1) break
  }
  const terms = [...clause.wanted, ...clause.rejected, ...clause.condition]
  return {
    ...clause,
    paths: sentence.match(path) ?? [],
    terms,
    keys: new Set(terms.flatMap(({ keys }) => keys)),
    hasPrefix: clause.wanted.some(({ prefix }) => prefix !== ''),
  }
}

/** Drops the mark of code, unless the word is one of grammar elsewhere: `any`, `only`. */
function readWord(written: string): string {
  const word = written.replace(/^`/, '')
  return word !== written && toTerms(word.toLowerCase()).length === 0 ? written : word
}

/** "to make …", "to avoid …". */
function isPurpose(written: readonly string[], at: number): boolean {
  return at > 1 && written[at] === 'to' && purposes.has(written[at + 1] ?? '')
}

interface ClauseInProgress {
  readonly wanted: Term[]
  readonly rejected: Term[]
  readonly contrasted: Term[]
  readonly condition: Term[]
  universal: boolean
  restricted: boolean
  readonly quantities: Quantity[]
  readonly choices: Choice[]
}

/** Reads what stands between two commas: its words, and the same in small letters. */
function readPart(words: readonly string[], written: readonly string[], clause: ClauseInProgress): void {
  const isNegated = written.some((_, at) => isNegation(written, at))
  const rejectsAll = isNegated && !written.some((word) => exceptions.has(word))
  if (!rejectsAll && written.some((word) => universals.has(word))) clause.universal = true
  if (written.includes('only')) clause.restricted = true
  clause.quantities.push(...readQuantities(written))
  const terms = written.map(toTerms)
  const stances = readStances(written, terms, rejectsAll)
  const isContrast = !rejectsAll && stances.includes('rejected')
  for (const [at, ofWord] of terms.entries()) {
    const stance = stances[at]
    if (stance) clause[stance].push(...ofWord)
    if (stance === 'wanted' && isContrast) clause.contrasted.push(...ofWord)
  }
  for (const { kind, group, member, at, length } of findAlternatives(words)) {
    const stance = stances[at] ?? (rejectsAll ? 'rejected' : 'wanted')
    const named = terms.slice(at, at + length).flatMap((ofWord) => ofWord.map(({ text }) => text))
    clause.choices.push({ kind, group, member, stance, terms: named, next: terms[at + length]?.[0]?.text })
  }
}

/** What the part says about each of its words; null for words of grammar. */
function readStances(
  written: readonly string[],
  terms: readonly (readonly Term[])[],
  rejectsAll: boolean,
): (Stance | null)[] {
  let contrast: 'none' | 'begins' | 'open' = 'none'
  let isCondition = false
  return written.map((word, at) => {
    isCondition ||= conditions.has(word)
    if (directives.has(word)) return null
    if (isCondition) return 'condition'
    if (beginsContrast(written, at)) contrast = 'begins'
    else if (contrast === 'open' && prepositions.has(word)) contrast = 'none'
    if (isNegation(written, at) || terms[at]?.length === 0) return null
    if (contrast === 'begins') contrast = 'open'
    return rejectsAll !== (contrast !== 'none') ? 'rejected' : 'wanted'
  })
}

function isNegation(written: readonly string[], at: number): boolean {
  const word = written[at] ?? ''
  if (word === 'no') return at === 0
  if (word === 'leave') return written.includes('out', at)
  // "Stop logging bodies", but not "a full stop".
  if (word === 'stop') return at === 0 || (written[at + 1]?.endsWith('ing') ?? false)
  return (negations.has(word) && !isLocalNot(written, at)) || word.endsWith("n't") || word.endsWith('n’t')
}

/** "A and not B", "A but never B": only B is rejected. */
function isLocalNot(written: readonly string[], at: number): boolean {
  const word = written[at]
  return (word === 'not' || word === 'never') && (written[at - 1] === 'and' || written[at - 1] === 'but')
}

/** Whether what follows is rejected in contrast to the rest. */
function beginsContrast(written: readonly string[], at: number): boolean {
  const marker: string = written[at] ?? ''
  switch (marker) {
    case 'not':
    case 'never':
      return isLocalNot(written, at)
    case 'no':
    case 'without':
      return at > 0 && !written.slice(0, at).some((_, before) => isNegation(written, before))
    case 'of':
      return written[at - 1] === 'instead'
    case 'than':
      return written[at - 1] === 'rather'
    case 'over':
    case 'to':
      return written.slice(0, at).some((word) => preferences.has(word))
    default:
      return false
  }
}

const prefixed = /^(un|im|in|non|dis|ex|de|en)?(.{4,})$/
const KEY_LENGTH = 3

function toTerms(word: string): Term[] {
  if (word.startsWith('`') || word === 'else') return [toTerm(word)]
  return tokenize(word).flatMap(({ kind, term }) =>
    kind === 'word' && !/^\d/.test(term) ? [toTerm(term)] : [],
  )
}

function toTerm(text: string): Term {
  const [, prefix = '', base = text] = prefixed.exec(text) ?? []
  return { text, prefix, base, keys: [text.slice(0, KEY_LENGTH), base.slice(0, KEY_LENGTH)] }
}

function readQuantities(written: readonly string[]): Quantity[] {
  const isDefault = written.includes('default')
  return written.flatMap((word, at) => {
    const isPercentage = word.endsWith('%') || written[at + 1] === '%'
    const value = readNumber(word.replace(/%$/, ''))
    if (value === null) return []
    const before = written.slice(0, at).flatMap(toTerms).at(-1)?.text ?? []
    const { dimension, factor } = dimensions.get(written[at + 1] ?? '') ?? {}
    if (dimension !== undefined && factor !== undefined)
      return [{ value: value * factor, units: [dimension], isDefault }]
    const after = isPercentage ? '%' : (toTerms(written[at + 1] ?? '')[0]?.text ?? [])
    const units = [after, before].flat()
    return units.length === 0 ? [] : [{ value, units, isDefault }]
  })
}

function readNumber(word: string): number | null {
  const small = numberWords.indexOf(word)
  if (small !== -1) return small
  return /^\d[\d,]*(?:\.\d+)?$/.test(word) ? Number(word.replaceAll(',', '')) : null
}
