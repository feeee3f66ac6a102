import type { GitReader } from '../git/git-reader.ts'
import { mapRange } from '../git/line-diff.ts'
import type { LineRange } from './line-change.ts'
import { findOccurrences } from './occurrences.ts'

/** A shorter text, such as a bracket, is found by chance. It must then replace exactly the lines of the finding. */
const MIN_DISTINCT_LENGTH = 8
/** Lines around the mapped range where the suggestion may begin: others may have added lines beside it. */
const MARGIN_LINES = 2

/**
 * Whether the suggested text is where the lines of the finding were, and was not there before. A formatter may have wrapped
 * it or changed its quotes; any other edit is no match.
 */
export async function isSuggestionPresent(
  git: GitReader,
  from: string,
  to: string,
  { path, start, end }: LineRange,
  suggestion: readonly string[],
): Promise<boolean> {
  if (start === null || end === null) return false
  const diff = await git.diffFile(from, to, path)
  if (diff === null || diff.path === null) return false
  const [before, after] = [await git.readFile(from, path), await git.readFile(to, diff.path)]
  if (before === null || after === null) return false
  const mapped = mapRange(diff.hunks, start, end)
  const replaced = before.slice(start - 1, end)
  const wanted = toKey(suggestion)
  const added = suggestion.length + MARGIN_LINES
  if (wanted === '') return mapped.end < mapped.start && !isElsewhere(after, replaced)
  if (toKey(replaced) === wanted) return false
  if (wanted.length < MIN_DISTINCT_LENGTH)
    return mapped.isChanged && toKey(after.slice(mapped.start - 1, mapped.end)) === wanted
  return (
    hasBlock(after.slice(Math.max(mapped.start - 1 - added, 0), mapped.end + added), suggestion) &&
    !hasBlock(before.slice(Math.max(start - 1 - added, 0), end + added), suggestion)
  )
}

/** Lines that were moved are not removed. */
function isElsewhere(lines: readonly string[], removed: readonly string[]): boolean {
  return toKey(removed).length >= MIN_DISTINCT_LENGTH && hasBlock(lines, removed)
}

/** Whether whole lines that follow each other have the text. */
export function hasBlock(lines: readonly string[], text: readonly string[]): boolean {
  const keys = lines.map(toLineKey)
  const starts = new Set<number>()
  let length = 0
  for (const key of keys) {
    starts.add(length)
    length += key.length
  }
  starts.add(length)
  const wanted = toKey(text)
  for (const start of findOccurrences(keys.join(''), wanted))
    if (starts.has(start) && starts.has(start + wanted.length)) return true
  return false
}

function toKey(lines: readonly string[]): string {
  return lines.map(toLineKey).join('')
}

/** The line without what formatters change: white space, the kind of quotes, semicolons and commas at its end. */
function toLineKey(line: string): string {
  const text = line.replace(/\s+/g, '').replace(/["`]/g, "'")
  let end = text.length
  while (end > 0 && (text[end - 1] === ';' || text[end - 1] === ',')) end--
  return text.slice(0, end).replace(/,(?=[)\]}])/g, '')
}
