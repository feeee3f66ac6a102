// What several bots have in common: explanations, suggested changes, and the outcome that the bot reports.
import { type BotFinding, createFinding, type FindingLocation, only, type ParsedText } from './bot-finding.ts'
import { type Line, listLines, type Markup, parseLines, type Section, toPlainText } from './markup.ts'

/** Sections that repeat the finding for other tools, or show how the bot found it. */
const asides = ['prompt', 'analysis chain', 'script executed', 'tool', 'learnings', 'committable', 'evidence']

function isAside(summary: string): boolean {
  const plain = toPlainText(summary).toLowerCase()
  return asides.some((word) => plain.includes(word))
}

type Content = Pick<BotFinding, 'prose' | 'suggestion'>

/** Explanation and suggested change of a finding. */
export function readContent(section: Section): Content {
  const own = listLines(section, (summary) => !isAside(summary))
  return { ...readLinesAsContent(own), suggestion: findSuggestion(listLines(section)) }
}

export function readLinesAsContent(lines: readonly Line[]): Content {
  return {
    prose: lines
      .filter(({ code }) => code === null)
      .map(({ text }) => toPlainText(text))
      .filter((text) => text !== '')
      .join('\n'),
    suggestion: findSuggestion(lines),
  }
}

function findSuggestion(lines: readonly Line[]): readonly string[] | null {
  return lines.find(({ code }) => code?.language.startsWith('suggestion'))?.code?.lines ?? null
}

/** The text is one finding. A suggestion that deletes its lines is an empty block, which has no line of its own. */
export function onlyFinding(
  { root, blocks }: Markup,
  fields: Partial<BotFinding> & Pick<BotFinding, 'format' | 'title'>,
): ParsedText {
  const suggestion = blocks.find(({ language }) => language.startsWith('suggestion'))?.lines ?? null
  return only(createFinding({ ...readContent(root), suggestion, ...fields }))
}

export interface BotOutcome {
  readonly outcome: 'addressed' | null
  readonly commits: readonly string[]
}

/** `✅ Addressed in commits 1a2b3c4 to 5d6e7f8`, which a bot adds to its own comment. */
export function readBotOutcome(lines: readonly Line[]): BotOutcome {
  const found = findInProse(lines, (text): BotOutcome | null => {
    if (!text.includes('ddressed in')) return null
    const [, rest] =
      /^[^\p{L}\d]{0,20}(?:white_check_mark:?\s?)?Addressed in ([^\n]{0,300})/iu.exec(toPlainText(text)) ?? []
    const commits = rest?.match(/\b[0-9a-f]{7,40}\b/gi) ?? []
    return commits.length === 0
      ? null
      : { outcome: 'addressed', commits: commits.map((sha) => sha.toLowerCase()) }
  })
  return found ?? { outcome: null, commits: [] }
}

/** What `read` makes of the first line of prose that it understands. */
export function findInProse<Found>(
  lines: readonly Line[],
  read: (text: string) => Found | null,
): Found | null {
  for (const { text, code } of lines) {
    const found = code === null ? read(text) : null
    if (found !== null) return found
  }
  return null
}

/** The groups of the first text that matches. */
export function matchFirst(texts: readonly string[], pattern: RegExp): readonly (string | undefined)[] {
  for (const text of texts) {
    const match = pattern.exec(text.trim())
    if (match) return match
  }
  return []
}

/** `src/app.ts:12` or `src/app.ts:12-14`; null = anything else. */
export function readLocation(text: string, separator = ':'): FindingLocation | null {
  const end = text.lastIndexOf(separator)
  const lines = end < 1 ? null : parseLines(text.slice(end + 1))
  return lines && { file: text.slice(0, end), ...lines }
}

/** The first line of prose that is not empty. */
export function firstProse(lines: readonly Line[]): string {
  return lines.find(({ text, code }) => code === null && toPlainText(text) !== '')?.text ?? ''
}

/** A line that is bold as a whole: `**Title**`. */
export function readBoldLine(text: string): string | null {
  const trimmed = text.trim()
  if (!trimmed.startsWith('**') || !trimmed.endsWith('**') || trimmed.length < 5) return null
  return toPlainText(trimmed)
}

/** The text of a heading of Markdown or HTML; null = the line is none. */
export function readHeading(text: string): string | null {
  const trimmed = text.trim()
  const isHeading = /^#{1,6}\s/.test(trimmed) || /^<h[1-6][\s>]/i.test(trimmed)
  return isHeading ? toPlainText(trimmed.replace(/^#{1,6}\s+/, '')) : null
}
