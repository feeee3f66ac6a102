import { hash } from 'node:crypto'
import { cleanName } from '../../names.ts'

// A Git provider may have values that our events cannot: longer names, paths with line breaks, commits that are lost.
// One of them must not keep a whole pull request or inventory from being reported.

const MAX_PATH_LENGTH = 1024
const MAX_EMAIL_LENGTH = 320
const MAX_LINE = 2 ** 31 - 1

/** Without control characters and halves of surrogate pairs, and cut. It may be empty. */
export function toLine(text: string, maxLength: number): string {
  return cleanName(text.toWellFormed()).slice(0, maxLength).toWellFormed()
}

/** A digest in place of an identity that is too long: a part of it could be that of another. */
export function toKey(text: string, maxLength: number): string {
  return text !== '' && text.length <= maxLength && isLine(text) ? text : hash('sha256', text)
}

/** null: a part of a path, or one with other characters, would be that of another file. */
export function toPath(path: string | null): string | null {
  return path !== null && path !== '' && path.length <= MAX_PATH_LENGTH && isLine(path) ? path : null
}

export function toUrl(url: string): string | null {
  return isLine(url) && /^https?:\/\/\S{1,2040}$/.test(url) ? url : null
}

export function toEmail(email: string | null): string | null {
  if (email === null || email.length > MAX_EMAIL_LENGTH || !isLine(email)) return null
  return /^[^@, ]{1,318}@[^@, ]{1,318}$/.test(email) ? email : null
}

export function toCommit(commit: string | null): string | null {
  return commit !== null && /^[0-9a-f]{7,64}$/i.test(commit) ? commit : null
}

export function toLineNumber(line: number | null): number | null {
  return line !== null && Number.isInteger(line) && line >= 1 && line <= MAX_LINE ? line : null
}

/** The author of a commit chooses its time. */
export function toTime(time: string | null): string | null {
  return time !== null && /^\d{4}-/.test(time) && !Number.isNaN(Date.parse(time)) ? time : null
}

function isLine(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}
