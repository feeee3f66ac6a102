// Greptile. Format 1: `**logic:** explanation`. Format 2: a badge `<img alt="P1" …>` and `**Title**`, sometimes with a badge
// of the category.
import {
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { findSuggestionBlock, firstProse, readContent } from './content.ts'
import { listImageTexts, type Markup, toPlainText } from './markup.ts'

export function parseGreptile({ root, lines, blocks }: Markup, location: TextLocation): ParsedText {
  if (location !== 'thread') return nothingFound
  const content = { ...readContent(root), suggestion: findSuggestionBlock(blocks) }
  const head = lines.find(({ text, code }) => code === null && listImageTexts(text).some(isPriority))
  if (head !== undefined) {
    const alts = listImageTexts(head.text)
    return only(
      createFinding({
        format: 2,
        title: toPlainText(head.text) || toPlainText(firstProse(lines)),
        rawSeverity: alts.find(isPriority)?.toUpperCase() ?? null,
        rawCategory: alts.find((alt) => !isPriority(alt)) ?? null,
        ...content,
      }),
    )
  }
  const first = firstProse(lines)
  if (first === '') return nothingFound
  const [, label, title] = /^\s{0,3}\*\*(logic|style|syntax):\*\*\s{0,3}(.{1,2000})$/i.exec(first) ?? []
  if (label === undefined) return notUnderstood
  return only(
    createFinding({
      format: 1,
      title: toPlainText(title ?? ''),
      rawCategory: label.toLowerCase(),
      ...content,
    }),
  )
}

function isPriority(alt: string): boolean {
  return /^P[0-3]$/i.test(alt)
}
