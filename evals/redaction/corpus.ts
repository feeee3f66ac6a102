// Loads the credentials to find, the texts around them and the clean lines to leave unchanged.
import { readJsonLines } from '../../proofs/tools/json-lines.ts'
import { createRandom } from '../../proofs/tools/random.ts'
import { type Case, type LabelledCase, requireFields } from '../evaluation.ts'
import { cleanFields, cleanGenerators, createCleanFields } from './clean-generators.ts'
import { privateKeyLabel } from './encode.ts'
import { createGenerators, toInteger, type WordLists } from './generators.ts'
import { createHeldOutGenerators } from './held-out-generators.ts'
import { createKnownGenerators } from './known-generators.ts'
import { type Generators, type Pattern, parsePattern, toText } from './pattern.ts'

/**
 * token: has a recognizable format; bare: only the text around it tells; address: a URL or a connection string;
 * lines: brings its own syntax; block: several lines that belong together.
 */
const forms = ['token', 'bare', 'address', 'lines', 'block'] as const

/**
 * A draw by lot decided which kinds are known and which are held out: by family, with and without a recognizable format
 * apart, issuers with a common prefix together. Our own keys and PEM blocks were set as known. Held-out kinds were written
 * before the rules and share no prefix with a known kind. Authors of rules do not look at them: a rule that is derived from
 * these kinds makes them useless.
 */
export type CredentialKind = LabelledCase<{
  form: (typeof forms)[number]
  /** What people call it. */
  title: string
  /** The environment variable that usually holds it. */
  variable: string
  /** The formats in which it is issued. */
  patterns: readonly string[]
}>

/** A line without a credential, full of text that looks like one. */
export type CleanLine = LabelledCase<{ text: string }>

/** A text into which a credential is pasted. */
export interface Template {
  readonly forms: readonly CredentialKind['form'][]
  /** The names of the credential are its fields; VALUE_HOLE stands for the value. */
  readonly text: Pattern
  /** How the value is written in this text. */
  readonly escape: (value: string) => string
}

/** A text with a credential, as it is. */
export type Leak = LabelledCase<{ text: string; secret: string }>

export interface Corpus {
  readonly leaks: readonly Leak[]
  readonly kinds: readonly (CredentialKind & { readonly values: readonly Pattern[] })[]
  readonly templates: readonly Template[]
  /** Distinct. */
  readonly cleanLines: readonly CleanLine[]
  /** Texts to repeat until a rule becomes slow: long runs, nested quotes, names without end. */
  readonly hostileInputs: readonly string[]
}

export const VALUE_HOLE = '\0'

const LINES_PER_PATTERN = 20
const templateFields = ['label', 'constant', 'snake', 'kebab', 'camel', 'pascal', 'parameter']

const escapes = {
  none: (text: string) => text,
  json: (text: string) => JSON.stringify(text).slice(1, -1),
  newlines: (text: string) => text.replaceAll('\n', '\\n'),
  percent: encodeURIComponent,
  /** Concatenated string literals, one per line. */
  java: (text: string) => text.replaceAll('\n', '\\n" +\n    "'),
} as const
const escapeNames = Object.keys(escapes) as (keyof typeof escapes)[]

export function loadCorpus(cases: readonly Case[]): Corpus {
  const words = readWords()
  const generators = createGenerators(words)
  const ofKinds = { ...generators, ...createKnownGenerators(words), ...createHeldOutGenerators(words) }
  return {
    leaks: cases.filter((one) => 'secret' in one).map((one) => requireFields<Leak>(one, 'text', 'secret')),
    kinds: cases
      .filter((one) => 'patterns' in one)
      .map((one) => {
        const kind = requireFields<CredentialKind>(one, 'form', 'title', 'variable', 'patterns')
        return { ...kind, values: kind.patterns.map((text) => parseCredential(text, ofKinds)) }
      }),
    templates: readTemplates(),
    cleanLines: createCleanLines(
      cases
        .filter((one) => !('patterns' in one || 'secret' in one))
        .map((one) => requireFields<CleanLine>(one, 'text')),
      words,
      { ...generators, ...cleanGenerators },
    ),
    hostileInputs: readHostileInputs(),
  }
}

function readWords(): WordLists {
  const lists = new Map(
    readJsonLines(dataFile('words.jsonl'), (record) => [record.string('list'), record.strings('words')]),
  )
  return (name) => {
    const list = lists.get(name)
    if (list === undefined) throw new Error(`words.jsonl has no list "${name}"`)
    return list
  }
}

/** Makes one value, so that a wrong argument of a generator fails at once. */
function parseCredential(text: string, generators: Generators): Pattern {
  const pattern = parsePattern(text, { generators })
  if (!pattern(createRandom(text)).some(({ secret }) => secret))
    throw new Error(`the pattern "${text}" has no secret part`)
  return pattern
}

function readTemplates(): Template[] {
  const scope = { generators: { value: () => VALUE_HOLE }, fields: templateFields }
  return readJsonLines(dataFile('templates.jsonl'), (record) => {
    const text = record.string('text')
    if (text.split('‹value›').length !== 2) throw new Error('"text" must contain ‹value› once')
    const indent = record.optionalString('indent')
    const escape = escapes[record.optionalOneOf('escape', escapeNames) ?? 'none']
    return {
      forms: record.someOf('forms', forms),
      text: parsePattern(text, scope),
      escape: indent === undefined ? escape : (value) => value.replaceAll('\n', `\n${indent}`),
    }
  })
}

/** A text without holes is one line. */
function createCleanLines(
  cases: readonly CleanLine[],
  words: WordLists,
  generators: Generators,
): readonly CleanLine[] {
  const scope = { generators, fields: cleanFields }
  const lines = cases.flatMap((line) => {
    const pattern = parsePattern(line.text, scope)
    return Array.from({ length: LINES_PER_PATTERN }, (_, round) => {
      const id = `${line.id}/${round}`
      const random = createRandom(id)
      return { ...line, id, text: toText(pattern(random, createCleanFields(random, words))) }
    })
  })
  return [...new Map(lines.map((line) => [line.text, line])).values()]
}

function readHostileInputs(): string[] {
  const generators: Generators = {
    repeat: (_, count, text = '') => text.repeat(toInteger(count)),
    'private-key-header': () => `-----BEGIN ${privateKeyLabel('')}-----`,
  }
  return readJsonLines(dataFile('hostile-inputs.jsonl'), (record) =>
    toText(parsePattern(record.string('unit'), { generators })(createRandom(''))),
  )
}

function dataFile(name: string): URL {
  return new URL(name, import.meta.url)
}
