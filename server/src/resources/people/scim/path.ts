import { isStorable } from '../../../http/input.ts'
import { refuseScim } from '../../../http/scim/refusal.ts'

// Filters and paths of RFC 7644, sections 3.4.2.2 and 3.5.2, as far as identity providers use them: comparisons with `eq`,
// joined by `and`, and `attribute[filter].sub`. A parser of our own: those we found write names of a filter into objects, so
// that `__proto__.x eq "1"` changes every object of the process.

/** `attribute.sub eq value`. Names are in lower case. */
export interface Comparison {
  readonly attribute: string
  readonly sub: string | null
  readonly value: string | number | boolean | null
}

/** `attribute[filter].sub`. Names are in lower case. */
export interface Path {
  readonly attribute: string
  readonly filter: readonly Comparison[] | null
  readonly sub: string | null
  /** The attribute is one of a schema that is not stored, such as the enterprise extension. */
  readonly foreign: boolean
}

const MAX_EXPRESSION_LENGTH = 1000
const MAX_COMPARISONS = 10

type Fail = (message: string) => never
type Token = { readonly kind: 'word' | 'value' | 'sign'; readonly text: string }

// A word may be a URN, which contains dots and colons.
const tokenPattern =
  /\s*(?:(?<word>[A-Za-z_$][\w$:.-]{0,499})|(?<value>"(?:[^"\\]|\\.){0,1000}"|-?\d[\d.eE+-]{0,30})|(?<sign>[[\]().]))/y
const coreSchemas = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)(?::|$)/

/** All comparisons must hold. */
export function parseFilter(text: string): readonly Comparison[] {
  const fail: Fail = (message) =>
    refuseScim(
      'invalidFilter',
      `${message} Supported are comparisons with eq, joined by and, such as userName eq "x".`,
    )
  const tokens = tokenize(text, fail)
  const comparisons = readComparisons(tokens, fail)
  if (tokens.length > 0) fail('The filter does not end where it should.')
  return comparisons
}

export function parsePath(text: string): Path {
  const fail: Fail = (message) => refuseScim('invalidPath', `${message} Use a path such as name.givenName.`)
  const tokens = tokenize(text, fail)
  const path = readPath(tokens, fail)
  if (tokens.length > 0) fail('The path does not end where it should.')
  return path
}

function tokenize(text: string, fail: Fail): Token[] {
  if (text.length > MAX_EXPRESSION_LENGTH)
    fail(`The expression has more than ${MAX_EXPRESSION_LENGTH} characters.`)
  const tokens: Token[] = []
  const trimmed = text.trimEnd()
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < trimmed.length) {
    const { groups } = tokenPattern.exec(trimmed) ?? fail('The expression contains something unexpected.')
    const { word, value, sign } = groups as Record<'word' | 'value' | 'sign', string | undefined>
    if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (value !== undefined) tokens.push({ kind: 'value', text: value })
    else tokens.push({ kind: 'sign', text: sign ?? '' })
  }
  if (tokens.length === 0) fail('The expression is empty.')
  return tokens
}

function takeSign(tokens: Token[], sign: string): boolean {
  if (tokens[0]?.kind !== 'sign' || tokens[0].text !== sign) return false
  tokens.shift()
  return true
}

function takeWord(tokens: Token[], words: readonly string[]): boolean {
  if (tokens[0]?.kind !== 'word' || !words.includes(tokens[0].text.toLowerCase())) return false
  tokens.shift()
  return true
}

function readComparisons(tokens: Token[], fail: Fail): Comparison[] {
  const comparisons: Comparison[] = []
  do {
    if (comparisons.length >= MAX_COMPARISONS)
      fail(`The filter has more than ${MAX_COMPARISONS} comparisons.`)
    comparisons.push(...readComparison(tokens, fail))
  } while (takeWord(tokens, ['and']))
  return comparisons
}

function readComparison(tokens: Token[], fail: Fail): Comparison[] {
  if (takeSign(tokens, '(')) {
    const inner = readComparisons(tokens, fail)
    return takeSign(tokens, ')') ? inner : fail('A parenthesis is not closed.')
  }
  const { attribute, filter, sub, foreign } = readPath(tokens, fail)
  if (foreign) fail('The filter names an attribute that is not stored.')
  // `emails[type eq "work"]` is a whole expression; `emails[type eq "work"].value eq "x"` goes on.
  const inner = (filter ?? []).map((comparison) => {
    if (comparison.sub !== null) fail('A filter in brackets names an attribute of its element.')
    return { ...comparison, attribute, sub: comparison.attribute }
  })
  if (!takeWord(tokens, ['eq'])) {
    return filter !== null && sub === null ? inner : fail('The filter has an operator that is not supported.')
  }
  return [...inner, { attribute, sub, value: readValue(tokens, fail) }]
}

function readValue(tokens: Token[], fail: Fail): Comparison['value'] {
  const token = tokens.shift() ?? fail('A comparison has no value.')
  const word = token.text.toLowerCase()
  if (token.kind === 'word' && ['true', 'false', 'null'].includes(word))
    return JSON.parse(word) as boolean | null
  if (token.kind !== 'value') return fail('A value must be in double quotes.')
  const value = parseValue(token.text, fail)
  // Escapes such as \u0000 are characters only now; the check of the request did not see them.
  if (typeof value === 'string' && !isStorable(value))
    fail('A value contains a NUL character or half a surrogate pair.')
  return value
}

function parseValue(text: string, fail: Fail): string | number {
  try {
    return JSON.parse(text) as string | number
  } catch {
    return fail('A value is not valid.')
  }
}

function readPath(tokens: Token[], fail: Fail): Path {
  const token = tokens.shift()
  if (token?.kind !== 'word') return fail('The name of an attribute is missing.')
  const { name, foreign } = removeSchema(token.text.toLowerCase())
  const [attribute = '', ...rest] = name.split('.')
  if (foreign) {
    skipFilter(tokens, fail)
    return { attribute, filter: null, sub: null, foreign }
  }
  if (rest.length > 1 || rest.includes('')) fail('The name of an attribute is not valid.')
  if (rest[0] !== undefined) return { attribute, filter: null, sub: rest[0], foreign }
  if (!takeSign(tokens, '[')) return { attribute, filter: null, sub: null, foreign }
  const filter = readComparisons(tokens, fail)
  if (!takeSign(tokens, ']')) fail('A bracket is not closed.')
  if (!takeSign(tokens, '.')) return { attribute, filter, sub: null, foreign }
  const sub = tokens.shift()
  if (sub?.kind !== 'word' || sub.text.includes('.')) return fail('The name after the brackets is not valid.')
  return { attribute, filter, sub: sub.text.toLowerCase(), foreign }
}

function skipFilter(tokens: Token[], fail: Fail): void {
  if (!takeSign(tokens, '[')) return
  readComparisons(tokens, fail)
  if (!takeSign(tokens, ']')) fail('A bracket is not closed.')
  if (takeSign(tokens, '.')) tokens.shift()
}

/** The schema of the resource may stand before a name. The name of a schema alone stands for all its attributes. */
function removeSchema(name: string): { readonly name: string; readonly foreign: boolean } {
  if (!name.startsWith('urn:')) return { name, foreign: false }
  const core = coreSchemas.exec(name)
  return core === null ? { name, foreign: true } : { name: name.slice(core[0].length), foreign: false }
}
