// Texts with holes. `‹hex 32›` is filled by the generator `hex` with the argument 32, `‹label›` by the field `label`.
// Modifiers stand before the hole they change: `‹public uppercase hex 4›`. Encoders take a pattern: `‹base64-of a:‹hex 4››`.
import type { Random } from '../../proofs/tools/random.ts'

export interface Part {
  readonly text: string
  /** Whether leaking this part leaks the credential; a prefix, a user name or a host does not. */
  readonly secret: boolean
}

/** A credential as it is issued, with the text that belongs to it. */
export type Value = readonly Part[]

/** A text is secret; a generator that returns parts decides for each. */
export type Generator = (random: Random, ...args: readonly string[]) => string | Value

export type Generators = Readonly<Record<string, Generator>>

/** Numbers are written in decimal. */
export type Fields = Readonly<Record<string, string | number>>

export type Pattern = (random: Random, fields?: Fields) => Value

/** The names that holes of a pattern may use. */
export interface Scope {
  readonly generators: Generators
  readonly fields?: readonly string[]
}

const modifiers: Readonly<Record<string, (part: Part) => Part>> = {
  public: ({ text }) => plain(text),
  uppercase: (part) => ({ ...part, text: part.text.toUpperCase() }),
  lowercase: (part) => ({ ...part, text: part.text.toLowerCase() }),
  'percent-encoded': (part) => ({ ...part, text: encodeURIComponent(part.text) }),
}

const encoders: Readonly<Record<string, (text: string) => string>> = {
  'base64-of': toBase64,
  'base64-unpadded': (text) => toBase64(text).replaceAll('=', ''),
  'base64url-of': (text) => Buffer.from(text).toString('base64url'),
}

export function plain(text: string): Part {
  return { text, secret: false }
}

export function secret(text: string): Part {
  return { text, secret: true }
}

export function toText(value: Value): string {
  return value.map(({ text }) => text).join('')
}

export function toBase64(content: string | Buffer): string {
  return Buffer.from(content).toString('base64')
}

/** Text outside of holes is plain. Throws if a hole does not exist in the scope. */
export function parsePattern(text: string, scope: Scope): Pattern {
  const parts: Pattern[] = []
  let [depth, start] = [0, 0]
  for (const { 0: bracket, index } of text.matchAll(/[‹›]/g)) {
    if (bracket === '‹' && depth++ === 0) {
      const literal = [plain(text.slice(start, index))]
      parts.push(() => literal)
      start = index + 1
    }
    if (bracket === '›' && --depth === 0) {
      parts.push(parseHole(text.slice(start, index), scope))
      start = index + 1
    }
    if (depth < 0) break
  }
  if (depth !== 0) throw new Error(`‹ and › must be balanced in "${text}"`)
  const rest = [plain(text.slice(start))]
  parts.push(() => rest)
  return (random, fields) => parts.flatMap((part) => part(random, fields)).filter((part) => part.text !== '')
}

function parseHole(hole: string, scope: Scope): Pattern {
  const [, name = '', rest = ''] = /^(\S+)(?: (.*))?$/s.exec(hole) ?? []
  const modify = getOwn(modifiers, name)
  if (modify !== undefined) {
    const inner = parseHole(rest, scope)
    return (random, fields) => inner(random, fields).map(modify)
  }
  const encode = getOwn(encoders, name)
  if (encode !== undefined) {
    const inner = parsePattern(rest, scope)
    return (random, fields) => [secret(encode(toText(inner(random, fields))))]
  }
  if (name === 'first') return parseFirst(rest, scope)
  if (scope.fields?.includes(name)) return (_, fields = {}) => [plain(String(fields[name]))]
  const generate = getOwn(scope.generators, name)
  if (generate === undefined) throw new Error(`no generator or field is called "${name}" (‹${hole}›)`)
  const args = rest === '' ? [] : rest.split(' ')
  return (random) => {
    const value = generate(random, ...args)
    return typeof value === 'string' ? [secret(value)] : value
  }
}

/** `‹first 12 digest sha1›` is the first 12 characters of the digest. */
function parseFirst(rest: string, scope: Scope): Pattern {
  const [count = '', ...hole] = rest.split(' ')
  const inner = parseHole(hole.join(' '), scope)
  return (random, fields) =>
    inner(random, fields).map((part) => ({ ...part, text: part.text.slice(0, Number(count)) }))
}

function getOwn<Item>(items: Readonly<Record<string, Item>>, name: string): Item | undefined {
  return Object.hasOwn(items, name) ? items[name] : undefined
}
