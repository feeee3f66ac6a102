// Codex: `**<sub><sub>![P1 Badge](…)</sub></sub>  Title**`. Findings outside the diff are in the review, each below a link
// to its lines.
import {
  type BotFinding,
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { findSuggestionBlock, firstProse, readContent, readLinesAsContent } from './content.ts'
import { type Line, listImageTexts, type Markup, parseLines, toPlainText } from './markup.ts'

export function parseCodex(markup: Markup, location: TextLocation): ParsedText {
  if (location === 'review') return parseBody(markup.lines)
  return location === 'thread' ? parseThread(markup) : nothingFound
}

function parseThread({ root, lines, blocks }: Markup): ParsedText {
  const first = firstProse(lines)
  if (first === '' && lines.every(({ text }) => readBadge(text) === null)) return nothingFound
  const head = lines.find(({ text, code }) => code === null && readBadge(text) !== null)
  if (head === undefined) return notUnderstood
  return only(
    createFinding({
      format: 1,
      title: toPlainText(head.text),
      rawSeverity: readBadge(head.text),
      ...readContent(root),
      suggestion: findSuggestionBlock(blocks),
    }),
  )
}

function readBadge(text: string): string | null {
  for (const alt of listImageTexts(text)) {
    const [, priority] = /^(P[0-3])(?: badge)?$/i.exec(alt) ?? []
    if (priority !== undefined) return priority.toUpperCase()
  }
  return null
}

function parseBody(lines: readonly Line[]): ParsedText {
  const items: { readonly head: Line; readonly before: string; readonly lines: Line[] }[] = []
  let before = ''
  for (const line of lines) {
    if (line.code === null && readBadge(line.text) !== null) items.push({ head: line, before, lines: [] })
    else items.at(-1)?.lines.push(line)
    if (line.text.trim() !== '') before = line.text
  }
  const findings = items.flatMap(({ head, before: link, lines: content }) => {
    const location = readLink(link)
    return location === null ? [] : [toBodyFinding(head.text, content, location)]
  })
  return { findings, unparsed: items.length - findings.length, notes: [] }
}

function toBodyFinding(head: string, content: readonly Line[], location: Location): BotFinding {
  const title = toPlainText(head)
  return createFinding({
    format: 1,
    title,
    rawSeverity: readBadge(head),
    ...readLinesAsContent(content),
    mergeKey: `${location.file}\n${title.toLowerCase()}`,
    postedAs: 'body',
    ...location,
  })
}

type Location = Pick<BotFinding, 'file' | 'startLine' | 'endLine'>

/** `https://…/blob/<commit>/src/app.ts#L10-L12`. */
function readLink(text: string): Location | null {
  const [, path = '', range = ''] =
    /\/blob\/[0-9a-f]{7,40}\/([^\s#)\]]{1,1024})#(L\d{1,9}(?:-L\d{1,9})?)/.exec(text) ?? []
  const lines = parseLines(range)
  return lines && { file: decodePath(path), startLine: lines.start, endLine: lines.end }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
