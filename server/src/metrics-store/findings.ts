export const severities = ['critical', 'major', 'minor', 'trivial', 'info'] as const
export const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
] as const

export type Severity = (typeof severities)[number]
export type Category = (typeof categories)[number]

export interface FindingCounter {
  posted: number
  accepted: number
}

/** Posted and accepted findings in total, by severity and by category. */
export interface FindingCounters {
  readonly total: FindingCounter
  readonly severity: Readonly<Record<Severity, FindingCounter>>
  readonly category: Readonly<Record<Category, FindingCounter>>
}

/** The fields of a finding that are counted. */
export interface CountableFinding {
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
}

/** A finding of unknown severity or category is counted only in the total. */
export function countFindings(findings: readonly CountableFinding[]): FindingCounters {
  const counters: FindingCounters = {
    total: createCounter(),
    severity: createCounters(severities),
    category: createCounters(categories),
  }
  for (const { severity, category, accepted } of findings) {
    addToCounter(counters.total, accepted)
    addToCounter(findCounter(counters.severity, severity), accepted)
    addToCounter(findCounter(counters.category, category), accepted)
  }
  return counters
}

function createCounter(): FindingCounter {
  return { posted: 0, accepted: 0 }
}

function createCounters<Key extends string>(keys: readonly Key[]): Record<Key, FindingCounter> {
  return Object.fromEntries(keys.map((key) => [key, createCounter()])) as Record<Key, FindingCounter>
}

function findCounter<Key extends string>(
  counters: Readonly<Record<Key, FindingCounter>>,
  key: string | null,
): FindingCounter | undefined {
  return key !== null && Object.hasOwn(counters, key) ? counters[key as Key] : undefined
}

function addToCounter(counter: FindingCounter | undefined, accepted: boolean | null): void {
  if (counter === undefined) return
  counter.posted += 1
  if (accepted === true) counter.accepted += 1
}
