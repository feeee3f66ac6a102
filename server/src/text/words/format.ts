/** How the file of words is laid out. The packer writes it, the service maps it without parsing. */
const MAGIC = 'SCHOLWRD'
/** Another number here makes every file that was packed before one to be packed again. */
const FORMAT_VERSION = 1
export const HEADER_BYTES = 128
const FINGERPRINT_LENGTH = 64

/** Everything in the order in which it is written; arrays of larger elements come first, to be aligned. */
export interface Packed {
  readonly dimensions: number
  /** One term a line, most frequent first; a phrase is written with spaces. */
  readonly terms: readonly string[]
  /** The share of running text that is this term. */
  readonly frequencies: Float32Array
  /** What a unit of a term's int8 vector is worth. */
  readonly scales: Float32Array
  /** Where the kin of a term begin and, one further, end. */
  readonly kinStarts: Uint32Array
  readonly kin: Uint32Array
  /** Likeness of the kin, 255 for the same. */
  readonly kinLikeness: Uint8Array
  /** Where the subjects of a term begin and, one further, end. */
  readonly subjectStarts: Uint32Array
  readonly subjects: Uint16Array
  /** How much a term speaks for a subject, 255 for most. */
  readonly subjectShares: Uint8Array
  readonly subjectCount: number
  readonly vectors: Int8Array
  /** Of what the file was packed from. */
  readonly fingerprint: string
}

const KIN_COUNT_AT = 20
const TEXT_BYTES_AT = 24
const SUBJECT_LINKS_AT = 28
const SUBJECT_COUNT_AT = 32
const FINGERPRINT_AT = 36

export function encodeWords(packed: Packed): Buffer {
  const text = Buffer.from(packed.terms.join('\n'))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 0, 'latin1')
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeUInt32LE(packed.terms.length, 12)
  header.writeUInt32LE(packed.dimensions, 16)
  header.writeUInt32LE(packed.kin.length, KIN_COUNT_AT)
  header.writeUInt32LE(text.length, TEXT_BYTES_AT)
  header.writeUInt32LE(packed.subjects.length, SUBJECT_LINKS_AT)
  header.writeUInt32LE(packed.subjectCount, SUBJECT_COUNT_AT)
  header.write(packed.fingerprint, FINGERPRINT_AT, 'latin1')
  const { frequencies, scales, kinStarts, subjectStarts, kin } = packed
  const { subjects, kinLikeness, subjectShares, vectors } = packed
  const wide = [frequencies, scales, kinStarts, subjectStarts, kin]
  const arrays = [...wide, subjects, kinLikeness, subjectShares, vectors]
  const bytes = arrays.map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength))
  return Buffer.concat([header, ...bytes, text])
}

/** Null when these bytes are not a whole file of this version. */
export function decodeWords(bytes: Uint8Array<ArrayBuffer>): Packed | null {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_BYTES))
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) return null
  if (header.readUInt32LE(8) !== FORMAT_VERSION) return null
  const [count, dimensions] = [header.readUInt32LE(12), header.readUInt32LE(16)]
  const [kinCount, textBytes] = [header.readUInt32LE(KIN_COUNT_AT), header.readUInt32LE(TEXT_BYTES_AT)]
  const links = header.readUInt32LE(SUBJECT_LINKS_AT)
  const perTerm = 8 * count + 8 * (count + 1) + count * dimensions
  if (bytes.length !== HEADER_BYTES + perTerm + kinCount * 5 + links * 3 + textBytes) return null
  let at = bytes.byteOffset + HEADER_BYTES
  const take = (length: number) => {
    at += length
    return at - length
  }
  const { buffer } = bytes
  return {
    dimensions,
    frequencies: new Float32Array(buffer, take(count * 4), count),
    scales: new Float32Array(buffer, take(count * 4), count),
    kinStarts: new Uint32Array(buffer, take((count + 1) * 4), count + 1),
    subjectStarts: new Uint32Array(buffer, take((count + 1) * 4), count + 1),
    kin: new Uint32Array(buffer, take(kinCount * 4), kinCount),
    subjects: new Uint16Array(buffer, take(links * 2), links),
    kinLikeness: new Uint8Array(buffer, take(kinCount), kinCount),
    subjectShares: new Uint8Array(buffer, take(links), links),
    vectors: new Int8Array(buffer, take(count * dimensions), count * dimensions),
    terms: Buffer.from(buffer, take(textBytes), textBytes).toString('utf8').split('\n'),
    subjectCount: header.readUInt32LE(SUBJECT_COUNT_AT),
    fingerprint: header.toString('latin1', FINGERPRINT_AT, FINGERPRINT_AT + FINGERPRINT_LENGTH),
  }
}

/** Tells of what a file was packed from the beginning of it; null for another version. */
export function readFingerprint(header: Buffer): string | null {
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC || header.readUInt32LE(8) !== FORMAT_VERSION)
    return null
  return header.toString('latin1', FINGERPRINT_AT, FINGERPRINT_AT + FINGERPRINT_LENGTH)
}
