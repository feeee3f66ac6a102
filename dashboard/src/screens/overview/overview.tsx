import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { apiQuery, createLoader } from '../../api/query.ts'
import { type Acceptance, isYoung, SMALL_SAMPLE, sumAcceptance } from '../../charts/acceptance.ts'
import { findDifference } from '../../charts/difference.ts'
import { RateRange } from '../../charts/rate-range.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { screenPath } from '../../paths.ts'
import { severities } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { PeriodFilter, RepositoryFilter, readFilters } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatDate, formatMinutes, formatShare } from '../../ui/format.ts'
import { Empty, Load, QueryProblem } from '../../ui/load.tsx'
import { Headline, Note, Page, Row, Section } from '../../ui/page.tsx'
import { countDays, listWeeks, previousPeriod } from '../../ui/period.ts'
import { CopyCurl, DownloadCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { FirstEvent } from '../first-event.tsx'
import { PartialWeekNote } from '../partial-week-note.tsx'
import styles from './overview.module.css'

const UNKNOWN = 'unknown'
const WeekChart = lazy(async () => ({ default: (await import('./week-chart.tsx')).WeekChart }))
const SUMMARY = '/v1/metrics/summary'

function createQueries(organization: string, search: URLSearchParams) {
  const filters = readFilters(search)
  return {
    weeks: apiQuery(organization, SUMMARY, { query: { ...filters, group_by: ['week'] } }),
    parts: apiQuery(organization, SUMMARY, { query: { ...filters, group_by: ['reviewer', 'severity'] } }),
    before: apiQuery(organization, SUMMARY, { query: { ...filters, ...previousPeriod(filters) } }),
    pullRequests: apiQuery(organization, '/v1/metrics/reviews/summary', { query: filters }),
  }
}

export const loader = createLoader(createQueries)

/** Is review worth it, and how sure are we? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const queries = createQueries(organization, search)
  const parts = useQuery(queries.parts)
  const read = { path: SUMMARY, query: { ...readFilters(search), group_by: ['week'] } }
  return (
    <Page
      title="Overview"
      tools={
        <>
          <PeriodFilter />
          <RepositoryFilter />
          <CopyCurl read={read} />
          <DownloadCsv read={read} name="acceptance-by-week" />
        </>
      }
    >
      <Load query={parts} what="acceptance figures">
        {({ data, definition_id }) =>
          data.every(({ posted }) => posted === 0) ? (
            <NoFindings />
          ) : (
            <>
              <Summary total={sumAcceptance(data)} definition={definition_id} />
              <Weeks total={sumAcceptance(data)} />
              <Parts groups={data} />
            </>
          )
        }
      </Load>
    </Page>
  )
}

function Summary({ total, definition }: { readonly total: Acceptance; readonly definition: string }) {
  const [search] = useSearchParams()
  const organization = useOrganization()
  const queries = createQueries(organization, search)
  const before = useQuery(queries.before)
  const pullRequests = useQuery(queries.pullRequests)
  const known = countKnown(total)
  return (
    <Row
      notes={
        <>
          <Note>
            <b>Acted on</b> means a person applied the change, or a detector saw the code change as requested.
            Definition <code>{definition}</code>.
          </Note>
        </>
      }
    >
      <Headline
        more={
          <>
            {known === 0
              ? 'No outcome is known yet.'
              : `${formatShare(total.rate, 1)} of the ${formatCounted(known, 'finding')} with a known outcome.`}{' '}
            {formatCount(total.unknown)} of {formatCount(total.posted)} are still unknown.{' '}
            <Trend now={total} before={before.data?.data[0]} days={countDays(readFilters(search))} />
          </>
        }
      >
        {total.unknown > 0 ? (
          <>
            Between <b>{formatShare(total.rate_low)}</b> and <b>{formatShare(total.rate_high)}</b> of what
            reviewers found was acted on.
          </>
        ) : (
          <>
            <b>{formatShare(total.rate)}</b> of what reviewers found was acted on.
          </>
        )}
      </Headline>
      <QueryProblem query={before} what="figures for the days before" />
      <QueryProblem query={pullRequests} what="pull requests" />
      <dl className={styles['figures']}>
        <Figure label="findings" value={formatCount(total.posted)} screen="findings" />
        <Figure
          label="pull requests merged"
          value={toText(pullRequests.data?.data[0]?.merged)}
          screen="pull-requests"
        />
        <Figure
          label="median time to merge"
          value={formatMinutes(pullRequests.data?.data[0]?.median_minutes_to_merge ?? null)}
          screen="pull-requests"
        />
      </dl>
    </Row>
  )
}

function toText(count: number | undefined): string {
  return count === undefined ? '…' : formatCount(count)
}

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly screen: 'findings' | 'pull-requests'
}

function Figure({ label, value, screen }: FigureProps) {
  const [search] = useSearchParams()
  const organization = useOrganization()
  const text = search.size === 0 ? '' : `?${search}`
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Link to={screenPath(organization, screen, text)}>{value}</Link>
      </dd>
    </div>
  )
}

interface TrendProps {
  readonly now: Acceptance
  readonly before: Acceptance | undefined
  readonly days: number
}

/** Below this share of the outcomes known now, the earlier days are hardly those that were meant: data may begin within them. */
const SMALL_SHARE = 0.1

/** While the intervals overlap, nobody can say that the rates differ. */
function Trend({ now, before, days }: TrendProps) {
  if (before === undefined || before.rate === null || now.rate === null) return null
  const points = 100 * (now.rate - before.rate)
  const change = `${points >= 0 ? 'Up' : 'Down'} ${Math.abs(points).toFixed(1)} points`
  const margin = findDifference([now, before]) === null ? ', within the margin of error' : ''
  const [known, earlier] = [countKnown(now), countKnown(before)]
  return earlier < Math.max(SMALL_SAMPLE, SMALL_SHARE * known) ? (
    <>
      Small sample: {formatCounted(earlier, 'outcome is', 'outcomes are')} known for the{' '}
      {formatCounted(days, 'day')} before, against {formatCount(known)} now. {change}
      {margin}.
    </>
  ) : (
    <>
      {change} on the {formatCounted(days, 'day')} before{margin}: {formatCount(known)} known outcomes now,{' '}
      {formatCount(earlier)} then.
    </>
  )
}

function countKnown({ posted, unknown }: Acceptance): number {
  return posted - unknown
}

function Weeks({ total }: { readonly total: Acceptance }) {
  const [asTable, setAsTable] = useState(false)
  const organization = useOrganization()
  const [search] = useSearchParams()
  const weeks = useQuery(createQueries(organization, search).weeks)
  const rates = (weeks.data?.data ?? []).map(({ group, ...rate }) => ({ ...rate, week: group.week ?? '' }))
  const last = rates.at(-1)
  const young = last !== undefined && isYoung(last) ? last : null
  return (
    <Section
      title="Accepted findings by week"
      tools={
        <Button kind="link" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
      notes={
        <>
          {total.unknown > 0 ? (
            <Note>
              <b>Why a range?</b> Nobody reported an outcome for {formatShare(total.unknown / total.posted)}{' '}
              of the findings. Whatever they turn out to be, the true rate lies between the two bounds.
            </Note>
          ) : null}
          <PartialWeekNote />
          {young === null ? null : (
            <Note>
              <b>The last week is recent.</b> {formatShare(young.unknown / young.posted)} of its outcomes are
              still unknown. Its rate will move as they arrive.
            </Note>
          )}
        </>
      }
    >
      <Load query={weeks} what="weekly figures">
        {() =>
          asTable ? (
            <Table
              caption="Accepted findings by week"
              items={rates}
              keyOf={({ week }) => week}
              columns={[
                { head: 'Week of', cell: ({ week }) => formatDate(week) },
                { head: 'Findings', number: true, cell: ({ posted }) => formatCount(posted) },
                { head: 'Unknown', number: true, cell: ({ unknown }) => formatCount(unknown) },
                { head: 'Rate', number: true, cell: ({ rate }) => formatShare(rate, 1) },
                {
                  head: '95% interval',
                  number: true,
                  cell: (week) =>
                    `${formatShare(week.interval_low, 1)} – ${formatShare(week.interval_high, 1)}`,
                },
                {
                  head: 'Bounds',
                  number: true,
                  cell: (week) => `${formatShare(week.rate_low, 1)} – ${formatShare(week.rate_high, 1)}`,
                },
              ]}
            />
          ) : (
            <Suspense fallback={<div className={styles['chart']} data-loading />}>
              <WeekChart weeks={listWeeks(readFilters(search))} rates={rates} />
            </Suspense>
          )
        }
      </Load>
    </Section>
  )
}

interface PartsProps {
  readonly groups: readonly (Acceptance & {
    readonly group: { readonly severity?: string | null; readonly reviewer?: string | null }
  })[]
}

function Parts({ groups }: PartsProps) {
  const sumBy = (key: 'severity' | 'reviewer') =>
    [...Map.groupBy(groups, ({ group }) => group[key] ?? UNKNOWN)].map(([name, some]) => ({
      name,
      ...sumAcceptance(some),
    }))
  const bySeverity = sumBy('severity').sort((a, b) => rank(a.name) - rank(b.name))
  const byReviewer = sumBy('reviewer').sort((a, b) => (b.rate ?? -1) - (a.rate ?? -1))
  return (
    <div className={styles['two']}>
      <Section title="By severity">
        <RateTable caption="Acceptance by severity" rows={bySeverity} />
      </Section>
      <Section title="By reviewer">
        <RateTable caption="Acceptance by reviewer" rows={byReviewer} />
      </Section>
    </div>
  )
}

function rank(severity: string): number {
  return severities.findIndex((one) => one === severity)
}

interface NamedRate extends Acceptance {
  readonly name: string
}

function RateTable({ caption, rows }: { readonly caption: string; readonly rows: readonly NamedRate[] }) {
  return (
    <Table
      caption={caption}
      items={rows}
      keyOf={({ name }) => name}
      columns={[
        { head: 'Name', cell: ({ name }) => name },
        { head: 'Findings', number: true, cell: ({ posted }) => formatCount(posted) },
        { head: 'Interval and bounds', wide: true, cell: (row) => <RateRange {...row} /> },
        { head: 'Rate', number: true, cell: ({ rate }) => formatShare(rate) },
      ]}
    />
  )
}

function NoFindings() {
  return (
    <Empty title="No findings in this period">
      <p>
        Findings appear when a pull request is merged and its events have arrived. If you have not sent any
        yet, create an ingest credential and send the first one:
      </p>
      <FirstEvent />
      <p>If you have, choose another period or other repositories above.</p>
    </Empty>
  )
}
