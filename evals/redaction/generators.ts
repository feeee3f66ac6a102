// Generators that patterns of every corpus may use.

import type { Random } from '../../proofs/tools/random.ts'
import { bech32 } from './encode.ts'
import { type Generator, type Generators, plain, secret, toBase64, type Value } from './pattern.ts'

/** Returns a list of words.jsonl. */
export type WordLists = (list: string) => readonly string[]

export function createGenerators(words: WordLists): Generators {
  return {
    digits: sized((random, length) => random.digits(length)),
    hex: sized((random, length) => random.hex(length)),
    lower: sized((random, length) => random.lower(length)),
    upper: sized((random, length) => random.upper(length)),
    base32: sized((random, length) => random.base32(length)),
    base62: sized((random, length) => random.base62(length)),
    base64: sized((random, length) => random.base64(length)),
    base64url: sized((random, length) => random.base64Url(length)),
    'base64-bytes': sized((random, length) => toBase64(random.bytes(length))),
    chars: (random, alphabet = '', length) => random.chars(alphabet, toInteger(length)),
    uuid: (random) => random.uuid(),
    below: (random, limit) => String(random.below(toInteger(limit))),
    between: (random, min, max) => String(random.between(toInteger(min), toInteger(max))),
    /** A number without a leading zero. */
    id: sized((random, length) => `${random.between(1, 9)}${random.digits(length - 1)}`),
    'one-of': (random, ...choices) => random.pick(choices),
    word: (random, list = '') => random.pick(words(list)),
    bech32: (random, name = '') => bech32(random, name),
    user: (random) => [plain(pickUser(random, words))],
    service: (random) => [plain(pickService(random, words))],
    domain: (random) => [plain(random.pick(words('domains')))],
    host: (random) => [plain(createHost(random, words))],
    mail: (random) => [plain(createMailAddress(random, words))],
    password: (random) => createPassword(random, words),
    'url-password': (random) => createUrlPassword(random, words),
    /** `user:password` of a URL. One hole, so that secret scanners do not take a pattern for a real URL. */
    'user-info': (random) => createUserInfo(random, words),
  }
}

function sized(generate: (random: Random, length: number) => string): Generator {
  return (random, length) => generate(random, toInteger(length))
}

export function toInteger(text: string | undefined): number {
  const value = Number(text)
  if (text === undefined || !Number.isInteger(value)) throw new Error(`"${text ?? ''}" must be an integer`)
  return value
}

export function pickUser(random: Random, words: WordLists): string {
  return random.pick(words('users'))
}

export function pickService(random: Random, words: WordLists): string {
  return random.pick(words('services'))
}

export function createHost(random: Random, words: WordLists): string {
  const service = `${pickService(random, words)}-${random.pick(['db', 'mq', 'cache', 'api'])}`
  return `${service}.${random.pick(words('domains'))}`
}

export function createMailAddress(random: Random, words: WordLists): string {
  return `${pickUser(random, words).replace('_', '.')}@${random.pick(words('domains'))}`
}

/** As a password manager or a person would choose it. */
function createPassword(random: Random, words: WordLists): string {
  const animal = () => random.pick(words('animals'))
  const thing = () => random.pick(words('things'))
  const styles = [
    () => random.base62(random.between(12, 24)),
    () => `${random.base62(7)}!${random.base62(5)}#${random.base62(4)}`,
    () => `${animal()}${random.pick(['.', '-', '_'])}${thing()}${random.digits(3)}!`,
    () => `${thing()}@${random.digits(4)}${animal()}`,
    () => `${random.lower(6)}-${random.lower(6)}-${random.lower(6)}`,
  ]
  return random.pick(styles)()
}

export function createUserInfo(random: Random, words: WordLists): Value {
  return [plain(`${pickUser(random, words)}:`), secret(createUrlPassword(random, words))]
}

/** Percent-encoded where a URL requires it. */
function createUrlPassword(random: Random, words: WordLists): string {
  return encodeURIComponent(createPassword(random, words)).replaceAll('!', '%21')
}
