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
export const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

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
