import type { Get } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { apiQuery, createLoader } from '../../api/query.ts'
import { findDifference } from '../../charts/difference.ts'
import { RateRange } from '../../charts/rate-range.tsx'
import { ALL } from '../../frame/organization-switch.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { PeriodFilter, RepositoryFilter, readFilters } from '../../ui/filters.tsx'
import {
  formatCount,
  formatCounted,
  formatMinutes,
  formatMoney,
  formatShare,
  MISSING,
} from '../../ui/format.ts'
import { Command, Empty, Load } from '../../ui/load.tsx'
import { Headline, Note, Page, Row, Section } from '../../ui/page.tsx'
import { countDays } from '../../ui/period.ts'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { EvidenceRows, newestEvidenceQuery } from './evidence-rows.tsx'

const REVIEWERS = '/v1/metrics/reviewers'
const OVERLAP = '/v1/metrics/reviewers/overlap'

type Reviewers = Get<typeof REVIEWERS>
type Reviewer = Reviewers['data'][number]

function createQueries(organization: string, search: URLSearchParams) {
  const query = readFilters(search)
  return {
    reviewers: apiQuery(organization, REVIEWERS, { query }),
    overlap: apiQuery(organization, OVERLAP, { query }),
    rows: newestEvidenceQuery(organization, search),
  }
}

export const loader = createLoader(createQueries)

/** Which reviewer finds what matters, and what do they agree on? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const query = useQuery(createQueries(organization, search).reviewers)
  return (
    <Page
      title="Reviewers"
      tools={
        <>
          <PeriodFilter />
          <RepositoryFilter />
          <CopyCurl read={{ path: REVIEWERS, query: { ...readFilters(search) } }} />
        </>
      }
    >
      <Load query={query} what="reviewers">
        {({ data, currency }) =>
          data.length === 0 ? (
            <NoReviewers />
          ) : (
            <>
              <Summary reviewers={data} />
              <Comparison reviewers={data} currency={currency} />
              {data.length > 1 ? <Overlap /> : null}
              <EvidenceRows reviewers={data} />
            </>
          )
        }
      </Load>
    </Page>
  )
}

function Summary({ reviewers }: { readonly reviewers: readonly Reviewer[] }) {
  // Findings whose reviewer is unknown are not those of one more reviewer.
  const named = reviewers.filter(({ reviewer }) => reviewer !== null)
  const difference = findDifference(named)
  const sum = (some: readonly Reviewer[], key: 'findings' | 'unknown') =>
    some.reduce((total, one) => total + one[key], 0)
  const unnamed = sum(reviewers, 'findings') - sum(named, 'findings')
  return (
    <Row
      notes={
        <Note>
          <b>Two reviewers clearly differ</b> only if their 95% intervals do not overlap. Reviewers of
          different pull requests are hard to compare: see below what they find in the same ones.
        </Note>
      }
    >
      <Headline
        more={
          <>
            Compared: {formatCounted(named.length, 'reviewer')} with{' '}
            {formatCounted(sum(named, 'findings'), 'finding')}. The outcome of{' '}
            {formatCount(sum(named, 'unknown'))} of them is unknown.{' '}
            {unnamed === 0
              ? null
              : `Left out: ${formatCounted(unnamed, 'finding')} whose reviewer is unknown.`}
          </>
        }
      >
        {difference === null ? (
          <NoDifference reviewers={named} />
        ) : (
          <>
            Findings of <b>{nameReviewer(difference.better)}</b> are acted on more often than those of{' '}
            <b>{nameReviewer(difference.worse)}</b>: {formatInterval(difference.better)} of{' '}
            {formatCount(countKnown(difference.better))} known outcomes, against{' '}
            {formatInterval(difference.worse)} of {formatCount(countKnown(difference.worse))}.
          </>
        )}
      </Headline>
    </Row>
  )
}

function NoDifference({ reviewers }: { readonly reviewers: readonly Reviewer[] }) {
  const [first] = reviewers
  if (first === undefined) return <>The reviewer of every finding in this period is unknown.</>
  if (reviewers.length > 1) return <>No two reviewers differ by more than chance explains.</>
  return (
    <>
      <b>{nameReviewer(first)}</b> is the only reviewer in this period.
    </>
  )
}

function countKnown({ accepted, not_accepted }: Reviewer): number {
  return accepted + not_accepted
}

function nameReviewer({ reviewer }: Reviewer): string {
  return reviewer ?? 'unknown'
}

function formatInterval({ interval_low, interval_high }: Reviewer): string {
  return `${formatShare(interval_low)} – ${formatShare(interval_high)}`
}

interface ComparisonProps {
  readonly reviewers: readonly Reviewer[]
  /** Of the prices; null if the organization has not set it. */
  readonly currency: Reviewers['currency']
}

function Comparison({ reviewers, currency }: ComparisonProps) {
  const hasCosts = reviewers.some(({ cost_per_accepted }) => cost_per_accepted !== null)
  return (
    <Section
      title="Each reviewer"
      // The column of costs leaves no room for a margin.
      wide={hasCosts}
      tools={<SaveCsv name="reviewers" rows={() => toCsvRows(reviewers, currency)} />}
      notes={
        <>
          <Note>
            <b>Sorted by name</b>, because sorting by rate would hide how uncertain the rates are. Dark bars
            are 95% intervals of the known outcomes. Light bars are the bounds: all unknown outcomes rejected,
            or all accepted.
          </Note>
          <Note>
            <b>Found alone</b>: acted on, and no other reviewer of the same pull request reported it.{' '}
            <b>Time to fix</b>: the median from the comment to the commit that changed the lines.
          </Note>
          <CostNote hasCosts={hasCosts} currency={currency} />
        </>
      }
    >
      <Table
        caption="Each reviewer"
        items={reviewers}
        keyOf={nameReviewer}
        columns={[
          { head: 'Reviewer', cell: nameReviewer },
          { head: 'Pull requests', number: true, cell: (row) => formatCount(row.pull_requests) },
          { head: 'Findings', number: true, cell: ({ findings }) => formatCount(findings) },
          { head: 'Unknown', number: true, cell: ({ unknown }) => formatCount(unknown) },
          {
            head: '0% to 100%',
            wide: true,
            cell: ({ findings, ...row }) => <RateRange posted={findings} {...row} />,
          },
          {
            head: 'Acted on (95%)',
            number: true,
            cell: (row) => `${formatShare(row.rate)} (${formatInterval(row)})`,
          },
          {
            head: 'Found alone',
            number: true,
            cell: ({ unique_accepted: count }) => (count === null ? MISSING : formatCount(count)),
          },
          { head: 'Time to fix', number: true, cell: (row) => formatMinutes(row.median_minutes_to_fix) },
          ...(hasCosts
            ? [
                {
                  head: 'Cost\u00a0per\u00a0finding acted\u00a0on',
                  number: true,
                  cell: ({ cost_per_accepted: cost }: Reviewer) =>
                    cost === null ? MISSING : formatMoney(cost, currency),
                },
              ]
            : []),
        ]}
      />
    </Section>
  )
}

interface CostNoteProps extends Pick<ComparisonProps, 'currency'> {
  readonly hasCosts: boolean
}

function CostNote({ hasCosts, currency }: CostNoteProps) {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const { repository_ids, ...period } = readFilters(search)
  if (hasCosts)
    return (
      <Note>
        <b>Cost</b>: the share of the monthly price for the {formatCounted(countDays(period), 'day')} of this
        period, divided by the findings that were acted on. Days before the subscription began do not count;
        if its first day is not set, it is that of the reviewer’s first finding.
        {currency === null ? (
          <>
            {' '}
            No currency is set: <code>scholiast settings set --currency EUR</code>.
          </>
        ) : null}
      </Note>
    )
  if (organization === ALL || repository_ids !== undefined)
    return (
      <Note>
        <b>Costs are not shown here:</b> a price is that of a whole organization. Choose one organization and
        all repositories.
      </Note>
    )
  if (currency !== null)
    return (
      <Note>
        <b>No costs:</b> no reviewer here has both a price and a finding that was acted on. A price belongs to
        a name in the first column; <code>scholiast settings get</code> lists the prices.
      </Note>
    )
  return (
    <Note>
      <b>What does a finding cost that is acted on?</b> Set the monthly price of a reviewer:{' '}
      <code>scholiast settings set --currency EUR --reviewer-price coderabbit=480</code>
    </Note>
  )
}

function Overlap() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const query = useQuery(createQueries(organization, search).overlap)
  return (
    <Section
      title="What two reviewers both find"
      tools={<CopyCurl read={{ path: OVERLAP, query: { ...readFilters(search) } }} />}
      notes={
        <Note>
          <b>Only pull requests that both reviewed</b> are compared. Two findings count as the same if they
          are in one file, at most three lines apart, and similarly worded.
        </Note>
      }
    >
      <Load query={query} what="shared findings">
        {({ data }) =>
          data.length === 0 ? (
            <p>No two reviewers looked at the same pull request in this period.</p>
          ) : (
            <Table
              caption="Findings of two reviewers in the same pull requests"
              items={data}
              keyOf={({ a, b }) => `${a} ${b}`}
              columns={[
                { head: 'Reviewers', cell: ({ a, b }) => `${a} and ${b}` },
                { head: 'Pull requests', number: true, cell: (row) => formatCount(row.common_pull_requests) },
                { head: 'Both found', number: true, cell: ({ both }) => formatCount(both) },
                { head: 'Both, acted on', number: true, cell: (row) => formatCount(row.both_accepted) },
                { head: 'Only the first', number: true, cell: (row) => formatCount(row.only_a) },
                { head: 'Only the second', number: true, cell: (row) => formatCount(row.only_b) },
              ]}
            />
          )
        }
      </Load>
    </Section>
  )
}

function NoReviewers() {
  return (
    <Empty title="No reviewers in this period">
      <p>
        Connect your organization, and the findings of all its review bots appear here, including those from
        the last year:
      </p>
      <Command>scholiast connect github ORGANIZATION</Command>
      <p>
        With GitLab, use <code>scholiast connect gitlab GROUP</code>. If you are already connected, choose
        another period or other repositories above; <code>scholiast connectors list</code> shows the progress.
      </p>
    </Empty>
  )
}

function toCsvRows(reviewers: readonly Reviewer[], currency: string | null) {
  const [first] = reviewers
  const names = Object.keys(first ?? {}) as (keyof Reviewer)[]
  return [[...names, 'currency'], ...reviewers.map((row) => [...names.map((name) => row[name]), currency])]
}
