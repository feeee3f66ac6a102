import type { Get } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { apiQuery, createLoader } from '../../api/query.ts'
import { SMALL_SAMPLE } from '../../charts/acceptance.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { PeriodFilter, RepositoryFilter, readFilters, useSearchUpdate } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatDate, formatMinutes, MISSING } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { sliceDays, useNewest } from '../../ui/newest.ts'
import { Headline, Note, Page, Row, Section } from '../../ui/page.tsx'
import { allPagesQuery } from '../../ui/pages.ts'
import { lastWeeks, listWeeks } from '../../ui/period.ts'
import { SearchText } from '../../ui/search-text.tsx'
import { CopyCurl, DownloadCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { NothingInWindow } from '../nothing-in-window.tsx'
import { PartialWeekNote } from '../partial-week-note.tsx'
import { namePullRequest, pullRequestPath } from '../pull-request-link.ts'
import { PullRequestDialog } from './pull-request-dialog.tsx'
import styles from './pull-requests.module.css'
import { formatSinceReady } from './times.ts'

const REVIEWS = '/v1/metrics/reviews'
const SUMMARY = '/v1/metrics/reviews/summary'
const FILE_PAGE_SIZE = 1000
const statuses = { merged: 'Merged', closed: 'Closed', all: 'All' } as const
type Status = keyof typeof statuses

type Review = Get<typeof REVIEWS>['data'][number]
type Times = Get<typeof SUMMARY>['data'][number]
type Filters = ReturnType<typeof readReviewFilters>

const TimesChart = lazy(async () => ({ default: (await import('./times-chart.tsx')).TimesChart }))

function readReviewFilters(search: URLSearchParams) {
  const text = search.get('status')
  const status: Status = text === 'closed' || text === 'all' ? text : 'merged'
  return { ...readFilters(search), status }
}

/** All pull requests of some days, the last ones that were merged or closed first. */
function reviewsQuery(organization: string, filters: Filters) {
  return allPagesQuery<Review, Review>(organization, REVIEWS, { ...filters }, (reviews) =>
    reviews.toSorted((a, b) => toEnd(b).localeCompare(toEnd(a))),
  )
}

function toEnd({ merged_at, closed_at, counted_on }: Review): string {
  return merged_at ?? closed_at ?? counted_on
}

function createQueries(organization: string, search: URLSearchParams) {
  const filters = readReviewFilters(search)
  return {
    total: apiQuery(organization, SUMMARY, { query: filters }),
    weeks: apiQuery(organization, SUMMARY, { query: { ...filters, group_by: ['week'] } }),
    reviews: reviewsQuery(organization, { ...filters, ...sliceDays(filters)[0] }),
  }
}

export const loader = createLoader(createQueries)

/** What happened to this one? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const query = useQuery(createQueries(organization, search).total)
  const filters = readReviewFilters(search)
  const read = { path: REVIEWS, query: { ...filters, limit: FILE_PAGE_SIZE } }
  return (
    <Page
      title="Pull requests"
      tools={
        <>
          <StatusFilter status={filters.status} />
          <PeriodFilter />
          <RepositoryFilter />
          <CopyCurl read={read} />
          <DownloadCsv read={read} name="pull-requests" />
        </>
      }
    >
      <Load query={query} what="pull requests">
        {({ data: [total], definition_id, approximate }) =>
          total === undefined || total.pull_requests === 0 ? (
            <NoPullRequests filters={filters} />
          ) : (
            <>
              <Summary
                total={total}
                status={filters.status}
                definition={definition_id}
                approximate={approximate}
              />
              {filters.status === 'closed' ? null : <Weeks />}
              <Reviews filters={filters} count={total.pull_requests} />
            </>
          )
        }
      </Load>
      <PullRequestDialog />
    </Page>
  )
}

function StatusFilter({ status }: { readonly status: Status }) {
  const update = useSearchUpdate()
  return (
    <select
      className={styles['status']}
      aria-label="Status"
      value={status}
      onChange={({ target }) => update({ status: target.value === 'merged' ? null : target.value })}
    >
      {Object.entries(statuses).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface SummaryProps {
  readonly total: Times
  readonly status: Status
  readonly definition: string
  readonly approximate: boolean
}

function Summary({ total, status, definition, approximate }: SummaryProps) {
  return (
    <Row
      notes={
        <>
          <Note>
            <b>The clock starts</b> when a pull request is ready for review or, if that is unknown, when it
            was created. Nights and weekends count. Definition <code>{definition}</code>.
          </Note>
          {approximate ? (
            <Note>
              <b>Estimated:</b> with more than 50,000 pull requests, medians and the 90th percentile are
              within 2% of the exact figures.
            </Note>
          ) : null}
        </>
      }
    >
      {status === 'closed' ? (
        <Headline more={<FirstReview total={total} />}>
          <b>{formatCounted(total.closed, 'pull request')}</b> ended without a merge.
        </Headline>
      ) : (
        <Headline
          more={
            <>
              {total.p90_minutes_to_merge === null
                ? null
                : `One in ten took longer than ${formatMinutes(total.p90_minutes_to_merge)}. `}
              {status === 'all'
                ? `${formatCounted(total.closed, 'was', 'were')} closed without a merge. `
                : null}
              <Iterations mean={total.mean_review_iterations} />
            </>
          }
        >
          <Merged total={total} /> <FirstReview total={total} />
        </Headline>
      )}
    </Row>
  )
}

function Merged({ total }: { readonly total: Times }) {
  const { merged, median_minutes_to_merge: minutes } = total
  if (minutes === null)
    return (
      <>
        <b>{formatCounted(merged, 'pull request')}</b> {merged === 1 ? 'was' : 'were'} merged. How long that
        took is unknown: their creation times were not sent.
      </>
    )
  return (
    <>
      Half of <b>{formatCounted(merged, 'merged pull request')}</b> took less than{' '}
      <b>{formatMinutes(minutes)}</b> from ready to merged.
    </>
  )
}

function FirstReview({ total }: { readonly total: Times }) {
  const minutes = total.median_minutes_to_first_human_review
  if (minutes === null) return <>It is unknown when a person first reviewed them.</>
  return (
    <>
      Of those that a person reviewed, half waited less than <b>{formatMinutes(minutes)}</b> for the first
      review.
    </>
  )
}

function Iterations({ mean }: { readonly mean: number | null }) {
  return mean === null ? (
    <>The number of review rounds is unknown.</>
  ) : (
    <>On average, review took {mean.toFixed(1)} rounds.</>
  )
}

function Weeks() {
  const [asTable, setAsTable] = useState(false)
  const organization = useOrganization()
  const [search] = useSearchParams()
  const query = useQuery(createQueries(organization, search).weeks)
  const weeks = (query.data?.data ?? []).map(({ group, ...times }) => ({ ...times, week: group.week ?? '' }))
  const small = weeks.filter(({ merged }) => merged < SMALL_SAMPLE)
  return (
    <Section
      title="Time from ready, by week"
      tools={
        <Button kind="link" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
      notes={
        <>
          <PartialWeekNote />
          {small.length === 0 ? null : (
            <Note>
              <b>{small.length === 1 ? 'One week is' : `${small.length} weeks are`} faded:</b> fewer than{' '}
              {SMALL_SAMPLE} pull requests were merged, so one of them moves the median.
            </Note>
          )}
        </>
      }
    >
      <Load query={query} what="weekly figures">
        {() =>
          asTable ? (
            <WeekTable weeks={weeks} />
          ) : (
            <Suspense fallback={<div className={styles['chart']} data-loading />}>
              <TimesChart weeks={listWeeks(readFilters(search))} times={weeks} />
            </Suspense>
          )
        }
      </Load>
    </Section>
  )
}

type WeekTimes = Omit<Times, 'group'> & { readonly week: string }

function WeekTable({ weeks }: { readonly weeks: readonly WeekTimes[] }) {
  return (
    <Table
      caption="Times of pull requests by week"
      items={weeks}
      keyOf={({ week }) => week}
      columns={[
        { head: 'Week of', cell: ({ week }) => formatDate(week) },
        { head: 'Merged', number: true, cell: ({ merged }) => formatCount(merged) },
        { head: 'Closed', number: true, cell: ({ closed }) => formatCount(closed) },
        {
          head: 'Median to first review by a person',
          number: true,
          cell: (week) => formatMinutes(week.median_minutes_to_first_human_review),
        },
        {
          head: 'Median to merge',
          number: true,
          cell: (week) => formatMinutes(week.median_minutes_to_merge),
        },
        {
          head: '90th percentile to merge',
          number: true,
          cell: (week) => formatMinutes(week.p90_minutes_to_merge),
        },
      ]}
    />
  )
}

function Reviews({ filters, count }: { readonly filters: Filters; readonly count: number }) {
  const [search] = useSearchParams()
  const text = search.get('search') ?? ''
  return (
    <Section
      title="The pull requests"
      wide
      tools={
        <SearchText label="Search pull requests" maxLength={200} placeholder="name, #number or author" />
      }
      notes={
        <Note>
          <b>Choose one</b> to see its time line, its findings and the tools that the reviewer called.
        </Note>
      }
    >
      <ReviewList key={`${text} ${JSON.stringify(filters)}`} filters={filters} count={count} text={text} />
    </Section>
  )
}

interface ReviewListProps {
  readonly filters: Filters
  /** All pull requests of the window. */
  readonly count: number
  /** Only those that have it in their name, address or author; everything without it. */
  readonly text: string
}

function ReviewList({ filters, count, text }: ReviewListProps) {
  const organization = useOrganization()
  const { query, shown, matching, readSince, showMore } = useNewest({
    period: filters,
    sliceQuery: (slice) => reviewsQuery(organization, { ...filters, ...slice }),
    matches: createMatch(text),
  })
  return (
    <>
      <Load query={query} what="pull requests">
        {() => (
          <>
            <p className={styles['state']} role="status">
              {text === ''
                ? `${formatCount(shown.length)} of ${formatCounted(count, 'pull request')} shown, newest first.`
                : `${formatCounted(matching, 'pull request matches', 'pull requests match')} “${text}”${
                    readSince === null
                      ? ''
                      : ` since ${formatDate(readSince)}; “Show more” searches earlier days`
                  }. ${formatCount(shown.length)} shown, newest first.`}
            </p>
            {shown.length === 0 ? null : <ReviewTable reviews={shown} status={filters.status} />}
          </>
        )}
      </Load>
      {showMore === null || shown.length === count ? null : (
        <p className={styles['more']}>
          <Button onClick={showMore} busy={query.isFetching}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}

/** The API has no search for pull requests, so it looks at the rows that were read. */
function createMatch(text: string): (review: Review) => boolean {
  const wanted = text.trim().toLowerCase()
  return ({ pr_url, author_username }) =>
    [namePullRequest(pr_url), pr_url, author_username ?? ''].some((part) =>
      part.toLowerCase().includes(wanted),
    )
}

interface ReviewTableProps {
  readonly reviews: readonly Review[]
  readonly status: Status
}

function ReviewTable({ reviews, status }: ReviewTableProps) {
  const organization = useOrganization()
  const [search] = useSearchParams()
  return (
    <Table
      caption="Pull requests"
      items={reviews}
      keyOf={({ pr_url }) => pr_url}
      columns={[
        {
          head: 'Pull request',
          cell: ({ pr_url, counted_on, repository_id }) => (
            <Link
              to={pullRequestPath(organization, search, {
                url: pr_url,
                day: counted_on,
                repository: repository_id,
              })}
              preventScrollReset
            >
              {namePullRequest(pr_url)}
            </Link>
          ),
        },
        { head: 'Author', cell: ({ author_username }) => author_username ?? 'unknown' },
        {
          head: status === 'all' ? 'Ended' : statuses[status],
          cell: (review) => `${status === 'all' ? `${review.status} ` : ''}${formatDate(review.counted_on)}`,
        },
        {
          head: 'First review',
          number: true,
          cell: (review) => formatSinceReady(review, review.first_human_review_at),
        },
        {
          head: 'To merge',
          number: true,
          cell: (review) => formatSinceReady(review, review.merged_at),
        },
        {
          head: 'Rounds',
          number: true,
          cell: ({ review_iterations }) =>
            review_iterations === null ? MISSING : formatCount(review_iterations),
        },
        {
          head: 'Findings',
          number: true,
          cell: ({ coderabbit_comments: { total } }) => formatCount(total.posted),
        },
        {
          head: 'Acted on',
          number: true,
          cell: ({ coderabbit_comments: { total } }) => formatCount(total.accepted),
        },
      ]}
    />
  )
}

function NoPullRequests({ filters: { status, repository_ids } }: { readonly filters: Filters }) {
  const organization = useOrganization()
  const year = useQuery(
    apiQuery(organization, SUMMARY, {
      query: { ...lastWeeks(52), ...(repository_ids && { repository_ids }), status, group_by: ['week'] },
    }),
  )
  return (
    <Load query={year} what="weeks with pull requests">
      {({ data }) => (
        <NothingInWindow
          what={status === 'all' ? 'pull requests' : `${status} pull requests`}
          weeks={data.flatMap(({ group }) => (group.week === undefined ? [] : [group.week]))}
        >
          A pull request appears here when the event <code>pull_request.finalized</code> arrives, which is
          sent once it is merged or closed. None has arrived in the last 52 weeks.
        </NothingInWindow>
      )}
    </Load>
  )
}
