import type { Closeness } from '../embed/closeness.ts'
import type { AlternativeKind } from './alternatives.ts'
import { type Choice, type Clause, type Guidance, neutralTerms, type Term } from './read-guidance.ts'

// Two texts contradict each other if they are about the same subject and one asks for what excludes what the other asks for.

/** What speaks for a contradiction between two texts. */
export interface Evidence {
  readonly kind: 'negation' | 'order' | 'restriction' | 'quantity' | AlternativeKind
  /** How many terms the two clauses share. */
  readonly shared: number
  /** How many terms each of them has that the other lacks: they may be about different subjects. */
  readonly differing: number
}

/** Compares every clause of one text with every clause of the other, without a look at their similarity. */
export function findEvidence(some: Guidance, others: Guidance): Evidence[] {
  return some.flatMap((a) =>
    others.flatMap((b) => [...compareGrammar(a, b), ...compareChoices(a, b, some, others)]),
  )
}

/** Whether two texts contradict each other, by their similarity, or by words alone if there is none. */
export function isContradiction(
  evidence: readonly Evidence[],
  compared: { readonly similarity: number; readonly closeness: Closeness } | null,
): boolean {
  return evidence.some(({ kind, differing }) => {
    const isClear = differing === 0 || kind === 'tool'
    if (compared === null) return isClear
    const { similarity, closeness } = compared
    if (kind === 'tool') return similarity >= closeness.minRelated
    if (isClear) return similarity >= closeness.minSharedSubject
    return canDiffer.has(kind) && differing <= MAX_DIFFERING && similarity >= closeness.minSameSubject
  })
}

/** "Do not log headers" and "log bodies", or 5 MB for uploads and 9 MB for exports, are about different subjects. */
const canDiffer: ReadonlySet<Evidence['kind']> = new Set(['order', 'restriction', 'style'])
/** If each text names more that the other does not, their subjects differ, however similar they are. */
const MAX_DIFFERING = 2

/** Two clauses must share this much of the shorter one's terms; the same holds for what one of them rejects. */
const MIN_OVERLAP = 0.5
/** A single common word may be one by chance. */
const MIN_SHARED = 2

function compareGrammar(a: Clause, b: Clause): Evidence[] {
  if (!canDisagree(a, b)) return []
  const shorter = Math.min(a.terms.length, b.terms.length)
  if (shorter === 0 || countPossible(a, b) < MIN_OVERLAP * shorter) return []
  const shared = Math.min(countShared(a.terms, b.terms), countShared(b.terms, a.terms))
  if (shared < MIN_OVERLAP * shorter || areOtherSubjects(a, b, ['scope', 'subject'], [])) return []
  if (rejectsAlternative(a, b) || rejectsAlternative(b, a)) return []
  const differing = countDiffering(a.terms, b.terms)
  const evidence = hasOtherOrder(a, b)
    ? [{ kind: 'order' as const, shared, differing }]
    : compareNegations(a, b, shared, differing)
  if (restricts(a, b) || restricts(b, a)) evidence.push({ kind: 'restriction', shared, differing })
  if (differInQuantity(a, b)) evidence.push({ kind: 'quantity', shared, differing })
  return evidence
}

function compareNegations(a: Clause, b: Clause, shared: number, differing: number): Evidence[] {
  if (shared < MIN_SHARED) return []
  const evidence: Evidence[] = []
  if (rejectsWanted(a, b))
    evidence.push({ kind: 'negation', shared, differing: countDifferingFromRejected(a, b) })
  if (rejectsWanted(b, a))
    evidence.push({ kind: 'negation', shared, differing: countDifferingFromRejected(b, a) })
  if (hasAntonyms(a.wanted, b.wanted)) evidence.push({ kind: 'negation', shared, differing })
  return evidence
}

/** "Use A" and "do not use B": they agree, however alike the rest. */
function rejectsAlternative(a: Clause, b: Clause): boolean {
  return a.choices.some(
    (one) =>
      one.kind === 'tool' &&
      one.stance === 'rejected' &&
      !hasMember([b], one) &&
      b.choices.some(({ group, stance }) => group === one.group && stance === 'wanted'),
  )
}

/** One asks for one member of a group, and the other for another. */
function compareChoices(a: Clause, b: Clause, some: Guidance, others: Guidance): Evidence[] {
  return a.choices.flatMap((one): Evidence[] => {
    const { kind, group, member, stance } = one
    if (kind === 'scope' || kind === 'subject' || stance !== 'wanted') return []
    const other = b.choices.find((choice) => choice.group === group && choice.stance === 'wanted')
    if (other === undefined || other.member === member) return []
    if (hasMember(others, one) || hasMember(some, other) || isAttribute(one, other)) return []
    if (kind === 'opposite' && agreeInQuantity(a, b)) return []
    const named = [...one.terms, ...other.terms]
    if (areOtherSubjects(a, b, kind === 'tool' ? ['scope'] : ['scope', 'subject'], named)) return []
    const [restOfA, restOfB] = [withoutTerms(a.terms, named), withoutTerms(b.terms, named)]
    const shared = Math.min(countShared(restOfA, b.terms), countShared(restOfB, a.terms))
    if (kind !== 'tool' && shared === 0) return []
    return [{ kind, shared, differing: countDiffering(restOfA, restOfB) }]
  })
}

function hasMember(clauses: Guidance, { group, member }: Choice): boolean {
  return clauses.some(({ choices }) =>
    choices.some(
      (choice) => choice.group === group && choice.member === member && choice.stance !== 'rejected',
    ),
  )
}

/** "Public methods …" and "private methods …" name two subjects; "methods are public" and "methods are private" do not. */
function isAttribute(one: Choice, other: Choice): boolean {
  return (
    one.kind === 'opposite' &&
    one.next !== undefined &&
    other.next !== undefined &&
    isSameWord(one.next, other.next)
  )
}

/** Different languages, methods, kinds of test, folders: each names one that the other does not. */
function areOtherSubjects(
  a: Clause,
  b: Clause,
  kinds: readonly AlternativeKind[],
  named: readonly string[],
): boolean {
  const isOther = (one: Choice): boolean => {
    if (!kinds.includes(one.kind) || isNamed(one, named)) return false
    const others = b.choices.filter((other) => other.group === one.group && !isNamed(other, named))
    const own = a.choices.filter(({ group }) => group === one.group)
    return others.length > 0 && !others.some(({ member }) => own.some((each) => each.member === member))
  }
  if (a.choices.some(isOther)) return true
  return (
    a.paths.length > 0 &&
    b.paths.length > 0 &&
    !a.paths.some((path) => b.paths.some((other) => isWithin(path, other) || isWithin(other, path)))
  )
}

function isNamed({ terms }: Choice, named: readonly string[]): boolean {
  return terms.length > 0 && terms.every((term) => named.includes(term))
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.replace(/[*/]{1,4}$/, ''))
}

/** How many terms of one are not among those of the other, of both the lower count. */
function countDiffering(some: readonly Term[], others: readonly Term[]): number {
  return Math.min(countOwn(some, others), countOwn(others, some))
}

function countOwn(some: readonly Term[], others: readonly Term[]): number {
  const subject = some.filter(({ text }) => !neutralTerms.has(text))
  return subject.length - countShared(subject, others)
}

function withoutTerms(terms: readonly Term[], texts: readonly string[]): Term[] {
  return terms.filter(({ text }) => !texts.includes(text))
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

/** What a text asks for instead, and conditions of one text alone, are no other subject. */
function countDifferingFromRejected(a: Clause, b: Clause): number {
  const isConditional = a.condition.length > 0 && b.condition.length > 0
  const rejected = [...a.rejected, ...a.contrasted, ...(isConditional ? a.condition : [])]
  const wanted = isConditional ? [...b.wanted, ...b.condition] : b.wanted
  return Math.min(countOwn(rejected, b.terms), countOwn(wanted, a.terms))
}

/** "always" and "only if": neither rejects anything by itself. */
function restricts(a: Clause, b: Clause): boolean {
  return a.restricted && b.universal && a.rejected.length + b.rejected.length === 0
}

function differInQuantity(a: Clause, b: Clause): boolean {
  const compared = compareQuantities(a, b)
  return compared.length > 0 && !compared.includes(true)
}

function agreeInQuantity(a: Clause, b: Clause): boolean {
  return compareQuantities(a, b).includes(true)
}

/** Whether the values are equal, for each pair of the same unit. */
function compareQuantities(a: Clause, b: Clause): boolean[] {
  return a.quantities.flatMap((one) =>
    b.quantities.flatMap((other) =>
      one.units.some((unit) => other.units.some((another) => isSameWord(unit, another))) &&
      one.isDefault === other.isDefault
        ? [one.value === other.value]
        : [],
    ),
  )
}

function countShared(some: readonly Term[], others: readonly Term[]): number {
  let count = 0
  for (const term of some)
    if (others.some((other) => isSameWord(term.text, other.text) || areAntonyms(term, other))) count++
  return count
}

/** A text that names both, "from inclusive to exclusive", is for neither of them. */
function hasAntonyms(some: readonly Term[], others: readonly Term[]): boolean {
  const isIn = ({ text }: Term, terms: readonly Term[]) => terms.some((term) => term.text === text)
  return some.some((term) =>
    others.some((other) => areAntonyms(term, other) && !isIn(term, others) && !isIn(other, some)),
  )
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
