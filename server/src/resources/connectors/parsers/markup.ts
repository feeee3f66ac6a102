// Reads the Markdown and HTML of a comment as lines, code blocks, hidden comments and <details> sections. Every function is a
// scan from left to right without backtracking: a comment of any shape costs time in proportion to its length.

export interface Line {
  readonly text: string
  /** The code block that the line belongs to; null = prose. */
  readonly code: CodeBlock | null
}

export interface CodeBlock {
  readonly language: string
  readonly lines: string[]
}

/** A <details> element, or the whole text. */
export interface Section {
  /** Markup of the summary; empty for the whole text. */
  readonly summary: string
  readonly content: (Line | Section)[]
}

export interface Markup {
  readonly root: Section
  /** Prose lines without hidden comments, those of sections too. */
  readonly lines: readonly Line[]
  readonly blocks: readonly CodeBlock[]
  /** Texts of HTML comments. One without an end was cut off and is not trusted. */
  readonly hidden: readonly string[]
}

/** The longest body of a comment on a Git provider is a million characters. */
const MAX_BODY_CHARACTERS = 1_000_000
const MAX_LINE_CHARACTERS = 4000
const MAX_DEPTH = 30
const MAX_SUMMARY_LINES = 6

export function readMarkup(body: string): Markup {
  const { lines, blocks, hidden } = readLines(body.slice(0, MAX_BODY_CHARACTERS))
  return { root: readSections(lines), lines, blocks, hidden }
}

interface Fence {
  readonly mark: string
  readonly quotes: number
  readonly block: CodeBlock
}

function readLines(body: string): Omit<Markup, 'root'> {
  const lines: Line[] = []
  const blocks: CodeBlock[] = []
  const hidden: string[] = []
  let fence: Fence | null = null
  let comment: string[] | null = null
  for (const raw of body.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')) {
    const { text, quotes } = unquote(raw.slice(0, MAX_LINE_CHARACTERS), fence?.quotes ?? MAX_DEPTH)
    if (fence) {
      if (closesFence(text, fence.mark)) fence = null
      else {
        fence.block.lines.push(text)
        lines.push({ text, code: fence.block })
      }
      continue
    }
    if (comment === null) {
      const opened = openFence(text, quotes)
      if (opened) {
        fence = opened
        blocks.push(opened.block)
        continue
      }
    }
    const rest = cutComments(text, comment, hidden)
    comment = rest.comment
    if (rest.comment === null || rest.text.trim() !== '') lines.push({ text: rest.text, code: null })
  }
  return { lines, blocks, hidden }
}

/** Removes the marks of block quotes; in a code block at most those that its fence had. */
function unquote(line: string, most: number): { readonly text: string; readonly quotes: number } {
  let at = 0
  let quotes = 0
  while (quotes < most) {
    let mark = at
    while (mark < at + 3 && line[mark] === ' ') mark++
    if (line[mark] !== '>') break
    quotes++
    at = line[mark + 1] === ' ' ? mark + 2 : mark + 1
  }
  return { text: line.slice(at), quotes }
}

function openFence(text: string, quotes: number): Fence | null {
  const trimmed = text.trimStart()
  const mark = readFenceMark(trimmed)
  if (mark === '') return null
  const info = trimmed.slice(mark.length).trim()
  // Inline code in a paragraph may start with three backticks too.
  if (mark.startsWith('`') && info.includes('`')) return null
  const language = info.split(' ', 1)[0] ?? ''
  return { mark, quotes, block: { language: language.toLowerCase(), lines: [] } }
}

function closesFence(text: string, mark: string): boolean {
  const trimmed = text.trim()
  return trimmed.startsWith(mark) && readFenceMark(trimmed).length === trimmed.length
}

/** The run of backticks or tildes that the text starts with, if it has at least three. */
function readFenceMark(text: string): string {
  const character = text[0]
  if (character !== '`' && character !== '~') return ''
  let end = 1
  while (text[end] === character) end++
  return end < 3 ? '' : text.slice(0, end)
}

interface OpenText {
  readonly text: string
  /** Lines of a comment that is still open. */
  readonly comment: string[] | null
}

function cutComments(line: string, open: string[] | null, hidden: string[]): OpenText {
  let text = ''
  let at = 0
  let comment = open
  for (;;) {
    if (comment) {
      const end = line.indexOf('-->', at)
      if (end === -1) {
        comment.push(line.slice(at))
        return { text, comment }
      }
      hidden.push([...comment, line.slice(at, end)].join('\n').trim())
      comment = null
      at = end + 3
    }
    const start = line.indexOf('<!--', at)
    if (start === -1) return { text: text + line.slice(at), comment: null }
    text += line.slice(at, start)
    comment = []
    at = start + 4
  }
}

interface OpenSection {
  readonly section: Section
  readonly summary: string[]
  inSummary: boolean
}

/** Sections that are not closed end with the text. Those that are too deep become part of the one around them. */
function readSections(lines: readonly Line[]): Section {
  const root = openSection()
  const stack: OpenSection[] = [root]
  for (const line of lines) {
    const top = stack.at(-1) ?? root
    if (line.code !== null || !mayHaveSection(line.text, top)) top.section.content.push(line)
    else readSectionTags(line.text, stack, root)
  }
  while (stack.length > 1) closeSection(stack)
  return root.section
}

function mayHaveSection(text: string, top: OpenSection): boolean {
  return top.inSummary || text.includes('<')
}

function readSectionTags(text: string, stack: OpenSection[], root: OpenSection): void {
  let at = 0
  while (at <= text.length) {
    const tag = findSectionTag(text, at)
    const top = stack.at(-1) ?? root
    pushText(top, text.slice(at, tag?.start ?? text.length))
    if (tag === null) return
    if (tag.name === 'details' && stack.length < MAX_DEPTH) stack.push(openSection())
    else if (tag.name === '/details' && stack.length > 1) closeSection(stack)
    else if (tag.name === 'summary' && top !== root && top.summary.length === 0) top.inSummary = true
    else if (tag.name === '/summary') top.inSummary = false
    at = tag.end
  }
}

function pushText(top: OpenSection, text: string): void {
  if (top.inSummary && top.summary.length < MAX_SUMMARY_LINES) {
    top.summary.push(text)
    return
  }
  if (text.trim() !== '') top.section.content.push({ text, code: null })
}

function openSection(): OpenSection {
  return { section: { summary: '', content: [] }, summary: [], inSummary: false }
}

function closeSection(stack: OpenSection[]): void {
  const closed = stack.pop()
  const around = stack.at(-1)
  if (!closed || !around) return
  around.section.content.push({ ...closed.section, summary: closed.summary.join(' ').trim() })
}

const sectionTags = ['/details', '/summary', 'details', 'summary'] as const

interface SectionTag {
  readonly name: (typeof sectionTags)[number]
  readonly start: number
  readonly end: number
}

function findSectionTag(text: string, from: number): SectionTag | null {
  for (let start = text.indexOf('<', from); start !== -1; start = text.indexOf('<', start + 1)) {
    const head = text.slice(start + 1, start + 10).toLowerCase()
    const name = sectionTags.find((one) => head.startsWith(one) && /^[\s>]?$/.test(head.charAt(one.length)))
    if (name === undefined) continue
    const end = text.indexOf('>', start)
    return { name, start, end: end === -1 ? text.length : end + 1 }
  }
  return null
}

export function isSection(item: Line | Section): item is Section {
  return 'content' in item
}

/** The lines of a section with those of the sections in it that `isWanted` accepts. */
export function listLines(section: Section, isWanted: (summary: string) => boolean = () => true): Line[] {
  return section.content.flatMap((item) => {
    if (!isSection(item)) return [item]
    return isWanted(item.summary) ? listLines(item, isWanted) : []
  })
}

/** All sections in a section, outer ones first. */
export function listSections(section: Section): Section[] {
  return section.content.flatMap((item) => (isSection(item) ? [item, ...listSections(item)] : []))
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

/** Without tags, images, emphasis, escapes and entities; links leave their texts. */
export function toPlainText(markup: string): string {
  return decodeEntities(removeTags(markup))
    .replaceAll(/!\[[^\]]{0,200}\]\([^)]{0,500}\)/g, '')
    .replaceAll(/\[([^[\]]{0,300})\]\([^()]{0,500}\)/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/\*\*|__|~~/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function removeTags(text: string): string {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<', at)
    const end = start === -1 ? -1 : text.indexOf('>', start)
    if (end === -1) return result + text.slice(at)
    const isTag = /[a-zA-Z/!]/.test(text.charAt(start + 1))
    result += isTag ? `${text.slice(at, start)} ` : text.slice(at, start + 1)
    at = isTag ? end + 1 : start + 1
  }
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,5});/gi, (whole, name: string) => {
    if (name.startsWith('#')) return decodeNumber(name.slice(1)) ?? whole
    return entities.get(name.toLowerCase()) ?? whole
  })
}

function decodeNumber(digits: string): string | null {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10)
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : null
}

/** Alternative texts of images: `alt="…"` and `![…](…)`. */
export function listImageTexts(text: string): string[] {
  const html = text.matchAll(/\balt\s{0,3}=\s{0,3}(?:"([^"]{0,200})"|'([^']{0,200})')/gi)
  const markdown = text.matchAll(/!\[([^\]]{0,200})\]\(/g)
  return [...html, ...markdown].map(([, one, other]) => decodeEntities(one ?? other ?? '').trim())
}

/** The number in parentheses at the end of a title: `Open (3)`. At most 100, which no review has. */
export function readCount(title: string): number {
  const [, digits] = /\((\d{1,9})\)\s{0,10}$/.exec(toPlainText(title)) ?? []
  return Math.min(Number(digits ?? 0), 100)
}

export interface LineRange {
  readonly startLine: number
  readonly endLine: number
}

/** `12`, `12-20`, `L12-L20`, `R12-20`, `12 to 20`; null = anything else. */
export function parseLines(text: string): LineRange | null {
  const found = /^[LR]?(\d{1,9})(?:\s{0,2}(?:-|–|to|:)\s{0,2}[LR]?(\d{1,9}))?$/i.exec(text.trim())
  const startLine = Number(found?.[1] ?? 0)
  const endLine = Number(found?.[2] ?? startLine)
  return startLine > 0 && endLine >= startLine ? { startLine, endLine } : null
}
