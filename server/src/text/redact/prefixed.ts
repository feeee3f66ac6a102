import { countDistinct, isMadeOfWords } from './randomness.ts'
import { defineRule, MAX_REPEAT, type RedactionRule } from './rule.ts'

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
