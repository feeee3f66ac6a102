// A line diff for small files: where a line went, and unified hunks.

export interface Hunk {
  readonly oldStart: number
  readonly newStart: number
  /** With their prefix: ` `, `-` or `+`. */
  readonly lines: readonly string[]
}

const MAX_CELLS = 4_000_000

export function toLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** For each old line, the index of the same line in the new text, or null. */
export function matchLines(before: readonly string[], after: readonly string[]): (number | null)[] {
  const matches: (number | null)[] = before.map(() => null)
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) {
    matches[start] = start
    start++
  }
  let [endBefore, endAfter] = [before.length, after.length]
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--
    endAfter--
    matches[endBefore] = endAfter
  }
  matchMiddle(before.slice(start, endBefore), after.slice(start, endAfter), start, matches)
  return matches
}

/** The longest common subsequence, by a table of lengths. */
function matchMiddle(
  before: readonly string[],
  after: readonly string[],
  offset: number,
  matches: (number | null)[],
): void {
  const width = after.length + 1
  if (before.length * after.length > MAX_CELLS) return
  const lengths = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) matches[offset + i++] = offset + j++
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
}

/** A three-way merge; null = both sides changed the same or neighbouring lines. */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] | null {
  const [inOurs, inTheirs] = [matchLines(base, ours), matchLines(base, theirs)]
  const merged: string[] = []
  let [start, ourStart, theirStart] = [0, 0, 0]
  for (let index = 0; index <= base.length; index++) {
    // Lines that all have are anchors; the end is one too.
    const our = index === base.length ? ours.length : (inOurs[index] ?? null)
    const their = index === base.length ? theirs.length : (inTheirs[index] ?? null)
    if (our === null || their === null) continue
    const region = mergeRegion(
      base.slice(start, index),
      ours.slice(ourStart, our),
      theirs.slice(theirStart, their),
    )
    if (region === null) return null
    merged.push(...region, ...base.slice(index, index + 1))
    ;[start, ourStart, theirStart] = [index + 1, our + 1, their + 1]
  }
  return merged
}

function mergeRegion(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | null {
  const isSame = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((line, index) => line === b[index])
  if (isSame(base, ours) || isSame(ours, theirs)) return theirs
  return isSame(base, theirs) ? ours : null
}

interface Row {
  readonly text: string
  readonly oldLine: number
  readonly newLine: number
}

/** Unified hunks with `context` lines around each change. */
export function createHunks(before: readonly string[], after: readonly string[], context = 3): Hunk[] {
  const rows = toRows(before, after)
  const isNear = (index: number) =>
    rows.slice(Math.max(0, index - context), index + context + 1).some(({ text }) => !text.startsWith(' '))
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = []
  let open = false
  for (const [index, { text, oldLine, newLine }] of rows.entries()) {
    const near = isNear(index)
    if (near && !open) hunks.push({ oldStart: oldLine, newStart: newLine, lines: [] })
    if (near) hunks.at(-1)?.lines.push(text)
    open = near
  }
  return hunks
}

function toRows(before: readonly string[], after: readonly string[]): Row[] {
  const matches = matchLines(before, after)
  const rows: Row[] = []
  let next = 0
  const addUntil = (end: number, oldLine: number) => {
    for (; next < end; next++) rows.push({ text: `+${after[next]}`, oldLine, newLine: next + 1 })
  }
  for (const [index, match] of matches.entries()) {
    if (match === null) {
      rows.push({ text: `-${before[index]}`, oldLine: index + 1, newLine: next + 1 })
      continue
    }
    addUntil(match, index + 1)
    rows.push({ text: ` ${before[index]}`, oldLine: index + 1, newLine: match + 1 })
    next = match + 1
  }
  addUntil(after.length, before.length + 1)
  return rows
}

export function renderHunk({ oldStart, newStart, lines }: Hunk): string {
  const oldCount = lines.filter((line) => !line.startsWith('+')).length
  const newCount = lines.filter((line) => !line.startsWith('-')).length
  return [`@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`, ...lines].join('\n')
}
