// Loads the credentials to find, the texts around them and the clean lines to leave unchanged.

import { readJsonLines } from '../../proofs/tools/json-lines.ts'
import { createRandom } from '../../proofs/tools/random.ts'
import { cleanFields, cleanGenerators, createCleanFields } from './clean/generators.ts'
import { privateKeyLabel } from './encode.ts'
import { createGenerators, toInteger, type WordLists } from './generators.ts'
import { createHeldOutGenerators } from './held-out/generators.ts'
import { createKnownGenerators } from './known/generators.ts'
import { type Generators, type Pattern, parsePattern, toText } from './pattern.ts'

const families = [
  'cloud',
  'git',
  'ci',
  'registry',
  'chat',
  'payment',
  'messaging',
  'ai',
  'monitoring',
  'data',
  'identity',
  'saas',
  'keys',
  'own',
  'generic',
] as const

/**
 * token: has a recognizable format; bare: only the text around it tells; address: a URL or a connection string;
 * lines: brings its own syntax; block: several lines that belong together.
 */
const forms = ['token', 'bare', 'address', 'lines', 'block'] as const

export interface CredentialKind {
  readonly name: string
  readonly family: (typeof families)[number]
  readonly form: (typeof forms)[number]
  /** What people call it. */
  readonly label: string
  /** The environment variable that usually holds it. */
  readonly variable: string
  /** The formats in which it is issued. */
  readonly patterns: readonly Pattern[]
}

/** A text into which a credential is pasted. */
export interface Template {
  readonly forms: readonly CredentialKind['form'][]
  /** The names of the credential are its fields; VALUE_HOLE stands for the value. */
  readonly text: Pattern
  /** How the value is written in this text. */
  readonly escape: (value: string) => string
}

export interface Corpus {
  /**
   * Kinds that the rules may know. A draw by lot decided which kinds are known and which are held out: by family, with
   * and without a recognizable format apart, issuers with a common prefix together. Our own keys and PEM blocks were
   * set as known.
   */
  readonly knownKinds: readonly CredentialKind[]
  /**
   * Kinds that authors of rules have not looked at. They were written before the rules and share no prefix with a known
   * kind. Read only counts from a run: a rule that is derived from these kinds makes them useless.
   */
  readonly heldOutKinds: readonly CredentialKind[]
  readonly templates: readonly Template[]
  /** Distinct lines without a credential, full of text that looks like one. */
  readonly cleanLines: readonly string[]
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

export function loadCorpus(): Corpus {
  const words = readWords()
  const generators = createGenerators(words)
  return {
    knownKinds: readKinds('known/kinds.jsonl', { ...generators, ...createKnownGenerators(words) }),
    heldOutKinds: readKinds('held-out/kinds.jsonl', { ...generators, ...createHeldOutGenerators(words) }),
    templates: readTemplates(),
    cleanLines: readCleanLines(words, { ...generators, ...cleanGenerators }),
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

function readKinds(name: string, generators: Generators): CredentialKind[] {
  return readJsonLines(dataFile(name), (record) => ({
    name: record.string('name'),
    family: record.oneOf('family', families),
    form: record.oneOf('form', forms),
    label: record.string('label'),
    variable: record.string('variable'),
    patterns: record.strings('patterns').map((text) => parseCredential(text, generators)),
  }))
}

/** Makes one value, so that a wrong argument of a generator fails on the line where it is written. */
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

function readCleanLines(words: WordLists, generators: Generators): string[] {
  const scope = { generators, fields: cleanFields }
  const countByTopic = new Map<string, number>()
  const lines = readJsonLines(dataFile('clean/lines.jsonl'), (record) => {
    const topic = record.string('topic')
    const index = countByTopic.get(topic) ?? 0
    countByTopic.set(topic, index + 1)
    const pattern = parsePattern(record.string('text'), scope)
    return Array.from({ length: LINES_PER_PATTERN }, (_, round) => {
      const random = createRandom(`${topic}/${index}/${round}`)
      const fields = createCleanFields(random, words)
      return toText(pattern(random, fields))
    })
  })
  return [...new Set(lines.flat())]
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
