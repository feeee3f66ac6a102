// A sketch holds the smallest hashes (two bytes each, sorted) of the words and word pairs of a text. The share of numbers
// that two sketches have in common estimates the similarity of their texts (MinHash).

const MAX_SKETCH_NUMBERS = 32
const BYTES_PER_NUMBER = 2
const ABOVE_ALL_NUMBERS = 0x10000
const isWord = /^[\p{L}\p{N}_$]/u

export function createSketch(tokens: readonly string[]): string {
  const words = tokens.filter((one) => isWord.test(one)).map((one) => one.toLowerCase())
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  return encodeSketch(hashFeatures([...words, ...pairs]).slice(0, MAX_SKETCH_NUMBERS))
}

export function encodeSketch(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * BYTES_PER_NUMBER)
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, index * BYTES_PER_NUMBER)
  return bytes.toString('base64url')
}

export function decodeSketch(sketch: string): Uint16Array {
  const bytes = Buffer.from(sketch, 'base64url')
  const numbers = new Uint16Array(bytes.length / BYTES_PER_NUMBER)
  for (let index = 0; index < numbers.length; index++)
    numbers[index] = bytes.readUInt16BE(index * BYTES_PER_NUMBER)
  return numbers
}

/** Returns a value between 0 and 1, or null if a sketch is empty. `maxNumbers` is the size of a full sketch. */
export function computeSimilarity(
  one: ArrayLike<number>,
  other: ArrayLike<number>,
  maxNumbers = MAX_SKETCH_NUMBERS,
): number | null {
  if (one.length === 0 || other.length === 0) return null
  let both = 0
  let all = 0
  let a = 0
  let b = 0
  // Compares only the smallest numbers of the union, up to the size of a sketch: larger ones may be missing.
  while (all < maxNumbers && (a < one.length || b < other.length)) {
    const left = a < one.length ? (one[a] as number) : ABOVE_ALL_NUMBERS
    const right = b < other.length ? (other[b] as number) : ABOVE_ALL_NUMBERS
    if (left === right) both++
    if (left <= right) a++
    if (right <= left) b++
    all++
  }
  return both / all
}

/** The distinct hashes of texts, smallest first: a sketch of any length. */
export function hashFeatures(features: readonly string[]): number[] {
  return [...new Set(features.map(hashWord))].toSorted((a, b) => a - b)
}

/** FNV-1a, folded to two bytes. */
function hashWord(word: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193)
  return ((value >>> 16) ^ value) & 0xffff
}
