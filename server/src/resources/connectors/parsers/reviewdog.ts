// reviewdog: `⚠️ **[tool]** <sub>reported by reviewdog</sub><br>message`, with tool and fingerprint in a hidden comment.
import {
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { REVIEWDOG_MARK } from './bots.ts'
import { findSuggestionBlock, firstProse, readContent } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

const levels: readonly { readonly marks: readonly string[]; readonly level: string }[] = [
  { marks: ['🚫', ':no_entry_sign:'], level: 'error' },
  { marks: ['⚠️', '⚠', ':warning:'], level: 'warning' },
  { marks: ['📝', ':memo:'], level: 'info' },
]

export function parseReviewdog({ root, lines, blocks, hidden }: Markup, location: TextLocation): ParsedText {
  if (location !== 'thread') return nothingFound
  const first = firstProse(lines)
  const mark = hidden.find((text) => text.startsWith(REVIEWDOG_MARK))
  if (first === '' && mark === undefined) return nothingFound
  const botKey = mark?.slice(REVIEWDOG_MARK.length).trim() ?? ''
  if (!/^[\w+/=-]{8,400}$/.test(botKey)) return notUnderstood
  const start = first.trimStart()
  return only(
    createFinding({
      format: 1,
      title: readMessage(first),
      rawSeverity: levels.find(({ marks }) => marks.some((one) => start.startsWith(one)))?.level ?? null,
      botKey,
      ...readContent(root),
      suggestion: findSuggestionBlock(blocks),
    }),
  )
}

/** What follows the name of the tool. */
function readMessage(text: string): string {
  const end = text.indexOf('<br>')
  return toPlainText(end === -1 ? text : text.slice(end + 4))
}
