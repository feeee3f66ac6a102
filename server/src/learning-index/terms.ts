import { hash } from 'node:crypto'
import type { OrganizationId } from '../ids.ts'

/** Hashes include the organization, so that organizations share no entries of the inverted index. */
export function hashTerms(organization: OrganizationId, terms: readonly string[]): bigint[] {
  const prefix = `${organization.toLowerCase()}\0`
  return terms.map((term) => hash('sha256', prefix + term, 'buffer').readBigInt64BE(0))
}

const HALF_BYTES = 2
const HEADER_BYTES = 4

/** The binary format of halfvec, ten times cheaper for PostgreSQL to read than text. */
export function encodeHalfVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + HALF_BYTES * vector.length)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  view.setUint16(0, vector.length)
  for (const [index, value] of vector.entries()) view.setFloat16(HEADER_BYTES + HALF_BYTES * index, value)
  return bytes
}

const renderedHalves: (string | undefined)[] = []

/** The text format of halfvec, with the shortest digits that round to the same half. */
export function renderHalfVector(vector: Float32Array): string {
  const halves = new Float16Array(vector)
  const rendered = Array.from(new Uint16Array(halves.buffer), (bits, index) => {
    renderedHalves[bits] ??= renderShortest(halves[index] ?? 0)
    return renderedHalves[bits]
  })
  return `[${rendered.join(',')}]`
}

function renderShortest(half: number): string {
  const digits = [1, 2, 3, 4, 5].map((count) => Number(half.toPrecision(count)))
  return String(digits.find((value) => Math.f16round(value) === half) ?? half)
}
