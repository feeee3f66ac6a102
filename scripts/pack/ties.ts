// Which words belong together: those of a group of the thesaurus, and those that derive from one another.
import { dot, type Tie, type Vector } from './vectors.ts'

interface Group {
  readonly same: readonly string[]
  readonly related: readonly string[]
}

type Ties = Map<number, Tie[]>

const SAME = 1
const RELATED = 0.35
const DERIVED = 1
/** Below, two words look like relatives and are none: depart and department. */
const DERIVED_LIKENESS = 0.25
const MOST_DERIVED = 40_000

// Endings that are exchanged for one another, the longer word's first.
const derivations: readonly (readonly [ending: string, instead: readonly string[]])[] = [
  ['ization', ['ize']],
  ['ation', ['e', 'ate', '']],
  ['ition', ['ite', '', 'e']],
  ['ution', ['ute', 've']],
  ['ption', ['be', 'pt']],
  ['ssion', ['t', 'de', 'ss']],
  ['sion', ['d', 'de', 'se']],
  ['ion', ['e', '']],
  ['ment', ['', 'e']],
  ['ance', ['', 'e', 'ant']],
  ['ence', ['', 'e', 'ent']],
  ['ency', ['ent']],
  ['ancy', ['ant']],
  ['ability', ['able']],
  ['ibility', ['ible']],
  ['ity', ['', 'e']],
  ['ness', ['']],
  ['able', ['', 'e']],
  ['ible', ['', 'e']],
  ['ally', ['al', '']],
  ['ly', ['', 'e']],
  ['er', ['', 'e']],
  ['or', ['', 'e']],
  ['al', ['', 'e']],
  ['ure', ['', 'e']],
  ['age', ['', 'e']],
  ['ic', ['', 'y', 'e']],
]

export function tieGroups(groups: readonly Group[], places: ReadonlyMap<string, number>): Ties {
  const ties: Ties = new Map()
  const placesOf = (terms: readonly string[]) =>
    terms.map((term) => places.get(term)).filter((place) => place !== undefined)
  for (const { same, related } of groups) {
    const [near, far] = [placesOf(same), placesOf(related)]
    for (const place of near) {
      for (const other of near) if (other !== place) tie(ties, place, other, SAME / near.length)
      for (const other of far) if (other !== place) tie(ties, place, other, RELATED / far.length)
    }
  }
  return ties
}

/** What comes from what, validation from validate: by the ending, where the words are also used alike. */
export function tieDerivations(
  terms: readonly string[],
  places: ReadonlyMap<string, number>,
  vectors: readonly Vector[],
  ties: Ties,
): void {
  for (const [place, term] of terms.entries()) {
    if (place >= MOST_DERIVED || term.length < 5) continue
    const base = findBase(term, places, (other) => dot(vectors[place] as Vector, vectors[other] as Vector))
    if (base === null) continue
    tie(ties, place, base, DERIVED)
    tie(ties, base, place, DERIVED)
  }
}

function findBase(
  term: string,
  places: ReadonlyMap<string, number>,
  likeness: (place: number) => number,
): number | null {
  for (const [ending, instead] of derivations) {
    if (!term.endsWith(ending)) continue
    const stem = term.slice(0, -ending.length)
    for (const other of instead) {
      const place = stem.length < 3 ? undefined : places.get(stem + other)
      if (place !== undefined && place < MOST_DERIVED && likeness(place) > DERIVED_LIKENESS) return place
    }
  }
  return null
}

function tie(ties: Ties, from: number, to: number, strength: number): void {
  const list = ties.get(from)
  if (list === undefined) ties.set(from, [{ to, strength }])
  else list.push({ to, strength })
}
