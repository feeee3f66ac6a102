import type { Base } from './code/base.ts'

/** A line of code; those of one finding bear its key, which says which finding it really is. */
export interface Line {
  readonly text: string
  readonly finding?: { readonly key: string; readonly rule: string }
}

export interface File {
  readonly path: string
  /** The first is the head of the file; the others stand alone. */
  readonly blocks: readonly (readonly Line[])[]
}

/** What a scanner tells of a finding, with the key that it does not tell. */
export interface Sighting {
  readonly key: string
  readonly rule: string
  readonly path: string
  readonly start: number
  readonly end: number
  readonly snippet: string
  readonly context: string
}

const CONTEXT_LINES = 3

export function fileOf(base: Base): File {
  const blocks = base.code
    .split('\n---\n')
    .map((block) =>
      linesOf(block, (mark) => ({ key: `${base.path}#${mark}`, rule: base.findings[mark]?.rule ?? '' })),
    )
  return { path: base.path, blocks }
}

export function linesOf(
  code: string,
  findingOf: (mark: number) => NonNullable<Line['finding']>,
): readonly Line[] {
  return code.split('\n').map((line) => {
    const [, text = line, mark] = /^(.*?)\s*‹(\d)›$/.exec(line) ?? []
    return mark === undefined ? { text } : { text, finding: findingOf(Number(mark)) }
  })
}

export function keysOf(blocks: File['blocks']): string[] {
  return [...new Set(blocks.flat().flatMap(({ finding }) => (finding ? [finding.key] : [])))]
}

export function scan(files: readonly File[]): Sighting[] {
  return files.flatMap(({ path, blocks }) => {
    const lines = blocks.flatMap((block, place): readonly Line[] =>
      place === 0 ? block : [{ text: '' }, ...block],
    )
    return keysOf(blocks).map((key) => sightingOf(path, lines, key))
  })
}

function sightingOf(path: string, lines: readonly Line[], key: string): Sighting {
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
