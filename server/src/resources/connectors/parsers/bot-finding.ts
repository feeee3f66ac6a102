import type { Markup } from './markup.ts'

/** Where a bot posted a text. */
export type TextLocation = 'thread' | 'review' | 'comment' | 'check'

/** A finding as one parser reads it from one text. Title and prose become a sketch and go no further. */
export interface BotFinding {
  /** The version of the bot's format. */
  readonly format: number
  readonly title: string
  readonly prose: string
  readonly rawSeverity: string | null
  readonly rawCategory: string | null
  /** The bot's own id of the finding. */
  readonly botKey: string | null
  /** Finds the same finding in another text of the bot, where it has no id of its own. */
  readonly mergeKey: string | null
  readonly postedAs: 'body' | 'suppressed' | 'annotation' | null
  /** Where the text names it; a thread has its own. */
  readonly file: string | null
  readonly startLine: number | null
  readonly endLine: number | null
  readonly suggestion: readonly string[] | null
  readonly outcome: 'addressed' | 'dismissed' | null
  readonly commits: readonly string[]
}

/** What a bot says in one text about a thread that it opened before. */
export interface ThreadNote {
  /** The number in the address of the comment, `#discussion_r…`. */
  readonly discussion: string
  readonly rawSeverity: string | null
  readonly isResolved: boolean
}

export interface ParsedText {
  readonly findings: readonly BotFinding[]
  /** Findings that the text has or announces, but that were not understood. */
  readonly unparsed: number
  readonly notes: readonly ThreadNote[]
}

type ParseText = (markup: Markup) => ParsedText

/** How the texts of a bot are read, by where they are. Other texts have no findings. */
export interface Parser extends Readonly<Partial<Record<TextLocation, ParseText>>> {
  /** Reads the locations that have no parser of their own. */
  readonly elsewhere?: ParseText
}

export const nothingFound: ParsedText = { findings: [], unparsed: 0, notes: [] }
/** Looks like a finding, and is not understood. */
export const notUnderstood: ParsedText = { findings: [], unparsed: 1, notes: [] }

const MAX_TITLE_CHARACTERS = 300
const MAX_PROSE_CHARACTERS = 1500

type FindingFields = Partial<BotFinding> & Pick<BotFinding, 'format' | 'title'>

export function createFinding(fields: FindingFields): BotFinding {
  return {
    rawSeverity: null,
    rawCategory: null,
    botKey: null,
    mergeKey: null,
    postedAs: null,
    file: null,
    startLine: null,
    endLine: null,
    suggestion: null,
    outcome: null,
    commits: [],
    ...fields,
    title: fields.title.slice(0, MAX_TITLE_CHARACTERS),
    prose: (fields.prose ?? '').slice(0, MAX_PROSE_CHARACTERS),
  }
}

export type FindingLocation = Pick<BotFinding, 'file' | 'startLine' | 'endLine'>

/** A finding in a list. It has no id of the bot: file and title find it in another text. */
export function createListedFinding(fields: FindingFields, location: FindingLocation): BotFinding {
  return createFinding({
    ...fields,
    mergeKey: `${location.file}\n${fields.title.toLowerCase()}`,
    ...location,
  })
}

export function only(finding: BotFinding): ParsedText {
  return { ...nothingFound, findings: [finding] }
}

/** `announced`: as many findings as the text says that it lists. */
export function listed(
  findings: readonly BotFinding[],
  announced: number,
  notes: readonly ThreadNote[] = [],
): ParsedText {
  return { findings, unparsed: Math.max(0, announced - findings.length), notes }
}
