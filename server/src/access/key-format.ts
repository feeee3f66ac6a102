import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The kinds of API keys, in the order of the contract's table. */
export const keyKinds = ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic'] as const
export type KeyKind = (typeof keyKinds)[number]

const prefixes: Record<KeyKind, string> = {
  organization: 'sch_org_',
  user: 'sch_usr_',
  workspace: 'sch_wsp_',
  instance: 'sch_ins_',
  legacy: 'sch_leg_',
  agentic: 'sch_agt_',
}
/** The prefix of ingest credentials, which are no API keys. */
export const INGEST_PREFIX = 'sch_ing_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 30 // 178 bits
const CHECK_DIGITS = 6
export const PREFIX_LENGTH = 8
const keyPattern = /^sch_(?:org|usr|wsp|ins|leg|agt)_[0-9A-Za-z]{36}$/

export function createKeyValue(kind: KeyKind): string {
  return createSecret(prefixes[kind])
}

/** A value in the format of keys, for credentials that are not API keys. The prefix shows what it is. */
export function createSecret(prefix: string): string {
  let body = prefix
  for (let digit = 0; digit < RANDOM_DIGITS; digit++) body += alphabet[randomInt(alphabet.length)]
  return body + checkDigits(body)
}

/** Detects a mistyped key without the database. */
export function isWellFormedKey(value: string): boolean {
  return keyPattern.test(value) && checkDigits(value.slice(0, -CHECK_DIGITS)) === value.slice(-CHECK_DIGITS)
}

/** As `isWellFormedKey`, for values of `createSecret`. */
export function isWellFormedSecret(prefix: string, value: string): boolean {
  return (
    value.length === prefix.length + RANDOM_DIGITS + CHECK_DIGITS &&
    value.startsWith(prefix) &&
    /^\w+$/.test(value) &&
    checkDigits(value.slice(0, -CHECK_DIGITS)) === value.slice(-CHECK_DIGITS)
  )
}

/** The kind that the prefix of a value shows, whether the value is a key or not. */
export function findKindByPrefix(value: string): KeyKind | null {
  return keyKinds.find((kind) => value.startsWith(prefixes[kind])) ?? null
}

/** Keys have 178 random bits, so a fast digest is safe to store; a slow hash would slow down every request. */
export function hashKey(value: string): Buffer {
  return hash('sha256', value, 'buffer')
}

export function describeKey(value: string): { prefix: string; lastFour: string } {
  return { prefix: value.slice(0, PREFIX_LENGTH), lastFour: value.slice(-4) }
}

function checkDigits(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let digit = 0; digit < CHECK_DIGITS; digit++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
