// reviewdog: `⚠️ **[tool]** <sub>reported by reviewdog</sub><br>message`, with tool and fingerprint in a hidden comment.
import { nothingFound, notUnderstood, type ParsedText, type Parser } from './bot-finding.ts'
import { REVIEWDOG_MARK } from './bots.ts'
import { firstProse, onlyFinding } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

const levels: readonly { readonly marks: readonly string[]; readonly level: string }[] = [
  { marks: ['🚫', ':no_entry_sign:'], level: 'error' },
  { marks: ['⚠️', '⚠', ':warning:'], level: 'warning' },
  { marks: ['📝', ':memo:'], level: 'info' },
]

export const reviewdogParser: Parser = { thread: parseThread }

function parseThread(markup: Markup): ParsedText {
  const first = firstProse(markup.lines)
  const mark = markup.hidden.find((text) => text.startsWith(REVIEWDOG_MARK))
  if (first === '' && mark === undefined) return nothingFound
  const botKey = mark?.slice(REVIEWDOG_MARK.length).trim() ?? ''
  if (!/^[\w+/=-]{8,400}$/.test(botKey)) return notUnderstood
  const start = first.trimStart()
  const level = levels.find(({ marks }) => marks.some((one) => start.startsWith(one)))?.level ?? null
  return onlyFinding(markup, { format: 1, title: readMessage(first), rawSeverity: level, botKey })
}

/** What follows the name of the tool. */
function readMessage(text: string): string {
  const end = text.indexOf('<br>')
  return toPlainText(end === -1 ? text : text.slice(end + 4))
}
