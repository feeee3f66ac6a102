/** What a pattern found, before anybody decides whether it is a secret. */
export interface SecretMatch {
  readonly secret: string
  /** What stands directly before the match, at most `LOOK_BACK` characters of it. */
  readonly before: string
  /** The other named groups, empty when they took no part. */
  readonly group: (name: string) => string
}

export interface RedactionRule {
  /** What stands in the marker. */
  readonly name: string
  /** The first version of the redactor that has this rule; one that is changed ends and begins anew. */
  readonly since: number
  readonly until?: number
  /** Small letters; a text that has none of them is not searched. */
  readonly literals: readonly string[]
  /** Global, with bounded quantifiers; the group `secret` is what is taken out. */
  readonly pattern: RegExp
  readonly check?: (match: SecretMatch) => boolean
}

export const LOOK_BACK_CHARACTERS = 64

export const base62 = '[A-Za-z0-9]'
export const base64 = '[A-Za-z0-9+/]'
export const base64Url = '[A-Za-z0-9_-]'
export const hex = '[0-9a-f]'
export const anyHex = '[0-9A-Fa-f]'
/** Also of bech32, in capitals. */
export const base32 = '[A-Z0-9]'
export const capitals = '[A-Z0-9]'
export const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** A quantifier without an upper bound is what makes a pattern slow on hostile input. */
export const MAX_REPEAT = 400

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
