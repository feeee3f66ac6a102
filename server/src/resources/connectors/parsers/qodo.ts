// Qodo and PR-Agent. Format 1: a table of suggestions with `Suggestion importance[1-10]: 8`, or `[label, importance: 8]` on
// lines. Format 2: the comment "Code Review by Qodo" lists findings by level, with what became of them; on lines, a badge of the
// level and `1\. Title`.
import {
  type BotFinding,
  createFinding,
  createListedFinding,
  type FindingLocation,
  nothingFound,
  notUnderstood,
  type ParsedText,
  type Parser,
} from './bot-finding.ts'
import { findInProse, firstProse, onlyFinding, readContent } from './content.ts'
import {
  isSection,
  type Line,
  listImageTexts,
  listLines,
  type Markup,
  parseLines,
  type Section,
  toPlainText,
} from './markup.ts'

const levels = ['action required', 'remediation recommended', 'informational'] as const

export const qodoParser: Parser = { thread: parseThread, elsewhere: parseBody }

function parseBody({ root, lines }: Markup): ParsedText {
  const isReview = lines.some(({ text, code }) => code === null && text.includes('Code Review by Qodo'))
  return isReview ? parseReviewComment(root) : parseSuggestionTable(root)
}

function parseThread(markup: Markup): ParsedText {
  const { lines } = markup
  const level = lines.map(({ text }) => readLevel(text)).find((one) => one !== null)
  const numbered = findInProse(lines, readNumbered)
  if (level !== undefined && numbered !== null)
    return onlyFinding(markup, { format: 2, rawSeverity: level, ...readNumberedTitle(numbered) })
  const first = firstProse(lines)
  if (first === '') return nothingFound
  const [, label, digits] =
    findInProse(lines, (text) => /\[([\w .-]{1,60}), importance: (\d{1,2})\]/i.exec(text)) ?? []
  if (label === undefined) return notUnderstood
  const title = toPlainText(first).replace(/^suggestion:\s{0,3}/i, '')
  const rawSeverity = toLevel(Number(digits))
  return onlyFinding(markup, { format: 1, title, rawSeverity, rawCategory: label.toLowerCase() })
}

/** The levels that the program shows itself: High from 9, Medium from 7. */
function toLevel(importance: number): string | null {
  if (importance < 1 || importance > 10) return null
  if (importance >= 9) return 'High'
  return importance >= 7 ? 'Medium' : 'Low'
}

function readLevel(text: string): string | null {
  return listImageTexts(text).find((alt) => levels.some((level) => level === alt.toLowerCase())) ?? null
}

/** `3. Title <code>🐞 Bug</code>`: what follows the number; null = not numbered. */
function readNumbered(text: string): string | null {
  return /^\s{0,8}\d{1,3}\\?\.\s{1,8}(\S.{0,1000})$/.exec(text)?.[1] ?? null
}

type NumberedTitle = Pick<BotFinding, 'title' | 'rawCategory' | 'outcome' | 'mergeKey'>

/** `rest`: what follows the number. */
function readNumberedTitle(rest: string): NumberedTitle {
  const end = rest.indexOf('<code>')
  const title = toPlainText(end === -1 ? rest : rest.slice(0, end)).replace(/\s?☑️?$/u, '')
  const labels = [...rest.matchAll(/<code>([^<]{1,60})<\/code>/g)].map(([, label = '']) =>
    toPlainText(label)
      .replace(/^[^\p{L}]{1,8}/u, '')
      .toLowerCase(),
  )
  const category = labels.findLast((label) => !['bug', 'resolved', 'dismissed'].includes(label)) ?? null
  return { title, rawCategory: category, outcome: readState(rest, labels), mergeKey: title.toLowerCase() }
}

function readState(markup: string, labels: readonly string[]): 'addressed' | 'dismissed' | null {
  if (labels.includes('dismissed')) return 'dismissed'
  const isResolved =
    labels.includes('resolved') || markup.includes('☑') || markup.startsWith('<s>') || markup.startsWith('~~')
  return isResolved ? 'addressed' : null
}

function parseReviewComment(root: Section): ParsedText {
  const findings: BotFinding[] = []
  let level: string | null = null
  let unparsed = 0
  const visit = (section: Section): void => {
    for (const item of section.content) {
      if (!isSection(item)) {
        level = readLevel(item.text) ?? level
        continue
      }
      const numbered = readNumbered(item.summary)
      if (numbered === null) visit(item)
      else if (level === null) unparsed++
      else findings.push(toReviewFinding(item, numbered, level))
    }
  }
  visit(root)
  return { findings, unparsed, notes: [] }
}

function toReviewFinding(section: Section, numbered: string, level: string): BotFinding {
  return createFinding({
    format: 2,
    rawSeverity: level,
    ...readNumberedTitle(numbered),
    ...readContent(section),
    postedAs: 'body',
    ...findLocation(listLines(section)),
  })
}

/** `[src/app.ts[R22-25]](…)` in format 2, `[src/app.ts [22-25]](…)` in format 1. */
function findLocation(lines: readonly Line[]): FindingLocation | null {
  return findInProse(lines, (text) => {
    const [, path = '', range = ''] = /\[([^[\]]{1,1024}?)\s?\[([^[\]]{1,40})\]\]\(/.exec(text) ?? []
    const found = parseLines(range)
    return found && { file: path.trim(), ...found }
  })
}

function parseSuggestionTable(root: Section): ParsedText {
  const findings: BotFinding[] = []
  let category: string | null = null
  let unparsed = 0
  const visit = (section: Section): void => {
    for (const item of section.content) {
      if (!isSection(item)) {
        category = readCategoryCell(item.text) ?? category
        continue
      }
      const importance = readImportance(item)
      if (importance === undefined) visit(item)
      else {
        const location = findLocation(listLines(item))
        if (location === null) unparsed++
        else findings.push(toTableFinding(item, importance, category, location))
      }
    }
  }
  visit(root)
  return { findings, unparsed, notes: [] }
}

function toTableFinding(
  section: Section,
  importance: number,
  category: string | null,
  location: FindingLocation,
): BotFinding {
  const fields = {
    format: 1,
    title: toPlainText(section.summary).replace(/^✅\s?/u, ''),
    rawSeverity: toLevel(importance),
    rawCategory: category,
    ...readContent(section),
    postedAs: 'body',
    // The program puts this mark before the title of a suggestion that was applied.
    outcome: section.summary.trimStart().startsWith('✅') ? 'addressed' : null,
  } as const
  return createListedFinding(fields, location)
}

/** The importance is the summary of a section in the suggestion's own. */
function readImportance(section: Section): number | undefined {
  for (const item of section.content) {
    const [, digits] =
      (isSection(item) && /^suggestion importance\[1-10\]: (\d{1,2})$/i.exec(toPlainText(item.summary))) || []
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}

/** `<tr><td rowspan=3>Possible issue</td>`. */
function readCategoryCell(text: string): string | null {
  const [, label] = /<tr>\s{0,5}<td[^>]{0,60}>([^<>]{1,60})<\/td>/i.exec(text) ?? []
  return label === undefined ? null : label.trim().toLowerCase()
}
