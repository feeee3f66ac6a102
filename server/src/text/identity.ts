import { hash } from 'node:crypto'
import type { LearningId, OrganizationId } from '../ids.ts'
import { REDACTOR_VERSION, type RedactedText, redact } from './redact.ts'

/** Where a text belongs; the repository by the id that its provider gave it. */
export interface LearningLocation {
  readonly organization: OrganizationId
  readonly repository: string
}

export interface RedactedLearning {
  /** As it was sent, apart from trimming and redaction. */
  readonly stored: RedactedText
  /** What ids and hashes derive from. */
  readonly identity: string
}

/** Code points after trimming, before redaction. */
export const MAX_CODE_POINTS = 10_000

// Drawn once. Another one would give every Learning another id.
const NAMESPACE = '43c4a271-65a3-4a0c-9b01-260d8c498c4b'
const VERSION_5 = 0x50
const VARIANT = 0x80

/** Null when there is nothing in the text, or more than allowed. */
export function readLearning(sent: string, version = REDACTOR_VERSION): RedactedLearning | null {
  const text = sent.trim()
  if (text === '' || isTooLong(text)) return null
  const stored = redact(text, version)
  // To redact is most of the work, and most texts are spelled the one way already.
  const identity = canonicalizeSpelling(text) === text ? stored.text : textForIdentity(text, version)
  return { stored, identity }
}

/** Texts that only differ in white space around them, in line ends or in how letters are composed are the same. */
export function textForIdentity(text: string, version = REDACTOR_VERSION): string {
  return redact(canonicalizeSpelling(text.trim()), version).text
}

function canonicalizeSpelling(text: string): string {
  return text.normalize('NFC').replaceAll(/\r\n?/g, '\n')
}

/** UUIDv5 over organization, repository and text; the counter enters only where the id before is held by other content. */
export function learningId(
  { organization, repository }: LearningLocation,
  identity: string,
  counter = 0,
): LearningId {
  const parts = [organization.toLowerCase(), repository, identity]
  // JSON keeps the parts apart: no two lists are written alike.
  return uuidVersion5(NAMESPACE, JSON.stringify(counter === 0 ? parts : [...parts, counter])) as LearningId
}

/** The ids that a text may have, best first: the first that is free is taken. */
export function* learningIds(location: LearningLocation, identity: string): Generator<LearningId, never> {
  for (let counter = 0; ; counter++) yield learningId(location, identity, counter)
}

/** Unique among the live Learnings of a repository. */
export function contentHash(repository: string, identity: string): Buffer {
  return hash('sha256', JSON.stringify([repository, identity]), 'buffer')
}

export function isTooLong(text: string): boolean {
  if (text.length <= MAX_CODE_POINTS) return false
  if (text.length > 2 * MAX_CODE_POINTS) return true
  let count = 0
  for (const _ of text) count++
  return count > MAX_CODE_POINTS
}

/** RFC 9562, 5.5. */
export function uuidVersion5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  const bytes = hash('sha1', Buffer.concat([space, Buffer.from(name)]), 'buffer')
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | VERSION_5
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | VARIANT
  const digits = bytes.toString('hex', 0, 16)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
