import { hash } from 'node:crypto'
import type { OrganizationId } from '../ids.ts'
import type { Words } from '../text/words/words.ts'

/** A term of one organization as a number: that of another is never met in the index, not even as a longer list. */
export function hashTerms(organization: OrganizationId, terms: readonly string[]): bigint[] {
  const place = `${organization.toLowerCase()}\0`
  return terms.map((term) => hash('sha256', place + term, 'buffer').readBigInt64BE(0))
}

const HALF_BYTES = 2
const HEADER_BYTES = 4

/** As PostgreSQL sends and receives a halfvec, which costs it a tenth of reading digits. */
export function encodeHalfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + HALF_BYTES * vector.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  view.setUint16(0, vector.length)
  for (const [place, value] of vector.entries()) view.setFloat16(HEADER_BYTES + HALF_BYTES * place, value)
  return bytes
}

const renderedHalves: (string | undefined)[] = []

/** As PostgreSQL reads a halfvec, each number as short as half precision allows: there are only so many of them. */
export function renderHalfVector(vector: Float32Array): string {
  const halves = new Float16Array(vector)
  const rendered = Array.from(new Uint16Array(halves.buffer), (bits, place) => {
    renderedHalves[bits] ??= renderShortest(halves[place] ?? 0)
    return renderedHalves[bits]
  })
  return `[${rendered.join(',')}]`
}

function renderShortest(half: number): string {
  const digits = [1, 2, 3, 4, 5].map((count) => Number(half.toPrecision(count)))
  return String(digits.find((value) => Math.f16round(value) === half) ?? half)
}

/** The terms that say most come first: searches look up the first of them only. */
export function sortTermsByWeight({ places, weights }: Words, terms: readonly string[]): string[] {
  const weightOf = (term: string) => {
    const place = places.get(term)
    return place === undefined ? 1 : (weights[place] ?? 1)
  }
  return terms
    .map((term) => ({ term, weight: weightOf(term) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ term }) => term)
}
