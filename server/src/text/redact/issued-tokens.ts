import issuedTokens from './issued-tokens.json' with { type: 'json' }
import { countDistinct, isMadeOfWords } from './randomness.ts'
import { base62, base64, base64Url, defineRule, hex, type RedactionRule, uuid } from './rule.ts'

interface PrefixedToken {
  readonly name: string
  /** Separated by spaces. */
  readonly prefixes: string
  readonly body: string
  /** How often the body is repeated, at least and at most; absent = once. */
  readonly length?: readonly number[]
}

/** A token with a known pattern rather than a prefix. */
interface PatternToken {
  readonly name: string
  /** Separated by spaces. */
  readonly literals: string
  readonly pattern: string
}

/** What `${name}` stands for in a body or a pattern. */
const characterSets: ReadonlyMap<string, string> = new Map([
  ['base62', base62],
  ['base64', base64],
  ['base64Url', base64Url],
  ['hex', hex],
  ['anyHex', '[0-9A-Fa-f]'],
  // Also matches uppercase bech32.
  ['base32', '[A-Z0-9]'],
  ['capitals', '[A-Z0-9]'],
  ['uuid', uuid],
])

/** Unbounded quantifiers make patterns slow on hostile input. */
const MAX_REPEAT = 400
const MIN_DISTINCT = 6
const MAX_WORD_SHARE = 0.85

const families: readonly (readonly (PrefixedToken | PatternToken)[])[] = Object.values(issuedTokens)

/** Tokens whose issuer is known by a prefix or a pattern. */
export const issuedTokenRules: readonly RedactionRule[] = families
  .flat()
  .map((token) => ('prefixes' in token ? definePrefixedRule(token) : definePatternRule(token)))

function definePrefixedRule({ name, prefixes, body, length }: PrefixedToken): RedactionRule {
  const start = prefixes.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '|')
  const times = length === undefined ? '' : `{${length[0]},${length[1] ?? MAX_REPEAT}}`
  const pattern = `(?<![A-Za-z0-9])(?<secret>(?:${start})(?<body>${expandSets(body)}${times}))`
  return defineRule(name, prefixes.toLowerCase().split(' '), pattern, ({ group }) => isVaried(group('body')))
}

function definePatternRule({ name, literals, pattern }: PatternToken): RedactionRule {
  const whole = `(?<![A-Za-z0-9])(?<secret>${expandSets(pattern)})`
  return defineRule(name, literals.split(' '), whole, ({ secret }) => isVaried(secret))
}

function expandSets(pattern: string): string {
  return pattern.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => characterSets.get(name) ?? '')
}

/** Rejects CSS classes (sk-spinner-with-a-very-long-name) and placeholders (ghp_xxxxxxxx). */
function isVaried(body: string): boolean {
  return countDistinct(body) >= MIN_DISTINCT && !isMadeOfWords(body, MAX_WORD_SHARE)
}
