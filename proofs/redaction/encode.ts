import { crc32 } from 'node:zlib'
import { base62, type Random } from './random.ts'
import { type Part, plain, type Value } from './value.ts'

/** CRC-32 in base 62, as several issuers end their tokens. */
export function checkDigits(text: string, length = 6): string {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < length) {
    digits = base62.charAt(rest % base62.length) + digits
    rest = Math.floor(rest / base62.length)
  }
  return digits
}

export function base64Of(content: string | Buffer): string {
  return Buffer.from(content).toString('base64')
}

export function base64UrlOf(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** The header tells nothing; who holds claims and signature is let in. */
export function jsonWebToken(random: Random, algorithm: 'HS256' | 'RS256', claims: object): Value {
  const header = base64UrlOf({ alg: algorithm, typ: 'JWT' })
  const signature = random.base64Url(algorithm === 'HS256' ? 43 : 342)
  return [plain(`${header}.`), { text: `${base64UrlOf(claims)}.${signature}`, secret: true }]
}

interface Armour {
  readonly begin: string
  readonly end: string
  readonly headers?: readonly string[]
  /** What every such body starts with. */
  readonly start?: string
  /** Characters of the body, the start included. */
  readonly length: number
  readonly width?: number
  /** 1 when nothing is said. */
  readonly padding?: 0 | 1
  readonly last?: readonly string[]
}

/** Lines of base64 between two that say what they are. */
export function armoured(random: Random, armour: Armour): Value {
  const { begin, end, headers = [], start = '', length, width = 64, padding = 1, last = [] } = armour
  const body = start + random.base64(length - start.length - padding) + '='.repeat(padding)
  const lines: Part[] = []
  for (let from = 0; from < body.length; from += width) {
    const fixed = body.slice(from, Math.min(Math.max(start.length, from), from + width))
    lines.push(
      plain(fixed),
      { text: body.slice(from + fixed.length, from + width), secret: true },
      plain('\n'),
    )
  }
  const head = [begin, ...headers, ...(headers.length > 0 ? [''] : [])].map((line) => plain(`${line}\n`))
  const tail = [...last, end].join('\n')
  return [...head, ...lines, plain(tail)].filter(({ text }) => text !== '')
}

/** Never written out, so that scans of our sources find no beginning of a key. */
export function privateKeyLabel(kind: string): string {
  return [`${kind}PRIVATE`, 'KEY'].join(' ')
}

/** `what` is the middle of the line, such as a kind of key. */
export function pem(random: Random, what: string, body: Omit<Armour, 'begin' | 'end'>): Value {
  return armoured(random, { ...body, begin: `-----BEGIN ${what}-----`, end: `-----END ${what}-----` })
}

const bech32Letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const bech32Steps = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** 32 random bytes with their check letters (BIP 173). */
export function bech32(random: Random, name: string): string {
  const data = [...Array(51)].map(() => random.below(32))
  data.push(random.below(2) * 16) // 256 bits leave four of the last letter's five empty
  const letters = [...Buffer.from(name)]
  const expanded = letters.map((letter) => letter >> 5)
  const low = letters.map((letter) => letter & 31)
  const check = bech32Check([...expanded, 0, ...low, ...data, 0, 0, 0, 0, 0, 0]) ^ 1
  const checks = [5, 4, 3, 2, 1, 0].map((place) => (check >>> (5 * place)) & 31)
  return [...data, ...checks].map((letter) => bech32Letters.charAt(letter)).join('')
}

function bech32Check(values: readonly number[]): number {
  let check = 1
  for (const value of values) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    for (const [bit, step] of bech32Steps.entries()) if ((top >>> bit) & 1) check ^= step
  }
  return check
}
