import type { Line } from './markdown-model.ts'

/** Removes HTML comments, except in code. A comment that does not end is text. */
export function removeComments(lines: readonly Line[]): Line[] {
  const remaining: Line[] = []
  let fence: string | null = null
  let index = 0
  while (index < lines.length) {
    const line = lines[index] as Line
    index += 1
    fence = trackFence(line.text, fence)
    const start = fence === null ? findComment(line.text) : -1
    if (start === -1) {
      remaining.push(line)
      continue
    }
    const end = findEnd(lines, index - 1, start)
    if (end === null) {
      remaining.push(line)
      continue
    }
    const rest = line.text.slice(0, start) + end.rest
    index = end.index
    // The rest of a line may contain another comment; a line that was only a comment separates nothing.
    if (rest.trim() === '') continue
    remaining.push(...removeComments([{ text: rest, number: line.number }]))
  }
  return remaining
}

/** The fence that is open after the line; null if none. */
export function trackFence(text: string, open: string | null): string | null {
  if (open !== null) return isClosingFence(text, open) ? null : open
  return /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[1] ?? null
}

export function isClosingFence(text: string, fence: string): boolean {
  const closing = /^\s*(`{3,}|~{3,})\s*$/.exec(text)?.[1]
  return closing !== undefined && closing[0] === fence[0] && closing.length >= fence.length
}

/** The position of the first comment that is not in a code span; -1 if none. */
function findComment(text: string): number {
  const withoutCode = text.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, (span) => ' '.repeat(span.length))
  return withoutCode.indexOf('<!--')
}

function findEnd(
  lines: readonly Line[],
  index: number,
  start: number,
): { readonly rest: string; readonly index: number } | null {
  for (let at = index; at < lines.length; at++) {
    const text = lines[at]?.text ?? ''
    const end = text.indexOf('-->', at === index ? start + '<!--'.length : 0)
    if (end !== -1) return { rest: text.slice(end + '-->'.length), index: at + 1 }
  }
  return null
}
