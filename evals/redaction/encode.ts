import { crc32 } from 'node:zlib'
import { base62, type Random } from '../../proofs/tools/random.ts'
import { type Part, plain, secret, type Value } from './pattern.ts'

const CHECKSUM_LENGTH = 6

/** CRC-32 in base 62, with which several issuers end their tokens. */
export function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = base62.charAt(rest % base62.length) + digits
    rest = Math.floor(rest / base62.length)
  }
  return digits
}

interface Armor {
  readonly begin: string
  readonly end: string
  readonly headers?: readonly string[]
  /** The fixed start of the body. */
  readonly start?: string
  /** Characters of the body, including the start. */
  readonly length: number
  /** Characters per line; 64 by default. */
  readonly width?: number
  /** 1 by default. */
  readonly padding?: number
  readonly trailer?: readonly string[]
}

/** Lines of base64 between a first and a last line. */
export function armor(random: Random, options: Armor): Value {
  const { begin, end, headers = [], start = '', length, width = 64, padding = 1, trailer = [] } = options
  const body = start + random.base64(length - start.length - padding) + '='.repeat(padding)
  const lines: Part[] = []
  for (let from = 0; from < body.length; from += width) {
    const fixed = body.slice(from, Math.min(Math.max(start.length, from), from + width))
    lines.push(plain(fixed), secret(body.slice(from + fixed.length, from + width)), plain('\n'))
  }
  const head = [begin, ...headers, ...(headers.length > 0 ? [''] : [])].map((line) => plain(`${line}\n`))
  const tail = [...trailer, end].join('\n')
  return [...head, ...lines, plain(tail)].filter(({ text }) => text !== '')
}

/** `label` is the text between BEGIN or END and the dashes. */
export function pem(random: Random, label: string, body: Omit<Armor, 'begin' | 'end'>): Value {
  return armor(random, { ...body, begin: `-----BEGIN ${label}-----`, end: `-----END ${label}-----` })
}

/** Assembled here, so that secret scanners find no header of a private key in the repository. */
export function privateKeyLabel(type: string): string {
  return [...(type === '' ? [] : [type]), 'PRIVATE', 'KEY'].join(' ')
}

const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const bech32Generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** 32 random bytes and their checksum (BIP 173). */
export function bech32(random: Random, name: string): string {
  const data = [...Array(51)].map(() => random.below(32))
  data.push(random.below(2) * 16) // 256 bits leave four of the last character's five bits empty
  const letters = [...Buffer.from(name)]
  const high = letters.map((letter) => letter >> 5)
  const low = letters.map((letter) => letter & 31)
  const check = bech32Polymod([...high, 0, ...low, ...data, 0, 0, 0, 0, 0, 0]) ^ 1
  const checks = [5, 4, 3, 2, 1, 0].map((position) => (check >>> (5 * position)) & 31)
  return [...data, ...checks].map((value) => bech32Alphabet.charAt(value)).join('')
}

function bech32Polymod(values: readonly number[]): number {
  let check = 1
  for (const value of values) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of bech32Generator.entries()) if ((top >>> bit) & 1) check ^= generator
  }
  return check
}
