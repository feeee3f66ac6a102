import { basename, dirname } from 'node:path/posix'
import { type File, type Line, parseLines } from './file.ts'
import type { CodeSample } from './samples.ts'

// Ways to edit a file. A finding keeps its key when its line moves; a new finding gets a new key.

type Blocks = File['blocks']

export function getFillerLines({ filler, comment }: CodeSample): readonly Line[] {
  return [{ text: `${comment} see the notes of the last release` }, ...filler.map((text) => ({ text }))]
}

export function getNewBlock(sample: CodeSample): readonly Line[] {
  return parseLines(sample.newBlock, () => ({ key: `${sample.id}#new`, rule: sample.newRule }))
}

export function addAfterHead([head = [], ...rest]: Blocks, ...added: Blocks): Blocks {
  return [head, ...added, ...rest]
}

export function addBetween([head = [], ...rest]: Blocks, added: readonly Line[]): Blocks {
  return [head, ...rest.flatMap((block, index) => (index === 0 ? [block] : [added, block]))]
}

export function reverseBlocks([head = [], ...rest]: Blocks): Blocks {
  return [head, ...rest.toReversed()]
}

export function extendHead({ comment }: CodeSample, [head = [], ...rest]: Blocks): Blocks {
  const notice = ['part of the platform', 'owners: platform team', 'see docs for how it is run']
  return [[...head, ...notice.map((text) => ({ text: `${comment} ${text}` }))], ...rest]
}

export function moveToFolder(path: string): string {
  return `${dirname(path)}/shared/${basename(path)}`
}

/** Replaces the line of a finding; `keeps` says whether the new line still has it. */
export function replaceLine(blocks: Blocks, key: string, text: string, keeps: boolean): Blocks {
  return blocks.map((block) =>
    block.map((line) => {
      if (line.finding?.key !== key) return line
      return keeps ? { ...line, text } : { text }
    }),
  )
}

export function findBlock(blocks: Blocks, key: string): readonly Line[] {
  return blocks.find((block) => block.some(({ finding }) => finding?.key === key)) ?? []
}

export function removeBlock(blocks: Blocks, block: readonly Line[]): Blocks {
  return blocks.filter((other) => other !== block)
}

/** The same code under another name. Its findings are different ones. */
export function copyBlock(block: readonly Line[]): readonly Line[] {
  return block.map(({ text, finding }, index) => ({
    text: index === 0 ? text.replace(/(\w+)\(/, '$1Again(').replace(/^def (\w+)$/, 'def $1_again') : text,
    ...(finding ? { finding: { ...finding, key: `${finding.key}-copy` } } : {}),
  }))
}

export function addComments({ comment }: CodeSample, blocks: Blocks): Blocks {
  return blocks.map((block) =>
    block.flatMap((line) => {
      if (!line.finding) return [line]
      const indent = /^\s*/.exec(line.text)?.[0] ?? ''
      return [{ text: `${indent}${comment} Looked at again before every release` }, line]
    }),
  )
}

/** Changes the indentation and, where the language allows both, the quotes. */
export function reindent(path: string, blocks: Blocks): Blocks {
  const bothQuotes = /[.](?:ts|js|py|php|rb)$/.test(path)
  return mapTexts(blocks, (text) => {
    const wider = text.replace(/^(?: {2}|\t)+/, (indent) =>
      indent.startsWith('\t') ? '    '.repeat(indent.length) : indent + indent,
    )
    return bothQuotes ? wider.replaceAll(/'([^'"\\#]*)'/g, '"$1"') : wider
  })
}

/** Breaks long calls into one line per argument. */
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
    ...args.map((arg, index) => ({
      ...line,
      text: `${indent}    ${arg}${index < args.length - 1 ? ',' : ''}`,
    })),
    { ...line, text: indent + tail },
  ]
}

function splitArguments(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index)
    if (quote !== '') quote = letter === quote ? '' : quote
    else if ('\'"`'.includes(letter)) quote = letter
    else if ('([{'.includes(letter)) depth++
    else if (')]}'.includes(letter)) depth--
    else if (letter === ',' && depth === 0) {
      parts.push(text.slice(from, index).trim())
      from = index + 1
    }
  }
  return [...parts, text.slice(from).trim()]
}

function mapTexts(blocks: Blocks, map: (text: string) => string): Blocks {
  return blocks.map((block) => block.map((line) => ({ ...line, text: map(line.text) })))
}
