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
  const bits = new Uint16Array(halves.buffer)
  let rendered = ''
  for (let index = 0; index < bits.length; index++) {
    const key = bits[index] as number
    renderedHalves[key] ??= renderShortest(halves[index] as number)
    rendered += index === 0 ? renderedHalves[key] : `,${renderedHalves[key]}`
  }
  return `[${rendered}]`
}

/** A half has at most five digits, and almost always three or four. The zeros at their end are dropped. */
function renderShortest(half: number): string {
  for (const count of [3, 4]) {
    const value = Number(half.toPrecision(count))
    if (Math.f16round(value) === half) return String(value)
  }
  return String(Number(half.toPrecision(5)))
}
