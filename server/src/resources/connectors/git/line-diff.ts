/** Old lines from `oldStart` on, from 1, that were replaced by new lines. An insertion has no old lines and comes before `oldStart`. */
export interface Hunk {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
}

export interface MappedRange {
  /** The new lines in place of the old ones; `end` is before `start` if all were removed. */
  readonly start: number
  readonly end: number
  readonly isChanged: boolean
}

/** The search for a shortest edit is given up after this many edits: what lies between is then one hunk. */
const MAX_EDITS = 1_500

export function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The shortest edit between two lists of lines, or of tokens (Myers' algorithm). */
export function diffLines(
  oldKeys: readonly string[],
  newKeys: readonly string[],
  maxEdits = MAX_EDITS,
): Hunk[] {
  let start = 0
  while (start < oldKeys.length && start < newKeys.length && oldKeys[start] === newKeys[start]) start++
  let oldEnd = oldKeys.length
  let newEnd = newKeys.length
  while (oldEnd > start && newEnd > start && oldKeys[oldEnd - 1] === newKeys[newEnd - 1]) {
    oldEnd--
    newEnd--
  }
  if (start === oldEnd && start === newEnd) return []
  const pairs = findCommonLines(oldKeys.slice(start, oldEnd), newKeys.slice(start, newEnd), maxEdits)
  return toHunks(pairs, start, oldEnd, newEnd)
}

/** Indexes of equal lines, in order. */
type LinePair = readonly [oldIndex: number, newIndex: number]

function findCommonLines(
  oldKeys: readonly string[],
  newKeys: readonly string[],
  maxEdits: number,
): LinePair[] {
  const [n, m] = [oldKeys.length, newKeys.length]
  const limit = Math.min(n + m, maxEdits)
  const furthest = new Int32Array(2 * limit + 2)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(furthest.slice(limit - edits, limit + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const below = furthest[limit + diagonal + 1] ?? 0
      const right = (furthest[limit + diagonal - 1] ?? 0) + 1
      const isDown = diagonal === -edits || (diagonal !== edits && right <= below)
      let x = isDown ? below : right
      let y = x - diagonal
      while (x < n && y < m && oldKeys[x] === newKeys[y]) {
        x++
        y++
      }
      furthest[limit + diagonal] = x
      if (x >= n && y >= m) return walkBack(trace, n, m)
    }
  }
  return []
}

function walkBack(trace: readonly Int32Array[], n: number, m: number): LinePair[] {
  const pairs: LinePair[] = []
  let [x, y] = [n, m]
  for (let edits = trace.length - 1; edits > 0; edits--) {
    // The snapshot starts at diagonal -edits.
    const furthest = trace[edits] ?? new Int32Array()
    const diagonal = x - y
    const below = furthest[diagonal + 1 + edits] ?? 0
    const right = (furthest[diagonal - 1 + edits] ?? 0) + 1
    const isDown = diagonal === -edits || (diagonal !== edits && right <= below)
    const previousX = isDown ? below : right - 1
    const previousY = previousX - (isDown ? diagonal + 1 : diagonal - 1)
    while (x > previousX && y > previousY) pairs.push([--x, --y])
    x = previousX
    y = previousY
  }
  while (x > 0 && y > 0) pairs.push([--x, --y])
  return pairs.toReversed()
}

function toHunks(pairs: readonly LinePair[], offset: number, oldEnd: number, newEnd: number): Hunk[] {
  const hunks: Hunk[] = []
  let [oldNext, newNext] = [offset, offset]
  for (const [oldIndex, newIndex] of [
    ...pairs.map(([a, b]): LinePair => [a + offset, b + offset]),
    [oldEnd, newEnd] as const,
  ]) {
    if (oldIndex > oldNext || newIndex > newNext)
      hunks.push({
        oldStart: oldNext + 1,
        oldCount: oldIndex - oldNext,
        newStart: newNext + 1,
        newCount: newIndex - newNext,
      })
    oldNext = oldIndex + 1
    newNext = newIndex + 1
  }
  return hunks
}

/** Where the lines from `start` to `end` are after the hunks. Lines inserted between them are a change, lines around them are not. */
export function mapRange(hunks: readonly Hunk[], start: number, end: number): MappedRange {
  let newStart = start
  let newEnd = end
  let isChanged = false
  for (const hunk of hunks) {
    const oldEnd = hunk.oldStart + hunk.oldCount
    const shift = hunk.newStart + hunk.newCount - oldEnd
    const isBefore = oldEnd <= start
    const isInside =
      hunk.oldCount === 0 ? hunk.oldStart > start && hunk.oldStart <= end : hunk.oldStart <= end
    if (isBefore) newStart = start + shift
    if (isBefore || (isInside && oldEnd <= end + 1)) newEnd = end + shift
    if (isBefore || !isInside) continue
    if (hunk.oldStart <= start) newStart = hunk.newStart
    if (oldEnd > end) newEnd = hunk.newStart + hunk.newCount - 1
    isChanged = true
  }
  return { start: newStart, end: newEnd, isChanged }
}
