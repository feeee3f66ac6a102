// CodeRabbit. Format 1 until about May 2026: `_⚠️ Potential issue_ | _🔴 Critical_`. Format 2 since then:
// `_🎯 Functional Correctness_ | _🟠 Major_ | _⚡ Quick win_`. What it cannot post on a line is in sections of the review.
import {
  type BotFinding,
  createListedFinding,
  listed,
  nothingFound,
  notUnderstood,
  type ParsedText,
  type Parser,
} from './bot-finding.ts'
import { getKnownBot } from './bots.ts'
import {
  firstProse,
  matchFirst,
  onlyFinding,
  readBoldLine,
  readBotOutcome,
  readLinesAsContent,
} from './content.ts'
import {
  isSection,
  type Line,
  listLines,
  listSections,
  type Markup,
  parseLines,
  readCount,
  type Section,
  toPlainText,
} from './markup.ts'

const severities = new Set(['critical', 'major', 'minor', 'trivial', 'info'])
const typesOfFormat1 = new Set(['potential issue', 'refactor suggestion', 'nitpick', 'verification agent'])
const categoriesOfFormat2 = getKnownBot('coderabbit')?.categories

export const codeRabbitParser: Parser = { thread: parseThread, elsewhere: parseBody }

function parseThread(markup: Markup): ParsedText {
  const { lines, hidden } = markup
  const first = firstProse(lines)
  if (first === '') return nothingFound
  const header = readHeader(first)
  if (header === null) return notUnderstood
  const rest = lines.slice(lines.findIndex(({ text }) => text === first) + 1)
  return onlyFinding(markup, {
    ...header,
    title: findTitle(rest),
    botKey: matchFirst(hidden, /^cr-comment:v1:([0-9a-f]{6,64})$/i)[1]?.toLowerCase() ?? null,
    ...readBotOutcome(lines),
  })
}

type Header = Pick<BotFinding, 'format' | 'rawSeverity' | 'rawCategory'>

/** The parts of the first line are in italics; their order and emoji change. */
function readHeader(text: string): Header | null {
  const parts = text.split('|', 6).map(readItalics)
  const words = parts.map((part) => part?.toLowerCase() ?? '')
  const rawSeverity = parts.find((_, index) => severities.has(words[index] ?? '')) ?? null
  const rawCategory = parts.find((_, index) => categoriesOfFormat2?.has(words[index] ?? '')) ?? null
  const type = parts.find((_, index) => typesOfFormat1.has(words[index] ?? '')) ?? null
  if (rawCategory !== null) return { format: 2, rawSeverity, rawCategory }
  if (type !== null) {
    const severity = rawSeverity ?? (type.toLowerCase() === 'nitpick' ? type : null)
    return { format: 1, rawSeverity: severity, rawCategory: null }
  }
  return rawSeverity === null ? null : { format: 2, rawSeverity, rawCategory: null }
}

/** `_🟠 Major_` is Major; null = the part is not in italics. */
function readItalics(part: string): string | null {
  const trimmed = toPlainText(part)
  const mark = trimmed[0]
  if ((mark !== '_' && mark !== '*') || !trimmed.endsWith(mark) || trimmed.length < 3) return null
  // An emoji as a character or as a short code such as `:warning:`, with a variant selector or without.
  return trimmed
    .slice(1, -1)
    .replace(/^(?::[a-z_]{1,40}:|(?:[^\p{L}:]|ℹ){1,12})\s{0,3}/u, '')
    .replace(/\s?\([a-z]{1,20}\)$/, '')
    .trim()
}

function findTitle(lines: readonly Line[]): string {
  const prose = lines.filter(({ code }) => code === null)
  const bold = prose.find(({ text }) => readBoldLine(text) !== null)
  return (bold && readBoldLine(bold.text)) ?? toPlainText(firstProse(prose))
}

interface BodySection {
  readonly section: Section
  readonly rawSeverity: string | null
}

/** Sections of findings in a review. Duplicates repeat threads, and additional comments are praise. */
function listBodySections(markup: Markup): BodySection[] {
  return listSections(markup.root).flatMap((section): BodySection[] => {
    const [, name] =
      /([a-z]+(?: [a-z]+){0,3}) comments? \(\d+\)$/.exec(toPlainText(section.summary).toLowerCase()) ?? []
    if (name === undefined) return []
    if (name.endsWith('outside diff range')) return [{ section, rawSeverity: null }]
    const severity = name.charAt(0).toUpperCase() + name.slice(1)
    return severities.has(name) || name === 'nitpick' ? [{ section, rawSeverity: severity }] : []
  })
}

function parseBody(markup: Markup): ParsedText {
  const sections = listBodySections(markup)
  const findings = sections.flatMap(parseBodySection)
  const announced = sections.reduce((sum, { section }) => sum + readCount(section.summary), 0)
  return listed(findings, announced)
}

function parseBodySection({ section, rawSeverity }: BodySection): BotFinding[] {
  return section.content.flatMap((item) => {
    if (!isSection(item) || readCount(item.summary) === 0) return []
    const file = toPlainText(item.summary).replace(/\s?\(\d+\)$/, '')
    return splitItems(item).map((lines) => toBodyFinding(lines, file, rawSeverity))
  })
}

const itemStart = /^\s{0,3}`([^`]{1,40})`\s{0,2}:(.*)$/

/** An item starts with its lines: "`88-96`: **Title**". */
function splitItems(section: Section): Line[][] {
  const items: Line[][] = []
  for (const item of section.content) {
    if (isSection(item)) items.at(-1)?.push(...listLines(item))
    else if (item.code === null && parseLines(itemStart.exec(item.text)?.[1] ?? '') !== null)
      items.push([item])
    else items.at(-1)?.push(item)
  }
  return items
}

function toBodyFinding([head, ...rest]: Line[], file: string, sectionSeverity: string | null): BotFinding {
  const [, range, text] = itemStart.exec(head?.text ?? '') ?? []
  const header = readHeader(text?.trim() ?? '')
  const title = (header === null && toPlainText(text ?? '')) || findTitle(rest)
  const fields = {
    ...(header ?? { format: 1 }),
    rawSeverity: header?.rawSeverity ?? sectionSeverity,
    title,
    ...readLinesAsContent(rest),
    postedAs: 'body',
    ...readBotOutcome(rest),
  } as const
  const lines = parseLines(range ?? '') ?? { startLine: null, endLine: null }
  return createListedFinding(fields, { file, ...lines })
}
