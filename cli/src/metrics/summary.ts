import type { Get } from '@scholiast/sdk'
import type { CliContext } from '../context.ts'
import { type Column, formatCount, formatCounted, type Output } from '../output.ts'
import { formatRate } from './figures.ts'

type Summary = Get<'/v1/metrics/summary'>
type Sum = Summary['data'][number]
export type FindingGroupKey = Exclude<keyof Sum['group'], 'repository_name' | 'author_username'>

interface SummaryOptions {
  readonly from: string
  readonly to: string
  readonly by: readonly FindingGroupKey[]
}

const CHART_WIDTH = 24

export async function showSummary(context: CliContext, { from, to, by }: SummaryOptions): Promise<void> {
  const { out } = context
  const client = context.client()
  const query = { start_date: from, end_date: to, group_by: [...by], ...context.selectOrganization() }
  const { data: rows, definition_id } = await client.get('/v1/metrics/summary', { query })
  if (out.isJson) {
    out.json({ data: rows, definition_id })
    return
  }
  if (rows.length === 0) {
    out.note(`No findings of pull requests merged from ${from} to ${to}.`)
    return
  }
  printTable(out, rows, by)
  printTotal(out, rows, { from, to, definition: definition_id })
}

/** The table has the chart as its last column: one bar per group. */
function printTable(out: Output, rows: readonly Sum[], by: SummaryOptions['by']): void {
  const most = Math.max(...rows.map(({ posted }) => posted))
  const groups = by.map(
    (key): Column<Sum> => ({ heading: key.toUpperCase(), value: ({ group }) => readGroup(group, key) }),
  )
  const count = (
    heading: string,
    field: 'posted' | 'accepted' | 'not_accepted' | 'unknown',
  ): Column<Sum> => ({
    heading,
    value: (sum) => sum[field],
    right: true,
  })
  out.table(rows, [
    ...groups,
    count('FINDINGS', 'posted'),
    count('ACCEPTED', 'accepted'),
    count('NOT ACCEPTED', 'not_accepted'),
    count('UNKNOWN', 'unknown'),
    { heading: 'RATE', value: ({ rate }) => formatRate(rate), right: true },
    {
      heading: '95 % INTERVAL',
      value: ({ interval_low, interval_high }) =>
        interval_low === null ? null : `${formatRate(interval_low)} to ${formatRate(interval_high)}`,
    },
    { heading: '█ ACCEPTED ▒ NOT ░ UNKNOWN', value: (sum) => drawBar(sum, most) },
  ])
}

function printTotal(
  out: Output,
  rows: readonly Sum[],
  { from, to, definition }: { readonly from: string; readonly to: string; readonly definition: string },
): void {
  const sum = (field: 'posted' | 'accepted' | 'not_accepted') =>
    rows.reduce((total, row) => total + row[field], 0)
  const [posted, accepted, known] = [sum('posted'), sum('accepted'), sum('accepted') + sum('not_accepted')]
  const rate =
    known === 0 ? 'no outcome is known' : `${formatRate(accepted / known)} of ${formatCount(known)} accepted`
  out.line('')
  out.line(
    `${from} to ${to}: ${formatCounted(posted, 'finding')}, ${rate}, ${formatCount(posted - known)} unknown (${definition})`,
  )
}

function drawBar(
  { posted, accepted, not_accepted }: Pick<Sum, 'posted' | 'accepted' | 'not_accepted'>,
  most: number,
): string {
  const end = (findings: number) => Math.round((findings / most) * CHART_WIDTH)
  const [first, second, third] = [end(accepted), end(accepted + not_accepted), Math.max(1, end(posted))]
  return '█'.repeat(first) + '▒'.repeat(second - first) + '░'.repeat(Math.max(0, third - second))
}

function readGroup(group: Sum['group'], key: FindingGroupKey): string | null {
  if (key === 'repository') return group.repository_name ?? group.repository ?? null
  if (key === 'author') return group.author_username ?? group.author ?? null
  return group[key] ?? null
}
