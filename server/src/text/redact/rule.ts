import { countDistinct, isMadeOfWords } from './randomness.ts'

/** A match of a pattern, before `check` decides whether it is a secret. */
export interface SecretMatch {
  readonly secret: string
  /** The text directly before the match, at most LOOK_BACK_CHARACTERS. */
  readonly before: string
  /** Returns another named group, '' if it did not match. */
  readonly group: (name: string) => string
}

export interface RedactionRule {
  /** The kind shown in the marker. */
  readonly name: string
  /** The first redactor version with this rule. To change a rule, set `until` and add a new one. */
  readonly since: number
  readonly until?: number
  /** Lowercase. A text that contains none of them is not searched. */
  readonly literals: readonly string[]
  /** Global, with bounded quantifiers. The group `secret` is replaced. */
  readonly pattern: RegExp
  readonly check?: (match: SecretMatch) => boolean
}

export const LOOK_BACK_CHARACTERS = 64

export const base62 = '[A-Za-z0-9]'
export const base64 = '[A-Za-z0-9+/]'
export const base64Url = '[A-Za-z0-9_-]'
export const hex = '[0-9a-f]'
export const anyHex = '[0-9A-Fa-f]'
/** Also matches uppercase bech32. */
export const base32 = '[A-Z0-9]'
export const capitals = '[A-Z0-9]'
export const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** Unbounded quantifiers make patterns slow on hostile input. */
const MAX_REPEAT = 400

export function defineRule(
  name: string,
  literals: readonly string[],
  pattern: string,
  check?: RedactionRule['check'],
  flags = '',
): RedactionRule {
  const base = { name, since: 1, literals, pattern: new RegExp(pattern, `dg${flags}`) }
  return check === undefined ? base : { ...base, check }
}

const MIN_DISTINCT = 6
const MAX_WORD_SHARE = 0.85

/** A token with a known prefix. `body` is repeated if `minLength` is given. */
export function definePrefixedRule(
  name: string,
  starts: readonly string[],
  body: string,
  minLength?: number,
  maxLength = MAX_REPEAT,
): RedactionRule {
  const start = starts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const times = minLength === undefined ? '' : `{${minLength},${maxLength}}`
  const pattern = `(?<![A-Za-z0-9])(?<secret>(?:${start})(?<body>${body}${times}))`
  const literals = starts.map((text) => text.toLowerCase())
  return defineRule(name, literals, pattern, ({ group }) => isVaried(group('body')))
}

/** A token with a known pattern rather than a prefix. */
export function definePatternRule(name: string, literals: readonly string[], pattern: string): RedactionRule {
  return defineRule(name, literals, `(?<![A-Za-z0-9])(?<secret>${pattern})`, ({ secret }) => isVaried(secret))
}

/** Rejects CSS classes (sk-spinner-with-a-very-long-name) and placeholders (ghp_xxxxxxxx). */
function isVaried(body: string): boolean {
  return countDistinct(body) >= MIN_DISTINCT && !isMadeOfWords(body, MAX_WORD_SHARE)
}
