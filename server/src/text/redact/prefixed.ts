import { countDistinct, isWordy } from './randomness.ts'
import { MAX_REPEAT, type Rule, rule } from './rule.ts'

const MIN_DISTINCT = 6
const NEARLY_ALL = 0.85

/** A token that says by its beginning what it is; `body` is repeated when it is told how often. */
export function prefixed(
  name: string,
  starts: readonly string[],
  body: string,
  minLength?: number,
  maxLength = MAX_REPEAT,
): Rule {
  const start = starts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const times = minLength === undefined ? '' : `{${minLength},${maxLength}}`
  const pattern = `(?<![A-Za-z0-9])(?<secret>(?:${start})(?<body>${body}${times}))`
  const literals = starts.map((text) => text.toLowerCase())
  return rule(name, literals, pattern, ({ group }) => isVaried(group('body')))
}

/** A look that is more than a beginning; `literals` as in a rule. */
export function shaped(name: string, literals: readonly string[], pattern: string): Rule {
  return rule(name, literals, `(?<![A-Za-z0-9])(?<secret>${pattern})`, ({ secret }) => isVaried(secret))
}

/** sk-spinner-with-a-very-long-name is a class, ghp_xxxxxxxx a picture of a token. */
function isVaried(body: string): boolean {
  return countDistinct(body) >= MIN_DISTINCT && !isWordy(body, NEARLY_ALL)
}
