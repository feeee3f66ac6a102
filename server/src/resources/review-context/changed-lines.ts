/** The changed lines of a diff, shortened so that every request can process them. */
export interface ChangedLines {
  /** Added and removed lines with their signs, and hunk headers. */
  readonly lines: string
  /** Paths that the diff names. */
  readonly files: readonly string[]
}

const MAX_CHARACTERS = 6_000
const MAX_FILES = 300
const LONG_RUN_CHARACTERS = 40
const fileHeader = /^(?:\+\+\+|---) (?:[ab]\/)?([^\t\r]{1,1024})/

/** Every file gets an equal share of the limit. Its lines stay together, so that multi-line secrets are recognized. */
export function parseDiff(diff: string): ChangedLines {
  const files = new Set<string>()
  const parts: string[] = []
  for (const line of iterateSignedLines(diff)) {
    const path = fileHeader.exec(line)?.[1]
    if (path !== undefined || parts.length === 0) parts.push('')
    if (parts.length > 2 * MAX_FILES) break
    if (path !== undefined && path !== '/dev/null') files.add(path)
    const last = parts.length - 1
    if (path === undefined && isMeaningful(line) && (parts[last] ?? '').length < MAX_CHARACTERS)
      parts[last] += `${line.slice(0, MAX_CHARACTERS)}\n`
  }
  const changed = parts.filter((part) => part !== '')
  // Not a diff: use the text itself.
  if (changed.length === 0) return { lines: diff.slice(0, MAX_CHARACTERS), files: [...files] }
  const share = Math.max(Math.floor(MAX_CHARACTERS / changed.length), 80)
  const lines = changed.map((part) => part.slice(0, share).trimEnd()).join('\n')
  return { lines: lines.slice(0, MAX_CHARACTERS), files: [...files].slice(0, MAX_FILES) }
}

/** Yields lines that begin with +, - or @ without copying the others, which are most of a diff. */
function* iterateSignedLines(diff: string): Generator<string> {
  let start = 0
  while (start < diff.length) {
    const found = diff.indexOf('\n', start)
    const end = found === -1 ? diff.length : found
    if (end > start && '+-@'.includes(diff.charAt(start))) yield diff.slice(start, end)
    start = end + 1
  }
}

/** A long run without spaces is neither prose nor code, and may be part of a multi-line secret. */
function isMeaningful(line: string): boolean {
  const content = line.slice(1, MAX_CHARACTERS).trim()
  return content !== '' && (content.length < LONG_RUN_CHARACTERS || /\s/.test(content))
}
