import type { Get, Item } from '@scholiast/sdk'
import { collect } from '../collect.ts'
import type { CliContext } from '../context.ts'
import { CliError, exitCodes } from '../exit.ts'
import { formatAmount, formatMinutes, formatRate } from './figures.ts'

interface Window {
  readonly from: string
  readonly to: string
}

export interface FindingOptions extends Window {
  readonly reviewer?: string
  readonly outcome?: 'accepted' | 'not_accepted' | 'unknown'
}

type Reviewer = Get<'/v1/metrics/reviewers'>['data'][number]
type Finding = Item<'/v1/metrics/findings'>

export async function showReviewers(context: CliContext, { from, to }: Window): Promise<void> {
  const { out } = context
  const query = { start_date: from, end_date: to, ...context.selectOrganization() }
  const client = context.client()
  const reviewers = await client.get('/v1/metrics/reviewers', { query })
  const overlap = await client.get('/v1/metrics/reviewers/overlap', { query })
  const { currency } = reviewers
  if (out.isJson) return out.json({ currency, reviewers: reviewers.data, overlap: overlap.data })
  if (reviewers.data.length === 0) return out.note(`No reviewers from ${from} to ${to}.`)
  out.table(reviewers.data, [
    { heading: 'REVIEWER', value: ({ reviewer }) => reviewer ?? 'unknown' },
    { heading: 'PULL REQUESTS', value: (one) => one.pull_requests, right: true },
    { heading: 'FINDINGS', value: (one) => one.findings, right: true },
    { heading: 'ACCEPTED', value: (one) => one.accepted, right: true },
    { heading: 'RATE', value: (one) => formatRate(one.rate), right: true },
    { heading: '95 %', value: describeInterval, right: true },
    { heading: 'BOUNDS', value: describeBounds, right: true },
    { heading: 'TO FIX', value: (one) => formatMinutes(one.median_minutes_to_fix), right: true },
    { heading: 'FOUND ALONE', value: (one) => one.unique_accepted, right: true },
    {
      heading: currency === null ? 'COST' : `COST (${currency})`,
      value: (one) => formatAmount(one.cost_per_accepted),
      right: true,
    },
  ])
  if (overlap.data.length > 0) {
    out.table(overlap.data, [
      { heading: 'A', value: ({ a }) => a },
      { heading: 'B', value: ({ b }) => b },
      { heading: 'PULL REQUESTS', value: (one) => one.common_pull_requests, right: true },
      { heading: 'BOTH', value: (one) => one.both, right: true },
      { heading: 'ONLY A', value: (one) => one.only_a, right: true },
      { heading: 'ONLY B', value: (one) => one.only_b, right: true },
      { heading: 'BOTH ACCEPTED', value: (one) => one.both_accepted, right: true },
    ])
  }
  out.note(
    'Do not rank reviewers whose intervals overlap. BOUNDS: the rate if none or all of the unknown findings were accepted ' +
      `(${reviewers.definition_id}).`,
  )
}

const describeInterval = ({ interval_low, interval_high }: Reviewer) =>
  interval_low === null ? null : `${formatRate(interval_low)} to ${formatRate(interval_high)}`

const describeBounds = ({ rate_low, rate_high }: Reviewer) =>
  rate_low === null ? null : `${formatRate(rate_low)} to ${formatRate(rate_high)}`

export async function listFindings(
  context: CliContext,
  { from, to, reviewer, outcome }: FindingOptions,
): Promise<void> {
  const query = {
    start_date: from,
    end_date: to,
    ...context.selectOrganization(),
    ...(reviewer !== undefined && { reviewer }),
    ...(outcome !== undefined && { outcome }),
  }
  const findings: Finding[] = await collect(context.client().items('/v1/metrics/findings', { query }))
  context.out.rows(
    findings,
    [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'DAY', value: ({ counted_on }) => counted_on },
      { heading: 'REVIEWER', value: (finding) => finding.reviewer },
      { heading: 'SEVERITY', value: ({ severity }) => severity },
      { heading: 'OUTCOME', value: describeOutcome },
      { heading: 'BY', value: ({ source, rule }) => [source, rule].filter(Boolean).join(': ') },
      { heading: 'WHERE', value: describeLocation },
    ],
    `No findings from ${from} to ${to}.`,
  )
}

const describeOutcome = ({ accepted }: Finding) =>
  accepted === null ? 'unknown' : accepted ? 'accepted' : 'not accepted'

function describeLocation({ file, start_line, comment_url }: Finding): string {
  if (file === null) return comment_url
  return start_line === null ? file : `${file}:${start_line}`
}

export interface OutcomeFlags {
  readonly accepted?: boolean
  readonly notAccepted?: boolean
  readonly withdraw?: boolean
}

export async function setOutcome(context: CliContext, id: string, flags: OutcomeFlags): Promise<void> {
  const chosen = [flags.accepted, flags.notAccepted, flags.withdraw].filter((flag) => flag === true)
  if (chosen.length !== 1)
    throw new CliError('State the outcome of the finding.', {
      next: 'Use one of --accepted, --not-accepted and --withdraw.',
      exitCode: exitCodes.usage,
    })
  const accepted = flags.withdraw === true ? null : flags.accepted === true
  const recorded = await context.client().put('/v1/metrics/findings/{id}/outcome', {
    params: { id },
    body: { accepted, ...context.selectOrganization() },
  })
  if (context.out.isJson) context.out.json(recorded)
  else if (accepted === null) context.out.note('Withdrawn. The outcome from the next source counts again.')
  else
    context.out.note(
      `Recorded as ${accepted ? 'accepted' : 'not accepted'}. The metrics will show it shortly.`,
    )
}
