// Claude (managed review): a comment starts with 🔴 Important, 🟡 Nit or 🟣 Pre-existing. The text of its check has a table of
// all findings and ends with their numbers, also of those that could not be posted on lines.
import {
  type BotFinding,
  createListedFinding,
  listed,
  nothingFound,
  notUnderstood,
  type ParsedText,
  type Parser,
} from './bot-finding.ts'
import { firstProse, onlyFinding, readLocation } from './content.ts'
import { type Line, type Markup, toPlainText } from './markup.ts'

const marks: readonly { readonly emoji: string; readonly code: string; readonly severity: string }[] = [
  { emoji: '🔴', code: ':red_circle:', severity: 'Important' },
  { emoji: '🟡', code: ':yellow_circle:', severity: 'Nit' },
  { emoji: '🟣', code: ':purple_circle:', severity: 'Pre-existing' },
]
const MAX_ANNOUNCED = 100

export const claudeParser: Parser = { thread: parseThread, check: parseCheck }

function parseThread(markup: Markup): ParsedText {
  const first = toPlainText(firstProse(markup.lines))
  if (first === '') return nothingFound
  const marked = readMark(first)
  if (marked === null) return notUnderstood
  return onlyFinding(markup, { format: 1, title: marked.rest, rawSeverity: marked.severity })
}

function readMark(text: string): { readonly severity: string; readonly rest: string } | null {
  const mark = marks.find(({ emoji, code }) => text.startsWith(emoji) || text.startsWith(code))
  if (mark === undefined) return null
  const after = text.slice(text.startsWith(mark.emoji) ? mark.emoji.length : mark.code.length).trimStart()
  const hasName = after.toLowerCase().startsWith(mark.severity.toLowerCase())
  const rest = (hasName ? after.slice(mark.severity.length) : after).replace(/^[\s:—–-]{0,5}/u, '')
  return { severity: mark.severity, rest }
}

function parseCheck({ lines, hidden }: Markup): ParsedText {
  const findings = lines.filter(({ code }) => code === null).flatMap(parseRow)
  return listed(findings, Math.min(readAnnounced(lines, hidden), MAX_ANNOUNCED))
}

/** `| 🔴 Important | src/app.ts:142 | Title |`. */
function parseRow({ text }: Line): BotFinding[] {
  const [, severity = '', location = '', title = ''] = text.split('|', 8).map(toPlainText)
  const marked = readMark(severity)
  const found = readLocation(location.replaceAll('`', ''))
  if (marked === null || found === null || title === '') return []
  const fields = { format: 1, title, rawSeverity: marked.severity, postedAs: 'annotation' } as const
  return [createListedFinding(fields, found)]
}

/** `bughunter-severity: {"normal":2,"nit":1,"pre_existing":0}`, in a hidden comment or as the last line. */
function readAnnounced(lines: readonly Line[], hidden: readonly string[]): number {
  const mark = 'bughunter-severity:'
  const text = [...hidden, ...lines.map((line) => line.text)].findLast((one) => one.includes(mark)) ?? ''
  const [, counts] = /bughunter-severity:\s{0,3}\{([^{}]{0,200})\}/.exec(text) ?? []
  const numbers = [...(counts ?? '').matchAll(/"(?:normal|nit|pre_existing)"\s{0,3}:\s{0,3}(\d{1,6})/g)]
  return numbers.reduce((sum, [, digits]) => sum + Number(digits), 0)
}
