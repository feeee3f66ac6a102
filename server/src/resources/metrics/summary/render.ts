import { JSON_TYPE, type Reply } from '../../../http/reply.ts'
import { type FindingSum, type GroupKey, groupKeys } from '../../../metrics-store/counts/sum-sink.ts'
import type { OutcomeCount } from '../../../metrics-store/counts/tally.ts'
import { toCalendarDay } from '../../../metrics-store/week.ts'
import { CSV_TYPE, csvLine } from '../../../text/csv.ts'
import { type Acceptance, computeAcceptance } from './rates.ts'
import { acceptanceFields, definitions } from './schema.ts'

export type SummaryFormat = 'json' | 'csv'

const fields = Object.keys(acceptanceFields) as (keyof Acceptance)[]

export function renderSummary(
  format: SummaryFormat,
  keys: ReadonlySet<GroupKey>,
  sums: readonly FindingSum[],
): Reply {
  const groupBy = groupKeys.filter((key) => keys.has(key))
  switch (format) {
    case 'json':
      return { status: 200, body: { text: renderJson(groupBy, sums), type: JSON_TYPE } }
    case 'csv':
      return { status: 200, body: { text: renderTable(groupBy, sums), type: CSV_TYPE } }
  }
}

/** Concatenates strings: with a hundred thousand groups, one object per group would dominate the cost. */
function renderJson(groupBy: readonly GroupKey[], sums: readonly FindingSum[]): string {
  const getValue = createValueGetter()
  const quote = memoize<string | null>((value) => JSON.stringify(value))
  const renderRates = memoizeCounts((rates) => fields.map((field) => `"${field}":${rates[field]}`).join(','))
  const records = sums.map((sum) => {
    let group = ''
    for (const key of groupBy) group += `${group === '' ? '' : ','}"${key}":${quote(getValue(key, sum))}`
    return `{"group":{${group}},${renderRates(sum)}}`
  })
  return `{"data":[${records.join(',')}],"definition_id":"${definitions.acceptance}"}`
}

function renderTable(groupBy: readonly GroupKey[], sums: readonly FindingSum[]): string {
  const getValue = createValueGetter()
  const lines = sums.map((sum) => {
    const rates = computeAcceptance(sum)
    const cells = fields.map((field) => rates[field])
    return csvLine([...groupBy.map((key) => getValue(key, sum)), ...cells, definitions.acceptance])
  })
  return csvLine([...groupBy, ...fields, 'definition_id']) + lines.join('')
}

function createValueGetter(): (key: GroupKey, sum: FindingSum) => string | null {
  const toMonday = memoize<number>(toCalendarDay)
  return (key, sum) => (key === 'week' ? toMonday(sum.week) : sum[key])
}

function memoize<Value>(render: (value: Value) => string): (value: Value) => string {
  const cache = new Map<Value, string>()
  return (value) => {
    let text = cache.get(value)
    if (text === undefined) {
      text = render(value)
      cache.set(value, text)
    }
    return text
  }
}

const MAX_MEMOIZED_COUNT = 2 ** 10

/** In a summary of many groups most are small, and many have the same counts. */
function memoizeCounts(render: (rates: Acceptance) => string): (count: OutcomeCount) => string {
  const small = memoize<number>((encoded) => render(computeAcceptance(decodeCount(encoded))))
  return (count) => {
    const { posted, accepted, notAccepted } = count
    if (posted >= MAX_MEMOIZED_COUNT) return render(computeAcceptance(count))
    return small((posted * MAX_MEMOIZED_COUNT + accepted) * MAX_MEMOIZED_COUNT + notAccepted)
  }
}

function decodeCount(encoded: number): OutcomeCount {
  const rest = Math.floor(encoded / MAX_MEMOIZED_COUNT)
  return {
    posted: Math.floor(rest / MAX_MEMOIZED_COUNT),
    accepted: rest % MAX_MEMOIZED_COUNT,
    notAccepted: encoded % MAX_MEMOIZED_COUNT,
  }
}
