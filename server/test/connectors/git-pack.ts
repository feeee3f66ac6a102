import { createHash } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'

const MEBIBYTE = 1024 * 1024

/** A pack with one file of zeros, made without compressing all of them. */
export function createZeroBlob(mebibytes: number): { readonly id: string; readonly pack: Buffer } {
  const zeros = Buffer.alloc(MEBIBYTE)
  const size = mebibytes * MEBIBYTE
  const hash = createHash('sha1').update(`blob ${size}\0`)
  for (let index = 0; index < mebibytes; index++) hash.update(zeros)
  // A flushed block ends at a byte and refers to nothing before it, so it can be repeated.
  const block = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((size % 65_521) * 65_536 + 1)
  const content = [
    Buffer.from([0x78, 0x01]),
    ...Array.from({ length: mebibytes }, () => block),
    Buffer.from([0x03, 0x00]),
    checksum,
  ]
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1')
  const pack = Buffer.concat([head, toObjectHeader(3, size), ...content])
  return { id: hash.digest('hex'), pack: Buffer.concat([pack, createHash('sha1').update(pack).digest()]) }
}

/** Four bits of the size with the type, then seven bits each. */
function toObjectHeader(type: number, size: number): Buffer {
  const bytes: number[] = []
  let left = Math.floor(size / 16)
  let byte = type * 16 + (size % 16)
  while (left > 0) {
    bytes.push(byte + 128)
    byte = left % 128
    left = Math.floor(left / 128)
  }
  return Buffer.from([...bytes, byte])
}

/** The response of version 2 of the protocol to a fetch. */
export function toFetchResult(pack: Buffer): Buffer {
  const lines = [toPacket(Buffer.from('packfile\n'))]
  for (let start = 0; start < pack.length; start += 60_000)
    lines.push(toPacket(Buffer.concat([Buffer.from([1]), pack.subarray(start, start + 60_000)])))
  return Buffer.concat([...lines, Buffer.from('0000')])
}

function toPacket(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content])
}
