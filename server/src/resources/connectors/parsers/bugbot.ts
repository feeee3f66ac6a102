// Cursor Bugbot: `### Title`, `**Medium Severity**`, and the id of the bug in a hidden comment. It posts a bug that is still
// there again on each push, with the same id.
import {
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { findSuggestionBlock, firstProse, readContent, readHeading } from './content.ts'
import { type Line, type Markup, parseLines, toPlainText } from './markup.ts'

export function parseBugbot({ root, lines, blocks, hidden }: Markup, location: TextLocation): ParsedText {
  const botKey = readKey(hidden)
  const isFinding = location === 'thread' || botKey !== null
  if (!isFinding || firstProse(lines) === '') return nothingFound
  const title = lines
    .map(({ text, code }) => (code === null ? readHeading(text) : null))
    .find((one) => one !== null)
  const rawSeverity = readSeverity(lines)
  if (!title || (rawSeverity === null && botKey === null)) return notUnderstood
  const place = location === 'thread' ? {} : readLocation(hidden)
  return only(
    createFinding({
      format: 1,
      title: title.replace(/^bug: /i, ''),
      rawSeverity,
      botKey,
      ...readContent(root),
      suggestion: findSuggestionBlock(blocks),
      postedAs: location === 'thread' ? null : 'body',
      ...place,
    }),
  )
}

function readKey(hidden: readonly string[]): string | null {
  for (const text of hidden) {
    const [, key] = /^BUGBOT_BUG_ID:\s{0,5}([\w-]{1,80})$/.exec(text.trim()) ?? []
    // `ref1_` marks the same bug of an earlier run.
    if (key !== undefined) return key.replace(/^ref\d{1,3}_/, '').toLowerCase()
  }
  return null
}

function readSeverity(lines: readonly Line[]): string | null {
  for (const { text, code } of lines) {
    if (code !== null || !text.includes('everity')) continue
    const [, severity] = /^(critical|high|medium|low) severity$/i.exec(toPlainText(text)) ?? []
    if (severity !== undefined) return severity
  }
  return null
}

/** `src/app.ts#L23-L32`, the first of the locations. */
function readLocation(
  hidden: readonly string[],
): { file: string; startLine: number; endLine: number } | null {
  const list = hidden.find((text) => text.startsWith('LOCATIONS START'))
  const first = list?.split('\n', 2)[1]?.trim() ?? ''
  const mark = first.lastIndexOf('#')
  const lines = mark < 1 ? null : parseLines(first.slice(mark + 1))
  return lines && { file: first.slice(0, mark), startLine: lines.start, endLine: lines.end }
}
