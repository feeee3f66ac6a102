import type { FileDiff, GitReader } from '../git/git-reader.ts'
import { diffLines, mapRange } from '../git/line-diff.ts'
import { findOccurrences } from './occurrences.ts'

/** What became of the lines of a finding between the commit that was commented on and a later one. */
export type LineChange =
  /** The same text, wherever it is now. */
  | 'unchanged'
  /** Only spaces, tabs or line breaks at the end of lines. */
  | 'whitespace'
  /** The lines are the same, but the next line is not, or the one after it. */
  | 'beside'
  /** The lines are the same, but a line close to them is not. */
  | 'nearby'
  /** The same lines are elsewhere in the file, as often as before. */
  | 'moved'
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

/** Whether somebody may have changed the lines because of the finding. */
export function isFix(lines: LineChange | null): boolean {
  return lines === 'changed' || lines === 'beside'
}

/** A guard is often added right above the lines that a finding is about. */
const BESIDE_LINES = 1
const NEARBY_LINES = 3

export async function findLineChange(
  git: GitReader,
  from: string,
  to: string,
  range: LineRange,
): Promise<LineChange> {
  const diff = await git.diffFile(from, to, range.path)
  if (diff === null) return 'unreadable'
  if (diff.path === null) return 'deleted'
  const { start, end } = range
  if (start === null || end === null) return diff.hunks.length === 0 ? 'unchanged' : 'changed'
  if (!mapRange(diff.hunks, start, end).isChanged) return measureDistance(diff, start, end)
  const [before, after] = [await git.readFile(from, range.path), await git.readFile(to, diff.path)]
  if (before === null || after === null) return 'unreadable'
  const hunks = diffLines(before, after, (line) => line.replace(/\s+/g, ''))
  if (!mapRange(hunks, start, end).isChanged) return 'whitespace'
  const block = before.slice(start - 1, end)
  return countBlocks(after, block) >= countBlocks(before, block) ? 'moved' : 'changed'
}

export function countBlocks(lines: readonly string[], block: readonly string[]): number {
  const trim = (line: string) => line.trim()
  return [...findOccurrences(lines.map(trim), block.map(trim))].length
}

function measureDistance({ hunks }: FileDiff, start: number, end: number): LineChange {
  const hasHunkWithin = (lines: number) =>
    hunks.some(
      ({ oldStart, oldCount }) => oldStart <= end + 1 + lines && oldStart + oldCount >= start - lines,
    )
  if (hasHunkWithin(BESIDE_LINES)) return 'beside'
  return hasHunkWithin(NEARBY_LINES) ? 'nearby' : 'unchanged'
}
