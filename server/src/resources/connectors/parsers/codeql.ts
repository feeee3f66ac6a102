// Code scanning (CodeQL and other scanners): `## Title`, an explanation, and a link to the alert. The comment has no severity;
// the alert has it.
import { nothingFound, notUnderstood, type ParsedText, type Parser } from './bot-finding.ts'
import { findInProse, firstProse, onlyFinding, readHeading } from './content.ts'
import { type Markup, toPlainText } from './markup.ts'

export const codeQlParser: Parser = { thread: parseThread }

function parseThread(markup: Markup): ParsedText {
  const first = firstProse(markup.lines)
  if (first === '') return nothingFound
  const botKey = findInProse(markup.lines, readAlert)
  if (botKey === null) return notUnderstood
  const title = (readHeading(first) ?? toPlainText(first)).replace(/^[\w .-]{1,40} \/ /, '')
  return onlyFinding(markup, { format: 1, title, botKey, suggestion: null })
}

/** The number of the alert: `[Show more details](…/security/code-scanning/43)`. */
function readAlert(text: string): string | null {
  return /\]\([^\s()]{1,500}\/code-scanning\/(\d{1,12})\)/.exec(text)?.[1] ?? null
}
