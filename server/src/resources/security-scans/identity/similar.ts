import { basename } from 'node:path/posix'
import { computeSimilarity } from '../../../text/sketch.ts'
import {
  addPair,
  createLinePredictor,
  type FindingMatchState,
  findNearest,
  getUnpairedNews,
  getUnpairedOlds,
  type MatchSide,
} from './match-state.ts'

// Thresholds for matching two findings: similarity of code and surroundings, with a small bonus for nearby lines.
const MIN_CODE_SIMILARITY = 0.2
const MIN_SCORE = 0.42
const MIN_SCORE_OTHER_FILE = 0.5
const MIN_SURROUNDINGS_OTHER_FILE = 0.3
const CODE_WEIGHT = 0.55
const NEARBY_LINES = 20
const NEARBY_BONUS = 0.08
const UNKNOWN_SIMILARITY = 0.5

// Limits on the candidates per finding: the nearest in its file, and those that share most with it.
const MAX_CANDIDATES = 8
const MAX_SHARING = 8
const MAX_SCORED_PAIRS = 4

/** Pairs equal code in different files, if the file or the surroundings of the code moved too. */
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

/** Pairs edited code in the same file or in the file it moved to. */
export function pairSimilar(state: FindingMatchState): void {
  const moves = findFileMoves(state)
  const olds = getUnpairedOlds(state)
  const predictLine = createLinePredictor(state)
  const lines = new Map(olds.map((old) => [old, predictLine(old)]))
  const nearInFile = indexByFile(olds, lines, moves)
  const withSimilarSurroundings = indexBySurroundings(olds)
  const candidates = getUnpairedNews(state).flatMap((found) => {
    const all = [...new Set([...nearInFile(found), ...withSimilarSurroundings(found)])].flatMap((old) => {
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
  const similarity = CODE_WEIGHT * code + (1 - CODE_WEIGHT) * (around ?? code)
  if (similarity + NEARBY_BONUS < MIN_SCORE) return null
  if (!isSameFile(moves, old, found)) return similarity >= MIN_SCORE_OTHER_FILE ? similarity : null
  const bonus = Math.abs(found.line - line) <= NEARBY_LINES ? NEARBY_BONUS : 0
  return similarity + bonus >= MIN_SCORE ? similarity + bonus : null
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

/** File moves, derived from the pairs found so far. */
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

/** Returns a lookup of the nearest findings in the same file. */
function indexByFile(
  olds: readonly MatchSide[],
  lines: ReadonlyMap<MatchSide, number>,
  moves: ReadonlySet<string>,
) {
  const movedTo = new Map<string, string[]>()
  for (const move of moves) {
    const [from = '', to = ''] = move.split('\n')
    movedTo.set(from, [...(movedTo.get(from) ?? []), to])
  }
  const entries = olds.flatMap((old) => {
    const { rule, path } = old.traits
    const line = lines.get(old) ?? 0
    return [path, ...(movedTo.get(path) ?? [])].map((at) => ({ name: `${rule}\n${at}`, old, line }))
  })
  const files = Map.groupBy(
    entries.toSorted((a, b) => a.line - b.line),
    ({ name }) => name,
  )
  return ({ traits: { rule, path }, line }: MatchSide): MatchSide[] =>
    findNearest(files.get(`${rule}\n${path}`) ?? [], line, MAX_CANDIDATES).map(({ old }) => old)
}

/** Returns a lookup by the smallest sketch numbers, which similar surroundings most likely share. */
function indexBySurroundings(olds: readonly MatchSide[]) {
  const SMALLEST_COUNT = 4
  const byNumber = new Map<string, MatchSide[]>()
  const toKeys = ({ traits, around }: MatchSide) =>
    Array.from(around.subarray(0, SMALLEST_COUNT), (number) => `${traits.rule}\n${number}`)
  for (const old of olds) {
    for (const name of toKeys(old)) {
      const group = byNumber.get(name)
      if (group === undefined) byNumber.set(name, [old])
      else if (group.length < MAX_SHARING) group.push(old)
    }
  }
  return (found: MatchSide): MatchSide[] => toKeys(found).flatMap((name) => byNumber.get(name) ?? [])
}
