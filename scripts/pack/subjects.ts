// Which subjects a word speaks for: those that name it, and a little those that name its kin.

interface Topic {
  readonly terms: readonly string[]
  readonly parts: readonly string[]
}

interface Kinship {
  readonly kinStarts: Uint32Array
  readonly kin: Uint32Array
  readonly kinLikeness: Uint8Array
}

interface SubjectsOfTerms {
  readonly subjectStarts: Uint32Array
  readonly subjects: Uint16Array
  readonly subjectShares: Uint8Array
  readonly subjectCount: number
}

const PART = 0.5
const RARITY = 1.5
const KIN = 0.4
const KIN_LIKENESS = 0.6
const MOST_KIN = 8
const MOST_SUBJECTS = 96

export function findSubjects(
  topics: readonly Topic[],
  places: ReadonlyMap<string, number>,
  size: number,
  kinship: Kinship,
): SubjectsOfTerms {
  const named = nameSubjects(topics, places)
  const starts = new Uint32Array(size + 1)
  const subjects: number[] = []
  const shares: number[] = []
  for (let place = 0; place < size; place++) {
    starts[place] = subjects.length
    const sums = new Map(named.get(place))
    for (const { other, likeness } of nearestNamed(place, kinship, named)) {
      for (const [subject, share] of named.get(other) ?? []) {
        sums.set(subject, (sums.get(subject) ?? 0) + KIN * likeness * likeness * share)
      }
    }
    for (const [subject, share] of [...sums].sort(([, a], [, b]) => b - a).slice(0, MOST_SUBJECTS)) {
      subjects.push(subject)
      shares.push(Math.min(255, Math.round(share * 200)))
    }
  }
  starts[size] = subjects.length
  return {
    subjectStarts: starts,
    subjects: Uint16Array.from(subjects),
    subjectShares: Uint8Array.from(shares),
    subjectCount: topics.length,
  }
}

/** A word that many subjects name speaks less for each of them. */
function nameSubjects(
  topics: readonly Topic[],
  places: ReadonlyMap<string, number>,
): Map<number, Map<number, number>> {
  const named = new Map<number, Map<number, number>>()
  const name = (term: string, subject: number, share: number) => {
    const place = places.get(term)
    if (place === undefined) return
    const shares = named.get(place) ?? new Map<number, number>()
    named.set(place, shares.set(subject, share))
  }
  for (const [subject, { terms, parts }] of topics.entries()) {
    for (const part of parts) name(part, subject, PART)
    for (const term of terms) name(term, subject, 1)
  }
  for (const shares of named.values()) {
    const total = [...shares.values()].reduce((sum, share) => sum + share, 0)
    const rarity = Math.max(0, Math.log(topics.length / total) / Math.log(topics.length)) ** RARITY
    for (const [subject, share] of shares) shares.set(subject, share * rarity)
  }
  return named
}

function nearestNamed(
  place: number,
  { kinStarts, kin, kinLikeness }: Kinship,
  named: ReadonlyMap<number, unknown>,
): { other: number; likeness: number }[] {
  const found: { other: number; likeness: number }[] = []
  for (let at = kinStarts[place] as number; at < (kinStarts[place + 1] as number); at++) {
    const likeness = (kinLikeness[at] as number) / 255
    if (likeness < KIN_LIKENESS || found.length === MOST_KIN) break
    const other = kin[at] as number
    if (named.has(other)) found.push({ other, likeness })
  }
  return found
}
