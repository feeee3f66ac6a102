import { readQueryTerms, renderChangedLines } from '../../text/rank/query.ts'
import type { QueryTerms } from '../../text/rank/rank.ts'
import { redact } from '../../text/redact.ts'
import { parseDiff } from './changed-lines.ts'

const MAX_EMBEDDED_CHARACTERS = 4_000
const MAX_FILES = 300

/** What a review is about, redacted. */
export interface ReviewQuery {
  readonly files: readonly string[]
  readonly terms: QueryTerms
  /** What is embedded, unless there are no terms. */
  readonly content: string
}

export function readReviewQuery(body: {
  readonly text?: string
  readonly diff?: string
  readonly files?: readonly string[]
}): ReviewQuery {
  const changes = parseDiff(body.diff ?? '')
  const text = redact(body.text ?? '').text
  const diff = redact(changes.lines).text
  return {
    files: [...new Set([...(body.files ?? []), ...changes.files])].slice(0, MAX_FILES),
    terms: readQueryTerms(text, diff),
    content: `${text}\n${renderChangedLines(diff)}`.trim().slice(0, MAX_EMBEDDED_CHARACTERS),
  }
}
