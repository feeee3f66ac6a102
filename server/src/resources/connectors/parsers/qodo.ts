// Qodo and PR-Agent. Format 1: a table of suggestions with `Suggestion importance[1-10]: 8`, or `[label, importance: 8]` on
// lines. Format 2: the comment "Code Review by Qodo" lists findings by level, with what became of them; on lines, a badge of the
// level and `1\. Title`.
import {
  type BotFinding,
  createFinding,
  nothingFound,
  notUnderstood,
  only,
  type ParsedText,
  type TextLocation,
} from './bot-finding.ts'
import { findSuggestionBlock, firstProse, readContent } from './content.ts'
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

export function parseQodo(markup: Markup, location: TextLocation): ParsedText {
  if (location === 'thread') return parseThread(markup)
  if (markup.lines.some(({ text, code }) => code === null && text.includes('Code Review by Qodo')))
    return parseReviewComment(markup.root)
  return parseSuggestionTable(markup.root)
}

function parseThread(markup: Markup): ParsedText {
  const { root, lines, blocks } = markup
  const level = lines.map(({ text }) => readLevel(text)).find((one) => one !== null)
  const numbered = lines.find(({ text, code }) => code === null && readNumbered(text) !== null)
  const content = { ...readContent(root), suggestion: findSuggestionBlock(blocks) }
  if (level !== undefined && numbered !== undefined) {
    return only(
      createFinding({ format: 2, rawSeverity: level, ...readNumberedTitle(numbered.text), ...content }),
    )
  }
  const first = firstProse(lines)
  if (first === '') return nothingFound
  for (const { text, code } of lines) {
    const [, label, digits] =
      (code === null && /\[([\w .-]{1,60}), importance: (\d{1,2})\]/i.exec(text)) || []
    if (label === undefined || digits === undefined) continue
    const title = toPlainText(first).replace(/^suggestion:\s{0,3}/i, '')
    return only(
      createFinding({
        format: 1,
        title,
        rawSeverity: toLevel(Number(digits)),
        rawCategory: label.toLowerCase(),
        ...content,
      }),
    )
  }
  return notUnderstood
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

function readNumberedTitle(text: string): NumberedTitle {
  const rest = readNumbered(text) ?? text
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
      } else if (readNumbered(item.summary) === null) visit(item)
      else if (level === null) unparsed++
      else findings.push(toListedFinding(item, level))
    }
  }
  visit(root)
  return { findings, unparsed, notes: [] }
}

function toListedFinding(section: Section, level: string): BotFinding {
  const location = findLocation(listLines(section))
  return createFinding({
    format: 2,
    rawSeverity: level,
    ...readNumberedTitle(section.summary),
    ...readContent(section),
    postedAs: 'body',
    ...location,
  })
}

/** `[src/app.ts[R22-25]](…)` in format 2, `[src/app.ts [22-25]](…)` in format 1. */
function findLocation(lines: readonly Line[]): Pick<BotFinding, 'file' | 'startLine' | 'endLine'> | null {
  for (const { text, code } of lines) {
    if (code !== null) continue
    const [, path, range = ''] = /\[([^[\]]{1,1024}?)\s?\[([^[\]]{1,40})\]\]\(/.exec(text) ?? []
    const found = path === undefined ? null : parseLines(range)
    if (path !== undefined && found) return { file: path.trim(), startLine: found.start, endLine: found.end }
  }
  return null
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
  location: Pick<BotFinding, 'file' | 'startLine' | 'endLine'>,
): BotFinding {
  const title = toPlainText(section.summary).replace(/^✅\s?/u, '')
  return createFinding({
    format: 1,
    title,
    rawSeverity: toLevel(importance),
    rawCategory: category,
    ...readContent(section),
    mergeKey: `${location.file}\n${title.toLowerCase()}`,
    postedAs: 'body',
    // The program puts this mark before the title of a suggestion that was applied.
    outcome: section.summary.trimStart().startsWith('✅') ? 'addressed' : null,
    ...location,
  })
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
