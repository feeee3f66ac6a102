// A small file can be crafted to take a lot of memory when parsed: deep nesting, or a huge number of values. Both are
// counted in the text before it is parsed.

export const MAX_NESTING_LEVELS = 64
export const MAX_VALUES = 4_000_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

export type LimitViolation = 'levels' | 'values' | null

/** Returns which limit a JSON text exceeds, or null. */
export function findLimitViolation(text: string): LimitViolation {
  let levels = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const charCode = text.charCodeAt(at)
    if (charCode === QUOTE) at = findStringEnd(text, at)
    else if (OPENING.has(charCode)) {
      values++
      if (++levels > MAX_NESTING_LEVELS) return 'levels'
    } else if (CLOSING.has(charCode)) levels--
    else if (charCode === COMMA && ++values > MAX_VALUES) return 'values'
  }
  return values > MAX_VALUES ? 'values' : null
}

function findStringEnd(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
