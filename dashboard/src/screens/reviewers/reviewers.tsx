import type { Get } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { apiQuery, createLoader } from '../../api/query.ts'
import { findDifference } from '../../charts/difference.ts'
import { RateRange } from '../../charts/rate-range.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { PeriodFilter, RepositoryFilter, readFilters } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatMinutes, formatShare, MISSING } from '../../ui/format.ts'
import { Command, Empty, Load } from '../../ui/load.tsx'
import { Answer, Note, Page, Row, Section } from '../../ui/page.tsx'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { EvidenceRows, evidenceQuery } from './evidence-rows.tsx'

const REVIEWERS = '/v1/metrics/reviewers'
const OVERLAP = '/v1/metrics/reviewers/overlap'

type Reviewer = Get<typeof REVIEWERS>['data'][number]

function createQueries(organization: string, search: URLSearchParams) {
  const query = readFilters(search)
  return {
    reviewers: apiQuery(organization, REVIEWERS, { query }),
    overlap: apiQuery(organization, OVERLAP, { query }),
    rows: evidenceQuery(organization, search),
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
        {({ data }) =>
          data.length === 0 ? (
            <NoReviewers />
          ) : (
            <>
              <Verdict reviewers={data} />
              <Comparison reviewers={data} />
              {data.length > 1 ? <Overlap /> : null}
              <EvidenceRows reviewers={data.flatMap(({ reviewer }) => reviewer ?? [])} />
            </>
          )
        }
      </Load>
    </Page>
  )
}

function Verdict({ reviewers }: { readonly reviewers: readonly Reviewer[] }) {
  const difference = findDifference(reviewers)
  const findings = reviewers.reduce((sum, one) => sum + one.findings, 0)
  const unknown = reviewers.reduce((sum, one) => sum + one.unknown, 0)
  return (
    <Row
      notes={
        <Note>
          <b>Two reviewers differ for certain</b> only if their 95% intervals do not overlap. Reviewers that
          look at different pull requests are hard to compare: see what they find in the same ones below.
        </Note>
      }
    >
      <Answer
        more={
          <>
            {formatCounted(reviewers.length, 'reviewer')} posted {formatCounted(findings, 'finding')}. What
            became of {formatCount(unknown)} of them is unknown.
          </>
        }
      >
        {difference === null ? (
          reviewers.length === 1 ? (
            <>
              <b>{reviewers.map(nameReviewer)}</b> is the only reviewer in these days.
            </>
          ) : (
            <>No reviewer differs from all others by more than chance explains.</>
          )
        ) : (
          <>
            More is acted on of what <b>{nameReviewer(difference.better)}</b> finds:{' '}
            {formatInterval(difference.better)}, against {formatInterval(difference.worse)} of{' '}
            <b>{nameReviewer(difference.worse)}</b>.
          </>
        )}
      </Answer>
    </Row>
  )
}

function nameReviewer({ reviewer }: Reviewer): string {
  return reviewer ?? 'unknown'
}

function formatInterval({ interval_low, interval_high }: Reviewer): string {
  return `${formatShare(interval_low)} – ${formatShare(interval_high)}`
}

function Comparison({ reviewers }: { readonly reviewers: readonly Reviewer[] }) {
  const hasCosts = reviewers.some(({ cost_per_accepted }) => cost_per_accepted !== null)
  return (
    <Section
      title="Each reviewer"
      tools={<SaveCsv name="reviewers" rows={() => toCsvRows(reviewers)} />}
      notes={
        <>
          <Note>
            <b>In the order of their names</b>, because an order by rate would hide how uncertain the rates
            are. Dark bars are 95% intervals of the known outcomes, light ones the bounds if every unknown
            outcome were one way.
          </Note>
          <Note>
            <b>Found by it alone</b>: acted on, and no other reviewer of the same pull request reported it.{' '}
            <b>Until the fix</b>: the median from the comment to the commit that changed the lines.
          </Note>
          {hasCosts ? null : (
            <Note>
              <b>What does an accepted finding cost?</b> Enter the price of a reviewer with{' '}
              <code>PATCH /v1/settings</code>.
            </Note>
          )}
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
            head: 'By it alone',
            number: true,
            cell: ({ unique_accepted: count }) => (count === null ? MISSING : formatCount(count)),
          },
          { head: 'Until the fix', number: true, cell: (row) => formatMinutes(row.median_minutes_to_fix) },
          ...(hasCosts
            ? [
                {
                  head: 'Cost each',
                  number: true,
                  cell: ({ cost_per_accepted: cost }: Reviewer) =>
                    cost === null ? MISSING : cost.toFixed(2),
                },
              ]
            : []),
        ]}
      />
    </Section>
  )
}

function Overlap() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const query = useQuery(createQueries(organization, search).overlap)
  return (
    <Section
      title="What two of them find"
      tools={<CopyCurl read={{ path: OVERLAP, query: { ...readFilters(search) } }} />}
      notes={
        <Note>
          <b>Only pull requests that both reviewed</b> are compared. Two findings are the same if they are
          about lines of one file at most three apart, and their words are similar.
        </Note>
      }
    >
      <Load query={query} what="findings in common">
        {({ data }) =>
          data.length === 0 ? (
            <p>No two reviewers looked at the same pull request in these days.</p>
          ) : (
            <Table
              caption="Findings of two reviewers in the same pull requests"
              items={data}
              keyOf={({ a, b }) => `${a} ${b}`}
              columns={[
                { head: 'Reviewers', cell: ({ a, b }) => `${a} and ${b}` },
                { head: 'Pull requests', number: true, cell: (row) => formatCount(row.common_pull_requests) },
                { head: 'Both found', number: true, cell: ({ both }) => formatCount(both) },
                { head: 'Of these acted on', number: true, cell: (row) => formatCount(row.both_accepted) },
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
    <Empty title="No reviewer in these days">
      <p>
        Connect your organization, and the findings of all its review bots appear here, also those of the last
        year:
      </p>
      <Command>scholiast connect github ORGANIZATION</Command>
      <p>
        With GitLab, use <code>scholiast connect gitlab GROUP</code>. If you are connected already, choose
        other days or repositories above; <code>scholiast connectors list</code> shows the progress.
      </p>
    </Empty>
  )
}

function toCsvRows(reviewers: readonly Reviewer[]) {
  const [first] = reviewers
  const names = Object.keys(first ?? {}) as (keyof Reviewer)[]
  return [names, ...reviewers.map((row) => names.map((name) => row[name]))]
}
