// Code scanning (CodeQL and other scanners): `## Title`, an explanation, and a link to the alert. The comment has no severity;
// the alert has it.
import {
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { firstProse, readContent, readHeading } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

export function parseCodeQl({ root, lines }: Markup, location: TextLocation): ParsedText {
  const first = firstProse(lines)
  if (location !== 'thread' || first === '') return nothingFound
  const alert = lines
    .map(({ text, code }) => (code === null ? readAlert(text) : null))
    .find((one) => one !== null)
  if (!alert) return notUnderstood
  const title = readHeading(first) ?? toPlainText(first)
  return only(
    createFinding({
      format: 1,
      title: title.replace(/^[\w .-]{1,40} \/ /, ''),
      botKey: alert,
      ...readContent(root),
      suggestion: null,
    }),
  )
}

/** The number of the alert: `[Show more details](…/security/code-scanning/43)`. */
function readAlert(text: string): string | null {
  return /\]\([^\s()]{1,500}\/code-scanning\/(\d{1,12})\)/.exec(text)?.[1] ?? null
}
