import type { Static } from 'typebox'
import { explainShapeErrors } from '../../../http/validate.ts'
import { compileShape } from '../../../shape.ts'
import { MAX_CODE_POINTS, readLearning } from '../../../text/identity.ts'
import { redact } from '../../../text/redact.ts'
import { LearningItem } from './schema.ts'

/** One text to be kept. What was sent stays inside of the request: older hashes derive from it. */
export interface ParsedItem {
  readonly repository_id: string
  readonly sent: string
  readonly text: string
  readonly identity: string
  readonly file: string | null
  readonly source_url: string | null
}

export type ValidatedItem = { readonly item: ParsedItem } | { readonly problem: string }

const hasShape = compileShape(LearningItem)

/** Whatever was sent as an item: what is to be kept of it, or what is wrong with it, quoting nothing. */
export function validateItem(given: unknown): ValidatedItem {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return { problem: 'The item must be an object with repository_id and learning, not nested any further.' }
  if (!hasShape(given)) return { problem: explainShapeErrors('item', hasShape.errors) }
  const item = given as Static<typeof LearningItem>
  const problem = findProblem(item)
  if (problem !== null) return { problem }
  const learning = readLearning(item.learning)
  if (learning === null) return { problem: describeBadText(item.learning) }
  return {
    item: {
      repository_id: item.repository_id,
      sent: item.learning,
      text: learning.stored.text,
      identity: learning.identity,
      file: redactOptional(item.file),
      source_url: redactOptional(item.source_url),
    },
  }
}

/** Why readLearning makes nothing of a text. */
export function describeBadText(sent: string): string {
  return sent.trim() === ''
    ? 'learning is blank.'
    : `learning is longer than ${MAX_CODE_POINTS.toLocaleString('en')} code points after trimming.`
}

function findProblem(item: Static<typeof LearningItem>): string | null {
  const unstorable = Object.entries(item).find(([, text]) => text.includes('\0') || !text.isWellFormed())
  if (unstorable) return `${unstorable[0]} contains a NUL character or half a surrogate pair.`
  if (item.file?.trim() === '') return 'file is blank. Leave it out when there is none.'
  return item.source_url === undefined ? null : findUrlProblem(item.source_url)
}

function findUrlProblem(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url === null || /\s/.test(text)) return 'source_url is not a URL that begins with http:// or https://.'
  // A URL may be spelled so that its user info is empty: what counts is that nothing stands before an @.
  const authority = text.slice(text.indexOf('//') + 2).split(/[/?#\\]/, 1)[0] ?? ''
  if (url.username !== '' || url.password !== '' || authority.includes('@'))
    return 'source_url carries user info. Send it without a name and a password.'
  return null
}

/** A link may carry a token, and a path a key: they are told to everybody who reads the Learning. */
function redactOptional(text: string | undefined): string | null {
  return text === undefined ? null : redact(text).text
}
