// Gemini Code Assist: `![medium](…/medium-priority.svg)`, or `![security-medium](…)`.
import {
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { findSuggestionBlock, firstProse, readBoldLine, readContent } from './content.ts'
import { listImageTexts, type Markup, toPlainText } from './markup.ts'

export function parseGemini({ root, lines, blocks }: Markup, location: TextLocation): ParsedText {
  if (location !== 'thread') return nothingFound
  const badge = lines
    .filter(({ code }) => code === null)
    .map(({ text }) => readBadge(text))
    .find((one) => one !== null)
  const first = firstProse(lines)
  if (badge === undefined) return first === '' ? nothingFound : notUnderstood
  return only(
    createFinding({
      format: 1,
      title: readBoldLine(first) ?? toPlainText(first),
      ...badge,
      ...readContent(root),
      suggestion: findSuggestionBlock(blocks),
    }),
  )
}

function readBadge(
  text: string,
): { readonly rawSeverity: string; readonly rawCategory: string | null } | null {
  for (const alt of listImageTexts(text)) {
    const [, security, rawSeverity] = /^(security-)?(critical|high|medium|low)$/i.exec(alt) ?? []
    if (rawSeverity !== undefined)
      return { rawSeverity, rawCategory: security === undefined ? null : 'security' }
  }
  return null
}
