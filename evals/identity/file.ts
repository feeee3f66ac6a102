import type { CodeSample } from './samples.ts'

/** A line of code. The key identifies the finding across edits; lines of one finding share it. */
export interface Line {
  readonly text: string
  readonly finding?: { readonly key: string; readonly rule: string }
}

export interface File {
  readonly path: string
  /** The first block is the head of the file; the others can be moved. */
  readonly blocks: readonly (readonly Line[])[]
}

/** What a scanner reports about a finding, and the key, which no scanner knows. */
export interface ReportedFinding {
  readonly key: string
  readonly rule: string
  readonly path: string
  readonly start: number
  readonly end: number
  readonly snippet: string
  readonly context: string
}

const CONTEXT_LINES = 3

export function parseFile(sample: CodeSample): File {
  const parse = (block: readonly string[]) =>
    parseLines(block, (mark) => ({
      key: `${sample.id}#${mark}`,
      rule: sample.findings[mark]?.rule ?? '',
    }))
  const ends = [...sample.code.keys().filter((index) => sample.code[index] === '---'), sample.code.length]
  const blocks = ends.map((end, index) => parse(sample.code.slice((ends[index - 1] ?? -1) + 1, end)))
  return { path: sample.id, blocks }
}

export function parseLines(
  code: readonly string[],
  getFinding: (mark: number) => NonNullable<Line['finding']>,
): readonly Line[] {
  return code.map((line) => {
    const [, text = line, mark] = /^(.*?)\s*‹(\d)›$/.exec(line) ?? []
    return mark === undefined ? { text } : { text, finding: getFinding(Number(mark)) }
  })
}

export function getFindingKeys(blocks: File['blocks']): string[] {
  return [...new Set(blocks.flat().flatMap(({ finding }) => (finding ? [finding.key] : [])))]
}

export function scan(files: readonly File[]): ReportedFinding[] {
  return files.flatMap(({ path, blocks }) => {
    const lines = blocks.flatMap((block, index): readonly Line[] =>
      index === 0 ? block : [{ text: '' }, ...block],
    )
    return getFindingKeys(blocks).map((key) => reportFinding(path, lines, key))
  })
}

function reportFinding(path: string, lines: readonly Line[], key: string): ReportedFinding {
  const start = lines.findIndex(({ finding }) => finding?.key === key)
  const end = lines.findLastIndex(({ finding }) => finding?.key === key)
  const text = (from: number, to: number) =>
    lines
      .slice(Math.max(0, from), to + 1)
      .map((line) => line.text)
      .join('\n')
  return {
    key,
    rule: lines[start]?.finding?.rule ?? '',
    path,
    start: start + 1,
    end: end + 1,
    snippet: text(start, end),
    context: text(start - CONTEXT_LINES, end + CONTEXT_LINES),
  }
}
