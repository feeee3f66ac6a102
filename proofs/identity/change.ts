import { basename, dirname } from 'node:path/posix'
import type { Base } from './code/base.ts'
import { type File, type Line, linesOf } from './file.ts'

// What people do to a file. The key of a finding goes with its line; what is new gets a key of its own.

type Blocks = File['blocks']

export function fillerOf({ filler, comment }: Base): readonly Line[] {
  return [
    { text: `${comment} see the notes of the last release` },
    ...filler.split('\n').map((text) => ({ text })),
  ]
}

export function freshOf(base: Base): readonly Line[] {
  return linesOf(base.fresh, () => ({ key: `${base.path}#fresh`, rule: base.freshRule }))
}

export function addAfterHead([head = [], ...rest]: Blocks, ...added: Blocks): Blocks {
  return [head, ...added, ...rest]
}

export function addBetween([head = [], ...rest]: Blocks, added: readonly Line[]): Blocks {
  return [head, ...rest.flatMap((block, place) => (place === 0 ? [block] : [added, block]))]
}

export function reverse([head = [], ...rest]: Blocks): Blocks {
  return [head, ...rest.toReversed()]
}

export function growHead(base: Base, [head = [], ...rest]: Blocks): Blocks {
  const notice = ['part of the platform', 'owners: platform team', 'see docs for how it is run']
  return [[...head, ...notice.map((text) => ({ text: `${base.comment} ${text}` }))], ...rest]
}

export function sameNameElsewhere(path: string): string {
  return `${dirname(path)}/shared/${basename(path)}`
}

/** The line of a finding gets another text; it keeps its finding, or loses it. */
export function rewrite(blocks: Blocks, key: string, text: string, keeps: boolean): Blocks {
  return blocks.map((block) =>
    block.map((line) => {
      if (line.finding?.key !== key) return line
      return keeps ? { ...line, text } : { text }
    }),
  )
}

export function blockOf(blocks: Blocks, key: string): readonly Line[] {
  return blocks.find((block) => block.some(({ finding }) => finding?.key === key)) ?? []
}

export function without(blocks: Blocks, block: readonly Line[]): Blocks {
  return blocks.filter((other) => other !== block)
}

/** The same code once more under another name; its findings are others. */
export function copyOf(block: readonly Line[]): readonly Line[] {
  return block.map(({ text, finding }, place) => ({
    text: place === 0 ? text.replace(/(\w+)\(/, '$1Again(').replace(/^def (\w+)$/, 'def $1_again') : text,
    ...(finding ? { finding: { ...finding, key: `${finding.key}-copy` } } : {}),
  }))
}

export function editNeighbours({ comment }: Base, blocks: Blocks): Blocks {
  return blocks.map((block) =>
    block.flatMap((line) => {
      if (!line.finding) return [line]
      const indent = /^\s*/.exec(line.text)?.[0] ?? ''
      return [{ text: `${indent}${comment} Looked at again before every release` }, line]
    }),
  )
}

/** Another width of indentation and, where the language has both, the other quotes. */
export function reindent(path: string, blocks: Blocks): Blocks {
  const bothQuotes = /[.](?:ts|js|py|php|rb)$/.test(path)
  return mapTexts(blocks, (text) => {
    const wider = text.replace(/^(?: {2}|\t)+/, (indent) =>
      indent.startsWith('\t') ? '    '.repeat(indent.length) : indent + indent,
    )
    return bothQuotes ? wider.replaceAll(/'([^'"\\#]*)'/g, '"$1"') : wider
  })
}

/** Long calls are broken into a line for each argument. */
export function wrap(blocks: Blocks): Blocks {
  return blocks.map((block) => block.flatMap(wrapLine))
}

function wrapLine(line: Line): readonly Line[] {
  const parts = /^(\s*)([^(]*\()(.*)(\)[^)]*)$/.exec(line.text)
  if (parts === null || line.text.length < 40) return [line]
  const [, indent = '', head = '', middle = '', tail = ''] = parts
  if (middle === '') return [line]
  const args = splitArguments(middle)
  return [
    { ...line, text: indent + head },
    ...args.map((arg, place) => ({
      ...line,
      text: `${indent}    ${arg}${place < args.length - 1 ? ',' : ''}`,
    })),
    { ...line, text: indent + tail },
  ]
}

function splitArguments(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quote !== '') quote = letter === quote ? '' : quote
    else if ('\'"`'.includes(letter)) quote = letter
    else if ('([{'.includes(letter)) depth++
    else if (')]}'.includes(letter)) depth--
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...parts, text.slice(from).trim()]
}

function mapTexts(blocks: Blocks, map: (text: string) => string): Blocks {
  return blocks.map((block) => block.map((line) => ({ ...line, text: map(line.text) })))
}
