/** The changed lines of a diff, shortened so that every request can process them. */
export interface ChangedLines {
  /** Added and removed lines with their signs. Changes of layout and of version numbers alone are left out. */
  readonly lines: string
  /** Paths that the diff names. */
  readonly files: readonly string[]
}

const MAX_CHARACTERS = 6_000
const MAX_FILES = 300
const LONG_RUN_CHARACTERS = 40
/** No more lines of a block are read, so that the time for a large diff is bounded. */
const MAX_BLOCK_LINES = 500
const fileHeader = /^(?:\+\+\+|---) (?:[ab]\/)?([^\t\r]{1,1024})/

/** Every file gets an equal share of the limit. Its lines stay together, so that multi-line secrets are recognized. */
export function parseDiff(diff: string): ChangedLines {
  const files = new Set<string>()
  const parts: string[] = []
  for (const block of iterateBlocks(diff)) {
    const path = fileHeader.exec(block[0] ?? '')?.[1]
    if (path !== undefined || parts.length === 0) parts.push('')
    if (parts.length > 2 * MAX_FILES) break
    if (path === undefined) parts.push(addBlock(parts.pop() ?? '', block))
    else if (path !== '/dev/null') files.add(path)
  }
  // Not a diff: use the text itself.
  if (parts.length === 0) return { lines: diff.slice(0, MAX_CHARACTERS), files: [] }
  const changed = parts.filter((part) => part !== '')
  const share = Math.max(Math.floor(MAX_CHARACTERS / changed.length), 80)
  const lines = changed.map((part) => part.slice(0, share).trimEnd()).join('\n')
  return { lines: lines.slice(0, MAX_CHARACTERS), files: [...files].slice(0, MAX_FILES) }
}

function addBlock(part: string, block: readonly string[]): string {
  if (part.length >= MAX_CHARACTERS || !changesContent(block)) return part
  const lines = block.filter(isMeaningful).map((line) => `${line.slice(0, MAX_CHARACTERS)}\n`)
  return `${part}${lines.join('')}`.slice(0, 2 * MAX_CHARACTERS)
}

/** Yields runs of added and removed lines that follow each other; every file header is a block of its own. */
function* iterateBlocks(diff: string): Generator<readonly string[]> {
  let block: string[] = []
  let blockEnd = 0
  for (const { line, start } of iterateSignedLines(diff)) {
    const isHeader = line.startsWith('@') || fileHeader.test(line)
    if (block.length > 0 && (isHeader || start !== blockEnd)) {
      yield block
      block = []
    }
    if (isHeader) yield [line]
    else if (block.length <= MAX_BLOCK_LINES) block.push(line)
    blockEnd = start + line.length + 1
  }
  if (block.length > 0) yield block
}

/** Yields lines that begin with +, - or @ without copying the others, which are most of a diff. */
function* iterateSignedLines(diff: string): Generator<{ readonly line: string; readonly start: number }> {
  let start = 0
  while (start < diff.length) {
    const found = diff.indexOf('\n', start)
    const end = found === -1 ? diff.length : found
    if (end > start && '+-@'.includes(diff.charAt(start))) yield { line: diff.slice(start, end), start }
    start = end + 1
  }
}

/** Whether more changes than layout, quotes and version numbers: a formatter or a release changes nothing to review. */
function changesContent(block: readonly string[]): boolean {
  if (block[0]?.startsWith('@')) return false
  if (block.length > MAX_BLOCK_LINES) return true
  const [removed, added] = ['-', '+'].map((sign) =>
    block
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('')
      .replaceAll(/\d{1,9}(?:\.\d{1,9}){2,3}(?:[-+][\w.]{1,40})?/g, 'version')
      .replaceAll(/[\s,;'"`()]/g, ''),
  )
  return removed !== added
}

/** A long run without spaces is neither prose nor code, and may be part of a multi-line secret. */
function isMeaningful(line: string): boolean {
  const content = line.slice(1, MAX_CHARACTERS).trim()
  return content !== '' && (content.length < LONG_RUN_CHARACTERS || /\s/.test(content))
}
