import { basename } from 'node:path/posix'
import { freeNews, freeOlds, lineGuess, type Matching, nearestTo, pair, type Side } from './matching.ts'
import { likeness } from './sketch.ts'

// How alike two must be to be taken for one: code and what is around it count, and lines that are near help a little.
const LEAST_CODE = 0.2
const LEAST_SCORE = 0.42
const LEAST_SCORE_ELSEWHERE = 0.5
const LEAST_AROUND_ELSEWHERE = 0.3
const CODE_WEIGHT = 0.55
const NEARBY_LINES = 20
const NEARBY_BONUS = 0.08
const UNKNOWN = 0.5

// For each finding so many others are looked at: those of its file that are nearest, or that have most in common with it.
const MAX_CANDIDATES = 8
const MAX_SHARING = 8
const MAX_SCORED_PAIRS = 4

/** The same code in another file: only where the file, or what is around the code, has gone there too. */
export function pairMoved(matching: Matching): void {
  const moves = findFileMoves(matching)
  const olds = Map.groupBy(freeOlds(matching), ({ traits }) => `${traits.rule}\n${traits.snippet}`)
  const candidates = freeNews(matching).flatMap((found) => {
    const { rule, snippet } = found.traits
    if (snippet === null) return []
    const same = olds.get(`${rule}\n${snippet}`)?.slice(0, MAX_SHARING) ?? []
    return same.flatMap((old) => {
      const around = likeness(old.around, found.around) ?? UNKNOWN
      const score = around + (isSameFile(moves, old, found) ? 1 : 0)
      return score >= LEAST_AROUND_ELSEWHERE ? [{ old, found, score }] : []
    })
  })
  take(matching, candidates)
}

/** Code that was edited, in the same file or where the file has gone. */
export function pairSimilar(matching: Matching): void {
  const moves = findFileMoves(matching)
  const olds = freeOlds(matching)
  const guess = lineGuess(matching)
  const lines = new Map(olds.map((old) => [old, guess(old)]))
  const near = nearby(olds, lines, moves)
  const alike = sharing(olds)
  const candidates = freeNews(matching).flatMap((found) => {
    const all = [...new Set([...near(found), ...alike(found)])].flatMap((old) => {
      const score = computeScore(old, found, moves, lines.get(old) ?? 0)
      return score === null ? [] : [{ old, found, score }]
    })
    return all.length <= MAX_SCORED_PAIRS ? all : all.toSorted(byScore).slice(0, MAX_SCORED_PAIRS)
  })
  take(matching, candidates)
}

function computeScore(old: Side, found: Side, moves: ReadonlySet<string>, line: number): number | null {
  const code = likeness(old.sketch, found.sketch)
  if (code === null || code < LEAST_CODE) return null
  const around = likeness(old.around, found.around)
  const alike = CODE_WEIGHT * code + (1 - CODE_WEIGHT) * (around ?? code)
  if (alike + NEARBY_BONUS < LEAST_SCORE) return null
  if (!isSameFile(moves, old, found)) return alike >= LEAST_SCORE_ELSEWHERE ? alike : null
  const near = Math.abs(found.line - line) <= NEARBY_LINES ? NEARBY_BONUS : 0
  return alike + near >= LEAST_SCORE ? alike + near : null
}

interface Candidate {
  readonly old: Side
  readonly found: Side
  readonly score: number
}

function take(matching: Matching, candidates: readonly Candidate[]): void {
  for (const { old, found } of candidates.toSorted(byScore)) {
    if (!matching.paired.has(old) && !matching.taken.has(found)) pair(matching, old, found)
  }
}

function byScore(one: Candidate, other: Candidate): number {
  return other.score - one.score
}

/** From which file to which findings have gone, by what was paired so far. */
function findFileMoves({ paired }: Matching): ReadonlySet<string> {
  const moves = new Set<string>()
  for (const [{ traits: old }, { traits: found }] of paired) {
    if (old.path !== found.path) moves.add(`${old.path}\n${found.path}`)
  }
  return moves
}

function isSameFile(moves: ReadonlySet<string>, { traits: old }: Side, { traits: found }: Side): boolean {
  if (old.path === found.path || moves.has(`${old.path}\n${found.path}`)) return true
  return basename(old.path) === basename(found.path)
}

/** Those of the same file, the nearest by line. */
function nearby(olds: readonly Side[], lines: ReadonlyMap<Side, number>, moves: ReadonlySet<string>) {
  const goesTo = new Map<string, string[]>()
  for (const move of moves) {
    const [from = '', to = ''] = move.split('\n')
    goesTo.set(from, [...(goesTo.get(from) ?? []), to])
  }
  const entries = olds.flatMap((old) => {
    const { rule, path } = old.traits
    const line = lines.get(old) ?? 0
    return [path, ...(goesTo.get(path) ?? [])].map((at) => ({ name: `${rule}\n${at}`, old, line }))
  })
  const files = Map.groupBy(
    entries.toSorted((a, b) => a.line - b.line),
    ({ name }) => name,
  )
  return ({ traits: { rule, path }, line }: Side): Side[] =>
    nearestTo(files.get(`${rule}\n${path}`) ?? [], line, MAX_CANDIDATES).map(({ old }) => old)
}

/** Those whose surroundings share one of their smallest numbers: two that are much alike most probably do. */
function sharing(olds: readonly Side[]) {
  const SMALLEST = 4
  const having = new Map<string, Side[]>()
  const toKeys = ({ traits, around }: Side) =>
    Array.from(around.subarray(0, SMALLEST), (number) => `${traits.rule}\n${number}`)
  for (const old of olds) {
    for (const name of toKeys(old)) {
      const group = having.get(name)
      if (group === undefined) having.set(name, [old])
      else if (group.length < MAX_SHARING) group.push(old)
    }
  }
  return (found: Side): Side[] => toKeys(found).flatMap((name) => having.get(name) ?? [])
}
