import type { ParsedFinding } from '../finding.ts'
import type { CodeChange, LineRange } from './line-change.ts'
import { isWord, tokenize } from './tokens.ts'

/** What a finding asks for: tokens that its code has and that the lines of the finding do not have, and the reverse. */
export interface Proposal {
  /** A suggested change says all of it; code in a text may be about anything. */
  readonly isWhole: boolean
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
}

/** Further text of a comment is for other tools. */
const MAX_TEXT = 6_000
const MIN_NAME_LENGTH = 3

/** Lines around the finding that its text may quote. */
const MARGIN_LINES = 3

export function getBlock(lines: readonly string[], { start, end }: LineRange, margin = 0): readonly string[] {
  return lines.slice(Math.max((start ?? 1) - 1 - margin, 0), (end ?? lines.length) + margin)
}

/** `body` is the comment, `before` the file that was commented on. */
export function readProposal(
  { clues: { suggestion }, file }: ParsedFinding,
  body: string,
  before: readonly string[],
  range: LineRange,
): Proposal {
  const toTexts = (lines: readonly string[]) =>
    new Set(tokenize(lines, file ?? '', 1, lines.length).map(({ text }) => text))
  const had = toTexts(getBlock(before, range, MARGIN_LINES))
  if (suggestion !== null) {
    const wanted = toTexts(suggestion)
    const added = [...wanted].filter((text) => !had.has(text))
    return {
      isWhole: true,
      added: new Set(added),
      removed: new Set([...toTexts(getBlock(before, range))].filter((text) => !wanted.has(text))),
    }
  }
  const names = listCode(body).flatMap((code) => [...toTexts(code.split('\n'))])
  const added = names.filter((text) => isWord(text) && text.length >= MIN_NAME_LENGTH && !had.has(text))
  return { isWhole: false, added: new Set(added), removed: new Set() }
}

/** Code between backticks and in fences; of a diff, only what it adds. */
function listCode(body: string): string[] {
  const parts = body.slice(0, MAX_TEXT).split('```')
  return parts.flatMap((part, index) => {
    if (index % 2 === 0) return part.split('`').filter((_, position) => position % 2 === 1)
    const [language = '', ...lines] = part.split('\n')
    if (language.trim() !== 'diff') return [lines.join('\n')]
    return [lines.flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : [])).join('\n')]
  })
}

/** Of a suggestion half must be done; code in a text may be about anything, so that a part of it is enough. */
const MIN_SHARE = 0.5
const MIN_SHARE_OF_TEXT = 0.25
/** A text with more names asks for none of them in particular. */
const MAX_NAMES = 12

/** Whether the change has what was asked for; null = it cannot be compared. */
export function measureFollowing(
  { isWhole, added, removed }: Proposal,
  change: CodeChange,
): 'followed' | 'not_followed' | null {
  // What deletes the lines, or changes others, follows no suggestion for them.
  if (change.kind === 'deleted' || (isWhole && change.kind === 'nearby')) return null
  const [wanted, done] = added.size > 0 ? [added, change.added] : [removed, change.removed]
  if (wanted.size === 0) return isWhole ? 'not_followed' : null
  const found = [...wanted].filter((text) => done.has(text)).length
  if (found >= Math.max(1, (isWhole ? MIN_SHARE : MIN_SHARE_OF_TEXT) * wanted.size)) return 'followed'
  return isWhole || (found === 0 && wanted.size <= MAX_NAMES) ? 'not_followed' : null
}

const MIN_TOKENS_ELSEWHERE = 2
const MIN_SHARE_ELSEWHERE = 0.8

/** Whether another file got what was suggested. */
export function isAddedTo(
  { isWhole, added }: Proposal,
  before: readonly string[],
  after: readonly string[],
  path: string,
): boolean {
  if (!isWhole || added.size < MIN_TOKENS_ELSEWHERE) return false
  const list = (lines: readonly string[]) =>
    new Set(tokenize(lines, path, 1, lines.length).map(({ text }) => text))
  const [had, has] = [list(before), list(after)]
  const found = [...added].filter((text) => has.has(text) && !had.has(text))
  return found.length >= MIN_SHARE_ELSEWHERE * added.size
}
