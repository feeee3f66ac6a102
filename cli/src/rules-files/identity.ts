// What an export carries, invisibly to readers, so that an import recognizes its Learnings.

/** A Learning as an export knew it. */
export interface CarriedIdentity {
  readonly id: string
  /** Hash of the text at the time of the export; null if the file does not say, as in a CSV export of the API. */
  readonly textHash: string | null
  readonly file: string | null
  readonly sourceUrl: string | null
}

const opening = '<!-- scholiast learnings'
const explanation = 'Do not edit these lines: an import recognizes the Learnings of this file by them.'

/** As the server compares texts: surrounding white space, line endings and Unicode composition make no difference. */
export function toCanonicalText(text: string): string {
  // After 30 combining marks in a row, the server separates them: sorting all of them would take long.
  const separated = text.trim().replace(/([\p{M}\uff9e\uff9f]{30})(?=[\p{M}\uff9e\uff9f])/gu, '$1\u034f')
  return separated.normalize('NFC').replaceAll(/\r\n?/g, '\n')
}

/** A comment at the end of a Markdown file, one Learning a line. */
export function renderIdentities(identities: readonly CarriedIdentity[]): string {
  const lines = identities.map(({ id, textHash, file, sourceUrl }) =>
    // The comment must not end early.
    JSON.stringify([textHash, id, file, sourceUrl]).replaceAll('>', '\\u003e'),
  )
  return [opening, explanation, ...lines, '-->', ''].join('\n')
}

export interface ParsedIdentities {
  /** The file without the comment. */
  readonly content: string
  readonly identities: readonly CarriedIdentity[]
}

export function parseIdentities(content: string): ParsedIdentities {
  // The last one: the text of a Learning may contain such a comment.
  const start = Math.max(
    content.lastIndexOf(`\n${opening}\n`) + 1,
    content.startsWith(`${opening}\n`) ? 0 : -1,
  )
  const end = content.indexOf('\n-->', start)
  if (!content.startsWith(opening, start) || end === -1) return { content, identities: [] }
  const lines = content.slice(start, end).split('\n').slice(1)
  return {
    content: content.slice(0, start) + content.slice(end + '\n-->'.length),
    identities: lines.flatMap(parseIdentity),
  }
}

export function hasIdentities(content: string): boolean {
  return content.includes(opening)
}

function parseIdentity(line: string): CarriedIdentity[] {
  if (!line.startsWith('[')) return []
  try {
    const [textHash, id, file, sourceUrl] = JSON.parse(line) as unknown[]
    if (typeof textHash !== 'string' || typeof id !== 'string') return []
    return [{ id, textHash, file: toTextOrNull(file), sourceUrl: toTextOrNull(sourceUrl) }]
  } catch {
    // Somebody edited the line: its statement is then one like any other.
    return []
  }
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
