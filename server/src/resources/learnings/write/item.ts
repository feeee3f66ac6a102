import type { Static } from 'typebox'
import { explainShapeErrors } from '../../../http/explain-shape.ts'
import type { LearningId, OrganizationId } from '../../../ids.ts'
import { compileShape } from '../../../shape.ts'
import { findTextFlags, type TextFlag } from '../../../text/flags.ts'
import {
  contentHash,
  learningId,
  MAX_CODE_POINTS,
  readLearning,
  textForIdentity,
} from '../../../text/identity.ts'
import { REDACTOR_VERSION, redact } from '../../../text/redact.ts'
import { ImportableItem } from './schema.ts'

export interface HashableContent {
  readonly repository_id: string
  /** Never stored: only the hashes of older redactor versions derive from it. */
  readonly sent: string
  readonly identity: string
}

/** The redacted content of a Learning. */
export interface RedactedContent extends HashableContent {
  readonly text: string
  readonly file: string | null
  readonly source_url: string | null
  readonly flags: readonly TextFlag[]
}

/** A validated item. */
export interface ParsedItem extends RedactedContent {
  readonly isImport: boolean
  readonly sharesFlagged: boolean
}

export type ValidatedItem = { readonly item: ParsedItem } | { readonly problem: string }

const hasShape = compileShape(ImportableItem)

/** Validates one item. The problem text never quotes values. */
export function validateItem(given: unknown): ValidatedItem {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return { problem: 'The item must be an object with repository_id and learning, without nested objects.' }
  if (!hasShape(given)) return { problem: explainShapeErrors('item', hasShape.errors) }
  const item = given as Static<typeof ImportableItem>
  const problem = findProblem(item)
  if (problem !== null) return { problem }
  const learning = readLearning(item.learning)
  if (learning === null) return { problem: describeBadText(item.learning) }
  const file = redactOptional(item.file)
  return {
    item: {
      repository_id: item.repository_id,
      sent: item.learning,
      text: learning.stored.text,
      identity: learning.identity,
      file,
      source_url: redactOptional(item.source_url),
      flags: findTextFlags(learning.stored.text, file),
      isImport: item.import === true,
      sharesFlagged: item.share_flagged === true,
    },
  }
}

/** Explains why `readLearning` returned null. */
export function describeBadText(sent: string): string {
  return sent.trim() === ''
    ? 'learning is blank.'
    : `learning is longer than ${MAX_CODE_POINTS.toLocaleString('en')} code points after trimming.`
}

function findProblem(item: Static<typeof ImportableItem>): string | null {
  const unstorable = Object.entries(item).find(
    ([, value]) => typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()),
  )
  if (unstorable) return `${unstorable[0]} contains a NUL character or half a surrogate pair.`
  if (item.file?.trim() === '') return 'file is blank. Omit it if there is no file.'
  return item.source_url === undefined ? null : findUrlProblem(item.source_url)
}

function findUrlProblem(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url === null || /\s/.test(text)) return 'source_url must be a URL that begins with http:// or https://.'
  // The parser drops empty user info (https://@host), so look for the @ itself.
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#\\]/, 1)[0] ?? ''
  if (url.username !== '' || url.password !== '' || authority.includes('@'))
    return 'source_url contains user info. Remove the user name and password.'
  return null
}

/** A link or path may contain a secret, and everyone who can read the Learning can read it. */
function redactOptional(text: string | null | undefined): string | null {
  return text === undefined || text === null ? null : redact(text).text
}

/** For texts that an older redactor version may have redacted. */
export function reRedactTexts({
  text,
  file,
  source_url,
}: Pick<RedactedContent, 'text' | 'file' | 'source_url'>) {
  const redacted = redact(text).text
  const redactedFile = redactOptional(file)
  return {
    text: redacted,
    flags: findTextFlags(redacted, redactedFile),
    file: redactedFile,
    source_url: redactOptional(source_url),
  }
}

export function hashContent({ repository_id, identity }: Omit<HashableContent, 'sent'>): Buffer {
  return contentHash(repository_id, identity)
}

/** Every hash that the text may be stored under, newest first: rows of older redactor versions are updated in the background. */
export function hashContentForVersions(content: HashableContent, oldestVersion: number): Buffer[] {
  return listIdentities(content, oldestVersion).map((identity) =>
    contentHash(content.repository_id, identity),
  )
}

/** Every id that a Learning created with the text may have, newest first. */
export function deriveIdsForVersions(
  organization: OrganizationId,
  content: HashableContent,
  oldestVersion: number,
): LearningId[] {
  const location = { organization, repository: content.repository_id }
  return listIdentities(content, oldestVersion).map((identity) => learningId(location, identity))
}

function listIdentities(content: HashableContent, oldestVersion: number): string[] {
  const identities = [content.identity]
  for (let version = REDACTOR_VERSION - 1; version >= oldestVersion; version--)
    identities.push(textForIdentity(content.sent, version))
  return identities
}
