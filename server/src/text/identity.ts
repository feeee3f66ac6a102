import { hash } from 'node:crypto'
import type { LearningId, OrganizationId } from '../ids.ts'
import { normalizeText } from './normalize.ts'
import { REDACTOR_VERSION, type RedactedText, redact } from './redact.ts'

/** The repository is the ID assigned by the Git provider. */
export interface LearningLocation {
  readonly organization: OrganizationId
  readonly repository: string
}

export interface RedactedLearning {
  /** The text as sent, trimmed and redacted. */
  readonly stored: RedactedText
  /** The canonical text that ids and hashes derive from. */
  readonly identity: string
}

/** Code points after trimming, before redaction. */
export const MAX_CODE_POINTS = 10_000

// Random, and fixed forever: another namespace would change the id of every Learning.
const NAMESPACE = '43c4a271-65a3-4a0c-9b01-260d8c498c4b'
const VERSION_5 = 0x50
const VARIANT = 0x80

/** Null if the text is blank or too long. */
export function readLearning(sent: string, version = REDACTOR_VERSION): RedactedLearning | null {
  const text = sent.trim()
  if (text === '' || isTooLong(text)) return null
  const stored = redact(text, version)
  // Redaction is the expensive part, and most texts are canonical already.
  const identity = canonicalizeSpelling(text) === text ? stored.text : textForIdentity(text, version)
  return { stored, identity }
}

/** Texts that differ only in surrounding white space, line endings or Unicode composition are the same. */
export function textForIdentity(text: string, version = REDACTOR_VERSION): string {
  return redact(canonicalizeSpelling(text.trim()), version).text
}

function canonicalizeSpelling(text: string): string {
  return normalizeText(text, 'NFC').replaceAll(/\r\n?/g, '\n')
}

/** UUIDv5 of organization, repository and text, with a counter if the id is taken by other content. */
export function learningId(
  { organization, repository }: LearningLocation,
  identity: string,
  counter = 0,
): LearningId {
  const parts = [organization.toLowerCase(), repository, identity]
  // JSON is unambiguous: different lists never have the same encoding.
  return uuidVersion5(NAMESPACE, JSON.stringify(counter === 0 ? parts : [...parts, counter])) as LearningId
}

/** Ids of a disapproved text, in order of preference: use the first that no Learning has. */
export function* learningIds(location: LearningLocation, identity: string): Generator<LearningId, never> {
  for (let counter = 0; ; counter++) yield learningId(location, identity, counter)
}

/** Unique among the Learnings of a repository. */
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

/** RFC 9562, section 5.5. */
export function uuidVersion5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  const bytes = hash('sha1', Buffer.concat([space, Buffer.from(name)]), 'buffer')
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | VERSION_5
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | VARIANT
  const digits = bytes.toString('hex', 0, 16)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
