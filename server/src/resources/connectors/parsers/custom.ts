// A bot of the operator's own. Its findings start with their severity: `**High** title`, `**[High]** title` or
// `**Severity: high** title`. Comments in other forms are counted as not understood.
import {
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { findSuggestionBlock, firstProse, readContent } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

const words = 'critical|blocker|high|major|error|medium|moderate|minor|warning|low|trivial|nit|info|note'
const label = new RegExp(
  `^\\s{0,3}[^\\p{L}*\\[]{0,8}\\*\\*\\[?(?:severity: ?)?(${words})\\]?:?\\*\\*[:\\s–—-]{0,5}(.{0,2000})$`,
  'iu',
)

export function parseCustom({ root, lines, blocks }: Markup, location: TextLocation): ParsedText {
  if (location !== 'thread') return nothingFound
  const first = firstProse(lines)
  if (first === '') return nothingFound
  const [, rawSeverity, title = ''] = label.exec(first) ?? []
  if (rawSeverity === undefined) return notUnderstood
  const content = { ...readContent(root), suggestion: findSuggestionBlock(blocks) }
  return only(createFinding({ format: 1, title: toPlainText(title), rawSeverity, ...content }))
}
