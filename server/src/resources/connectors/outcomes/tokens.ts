// Code as its tokens, so that what formatters change is not seen: white space, line breaks, quotes, semicolons, trailing
// commas, parentheses around a whole expression, and comments.
import { extname } from 'node:path'

export interface Token {
  readonly text: string
  /** From 1. */
  readonly line: number
}

const hashComments = new Set(
  '.py .rb .sh .bash .yml .yaml .toml .tf .pl .r .ex .exs .cr .nix .mk .cmake .properties .conf .ps1'.split(
    ' ',
  ),
)
const dashComments = new Set('.sql .lua .hs .elm .adb .ads'.split(' '))
const prose = new Set(['', '.md', '.mdx', '.txt', '.rst', '.adoc', '.html', '.xml', '.csv', '.json'])

const word = /[\p{L}\p{N}_$]+|[=!<>]==?|[-=]>|&&|\|\||\?\?|\?\.|:=|[-+*/%|&^]=|\S/gu
const quoted = `"(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\.)*\`?`

/** Comments and texts as a whole, so that one is not found in the other. */
function toPattern(comment: string): RegExp {
  return new RegExp(`(?<comment>${comment})|${quoted}|${word.source}`, 'gu')
}

const withHash = toPattern('#.*')
const withDashes = toPattern(String.raw`--.*|/\*.*?(?:\*/|$)`)
const withSlashes = toPattern(String.raw`//.*|/\*.*?(?:\*/|$)`)

function selectPattern(path: string): RegExp {
  const extension = extname(path).toLowerCase()
  if (prose.has(extension)) return word
  if (hashComments.has(extension)) return withHash
  return dashComments.has(extension) ? withDashes : withSlashes
}

/** The tokens of the lines from `first` to `last`. `keepComments`: of lines that are nothing but comments. */
export function tokenize(
  lines: readonly string[],
  path: string,
  first: number,
  last: number,
  keepComments = false,
): Token[] {
  const pattern = keepComments ? word : selectPattern(path)
  const hasBlocks = pattern === withSlashes || pattern === withDashes
  const isYaml = /\.ya?ml$/i.test(path)
  const tokens: Token[] = []
  let isInComment = false
  for (let line = Math.max(first, 1); line <= Math.min(last, lines.length); line++) {
    let code = lines[line - 1] ?? ''
    if (isInComment) {
      const end = code.indexOf('*/')
      if (end === -1) continue
      code = code.slice(end + 2)
      isInComment = false
    }
    // A line of a comment that starts above the first line.
    if (hasBlocks && /^\s*\*[\s/]/.test(code)) continue
    for (const { 0: found, groups } of code.matchAll(pattern))
      if (groups?.comment === undefined) tokens.push(...splitWords(found, line, isYaml))
      else isInComment = found.startsWith('/*') && (found.length < 4 || !found.endsWith('*/'))
  }
  return dropOptional(tokens)
}

/** Quotes are all the same; YAML needs none. */
function splitWords(found: string, line: number, isYaml: boolean): Token[] {
  return (found.match(word) ?? []).flatMap((one) => {
    const isQuote = one === '"' || one === "'" || one === '`'
    return one === ';' || (isQuote && isYaml) ? [] : [{ text: isQuote ? "'" : one, line }]
  })
}

const beforeExpression = new Set(['=', ':=', '+=', 'return', '=>', 'assert', 'yield', 'await', 'throw'])

/** Without trailing commas, and without parentheses around a whole expression or a single parameter. */
function dropOptional(tokens: readonly Token[]): Token[] {
  const dropped = new Set<number>()
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    if (token.text === '(') open.push(index)
    if (token.text === ',' && next !== undefined && ')]}'.includes(next.text)) dropped.add(index)
    const start = token.text === ')' ? open.pop() : undefined
    if (start === undefined) continue
    const isWhole = isLastOfLine(token, next) && beforeExpression.has(tokens[start - 1]?.text ?? '')
    if (isWhole || (index === start + 2 && next?.text === '=>')) dropped.add(start).add(index)
  }
  return tokens.filter((_, index) => !dropped.has(index))
}

function isLastOfLine({ line }: Token, next: Token | undefined): boolean {
  return next === undefined || next.line > line
}

/** A name or a number, as opposed to punctuation. */
export function isWord(text: string): boolean {
  return /^[\p{L}\p{N}_$]/u.test(text)
}
