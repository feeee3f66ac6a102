// Copilot code review. Comments on lines are prose. Format 1: a review lists suppressed comments, which never become threads.
// Format 2 (since September 2026, mark `ccr-overview-v2`): a review lists open and resolved threads with badges of severity,
// and findings that it missed before.
import {
  type BotFinding,
  createListedFinding,
  type FindingLocation,
  listed,
  nothingFound,
  type ParsedText,
  type Parser,
  type ThreadNote,
} from './bot-finding.ts'
import {
  firstProse,
  matchFirst,
  onlyFinding,
  readContent,
  readHeading,
  readLinesAsContent,
  readLocation,
} from './content.ts'
import {
  isSection,
  type Line,
  listImageTexts,
  listLines,
  listSections,
  type Markup,
  readCount,
  type Section,
  toPlainText,
} from './markup.ts'

const V2_MARK = 'ccr-overview-v2'
const MAX_PATH_CHARACTERS = 1024

export const copilotParser: Parser = { thread: parseThread, review: parseBody }

function parseBody(markup: Markup): ParsedText {
  const isV2 =
    markup.hidden.includes(V2_MARK) || listSections(markup.root).some(({ summary }) => isOpenList(summary))
  return isV2 ? parseOverview(markup) : parseSuppressed(markup)
}

function parseThread(markup: Markup): ParsedText {
  const first = firstProse(markup.lines)
  const rawSeverity = readBadge(first)
  if (first === '' && markup.blocks.length === 0) return nothingFound
  const format = rawSeverity === null ? 1 : 2
  return onlyFinding(markup, { format, title: toPlainText(first), rawSeverity })
}

/** `Medium severity` and `Medium` are Medium. */
function readBadge(text: string): string | null {
  return matchFirst(listImageTexts(text), /^(critical|high|medium|low)(?: severity)?$/i)[1] ?? null
}

/** `Open (2)` in September 2026, `2 open findings` since October. */
function isOpenList(summary: string): boolean {
  const plain = toPlainText(summary).toLowerCase()
  return /^open \(\d+\)$/.test(plain) || /^\d+ open findings?$/.test(plain)
}

function isResolvedList(summary: string): boolean {
  const plain = toPlainText(summary).toLowerCase()
  return plain.startsWith('resolved since last review') || /^\d+ resolved since last review/.test(plain)
}

function isMissedList(summary: string): boolean {
  const plain = toPlainText(summary).toLowerCase()
  return plain.startsWith('previously missed') || /^\d+ previously missed/.test(plain)
}

function parseOverview({ root }: Markup): ParsedText {
  const sections = listSections(root)
  const missed = sections.filter(({ summary }) => isMissedList(summary))
  const findings = missed.flatMap(parseMissed)
  const announced = missed.reduce((sum, { summary }) => sum + readListCount(summary), 0)
  const notes = sections.flatMap((section) => {
    if (isOpenList(section.summary)) return listNotes(section, false)
    return isResolvedList(section.summary) ? listNotes(section, true) : []
  })
  return listed(findings, announced, notes)
}

function readListCount(summary: string): number {
  const [, digits] = /^(\d{1,3}) /.exec(toPlainText(summary)) ?? []
  return digits === undefined ? readCount(summary) : Number(digits)
}

function listNotes(section: Section, isResolved: boolean): ThreadNote[] {
  return listLines(section).flatMap(({ text }) => {
    const [, discussion] = /#discussion_r(\d{1,20})/.exec(text) ?? []
    return discussion === undefined ? [] : [{ discussion, rawSeverity: readBadge(text), isResolved }]
  })
}

function parseMissed(list: Section): BotFinding[] {
  return list.content.flatMap((item) => {
    if (!isSection(item)) return []
    const location = listLines(item)
      .map(({ text }) => readPlainLocation(text.trim().replaceAll('`', '')))
      .find((one) => one !== null)
    if (!location) return []
    const { summary } = item
    const head = { format: 2, title: toPlainText(summary), rawSeverity: readBadge(summary) }
    return [createListedFinding({ ...head, ...readContent(item), postedAs: 'body' }, location)]
  })
}

/** Prose may look like a location too. */
function readPlainLocation(text: string): FindingLocation | null {
  const location = readLocation(text)
  const file = location?.file ?? ''
  return /\s/.test(file) || file.length > MAX_PATH_CHARACTERS ? null : location
}

const suppressedTitle = /^(?:suppressed comments|comments suppressed due to low confidence) \(\d+\)$/

function parseSuppressed({ root }: Markup): ParsedText {
  const lists = [
    ...listSections(root)
      .filter(({ summary }) => suppressedTitle.test(toPlainText(summary).toLowerCase()))
      .map((section) => ({ announced: readCount(section.summary), lines: listLines(section) })),
    ...listHeadedLists(listLines(root)),
  ]
  const findings = lists.flatMap(({ lines }) => parseSuppressedLines(lines))
  const announced = lists.reduce((sum, list) => sum + list.announced, 0)
  return listed(findings, announced)
}

interface SuppressedList {
  readonly announced: number
  readonly lines: readonly Line[]
}

/** `### Suppressed comments (2)` and what follows, up to the next heading. */
function listHeadedLists(lines: readonly Line[]): SuppressedList[] {
  const lists: { announced: number; lines: Line[] }[] = []
  let current: Line[] | null = null
  for (const line of lines) {
    const heading = line.code === null ? readHeading(line.text) : null
    if (heading === null) current?.push(line)
    else if (suppressedTitle.test(heading.toLowerCase())) {
      current = []
      lists.push({ announced: readCount(heading), lines: current })
    } else current = null
  }
  return lists
}

/** `**path:line**`, then `* explanation`, then the code in question. */
function parseSuppressedLines(lines: readonly Line[]): BotFinding[] {
  const items: { readonly location: FindingLocation; readonly lines: Line[] }[] = []
  for (const line of lines) {
    const text = line.text.trim()
    const location =
      line.code === null && text.startsWith('**') && text.endsWith('**')
        ? readPlainLocation(text.slice(2, -2))
        : null
    if (location) items.push({ location, lines: [] })
    else items.at(-1)?.lines.push(line)
  }
  return items.map(({ location, lines: content }) => {
    const title = toPlainText(firstProse(content)).replace(/^[*-]\s+/, '')
    const fields = { format: 1, title, ...readLinesAsContent(content), postedAs: 'suppressed' } as const
    return createListedFinding(fields, location)
  })
}
