// Finds the statements of a rules file in Markdown: its paragraphs, list items and table rows.
// docs/rules-files.md describes the rules for users.
import { parseBlocks } from './markdown-blocks.ts'
import { removeComments } from './markdown-comments.ts'
import { type Block, type Line, type ListBlock, learningInfo } from './markdown-model.ts'

export interface Statement {
  readonly text: string
  /** The line of the file on which it begins, from 1. */
  readonly line: number
}

interface Options {
  /** Texts that are complete as they are: a heading is never added to them. */
  readonly isKnown?: (text: string) => boolean
  /** The number of the first line, if lines before it were removed. */
  readonly firstLine?: number
}

/** A statement with fewer words gets the heading above it. */
const MIN_WORDS = 4
/** A shorter line of a paragraph was not wrapped, so that the next line is a statement of its own. */
const WRAPPED_LENGTH = 60

export function parseStatements(markdown: string, options: Options = {}): Statement[] {
  const { isKnown = () => false, firstLine = 1 } = options
  const lines = markdown
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((text, index): Line => ({ text, number: firstLine + index }))
  const statements: Statement[] = []
  let heading = ''
  const add = (text: string, line: number, isComplete = false) => {
    const trimmed = text.trim()
    if (!isComplete && !/\p{L}/u.test(trimmed)) return
    const isPrefixed = !isComplete && heading !== '' && !isKnown(trimmed) && needsHeading(trimmed, heading)
    if (trimmed !== '') statements.push({ text: isPrefixed ? `${heading}: ${trimmed}` : trimmed, line })
  }
  const blocks = parseBlocks(removeComments(lines))
  for (const [index, block] of blocks.entries()) addBlock(block, blocks[index - 1], blocks[index + 1])
  return statements

  function addBlock(block: Block, before: Block | undefined, after: Block | undefined): void {
    switch (block.kind) {
      case 'heading':
        // The title of a file says nothing about its statements.
        heading = block.level === 1 ? '' : block.text
        return
      case 'paragraph':
        return addParagraph(joinWrapped(block.lines), after)
      case 'code':
        return addCode(block, before)
      case 'table':
        for (const row of block.rows) add(describeRow(block.header, row.cells), row.line)
        return
      case 'list':
        return addList(block, before?.kind === 'paragraph' ? getIntroduction(before.lines) : null)
    }
  }

  function addParagraph(parts: readonly Line[], after: Block | undefined): void {
    for (const [index, { text, number }] of parts.entries()) {
      const introduces = index === parts.length - 1 && text.endsWith(':') && after?.kind === 'list'
      if (!introduces) add(text, number)
    }
  }

  function addCode(block: Extract<Block, { kind: 'code' }>, before: Block | undefined): void {
    if (block.info === learningInfo) return add(block.content, block.line, true)
    const last = statements.at(-1)
    if (last !== undefined && (before?.kind === 'paragraph' || before?.kind === 'code'))
      statements[statements.length - 1] = { ...last, text: `${last.text}\n${block.raw}` }
    else add(heading === '' ? block.raw : `${heading}:\n${block.raw}`, block.line)
  }

  function addList(list: ListBlock, introduction: string | null): void {
    if (introduction !== null && list.isOrdered) {
      add(`${introduction}\n${renderSteps(list)}`, list.items[0]?.line ?? 0)
      return
    }
    for (const item of list.items) addItem(item.blocks, item.line, introduction)
  }

  /** The paragraphs and code blocks of an item are one statement. The items of a list in it are statements too. */
  function addItem(parts: readonly Block[], line: number, introduction: string | null): void {
    const lists = parts.filter((block) => block.kind === 'list')
    const own = renderItem(parts.filter((block) => block.kind !== 'list'))
    const text = introduction === null ? own : `${introduction} ${own}`
    const last = lists.at(-1)
    if (!text.endsWith(':') || last === undefined) {
      add(text, line)
      for (const list of lists) addList(list, null)
    } else {
      for (const list of lists) addList(list, text)
    }
  }
}

/** Headings that turn the meaning of what is below them, such as "Never" or "Do not". */
const decisiveHeading =
  /^(?:never|always|avoid|prefer|do|don['’]?ts?|dos|do not|must|must not|not allowed|forbidden|prohibited|required)\b/i

/** Whether a statement cannot be understood alone: it continues the heading, refers to it, or is too short. */
function needsHeading(text: string, heading: string): boolean {
  if (text.startsWith(`${heading}:`)) return false
  if (decisiveHeading.test(heading) && heading.split(/\s+/).length < MIN_WORDS) return true
  if (/^(?:\p{Ll}|(?:It|This|These|They|That|Those)\b)/u.test(text)) return true
  return !text.includes(':') && !text.includes('\n') && text.split(/\s+/).length < MIN_WORDS
}

function getIntroduction(lines: readonly Line[]): string | null {
  const last = joinWrapped(lines).at(-1)?.text ?? ''
  return last.endsWith(':') ? last : null
}

/** Joins the lines of a wrapped paragraph; a short line before one that begins a sentence is a statement of its own. */
function joinWrapped(lines: readonly Line[]): Line[] {
  const joined: Line[] = []
  let previous = ''
  for (const { text, number } of lines) {
    const last = joined.at(-1)
    const continues = last !== undefined && (endsHard(previous) || isWrapped(previous, text))
    if (continues) joined[joined.length - 1] = { ...last, text: joinLines([last.text, text]) }
    else joined.push({ text: text.trimStart(), number })
    previous = text
  }
  return joined.map(({ text, number }) => ({ text: endLine(text), number }))
}

function isWrapped(previous: string, next: string): boolean {
  return previous.trim().length >= WRAPPED_LENGTH || /^\s*[\p{Ll}\d(`"'*_[]/u.test(next)
}

/** A line that ends with two spaces or a backslash is followed by a line break in the text. */
function endsHard(line: string): boolean {
  return /(?: {2,}|(?<!\\)\\)$/.test(line)
}

function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => (index === 0 ? line : line.trimStart()))
    .reduce((text, line) =>
      endsHard(text) ? `${text.replace(/(?: {2,}|\\)$/, '')}\n${line}` : `${text.trimEnd()} ${line}`,
    )
}

/** The backslash of a line break after which nothing follows is text. */
function endLine(text: string): string {
  return text.trimEnd()
}

function renderItem(blocks: readonly Block[]): string {
  let text = ''
  for (const block of blocks) {
    const part = renderBlock(block)
    const separator = text === '' ? '' : block.kind === 'code' ? '\n' : '\n\n'
    text += separator + part
  }
  return text.replace(/^\[[ xX]\] /, '')
}

/** A block as a part of a statement, in Markdown. */
function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return block.text
    case 'paragraph':
      return endLine(joinLines(block.lines.map(({ text }) => text)))
    case 'code':
      return block.raw
    case 'table':
      return block.rows.map(({ cells }) => describeRow(block.header, cells)).join('\n')
    case 'list':
      return block.isOrdered
        ? renderSteps(block)
        : block.items.map((item) => `- ${indent(renderItem(item.blocks), 2)}`).join('\n')
  }
}

function renderSteps(list: ListBlock): string {
  return list.items.map((item, index) => `${index + 1}. ${indent(renderItem(item.blocks), 3)}`).join('\n')
}

/** All lines but the first. */
function indent(text: string, width: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(width)}`)
}

function describeRow(header: readonly string[], cells: readonly string[]): string {
  return cells
    .map((cell, index) => ({ name: header[index] ?? '', cell }))
    .filter(({ cell }) => cell !== '')
    .map(({ name, cell }) => (name === '' ? cell : `${name}: ${cell}`))
    .join('; ')
}
