import type { Closeness } from './embed/closeness.ts'
import { createTextCache } from './text-cache.ts'
import { tokenize } from './tokens/tokenize.ts'

// Two texts contradict each other if they are about the same subject and one asks for what the other rejects. The subject is
// compared by similarity and by shared terms. What a text asks for and rejects is read from its grammar: negation, words of
// permission, "prefer A over B", "always" and "only", quantities. No word of a subject is listed here.

/** A text read as clauses. Reading costs more than comparing, so read each text once. */
export type Guidance = readonly Clause[]

interface Clause {
  /** What the clause asks for or permits. */
  readonly wanted: readonly Term[]
  readonly rejected: readonly Term[]
  /** "when …", "if …": part of the subject, neither wanted nor rejected. */
  readonly condition: readonly Term[]
  /** "always", "every", "by default". */
  readonly universal: boolean
  /** "only": the rule does not hold elsewhere. */
  readonly restricted: boolean
  readonly quantities: readonly Quantity[]
  /** What is wanted, rejected or a condition. */
  readonly terms: readonly Term[]
  /** Keys of all terms, for a quick check whether another clause can share enough of them. */
  readonly keys: ReadonlySet<string>
  /** Whether a wanted term may have an antonym. */
  readonly hasPrefix: boolean
}

interface Term {
  readonly text: string
  /** A prefix that may turn the meaning round, and what follows it. */
  readonly prefix: string
  readonly base: string
  /** The first letters, with and without the prefix. */
  readonly keys: readonly [string, string]
}

interface Quantity {
  readonly value: number
  readonly unit: string
  /** A default and a limit may differ. */
  readonly isDefault: boolean
}

const listWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Reject their whole part of the sentence. */
const negations = listWords(`
  not never cannot nobody nothing none neither nor off optional
  avoid avoids avoided avoiding stop stops skip skips skipped
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
  acceptable fine need needs needed require requires required mandatory`)
const preferences = listWords('prefer prefers preferred choose chooses favor favour')
const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

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
    .split(/[.;:!?](?=\s|$)|\n|\s[-–—]\s|[()]/)
    .filter((sentence) => /\p{L}/u.test(sentence))
    .slice(0, MAX_CLAUSES)
    .map(readClause)
}

const token = /[\p{L}\p{N}%]+(?:[_$'’./-]+[\p{L}\p{N}]+)*/gu

function readClause(sentence: string): Clause {
  const clause: ClauseInProgress = {
    wanted: [],
    rejected: [],
    condition: [],
    universal: /\bby default\b/i.test(sentence),
    restricted: false,
    quantities: [],
  }
  for (const part of sentence.split(/,(?=\s)/)) {
    const written = part.toLowerCase().match(token) ?? []
    const reason = written.findIndex(
      (word, at) => reasons.has(word) || (word === 'so' && written[at + 1] === 'that'),
    )
    readPart(reason === -1 ? written : written.slice(0, reason), clause)
    if (reason !== -1) break
  }
  const terms = [...clause.wanted, ...clause.rejected, ...clause.condition]
  return {
    ...clause,
    terms,
    keys: new Set(terms.flatMap(({ keys }) => keys)),
    hasPrefix: clause.wanted.some(({ prefix }) => prefix !== ''),
  }
}

interface ClauseInProgress {
  readonly wanted: Term[]
  readonly rejected: Term[]
  readonly condition: Term[]
  universal: boolean
  restricted: boolean
  readonly quantities: Quantity[]
}

/** Reads what stands between two commas. */
function readPart(written: readonly string[], clause: ClauseInProgress): void {
  const isNegated = written.some((_, at) => isNegation(written, at))
  const rejectsAll = isNegated && !written.some((word) => exceptions.has(word))
  if (!rejectsAll && written.some((word) => universals.has(word))) clause.universal = true
  if (written.includes('only')) clause.restricted = true
  clause.quantities.push(...readQuantities(written))
  const condition = written.findIndex((word) => conditions.has(word))
  const rule = condition === -1 ? written : written.slice(0, condition)
  readRule(rule, rejectsAll, clause)
  clause.condition.push(
    ...written
      .slice(rule.length)
      .filter((word) => !directives.has(word))
      .flatMap(toTerms),
  )
}

function readRule(written: readonly string[], rejectsAll: boolean, clause: ClauseInProgress): void {
  let contrast: 'none' | 'begins' | 'open' = 'none'
  for (const [at, word] of written.entries()) {
    if (beginsContrast(written, at)) contrast = 'begins'
    else if (contrast === 'open' && prepositions.has(word)) contrast = 'none'
    const terms = directives.has(word) || isNegation(written, at) ? [] : toTerms(word)
    if (terms.length === 0) continue
    if (contrast === 'begins') contrast = 'open'
    const isRejected = rejectsAll !== (contrast !== 'none')
    if (isRejected) clause.rejected.push(...terms)
    else clause.wanted.push(...terms)
  }
}

function isNegation(written: readonly string[], at: number): boolean {
  const word = written[at] ?? ''
  if (word === 'no') return at === 0
  return (negations.has(word) && !isLocalNot(written, at)) || word.endsWith("n't") || word.endsWith('n’t')
}

/** "A and not B", "A but not B": only B is rejected. */
function isLocalNot(written: readonly string[], at: number): boolean {
  return written[at] === 'not' && (written[at - 1] === 'and' || written[at - 1] === 'but')
}

/** Whether what follows is rejected in contrast to the rest. */
function beginsContrast(written: readonly string[], at: number): boolean {
  const marker: string = written[at] ?? ''
  switch (marker) {
    case 'not':
      return isLocalNot(written, at)
    case 'no':
    case 'without':
      return at > 0 && !written.slice(0, at).some((word) => negations.has(word))
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
  return tokenize(word).flatMap(({ kind, term }) => {
    if (kind !== 'word' || /^\d/.test(term)) return []
    const [, prefix = '', base = term] = prefixed.exec(term) ?? []
    return [{ text: term, prefix, base, keys: [term.slice(0, KEY_LENGTH), base.slice(0, KEY_LENGTH)] }]
  })
}

function readQuantities(written: readonly string[]): Quantity[] {
  const isDefault = written.includes('default')
  return written.flatMap((word, at) => {
    const value = readNumber(word)
    if (value === null) return []
    const next = written[at + 1]
    const following = next === '%' ? '%' : toTerms(next ?? '')[0]?.text
    const unit = following ?? written.slice(0, at).flatMap(toTerms).at(-1)?.text
    return unit === undefined ? [] : [{ value, unit, isDefault }]
  })
}

function readNumber(word: string): number | null {
  const small = numberWords.indexOf(word)
  if (small !== -1) return small
  return /^\d[\d,]*(?:\.\d+)?$/.test(word) ? Number(word.replaceAll(',', '')) : null
}

/** What speaks for a contradiction between two texts. */
export interface Evidence {
  readonly kind: 'negation' | 'order' | 'restriction' | 'quantity'
  /** How many terms the two clauses share. */
  readonly shared: number
}

/** Compares every clause of one text with every clause of the other, without a look at their similarity. */
export function findEvidence(some: Guidance, others: Guidance): Evidence[] {
  return some.flatMap((a) => others.flatMap((b) => compareClauses(a, b)))
}

/** Without a similarity, shared words must show alone that the subject is the same. */
const MIN_SHARED_BY_WORDS = 3

/** Whether two texts contradict each other, by their similarity, or by words alone if there is none. */
export function isContradiction(
  evidence: readonly Evidence[],
  compared: { readonly similarity: number; readonly closeness: Closeness } | null,
): boolean {
  if (compared === null) return evidence.some(({ shared }) => shared >= MIN_SHARED_BY_WORDS)
  return evidence.length > 0 && compared.similarity >= compared.closeness.minSameSubject
}

/** Two clauses must share this much of the shorter one's terms; the same holds for what one of them rejects. */
const MIN_OVERLAP = 0.75

function compareClauses(a: Clause, b: Clause): Evidence[] {
  if (!canDisagree(a, b)) return []
  const shorter = Math.min(a.terms.length, b.terms.length)
  if (shorter === 0 || countPossible(a, b) < MIN_OVERLAP * shorter) return []
  const shared = Math.min(countShared(a.terms, b.terms), countShared(b.terms, a.terms))
  if (shared < MIN_OVERLAP * shorter) return []
  const evidence: Evidence[] = []
  if (hasOtherOrder(a, b)) evidence.push({ kind: 'order', shared })
  else if (rejectsWanted(a, b) || rejectsWanted(b, a) || hasAntonyms(a.wanted, b.wanted))
    evidence.push({ kind: 'negation', shared })
  if (restricts(a, b) || restricts(b, a)) evidence.push({ kind: 'restriction', shared })
  if (differInQuantity(a, b)) evidence.push({ kind: 'quantity', shared })
  return evidence
}

/** Most clauses only ask for something, and cannot speak against each other. */
function canDisagree(a: Clause, b: Clause): boolean {
  return (
    a.rejected.length + b.rejected.length > 0 ||
    a.hasPrefix ||
    b.hasPrefix ||
    (a.quantities.length > 0 && b.quantities.length > 0) ||
    restricts(a, b) ||
    restricts(b, a)
  )
}

/** An upper bound of the shared terms. */
function countPossible(a: Clause, b: Clause): number {
  let count = 0
  for (const { keys } of a.terms) if (b.keys.has(keys[0]) || b.keys.has(keys[1])) count++
  return count
}

/** "A instead of B" and "B instead of A". */
function hasOtherOrder(a: Clause, b: Clause): boolean {
  return countShared(a.wanted, b.rejected) > 0 && countShared(a.rejected, b.wanted) > 0
}

/** If both reject some of the same, they agree. */
function rejectsWanted(a: Clause, b: Clause): boolean {
  const rejected = countShared(a.rejected, b.wanted)
  return (
    rejected > 0 && rejected >= MIN_OVERLAP * a.rejected.length && countShared(a.rejected, b.rejected) === 0
  )
}

/** "always" and "only if": neither rejects anything by itself. */
function restricts(a: Clause, b: Clause): boolean {
  return a.restricted && b.universal && a.rejected.length + b.rejected.length === 0
}

function differInQuantity(a: Clause, b: Clause): boolean {
  const comparable = a.quantities.flatMap((one) =>
    b.quantities.flatMap((other) =>
      isSameWord(one.unit, other.unit) && one.isDefault === other.isDefault
        ? [one.value === other.value]
        : [],
    ),
  )
  return comparable.length > 0 && !comparable.includes(true)
}

function countShared(some: readonly Term[], others: readonly Term[]): number {
  let count = 0
  for (const term of some)
    if (others.some((other) => isSameWord(term.text, other.text) || areAntonyms(term, other))) count++
  return count
}

function hasAntonyms(some: readonly Term[], others: readonly Term[]): boolean {
  return some.some((term) => others.some((other) => areAntonyms(term, other)))
}

const MIN_STEM = 4

/** Also matches derived forms: deploy and deployment, float and floating, time and timeout. */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return false
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= MIN_STEM && long.startsWith(short.endsWith('e') ? short.slice(0, -1) : short)
}

/** Opposites by their prefix: mutable and immutable, enable and disable, include and exclude. */
function areAntonyms(a: Term, b: Term): boolean {
  return a.prefix !== b.prefix && a.base === b.base
}
