// A parser of the blocks of Markdown, as far as rules files use them: it is more tolerant of indentation than CommonMark.
import { isClosingFence, trackFence } from './markdown-comments.ts'
import type { Block, Line, ListBlock } from './markdown-model.ts'

const patterns = {
  blank: /^\s*$/,
  fence: /^\s{0,3}(`{3,}|~{3,})\s*([^`]*)$/,
  heading: /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/,
  rule: /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/,
  quote: /^ {0,3}> ?/,
  item: /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(?! )| +)(?=\S)/,
  delimiterRow: /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/,
  /** A line that is only a tag, such as <details> or </rules>. */
  tag: /^\s*<\/?[A-Za-z][^<>]*>\s*$/,
  /** The import of another file, in CLAUDE.md and in rules of Cursor. */
  reference: /^\s*@[\w./~-]+\s*$/,
  linkDefinition: /^ {0,3}\[[^\]]+\]:\s+\S+/,
  indentedCode: /^ {4,}\S/,
  underline: /^ {0,3}(=+|-+)\s*$/,
}

/** What a parser read, and the index of the next line. */
interface Parsed {
  readonly blocks: readonly Block[]
  readonly next: number
}

export function parseBlocks(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  const expanded = expandTabs(lines)
  let index = 0
  while (index < expanded.length) {
    const parsed = parseBlock(expanded, index)
    blocks.push(...parsed.blocks)
    index = parsed.next
  }
  return blocks
}

const TAB_WIDTH = 4

/** Tabs at the beginning of a line count as four columns. Code is left as it is. */
function expandTabs(lines: readonly Line[]): Line[] {
  let fence: string | null = null
  return lines.map(({ text, number }) => {
    const isCode = fence !== null
    fence = trackFence(text, fence)
    const expanded = text.replace(/^[ \t]+/, (space) => space.replaceAll('\t', ' '.repeat(TAB_WIDTH)))
    return { text: isCode && fence !== null ? text : expanded, number }
  })
}

function parseBlock(lines: readonly Line[], index: number): Parsed {
  const { text } = lines[index] as Line
  if (isIgnored(text)) return { blocks: [], next: index + 1 }
  const heading = patterns.heading.exec(text)
  if (heading) return { blocks: [toHeading(heading[1]?.length ?? 1, heading[2] ?? '')], next: index + 1 }
  const fence = patterns.fence.exec(text)
  if (fence) return parseFence(lines, index, fence[1] ?? '', (fence[2] ?? '').trim())
  if (patterns.quote.test(text)) return parseQuote(lines, index)
  if (isTable(lines, index)) return parseTable(lines, index)
  if (patterns.item.test(text)) return parseList(lines, index)
  if (patterns.indentedCode.test(text)) return parseIndentedCode(lines, index)
  return parseParagraph(lines, index)
}

function isIgnored(text: string): boolean {
  return [patterns.blank, patterns.rule, patterns.tag, patterns.reference, patterns.linkDefinition].some(
    (pattern) => pattern.test(text),
  )
}

function toHeading(level: number, text: string): Block {
  // Links and emphasis of a heading are not part of its words.
  const words = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[*_]{1,3}(\S.*?)[*_]{1,3}/g, '$1')
  return { kind: 'heading', level, text: words.trim().replace(/:$/, '') }
}

function parseFence(lines: readonly Line[], index: number, fence: string, info: string): Parsed {
  const { text: opening, number } = lines[index] as Line
  const width = opening.length - opening.trimStart().length
  let end = index + 1
  while (end < lines.length && !isClosingFence(lines[end]?.text ?? '', fence)) end++
  const content = lines
    .slice(index + 1, end)
    .map(({ text }) => removeIndent(text, width))
    .join('\n')
  const raw = `${opening.trim()}\n${content === '' ? '' : `${content}\n`}${fence}`
  return { blocks: [{ kind: 'code', line: number, info, content, raw }], next: end + 1 }
}

function parseIndentedCode(lines: readonly Line[], index: number): Parsed {
  let end = index
  while (end < lines.length && /^(?: {4,}|\s*$)/.test(lines[end]?.text ?? '')) end++
  const content = lines
    .slice(index, end)
    .map(({ text }) => removeIndent(text, 4))
    .join('\n')
    .trimEnd()
  const line = lines[index]?.number ?? 0
  return {
    blocks: [{ kind: 'code', line, info: '', content, raw: `\`\`\`\n${content}\n\`\`\`` }],
    next: end,
  }
}

function parseQuote(lines: readonly Line[], index: number): Parsed {
  let end = index
  while (end < lines.length && patterns.quote.test(lines[end]?.text ?? '')) end++
  const inner = lines
    .slice(index, end)
    .map(({ text, number }) => ({ text: text.replace(patterns.quote, ''), number }))
  return { blocks: parseBlocks(inner), next: end }
}

function isTable(lines: readonly Line[], index: number): boolean {
  const [row = '', delimiters = ''] = [lines[index]?.text, lines[index + 1]?.text]
  return row.includes('|') && delimiters.includes('-') && patterns.delimiterRow.test(delimiters)
    ? splitRow(row).length === splitRow(delimiters).length
    : false
}

function parseTable(lines: readonly Line[], index: number): Parsed {
  let end = index + 2
  while (end < lines.length && (lines[end]?.text ?? '').includes('|')) end++
  const rows = lines
    .slice(index + 2, end)
    .map(({ text, number }) => ({ line: number, cells: splitRow(text) }))
  return { blocks: [{ kind: 'table', header: splitRow(lines[index]?.text ?? ''), rows }], next: end }
}

/** A pipe in a code span, or after a backslash, separates nothing. */
function splitRow(text: string): string[] {
  const row = text
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  const cells = ['']
  for (const [part] of row.matchAll(/`+[^`]*`+|\\\||[^|`\\]+|./gs)) {
    if (part === '|') cells.push('')
    else cells[cells.length - 1] += part === '\\|' ? '|' : part
  }
  return cells.map((cell) => cell.trim())
}

function parseList(lines: readonly Line[], index: number): Parsed {
  const isOrdered = isOrderedItem(lines[index]?.text ?? '')
  const items: ListBlock['items'][number][] = []
  let next = index
  for (;;) {
    const start = skipBlank(lines, next)
    const text = lines[start]?.text ?? ''
    if (!patterns.item.test(text) || patterns.rule.test(text) || isOrderedItem(text) !== isOrdered) break
    const item = readItem(lines, start)
    items.push({ line: lines[start]?.number ?? 0, blocks: parseBlocks(item.lines) })
    next = item.next
  }
  return { blocks: [{ kind: 'list', isOrdered, items }], next }
}

function isOrderedItem(text: string): boolean {
  return /^\s*\d/.test(text)
}

function skipBlank(lines: readonly Line[], from: number): number {
  let index = from
  while (index < lines.length && patterns.blank.test(lines[index]?.text ?? '')) index++
  return index
}

/** The lines of a list item, without its marker and indentation. */
function readItem(lines: readonly Line[], index: number): { readonly lines: Line[]; readonly next: number } {
  const first = lines[index] as Line
  const [marker = '', before = ''] = patterns.item.exec(first.text) ?? []
  const width = marker.length
  const taken: Line[] = [{ text: first.text.slice(width), number: first.number }]
  let fence = trackFence(first.text.slice(width), null)
  let next = index + 1
  for (; next < lines.length; next++) {
    const { text, number } = lines[next] as Line
    const isInside = isIndented(text, before.length, width)
    const continues = patterns.blank.test(text)
      ? continuesAfterBlank(lines, next, before.length)
      : isInside || isLazy(taken, text, fence)
    if (!continues) break
    const content = isInside ? removeIndent(text, width) : text
    fence = trackFence(content, fence)
    taken.push({ text: content, number })
  }
  return { lines: taken, next }
}

/** More tolerant than CommonMark: two spaces are enough, also below a number. */
function isIndented(text: string, before: number, width: number): boolean {
  const depth = text.length - text.trimStart().length
  return depth > before && depth >= Math.min(2, width)
}

function continuesAfterBlank(lines: readonly Line[], index: number, before: number): boolean {
  const text = lines[skipBlank(lines, index)]?.text
  return text !== undefined && text.length - text.trimStart().length >= before + 2
}

/** A line of the item's paragraph that is not indented. */
function isLazy(taken: readonly Line[], text: string, fence: string | null): boolean {
  const last = taken.at(-1)?.text ?? ''
  return fence === null && !patterns.blank.test(last) && !isClosingFence(last, '```') && !startsBlock(text)
}

function startsBlock(text: string): boolean {
  return [
    patterns.blank,
    patterns.heading,
    patterns.fence,
    patterns.rule,
    patterns.quote,
    patterns.item,
    patterns.tag,
  ].some((pattern) => pattern.test(text))
}

function parseParagraph(lines: readonly Line[], index: number): Parsed {
  let end = index + 1
  for (; end < lines.length; end++) {
    const text = lines[end]?.text ?? ''
    const underline = patterns.underline.exec(text)?.[1]
    const words = lines[end - 1]?.text.trim() ?? ''
    // Below several lines, or below a sentence, dashes separate parts of the text.
    if (underline !== undefined && end === index + 1 && !/[.!?:;]$/.test(words))
      return { blocks: [toHeading(underline.startsWith('=') ? 1 : 2, words)], next: end + 1 }
    if (startsBlock(text) || isTable(lines, end)) break
  }
  return { blocks: [{ kind: 'paragraph', lines: lines.slice(index, end) }], next: end }
}

/** Removes up to `width` columns of white space. */
function removeIndent(text: string, width: number): string {
  let index = 0
  for (let column = 0; column < width && (text[index] === ' ' || text[index] === '\t'); index++)
    column += text[index] === '\t' ? TAB_WIDTH : 1
  return text.slice(index)
}
