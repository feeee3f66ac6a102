import type { FileDiff, GitReader } from '../git/git-reader.ts'
import { diffLines, type Hunk, mapRange } from '../git/line-diff.ts'
import { findOccurrences } from './occurrences.ts'
import { isWord, type Token, tokenize } from './tokens.ts'

/** What became of the lines of a finding between the commit that was commented on and a later one. */
export type LineChange =
  /** The same text, wherever it is now. */
  | 'unchanged'
  /** The same tokens: only the format, comments, or names that were renamed in the whole file. */
  | 'formatted'
  /** The same lines are elsewhere, as often as before. */
  | 'moved'
  /** The tokens are the same, but those of a line next to them are not. */
  | 'beside'
  /** The tokens are the same, but some close to them are not. */
  | 'nearby'
  | 'changed'
  | 'deleted'
  /** The commit is lost, or the file is too large, or not a text. */
  | 'unreadable'

export interface LineRange {
  readonly path: string
  /** null = the whole file. */
  readonly start: number | null
  readonly end: number | null
}

export interface CodeChange {
  readonly kind: LineChange
  /** Tokens that are only in the new text or only in the old one, at the lines and near them. */
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
}

/** Whether somebody may have changed the lines because of the finding. */
export function isSubstance(kind: LineChange | null): boolean {
  return kind === 'changed' || kind === 'beside' || kind === 'nearby' || kind === 'deleted'
}

/** A guard is often added right above the lines that a finding is about. */
const BESIDE_LINES = 1
const NEARBY_LINES = 3
/** Beyond so many edits of tokens the lines are another text. */
const MAX_TOKEN_EDITS = 400
/** Each takes a pass over the file. */
const MAX_RENAMES = 50
/** A deletion may leave a little, such as the import of what does the same. */
const MAX_LEFT_SHARE = 0.25

const nothing: ReadonlySet<string> = new Set()

function only(kind: LineChange): CodeChange {
  return { kind, added: nothing, removed: nothing }
}

export async function findLineChange(
  git: GitReader,
  from: string,
  to: string,
  range: LineRange,
  /** Names that the finding asks for, of the file that was commented on. */
  listProposed: (before: readonly string[]) => ReadonlySet<string> = () => nothing,
): Promise<CodeChange> {
  const diff = await git.diffFile(from, to, range.path)
  if (diff === null) return only('unreadable')
  if (diff.path === null) return only('deleted')
  const { start, end } = range
  if (start === null || end === null) return only(diff.hunks.length === 0 ? 'unchanged' : 'changed')
  const near = diff.hunks.filter(
    ({ oldStart, oldCount }) =>
      oldStart <= end + 1 + NEARBY_LINES && oldStart + oldCount >= start - NEARBY_LINES,
  )
  if (near.length === 0) return only('unchanged')
  const [before, after] = [await git.readFile(from, range.path), await git.readFile(to, diff.path)]
  if (before === null || after === null) return only('unreadable')
  const change = compareTokens({ before, after, diff, near, path: range.path, start, end, listProposed })
  if (change.kind !== 'changed' && change.kind !== 'deleted') return change
  const block = before.slice(start - 1, end)
  return countBlocks(after, block) >= countBlocks(before, block) ? only('moved') : change
}

/** How often whole lines follow each other, however they are indented. */
export function countBlocks(lines: readonly string[], block: readonly string[]): number {
  const trim = (line: string) => line.trim()
  return [...findOccurrences(lines.map(trim), block.map(trim))].length
}

/** How often the tokens of some lines follow each other in a file; 0 if they are too few to tell. */
export function countTokens(
  lines: readonly string[],
  path: string,
  block: readonly string[],
  minTokens: number,
): number {
  const list = (texts: readonly string[]) => tokenize(texts, path, 1, texts.length).map(({ text }) => text)
  const wanted = list(block)
  return wanted.length < minTokens ? 0 : [...findOccurrences(list(lines), wanted)].length
}

interface Comparison {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly diff: FileDiff
  readonly near: readonly Hunk[]
  readonly path: string
  readonly start: number
  readonly end: number
  readonly listProposed: (before: readonly string[]) => ReadonlySet<string>
}

/** Compares the lines with some around them, widened to whole hunks. */
function compareTokens(comparison: Comparison): CodeChange {
  const { before, after, diff, near, path, start, end } = comparison
  const low = Math.max(1, Math.min(start - NEARBY_LINES, ...near.map(({ oldStart }) => oldStart - 1)))
  const high = Math.min(
    before.length,
    Math.max(end + NEARBY_LINES, ...near.map(({ oldStart, oldCount }) => oldStart + oldCount)),
  )
  const mapped = mapRange(diff.hunks, low, high)
  const newLow = low === 1 ? 1 : mapped.start
  const newHigh = high === before.length ? after.length : mapped.end
  const keep = tokenize(before, path, start, end).length === 0
  const old = tokenize(before, path, low, high, keep)
  const now = tokenize(after, diff.path ?? path, newLow, newHigh, keep)
  const renames = createRenames(before, after, comparison.listProposed)
  const edits = diffLines(
    old.map(({ text }) => text),
    now.map(({ text }) => text),
    MAX_TOKEN_EDITS,
  ).filter((edit) => !isRename(edit, old, now, renames))
  const change = classify(edits, old, now, start, end)
  const isSame = change.kind === 'formatted' && !mapRange(diff.hunks, start, end).isChanged
  return isSame ? { ...change, kind: 'unchanged' } : change
}

function classify(
  edits: readonly Hunk[],
  old: readonly Token[],
  now: readonly Token[],
  start: number,
  end: number,
): CodeChange {
  const first = old.findIndex(({ line }) => line >= start)
  const last = old.findLastIndex(({ line }) => line <= end)
  let [kind, distance, left, lost] = ['formatted' as LineChange, Infinity, 0, 0]
  const near: Hunk[] = []
  for (const edit of edits) {
    const [from, to] = [edit.oldStart - 1, edit.oldStart - 1 + edit.oldCount]
    const isInside = edit.oldCount === 0 ? from > first && from <= last : from <= last && to > first
    const lines = isInside ? 0 : measureDistance(edit, old, now, start, end)
    if (lines > NEARBY_LINES) continue
    near.push(edit)
    distance = Math.min(distance, lines)
    if (!isInside) continue
    lost += Math.min(to, last + 1) - Math.max(from, first)
    left += edit.newCount
  }
  if (distance === 0) kind = lost > last - first && left <= MAX_LEFT_SHARE * lost ? 'deleted' : 'changed'
  else if (distance <= BESIDE_LINES) kind = 'beside'
  else if (distance <= NEARBY_LINES) kind = 'nearby'
  const [had, has] = [new Set(old.map(({ text }) => text)), new Set(now.map(({ text }) => text))]
  const listTexts = (tokens: readonly Token[], at: number, count: number) =>
    tokens.slice(at - 1, at - 1 + count).map(({ text }) => text)
  return {
    kind,
    added: new Set(
      near.flatMap((edit) => listTexts(now, edit.newStart, edit.newCount)).filter((text) => !had.has(text)),
    ),
    removed: new Set(
      near.flatMap((edit) => listTexts(old, edit.oldStart, edit.oldCount)).filter((text) => !has.has(text)),
    ),
  }
}

/** Lines between an edit and the finding. An empty line between them counts too: a new function below is not beside. */
function measureDistance(
  { oldStart, oldCount, newStart, newCount }: Hunk,
  old: readonly Token[],
  now: readonly Token[],
  start: number,
  end: number,
): number {
  const lineAt = (tokens: readonly Token[], index: number, other: number) => tokens[index]?.line ?? other
  const [from, to] = [oldStart - 1, oldStart - 1 + oldCount]
  const isBelow = lineAt(old, from, Infinity) > end
  // The last token before an insertion, or the first of what was replaced.
  const nearest = isBelow ? from - (oldCount === 0 ? 1 : 0) : to - (oldCount === 0 ? 0 : 1)
  const lines = isBelow ? lineAt(old, nearest, end) - end : start - lineAt(old, nearest, start)
  if (oldCount > 0) return Math.max(1, lines)
  const border = isBelow ? newStart - 1 : newStart - 1 + newCount
  const hasGap = lineAt(now, border, 0) - lineAt(now, border - 1, 0) > 1
  return Math.max(1, lines + 1) + (hasGap ? 1 : 0)
}

type Renames = (from: string, to: string) => boolean

/** Whether all names of an edit were renamed. */
function isRename(
  { oldStart, oldCount, newStart, newCount }: Hunk,
  old: readonly Token[],
  now: readonly Token[],
  isRenamed: Renames,
): boolean {
  if (oldCount !== newCount) return false
  return old.slice(oldStart - 1, oldStart - 1 + oldCount).every(({ text }, index) => {
    const to = now[newStart - 1 + index]?.text ?? ''
    return text === to || isRenamed(text, to)
  })
}

/** A name of the file's own that has another name everywhere, as often as before. */
function createRenames(
  before: readonly string[],
  after: readonly string[],
  listProposed: Comparison['listProposed'],
): Renames {
  const known = new Map<string, boolean>()
  const isName = (text: string) => /^[\p{L}_$]/u.test(text)
  return (from, to) => {
    const key = `${from} ${to}`
    const earlier = known.get(key)
    if (earlier !== undefined) return earlier
    if (!isName(from) || !isName(to) || known.size >= MAX_RENAMES) return false
    const uses = listUses(before, from)
    const isRenamed =
      uses.length > 1 &&
      !uses.includes('foreign') &&
      listUses(after, from).length === 0 &&
      listUses(before, to).length === 0 &&
      listUses(after, to).length === uses.length &&
      !listProposed(before).has(to)
    known.set(key, isRenamed)
    return isRenamed
  }
}

/** A member, an import or a call may be another thing under another name: `md5` that becomes `sha256` is a fix. */
function listUses(lines: readonly string[], name: string): ('foreign' | 'own')[] {
  return lines.flatMap((line) => {
    const isImport = /^\s*(?:import|from|use|#include|require)\b/.test(line)
    const uses: ('foreign' | 'own')[] = []
    for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + name.length)) {
      const [previous, next] = [line[at - 1] ?? ' ', line[at + name.length] ?? ' ']
      if (isWord(previous) || isWord(next)) continue
      uses.push(isImport || previous === '.' || next === '(' ? 'foreign' : 'own')
    }
    return uses
  })
}
