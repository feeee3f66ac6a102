import { fold, toWordSet } from './fold.ts'
import words from './words.json' with { type: 'json' }

/** What a UTF-16 unit is to the tokenizer. */
const OTHER = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
/** Part of a name: snake_case, $scope. */
const BAR = 4
/** Holds parts together when letters stand on both sides: kebab-case, a.b, a/b, A::b. */
const CONNECTOR = 5
/** Scripts that write no spaces between words. */
const IDEOGRAPH = 6

const ascii = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (character >= 'a' && character <= 'z') ascii[code] = LOWER
  else if (character >= 'A' && character <= 'Z') ascii[code] = UPPER
  else if (character >= '0' && character <= '9') ascii[code] = DIGIT
  else if (character === '_' || character === '$') ascii[code] = BAR
  else if ("-./:'".includes(character)) ascii[code] = CONNECTOR
}

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const letters = /[\p{L}\p{M}]/u
const digits = /\p{N}/u
const APOSTROPHE = 0x2019

function classifyUnit(code: number): number {
  return code < 128 ? (ascii[code] as number) : classifyForeignUnit(code)
}

function classifyForeignUnit(code: number): number {
  if (code === APOSTROPHE) return CONNECTOR
  const character = String.fromCharCode(code)
  if (ideographs.test(character)) return IDEOGRAPH
  if (letters.test(character)) return character === character.toLowerCase() ? LOWER : UPPER
  return digits.test(character) ? DIGIT : OTHER
}

/** Names that are written with humps but are one word. */
const unsplit = toWordSet(words.unsplit)
/** Words that tell nothing about what a text is about, folded or not. */
const stopWords = toWordSet(words.stopWords)

export interface Token {
  /** Folded, in small letters: what is compared. */
  readonly term: string
  /** A part of prose or of a name; or a name as a whole, of which the parts follow as well. */
  readonly kind: 'word' | 'name'
  /** Where its first letter stands in the text: tells which words are neighbours. */
  readonly at: number
}

export const MAX_TERMS = 256
const MAX_TERM_LENGTH = 48
const MIN_NUMBER_LENGTH = 3

/** The distinct terms of a text, for finding texts that share them. */
export function listTerms(text: string): string[] {
  const terms = new Set<string>()
  for (const { term } of tokenize(text)) {
    terms.add(term)
    if (terms.size === MAX_TERMS) break
  }
  return [...terms]
}

/**
 * Words and names in the order of the text, stop words left out. `getUserId` gives get, user, id and the name getuserid,
 * which is written the same for get_user_id and get-user-id.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const kind = classifyUnit(text.charCodeAt(at))
    if (kind === OTHER || kind === CONNECTOR) at++
    else if (kind === IDEOGRAPH) at = readIdeographs(text, at, tokens)
    else at = readCompound(text, at, tokens)
  }
  return tokens
}

/** Without a dictionary, two neighbouring characters are the best guess at a word. */
function readIdeographs(text: string, start: number, tokens: Token[]): number {
  let end = start + 1
  while (end < text.length && classifyUnit(text.charCodeAt(end)) === IDEOGRAPH) end++
  if (end - start === 1) tokens.push({ term: text.slice(start, end), kind: 'word', at: start })
  for (let at = start; at + 1 < end; at++) {
    tokens.push({ term: text.slice(at, at + 2), kind: 'word', at })
  }
  return end
}

/** Reads what connectors hold together, `src/user-list.ts` or `React.useMemo`, and gives back where it ends. */
function readCompound(text: string, start: number, tokens: Token[]): number {
  let at = start
  let runStart = start
  let last = ''
  for (;;) {
    const end = endOfName(text, at)
    readName(text, at, end, tokens)
    const connector = connectorAt(text, end)
    const isRunOver = connector !== last && last !== ''
    if (isRunOver && runStart !== at) pushWhole(text, runStart, end, last, tokens)
    if (connector === '') return last === '' ? endOfSuffix(text, start, end, tokens) : end
    // What follows is an ending: don't, user's.
    if (isApostrophe(connector)) return endOfName(text, end + 1)
    // The name of a file, user-list.ts, is one run.
    if (isRunOver && !(connector === '.' && last === '-')) runStart = at
    last = connector
    at = end + connector.length
  }
}

/** The separator between the name that ends here and the next one; empty if there is none. */
function connectorAt(text: string, end: number): string {
  if (end >= text.length || classifyUnit(text.charCodeAt(end)) !== CONNECTOR) return ''
  const connector = text[end] === ':' ? '::' : (text[end] ?? '')
  return text.startsWith(connector, end) && isNameAt(text, end + connector.length) ? connector : ''
}

function isApostrophe(connector: string): boolean {
  return connector === "'" || connector === '\u2019'
}

function isNameAt(text: string, at: number): boolean {
  if (at >= text.length) return false
  const kind = classifyUnit(text.charCodeAt(at))
  return kind === LOWER || kind === UPPER || kind === DIGIT || kind === BAR
}

function endOfName(text: string, start: number): number {
  let end = start
  while (end < text.length && isNameAt(text, end)) end++
  return end
}

/** C++ and C# are names although their signs are not letters. */
function endOfSuffix(text: string, start: number, end: number, tokens: Token[]): number {
  if (end - start !== 1) return end
  const letter = text.slice(start, end).toLowerCase()
  const suffix = text.startsWith('++', end) ? 'pp' : text[end] === '#' ? 'sharp' : ''
  if (suffix === '' || !'cfj'.includes(letter)) return end
  tokens.push({ term: `${letter}${suffix}`, kind: 'name', at: start })
  return suffix === 'pp' ? end + 2 : end + 1
}

/** Only the last names of a path are terms: folders are compared as paths, not as words. */
function pushWhole(text: string, start: number, end: number, connector: string, tokens: Token[]): void {
  if (connector === '/' || end - start > MAX_TERM_LENGTH) return
  const written = text.slice(start, end).toLowerCase()
  const term = written.replaceAll(/[-_$]/g, '')
  if (/[a-z]/.test(term)) tokens.push({ term, kind: 'name', at: start })
}

/** Splits at bars and humps: parse_HTTPHeaders2 into parse, http, headers2. */
function readName(text: string, start: number, end: number, tokens: Token[]): void {
  if (endOfPart(text, start, end) === end) {
    pushPart(text.slice(start, end).toLowerCase(), start, tokens)
    return
  }
  const whole = text.slice(start, end).toLowerCase()
  if (unsplit.has(whole.replace(/\d{1,4}$/, ''))) {
    tokens.push({ term: fold(whole), kind: 'word', at: start })
    return
  }
  let parts = 0
  let from = start
  while (from < end) {
    if (classifyUnit(text.charCodeAt(from)) === BAR) {
      from++
      continue
    }
    const to = endOfPart(text, from, end)
    parts++
    pushPart(text.slice(from, to).toLowerCase(), from, tokens)
    from = to
  }
  if (parts > 1 && end - start <= MAX_TERM_LENGTH) {
    tokens.push({ term: fold(whole.replaceAll(/[_$]/g, '')), kind: 'name', at: start })
  }
}

function endOfPart(text: string, start: number, end: number): number {
  let at = start
  while (at < end && classifyUnit(text.charCodeAt(at)) === UPPER) at++
  const capitals = at - start
  while (at < end && isSmall(text, at)) at++
  const small = at - start - capitals
  // IDs and URLs are plurals; in HTTPServer the last capital begins the next part.
  if (capitals < 2 || small === 0) return at
  const isPlural = small === 1 && text[at - 1] === 's'
  const isNumbered = classifyUnit(text.charCodeAt(start + capitals)) === DIGIT
  return isPlural || isNumbered ? at : start + capitals - 1
}

function isSmall(text: string, at: number): boolean {
  const kind = classifyUnit(text.charCodeAt(at))
  return kind === LOWER || kind === DIGIT
}

function pushPart(part: string, at: number, tokens: Token[]): void {
  if (part.length > MAX_TERM_LENGTH || stopWords.has(part)) return
  if (part.length < 2) return
  if (part.charCodeAt(0) <= 0x39 && /^\d{1,48}$/.test(part) && part.length < MIN_NUMBER_LENGTH) return
  const term = fold(part)
  if (!stopWords.has(term)) tokens.push({ term, kind: 'word', at })
}
