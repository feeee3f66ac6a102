// Greptile. Format 1: `**logic:** explanation`. Format 2: a badge `<img alt="P1" …>` and `**Title**`, sometimes with a badge
// of the category.
import { nothingFound, notUnderstood, type ParsedText, type Parser } from './bot-finding.ts'
import { firstProse, onlyFinding } from './content.ts'
import { listImageTexts, type Markup, toPlainText } from './markup.ts'

export const greptileParser: Parser = { thread: parseThread }

function parseThread(markup: Markup): ParsedText {
  const { lines } = markup
  const first = firstProse(lines)
  const head = lines.find(({ text, code }) => code === null && listImageTexts(text).some(isPriority))
  if (head !== undefined) {
    const alts = listImageTexts(head.text)
    return onlyFinding(markup, {
      format: 2,
      title: toPlainText(head.text) || toPlainText(first),
      rawSeverity: alts.find(isPriority)?.toUpperCase() ?? null,
      rawCategory: alts.find((alt) => !isPriority(alt)) ?? null,
    })
  }
  if (first === '') return nothingFound
  const [, label, title = ''] = /^\s{0,3}\*\*(logic|style|syntax):\*\*\s{0,3}(.{1,2000})$/i.exec(first) ?? []
  if (label === undefined) return notUnderstood
  return onlyFinding(markup, { format: 1, title: toPlainText(title), rawCategory: label.toLowerCase() })
}

function isPriority(alt: string): boolean {
  return /^P[0-3]$/i.test(alt)
}
