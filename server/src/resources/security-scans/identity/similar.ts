import { basename } from 'node:path/posix'
import {
  addPair,
  createLinePredictor,
  type FindingMatchState,
  findNearest,
  getUnpairedNews,
  getUnpairedOlds,
  type MatchSide,
} from './match-state.ts'
import { computeSimilarity } from './sketch.ts'

// How alike two must be to be taken for one: code and what is around it count, and lines that are near help a little.
const MIN_CODE_SIMILARITY = 0.2
const MIN_SCORE = 0.42
const MIN_SCORE_OTHER_FILE = 0.5
const MIN_SURROUNDINGS_OTHER_FILE = 0.3
const CODE_WEIGHT = 0.55
const NEARBY_LINES = 20
const NEARBY_BONUS = 0.08
const UNKNOWN_SIMILARITY = 0.5

// For each finding so many others are looked at: those of its file that are nearest, or that have most in common with it.
const MAX_CANDIDATES = 8
const MAX_SHARING = 8
const MAX_SCORED_PAIRS = 4

/** The same code in another file: only where the file, or what is around the code, has gone there too. */
export function pairMoved(state: FindingMatchState): void {
  const moves = findFileMoves(state)
  const olds = Map.groupBy(getUnpairedOlds(state), ({ traits }) => `${traits.rule}\n${traits.snippet}`)
  const candidates = getUnpairedNews(state).flatMap((found) => {
    const { rule, snippet } = found.traits
    if (snippet === null) return []
    const same = olds.get(`${rule}\n${snippet}`)?.slice(0, MAX_SHARING) ?? []
    return same.flatMap((old) => {
      const around = computeSimilarity(old.around, found.around) ?? UNKNOWN_SIMILARITY
      const score = around + (isSameFile(moves, old, found) ? 1 : 0)
      return score >= MIN_SURROUNDINGS_OTHER_FILE ? [{ old, found, score }] : []
    })
  })
  pairByScore(state, candidates)
}

/** Code that was edited, in the same file or where the file has gone. */
export function pairSimilar(state: FindingMatchState): void {
  const moves = findFileMoves(state)
  const olds = getUnpairedOlds(state)
  const predictLine = createLinePredictor(state)
  const lines = new Map(olds.map((old) => [old, predictLine(old)]))
  const near = indexByFile(olds, lines, moves)
  const alike = indexBySurroundings(olds)
  const candidates = getUnpairedNews(state).flatMap((found) => {
    const all = [...new Set([...near(found), ...alike(found)])].flatMap((old) => {
      const score = computeScore(old, found, moves, lines.get(old) ?? 0)
      return score === null ? [] : [{ old, found, score }]
    })
    return all.length <= MAX_SCORED_PAIRS ? all : all.toSorted(byScore).slice(0, MAX_SCORED_PAIRS)
  })
  pairByScore(state, candidates)
}

function computeScore(
  old: MatchSide,
  found: MatchSide,
  moves: ReadonlySet<string>,
  line: number,
): number | null {
  const code = computeSimilarity(old.sketch, found.sketch)
  if (code === null || code < MIN_CODE_SIMILARITY) return null
  const around = computeSimilarity(old.around, found.around)
  const alike = CODE_WEIGHT * code + (1 - CODE_WEIGHT) * (around ?? code)
  if (alike + NEARBY_BONUS < MIN_SCORE) return null
  if (!isSameFile(moves, old, found)) return alike >= MIN_SCORE_OTHER_FILE ? alike : null
  const near = Math.abs(found.line - line) <= NEARBY_LINES ? NEARBY_BONUS : 0
  return alike + near >= MIN_SCORE ? alike + near : null
}

interface ScoredPair {
  readonly old: MatchSide
  readonly found: MatchSide
  readonly score: number
}

function pairByScore(state: FindingMatchState, candidates: readonly ScoredPair[]): void {
  for (const { old, found } of candidates.toSorted(byScore)) {
    if (!state.paired.has(old) && !state.taken.has(found)) addPair(state, old, found)
  }
}

function byScore(one: ScoredPair, other: ScoredPair): number {
  return other.score - one.score
}

/** From which file to which findings have gone, by what was paired so far. */
function findFileMoves({ paired }: FindingMatchState): ReadonlySet<string> {
  const moves = new Set<string>()
  for (const [{ traits: old }, { traits: found }] of paired) {
    if (old.path !== found.path) moves.add(`${old.path}\n${found.path}`)
  }
  return moves
}

function isSameFile(
  moves: ReadonlySet<string>,
  { traits: old }: MatchSide,
  { traits: found }: MatchSide,
): boolean {
  if (old.path === found.path || moves.has(`${old.path}\n${found.path}`)) return true
  return basename(old.path) === basename(found.path)
}

/** Those of the same file, the nearest by line. */
function indexByFile(
  olds: readonly MatchSide[],
  lines: ReadonlyMap<MatchSide, number>,
  moves: ReadonlySet<string>,
) {
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
  return ({ traits: { rule, path }, line }: MatchSide): MatchSide[] =>
    findNearest(files.get(`${rule}\n${path}`) ?? [], line, MAX_CANDIDATES).map(({ old }) => old)
}

/** Those whose surroundings share one of their smallest numbers: two that are much alike most probably do. */
function indexBySurroundings(olds: readonly MatchSide[]) {
  const SMALLEST = 4
  const having = new Map<string, MatchSide[]>()
  const toKeys = ({ traits, around }: MatchSide) =>
    Array.from(around.subarray(0, SMALLEST), (number) => `${traits.rule}\n${number}`)
  for (const old of olds) {
    for (const name of toKeys(old)) {
      const group = having.get(name)
      if (group === undefined) having.set(name, [old])
      else if (group.length < MAX_SHARING) group.push(old)
    }
  }
  return (found: MatchSide): MatchSide[] => toKeys(found).flatMap((name) => having.get(name) ?? [])
}
