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

export interface Counter {
  posted: number
  accepted: number
}

/** How many findings there are of each sort, and how many of those are known to be accepted. */
export interface Counters {
  readonly total: Counter
  readonly severity: Readonly<Record<Severity, Counter>>
  readonly category: Readonly<Record<Category, Counter>>
}

/** What is counted of a finding. */
export interface Counted {
  readonly severity: string | null
  readonly category: string | null
  readonly accepted: boolean | null
}

/** A finding whose severity or category is not known counts there in the total alone. */
export function countFindings(findings: readonly Counted[]): Counters {
  const counters: Counters = { total: none(), severity: noneOf(severities), category: noneOf(categories) }
  for (const { severity, category, accepted } of findings) {
    count(counters.total, accepted)
    count((counters.severity as Partial<Record<string, Counter>>)[severity ?? ''], accepted)
    count((counters.category as Partial<Record<string, Counter>>)[category ?? ''], accepted)
  }
  return counters
}

function none(): Counter {
  return { posted: 0, accepted: 0 }
}

function noneOf<Sort extends string>(sorts: readonly Sort[]): Record<Sort, Counter> {
  return Object.fromEntries(sorts.map((sort) => [sort, none()])) as Record<Sort, Counter>
}

function count(counter: Counter | undefined, accepted: boolean | null): void {
  if (counter === undefined) return
  counter.posted += 1
  if (accepted === true) counter.accepted += 1
}
