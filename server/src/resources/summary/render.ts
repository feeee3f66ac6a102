import { JSON_TYPE, type Reply } from '../../http/reply.ts'
import { type GroupKey, groupKeys, type Sum } from '../../metrics/counts/sum-rows.ts'
import type { Count } from '../../metrics/counts/tally.ts'
import { definitions } from '../../metrics/definitions.ts'
import { dayOfNumber } from '../../metrics/week.ts'
import { CSV_TYPE, csvLine } from '../../text/csv.ts'
import { type Acceptance, rateOf } from './rates.ts'
import { acceptanceFields } from './schema.ts'

export type Format = 'json' | 'csv'

const fields = Object.keys(acceptanceFields) as (keyof Acceptance)[]

export function renderSummary(format: Format, keys: ReadonlySet<GroupKey>, sums: readonly Sum[]): Reply {
  const groupBy = groupKeys.filter((key) => keys.has(key))
  switch (format) {
    case 'json':
      return { status: 200, body: { text: renderJson(groupBy, sums), type: JSON_TYPE } }
    case 'csv':
      return { status: 200, body: { text: renderTable(groupBy, sums), type: CSV_TYPE } }
  }
}

/** Put together piece by piece: of a hundred thousand groups, an object for each would cost more than all the rest. */
function renderJson(groupBy: readonly GroupKey[], sums: readonly Sum[]): string {
  const valueOf = valuesOf()
  const quoted = remember<string | null>((value) => JSON.stringify(value))
  const ratesOf = rememberCounts((rates) => fields.map((field) => `"${field}":${rates[field]}`).join(','))
  const records = sums.map((sum) => {
    let group = ''
    for (const key of groupBy) group += `${group === '' ? '' : ','}"${key}":${quoted(valueOf(key, sum))}`
    return `{"group":{${group}},${ratesOf(sum)}}`
  })
  return `{"data":[${records.join(',')}],"definition_id":"${definitions.acceptance}"}`
}

function renderTable(groupBy: readonly GroupKey[], sums: readonly Sum[]): string {
  const valueOf = valuesOf()
  const lines = sums.map((sum) => {
    const rates = rateOf(sum)
    const cells = fields.map((field) => rates[field])
    return csvLine([...groupBy.map((key) => valueOf(key, sum)), ...cells, definitions.acceptance])
  })
  return csvLine([...groupBy, ...fields, 'definition_id']) + lines.join('')
}

function valuesOf(): (key: GroupKey, sum: Sum) => string | null {
  const mondayOf = remember<number>(dayOfNumber)
  return (key, sum) => (key === 'week' ? mondayOf(sum.week) : sum[key])
}

function remember<Value>(render: (value: Value) => string): (value: Value) => string {
  const known = new Map<Value, string>()
  return (value) => {
    let text = known.get(value)
    if (text === undefined) {
      text = render(value)
      known.set(value, text)
    }
    return text
  }
}

const MOST_REMEMBERED = 2 ** 10

/** Where there are many groups most are small, and many have the same counts. */
function rememberCounts(render: (rates: Acceptance) => string): (count: Count) => string {
  const small = remember<number>((name) => render(rateOf(countOf(name))))
  return (count) => {
    const { posted, accepted, notAccepted } = count
    if (posted >= MOST_REMEMBERED) return render(rateOf(count))
    return small((posted * MOST_REMEMBERED + accepted) * MOST_REMEMBERED + notAccepted)
  }
}

function countOf(name: number): Count {
  const rest = Math.floor(name / MOST_REMEMBERED)
  return {
    posted: Math.floor(rest / MOST_REMEMBERED),
    accepted: rest % MOST_REMEMBERED,
    notAccepted: name % MOST_REMEMBERED,
  }
}
