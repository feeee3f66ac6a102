import { JSON_TYPE, type Reply } from '../../../http/reply.ts'
import { getOrCreate } from '../../../metrics-store/groups.ts'
import { CSV_TYPE, csvLine } from '../../../text/csv.ts'
import type { CurrentNames } from '../names-sql.ts'
import { definitions } from '../schema.ts'
import { type Acceptance, computeAcceptance } from './rates.ts'
import { acceptanceFields } from './schema.ts'
import { type FindingSum, type GroupKey, groupKeys, type OutcomeCount } from './sql.ts'

const fields = Object.keys(acceptanceFields) as (keyof Acceptance)[]

/** The name of a key, and the field of the response that holds it. */
interface NamedKey {
  readonly key: 'repository' | 'author'
  readonly field: 'repository_name' | 'author_username'
  readonly names: ReadonlyMap<string, string>
}

interface SummaryShape {
  readonly groupBy: readonly GroupKey[]
  readonly named: readonly NamedKey[]
}

export function renderSummary(
  format: 'json' | 'csv',
  keys: ReadonlySet<GroupKey>,
  sums: readonly FindingSum[],
  { repositories, authors }: CurrentNames,
): Reply {
  const named: readonly NamedKey[] = [
    { key: 'repository', field: 'repository_name', names: repositories },
    { key: 'author', field: 'author_username', names: authors },
  ]
  const shape = {
    groupBy: groupKeys.filter((key) => keys.has(key)),
    named: named.filter(({ key }) => keys.has(key)),
  }
  const body =
    format === 'json'
      ? { text: renderJson(shape, sums), type: JSON_TYPE }
      : { text: renderTable(shape, sums), type: CSV_TYPE }
  return { status: 200, body }
}

/** Concatenates strings: with a hundred thousand groups, one object per group would dominate the cost. */
function renderJson({ groupBy, named }: SummaryShape, sums: readonly FindingSum[]): string {
  const quote = memoize<string | null>((value) => JSON.stringify(value))
  const renderRates = memoizeCounts((rates) => fields.map((field) => `"${field}":${rates[field]}`).join(','))
  const records = sums.map((sum) => {
    let group = ''
    for (const key of groupBy) group += `${group === '' ? '' : ','}"${key}":${quote(sum[key])}`
    for (const { key, field, names } of named) group += `,"${field}":${quote(getName(names, sum[key]))}`
    return `{"group":{${group}},${renderRates(sum)}}`
  })
  return `{"data":[${records.join(',')}],"definition_id":"${definitions.acceptance}"}`
}

function renderTable({ groupBy, named }: SummaryShape, sums: readonly FindingSum[]): string {
  const lines = sums.map((sum) => {
    const rates = computeAcceptance(sum)
    const cells = fields.map((field) => rates[field])
    return csvLine([
      ...groupBy.map((key) => sum[key]),
      ...cells,
      definitions.acceptance,
      ...named.map(({ key, names }) => getName(names, sum[key])),
    ])
  })
  const heading = [...groupBy, ...fields, 'definition_id', ...named.map(({ field }) => field)]
  return csvLine(heading) + lines.join('')
}

function getName(names: ReadonlyMap<string, string>, id: string | null): string | null {
  return id === null ? null : (names.get(id) ?? null)
}

function memoize<Value>(render: (value: Value) => string): (value: Value) => string {
  const cache = new Map<Value, string>()
  return (value) => getOrCreate(cache, value, () => render(value))
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
