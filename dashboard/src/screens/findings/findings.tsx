import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { apiQuery, createLoader } from '../../api/query.ts'
import { type Acceptance, sumAcceptance } from '../../charts/acceptance.ts'
import { RateRange } from '../../charts/rate-range.tsx'
import { useOrganization } from '../../frame/use-organization.ts'
import { categories } from '../../texts.ts'
import { PeriodFilter, RepositoryFilter, readFilters } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatShare } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Headline, Note, Page, Row, Section } from '../../ui/page.tsx'
import { lastWeeks } from '../../ui/period.ts'
import { CopyCurl, DownloadCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { NothingInWindow } from '../nothing-in-window.tsx'
import { FindingRows, newestFindingsQuery } from './finding-rows.tsx'
import { type Combination, findNoise } from './noise.ts'
import { NoiseGrid } from './noise-grid.tsx'

const SUMMARY = '/v1/metrics/summary'
const UNKNOWN = 'unknown'

function createQueries(organization: string, search: URLSearchParams) {
  const filters = readFilters(search)
  return {
    combinations: apiQuery(organization, SUMMARY, {
      query: { ...filters, group_by: ['severity', 'category'] },
    }),
    reviewers: apiQuery(organization, SUMMARY, { query: { ...filters, group_by: ['reviewer'] } }),
    rows: newestFindingsQuery(organization, filters),
  }
}

export const loader = createLoader(createQueries)

/** Where is the noise? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const query = useQuery(createQueries(organization, search).combinations)
  const filters = readFilters(search)
  const read = { path: SUMMARY, query: { ...filters, group_by: ['severity', 'category'] } }
  return (
    <Page
      title="Findings"
      tools={
        <>
          <PeriodFilter />
          <RepositoryFilter />
          <CopyCurl read={read} />
          <DownloadCsv read={read} name="findings-by-severity-and-category" />
        </>
      }
    >
      <Load query={query} what="findings">
        {({ data, definition_id }) => {
          const total = sumAcceptance(data)
          if (total.posted === 0) return <NoFindings />
          const combinations = data.map(({ group, ...rate }) => ({
            ...rate,
            severity: group.severity ?? UNKNOWN,
            category: group.category ?? UNKNOWN,
          }))
          return (
            <>
              <Summary combinations={combinations} total={total} definition={definition_id} />
              <Combinations combinations={combinations} total={total} />
              <Reviewers />
              <FindingRows filters={filters} combinations={combinations} />
            </>
          )
        }}
      </Load>
    </Page>
  )
}

interface CombinationsProps {
  readonly combinations: readonly Combination[]
  readonly total: Acceptance
}

function Summary({ combinations, total, definition }: CombinationsProps & { readonly definition: string }) {
  const noise = findNoise(combinations, total)
  const [worst] = noise
  return (
    <Row
      notes={
        <Note>
          <b>Noise</b> is what nobody acts on. A combination stands out if its 95% interval lies below the
          overall rate. Definition <code>{definition}</code>.
        </Note>
      }
    >
      {worst === undefined ? (
        <Headline more={<Totals total={total} />}>
          No combination of severity and category stands out: each is on a par with all findings, or too small
          to tell.
        </Headline>
      ) : (
        <Headline
          more={
            <>
              {formatShare(worst.rate, 1)} of the{' '}
              {formatCounted(worst.posted - worst.unknown, 'such finding')} with a known outcome, against{' '}
              {formatShare(total.rate, 1)} of all {formatCount(total.posted - total.unknown)}.{' '}
              <NoiseShare noise={noise} total={total} /> <Totals total={total} />
            </>
          }
        >
          Most noise: <b>{worst.severity}</b> findings, <b>{nameCategory(worst.category)}</b>.{' '}
          {worst.unknown > 0 ? (
            <>
              Between <b>{formatShare(worst.rate_low)}</b> and <b>{formatShare(worst.rate_high)}</b> of{' '}
              {formatCount(worst.posted)} were acted on.
            </>
          ) : (
            <>
              <b>{formatShare(worst.rate)}</b> of {formatCount(worst.posted)} were acted on.
            </>
          )}
        </Headline>
      )}
    </Row>
  )
}

function NoiseShare({
  noise,
  total,
}: {
  readonly noise: readonly Combination[]
  readonly total: Acceptance
}) {
  const ignored = sumAcceptance(noise).not_accepted
  return (
    <>
      {noise.length === 1
        ? 'It is the only combination that stands out:'
        : `${noise.length} combinations stand out, together`}{' '}
      {formatCount(ignored)} of the {formatCount(total.not_accepted)} findings that were not acted on.
    </>
  )
}

function Totals({ total }: { readonly total: Acceptance }) {
  return (
    <>
      {formatCount(total.unknown)} of {formatCounted(total.posted, 'outcome')} are unknown.
    </>
  )
}

function nameCategory(category: string): string {
  return (categories[category] ?? category).toLowerCase()
}

function Combinations({ combinations, total }: CombinationsProps) {
  return (
    <Section
      title="By category and severity"
      notes={
        <>
          <Note>
            <b>Each figure opens its findings</b> in the list below. The large figure is the rate of known
            outcomes, the small one the number of findings.
          </Note>
          <Note>
            <b>Among 40 combinations, one or two will stand out by chance.</b> Look at the findings before you
            turn a category off.
          </Note>
        </>
      }
    >
      <NoiseGrid combinations={combinations} total={total} />
    </Section>
  )
}

function Reviewers() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const query = useQuery(createQueries(organization, search).reviewers)
  return (
    <Section
      title="By reviewer"
      notes={
        <Note>
          <b>Reviewers are programs</b>, not people. Two of them clearly differ only if their dark bars (95%
          intervals) do not overlap. The light bars are the bounds: all unknown outcomes rejected, or all
          accepted.
        </Note>
      }
    >
      <Load query={query} what="reviewers">
        {({ data }) => (
          <Table
            caption="Acceptance by reviewer"
            items={data}
            keyOf={({ group }) => group.reviewer ?? ''}
            columns={[
              { head: 'Reviewer', cell: ({ group }) => group.reviewer ?? UNKNOWN },
              { head: 'Findings', number: true, cell: ({ posted }) => formatCount(posted) },
              { head: 'Not acted on', number: true, cell: (row) => formatCount(row.not_accepted) },
              { head: 'Unknown', number: true, cell: ({ unknown }) => formatCount(unknown) },
              { head: '0% to 100%', wide: true, cell: (row) => <RateRange {...row} /> },
              {
                head: '95% interval',
                number: true,
                cell: (row) => `${formatShare(row.interval_low)} – ${formatShare(row.interval_high)}`,
              },
              { head: 'Rate', number: true, cell: ({ rate }) => formatShare(rate) },
            ]}
          />
        )}
      </Load>
    </Section>
  )
}

function NoFindings() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const { repository_ids } = readFilters(search)
  const year = useQuery(
    apiQuery(organization, SUMMARY, {
      query: { ...lastWeeks(52), ...(repository_ids && { repository_ids }), group_by: ['week'] },
    }),
  )
  return (
    <Load query={year} what="weeks with findings">
      {({ data }) => (
        <NothingInWindow
          what="findings"
          weeks={data.flatMap(({ group, posted }) => (posted > 0 && group.week ? [group.week] : []))}
        >
          A finding appears here when its pull request is merged and the event{' '}
          <code>pull_request.finalized</code> has arrived. No such event with findings has arrived in the last
          52 weeks.
        </NothingInWindow>
      )}
    </Load>
  )
}
