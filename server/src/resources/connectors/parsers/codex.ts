// Codex: `**<sub><sub>![P1 Badge](…)</sub></sub>  Title**`. Findings outside the diff are in the review, each below a link
// to its lines.
import {
  createListedFinding,
  type FindingLocation,
  listed,
  nothingFound,
  notUnderstood,
  type ParsedText,
  type Parser,
} from './bot-finding.ts'
import { firstProse, matchFirst, onlyFinding, readLinesAsContent } from './content.ts'
import { type Line, listImageTexts, type Markup, parseLines, toPlainText } from './markup.ts'

export const codexParser: Parser = { thread: parseThread, review: parseBody }

function parseThread(markup: Markup): ParsedText {
  const { lines } = markup
  if (firstProse(lines) === '' && lines.every(({ text }) => readBadge(text) === null)) return nothingFound
  const head = lines.find(({ text, code }) => code === null && readBadge(text) !== null)
  if (head === undefined) return notUnderstood
  const fields = { format: 1, title: toPlainText(head.text), rawSeverity: readBadge(head.text) }
  return onlyFinding(markup, fields)
}

function readBadge(text: string): string | null {
  return matchFirst(listImageTexts(text), /^(P[0-3])(?: badge)?$/i)[1]?.toUpperCase() ?? null
}

function parseBody({ lines }: Markup): ParsedText {
  const items: { readonly head: Line; readonly before: string; readonly lines: Line[] }[] = []
  let before = ''
  for (const line of lines) {
    if (line.code === null && readBadge(line.text) !== null) items.push({ head: line, before, lines: [] })
    else items.at(-1)?.lines.push(line)
    if (line.text.trim() !== '') before = line.text
  }
  const findings = items.flatMap(({ head: { text }, before: link, lines: content }) => {
    const location = readLink(link)
    if (location === null) return []
    const badge = {
      format: 1,
      title: toPlainText(text),
      rawSeverity: readBadge(text),
      postedAs: 'body',
    } as const
    return [createListedFinding({ ...badge, ...readLinesAsContent(content) }, location)]
  })
  return listed(findings, items.length)
}

/** `https://…/blob/<commit>/src/app.ts#L10-L12`. */
function readLink(text: string): FindingLocation | null {
  const [, path = '', range = ''] =
    /\/blob\/[0-9a-f]{7,40}\/([^\s#)\]]{1,1024})#(L\d{1,9}(?:-L\d{1,9})?)/.exec(text) ?? []
  const lines = parseLines(range)
  return lines && { file: decodePath(path), ...lines }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
