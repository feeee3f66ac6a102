import type { Rule } from './rule.ts'
import { rules as allRules } from './rules.ts'
import { NotApplicableError, type Service } from './service.ts'

export interface RuleResult {
  readonly id: string
  readonly title: string
  readonly contract: readonly string[]
  readonly outcome: 'passed' | 'failed' | 'not_applicable'
  /** What was found instead, or why the rule does not apply. */
  readonly reason: string | null
}

const MAX_REASON_LENGTH = 600

/** Checks one rule after the other, so that the rate limits of the installation are used sparingly. */
export async function* runRules(
  service: Service,
  { write, rules = allRules }: { readonly write: boolean; readonly rules?: readonly Rule[] },
): AsyncIterable<RuleResult> {
  for (const rule of rules) {
    const { id, title, contract } = rule
    const skipped = rule.writes && !write
    const result = skipped
      ? { outcome: 'not_applicable' as const, reason: 'it creates Learnings: add --write' }
      : await checkRule(rule, service)
    yield { id, title, contract, ...result }
  }
}

async function checkRule(rule: Rule, service: Service): Promise<Pick<RuleResult, 'outcome' | 'reason'>> {
  try {
    await rule.check(service)
    return { outcome: 'passed', reason: null }
  } catch (error) {
    if (error instanceof NotApplicableError) return { outcome: 'not_applicable', reason: error.message }
    const message = error instanceof Error ? error.message : String(error)
    // A response or a request that is quoted must not show the key.
    const reason = message.replaceAll(service.key, '<key>').trim().slice(0, MAX_REASON_LENGTH)
    return { outcome: 'failed', reason }
  }
}
