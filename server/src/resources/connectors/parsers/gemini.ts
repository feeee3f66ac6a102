// Gemini Code Assist: `![medium](…/medium-priority.svg)`, or `![security-medium](…)`.
import { type BotFinding, nothingFound, notUnderstood, type ParsedText, type Parser } from './bot-finding.ts'
import { findInProse, firstProse, matchFirst, onlyFinding, readBoldLine } from './content.ts'
import { listImageTexts, type Markup, toPlainText } from './markup.ts'

export const geminiParser: Parser = { thread: parseThread }

function parseThread(markup: Markup): ParsedText {
  const badge = findInProse(markup.lines, readBadge)
  const first = firstProse(markup.lines)
  if (badge === null) return first === '' ? nothingFound : notUnderstood
  return onlyFinding(markup, { format: 1, title: readBoldLine(first) ?? toPlainText(first), ...badge })
}

function readBadge(text: string): Pick<BotFinding, 'rawSeverity' | 'rawCategory'> | null {
  const badge = /^(security-)?(critical|high|medium|low)$/i
  const [, security, rawSeverity] = matchFirst(listImageTexts(text), badge)
  if (rawSeverity === undefined) return null
  return { rawSeverity, rawCategory: security === undefined ? null : 'security' }
}
