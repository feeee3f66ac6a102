// Sourcery: `**issue (bug_risk):** Title`; it adds `✅ Addressed in SHA` to its own comment.
import {
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { findSuggestionBlock, firstProse, readBotOutcome, readContent } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

const label =
  /^\s{0,3}\*\*(issue|suggestion|nitpick|question|todo|chore|thought|praise|note)(?: \(([\w -]{1,40})\))?:\*\*\s{0,3}(.{0,2000})$/i

export function parseSourcery({ root, lines, blocks }: Markup, location: TextLocation): ParsedText {
  if (location !== 'thread') return nothingFound
  const first = firstProse(lines)
  if (first === '') return nothingFound
  const [, kind, category, title = ''] = label.exec(first) ?? []
  if (kind === undefined) return notUnderstood
  if (kind.toLowerCase() === 'praise') return nothingFound
  return only(
    createFinding({
      format: 1,
      title: toPlainText(title),
      rawSeverity: kind.toLowerCase(),
      rawCategory: category?.toLowerCase() ?? null,
      ...readContent(root),
      suggestion: findSuggestionBlock(blocks),
      ...readBotOutcome(lines),
    }),
  )
}
