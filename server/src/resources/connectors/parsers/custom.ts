// A bot of the operator's own. Its findings start with their severity: `**High** title`, `**[High]** title` or
// `**Severity: high** title`. Comments in other forms are counted as not understood.
import { nothingFound, notUnderstood, type ParsedText, type Parser } from './bot-finding.ts'
import { customSeverities } from './bots.ts'
import { firstProse, onlyFinding } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

const words = [...customSeverities.keys()].join('|')
const label = new RegExp(
  `^\\s{0,3}[^\\p{L}*\\[]{0,8}\\*\\*\\[?(?:severity: ?)?(${words})\\]?:?\\*\\*[:\\s–—-]{0,5}(.{0,2000})$`,
  'iu',
)

export const customParser: Parser = { thread: parseThread }

function parseThread(markup: Markup): ParsedText {
  const first = firstProse(markup.lines)
  if (first === '') return nothingFound
  const [, rawSeverity, title = ''] = label.exec(first) ?? []
  if (rawSeverity === undefined) return notUnderstood
  return onlyFinding(markup, { format: 1, title: toPlainText(title), rawSeverity })
}
