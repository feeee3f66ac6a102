const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
export const base62 = digits + upper + lower

/** A source of choices that are the same in every run. */
export interface Random {
  /** An integer from 0 up to, but not including, the limit. */
  below(limit: number): number
  /** An integer; both bounds are included. */
  between(min: number, max: number): number
  pick<Item>(items: readonly Item[]): Item
  chars(alphabet: string, length: number): string
  digits(length: number): string
  hex(length: number): string
  /** Digits and lower-case letters. */
  lower(length: number): string
  /** Digits and upper-case letters. */
  upper(length: number): string
  base62(length: number): string
  base32(length: number): string
  /** Without padding. */
  base64(length: number): string
  base64Url(length: number): string
  bytes(length: number): Buffer
  uuid(): string
}

/** The same seed makes the same choices. */
export function createRandom(seed: string): Random {
  const next = createGenerator(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const chars = (alphabet: string, length: number) => {
    let text = ''
    while (text.length < length) text += alphabet.charAt(below(alphabet.length))
    return text
  }
  const hex = (length: number) => chars(`${digits}abcdef`, length)
  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    chars,
    digits: (length) => chars(digits, length),
    hex,
    lower: (length) => chars(digits + lower, length),
    upper: (length) => chars(digits + upper, length),
    base62: (length) => chars(base62, length),
    base32: (length) => chars(`${upper}234567`, length),
    base64: (length) => chars(`${base62}+/`, length),
    base64Url: (length) => chars(`${base62}-_`, length),
    bytes: (length) => Buffer.from(hex(length * 2), 'hex'),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${chars('89ab', 1)}${hex(3)}-${hex(12)}`,
  }
}

/** The generator mulberry32, seeded with FNV-1a of the text. */
function createGenerator(seed: string): () => number {
  let state = 0x811c9dc5
  for (const byte of Buffer.from(seed)) state = Math.imul(state ^ byte, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
