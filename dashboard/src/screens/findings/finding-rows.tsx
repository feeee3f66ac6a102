import type { Get } from '@scholiast/sdk'
import { Link, useSearchParams } from 'react-router'
import { queryClient } from '../../api/query.ts'
import { sumAcceptance } from '../../charts/acceptance.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { useScreenPath } from '../../frame/use-screen-path.ts'
import { categories, severities } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import type { readFilters } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatDate } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { sliceDays, useNewest } from '../../ui/newest.ts'
import { Note, Section } from '../../ui/page.tsx'
import { allPagesQuery } from '../../ui/pages.ts'
import { SearchChoice, SearchChoices } from '../../ui/search-choice.tsx'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { namePullRequest, pullRequestPath } from '../pull-request-link.ts'
import styles from './findings.module.css'
import type { Combination } from './noise.ts'
import { ROWS_ID } from './rows-id.ts'

const PATH = '/v1/metrics/review-comments'
const UNKNOWN = 'unknown'
const outcomes = { accepted: 'acted on', not_accepted: 'not acted on', unknown: 'unknown' }

type Filters = ReturnType<typeof readFilters>
type PullRequest = Get<typeof PATH>['data'][number]
type Finding = PullRequest['coderabbit_comments'][number] & { readonly pullRequest: PullRequest }

const rowFilters = ['severity', 'category', 'outcome']

/** The findings of the last days of the window, which the screen shows first. */
export function newestFindingsQuery(organization: string, filters: Filters) {
  return findingsQuery(organization, { ...filters, ...sliceDays(filters)[0] })
}

/** All findings of some days, those of the pull requests that were merged last first. */
function findingsQuery(organization: string, filters: Filters) {
  return allPagesQuery<PullRequest, Finding>(organization, PATH, { ...filters }, (pullRequests) =>
    pullRequests
      .toSorted((a, b) => (b.merged_at ?? '').localeCompare(a.merged_at ?? ''))
      .flatMap((pullRequest) =>
        pullRequest.coderabbit_comments.map((finding) => ({ ...finding, pullRequest })),
      ),
  )
}

interface FindingRowsProps {
  readonly filters: Filters
  readonly combinations: readonly Combination[]
}

export function FindingRows({ filters, combinations }: FindingRowsProps) {
  const [search] = useSearchParams()
  const pathOf = useScreenPath()
  return (
    <div id={ROWS_ID} className={styles['rows']} tabIndex={-1}>
      <Section
        title="The findings"
        wide
        tools={<CopyCurl read={{ path: PATH, query: { ...filters } }} />}
        notes={
          <>
            <Note>
              <b>The text of a comment is never stored.</b> Read it where it was posted. Several findings may
              share one comment.
            </Note>
            <Note>
              <b>“Not acted on” does not prove a rejection.</b> Outcomes can still change. The reviewer of
              each finding, and the evidence for its outcome, are on the{' '}
              <Link to={pathOf('reviewers')}>Reviewers</Link> screen.
            </Note>
          </>
        }
      >
        <RowFilters />
        <FindingList key={search.toString()} filters={filters} combinations={combinations} />
      </Section>
    </div>
  )
}

function FindingList({ filters, combinations }: FindingRowsProps) {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const matches = createMatch(search)
  const { query, shown, showMore } = useNewest({
    period: filters,
    sliceQuery: (slice) => findingsQuery(organization, { ...filters, ...slice }),
    matches,
  })
  const total = countMatching(combinations, search)
  return (
    <>
      <Load query={query} what="findings">
        {() => (
          <>
            <div className={styles['state']}>
              <p role="status">
                {formatCount(shown.length)} of {formatCounted(total, 'finding')} shown, newest first.
              </p>
              <SaveCsv
                name="findings"
                rows={async () => {
                  const all = await queryClient.fetchQuery(findingsQuery(organization, filters))
                  return toCsvRows(all.filter(matches))
                }}
              />
            </div>
            {shown.length === 0 ? null : <FindingTable findings={shown} />}
          </>
        )}
      </Load>
      {showMore === null || shown.length === total ? null : (
        <p className={styles['more']}>
          <Button onClick={showMore} busy={query.isFetching}>
            Show more
          </Button>
        </p>
      )}
    </>
  )
}

function FindingTable({ findings }: { readonly findings: readonly Finding[] }) {
  const organization = useOrganization()
  const [search] = useSearchParams()
  // Several findings may share a comment, so its address is no key.
  const numbered = findings.map((finding, index) => ({ finding, index }))
  return (
    <Table
      caption="Findings"
      items={numbered}
      keyOf={({ index }) => String(index)}
      columns={[
        {
          head: 'Pull request',
          cell: ({ finding: { pullRequest } }) => (
            <Link to={pullRequestPath(organization, search, toTarget(pullRequest))}>
              {namePullRequest(pullRequest.pr_url)}
            </Link>
          ),
        },
        { head: 'Merged', cell: ({ finding }) => formatDate(finding.pullRequest.merged_at) },
        { head: 'Severity', cell: ({ finding }) => finding.severity ?? UNKNOWN },
        { head: 'Category', wide: true, cell: ({ finding }) => categories[finding.category ?? UNKNOWN] },
        { head: 'Outcome', cell: ({ finding }) => outcomes[toOutcome(finding)] },
        {
          head: 'Git provider',
          cell: ({ finding }) => (
            <ExternalLink href={finding.url}>
              Comment
              <span className="visually-hidden">{` on ${namePullRequest(finding.pullRequest.pr_url)}`}</span>
            </ExternalLink>
          ),
        },
      ]}
    />
  )
}

function toTarget({ pr_url, merged_at, repository_id }: PullRequest) {
  return { url: pr_url, day: (merged_at ?? '').slice(0, 10), repository: repository_id }
}

function RowFilters() {
  return (
    <SearchChoices>
      <SearchChoice name="severity" label="Severity" options={severities.map((one) => [one, one])} />
      <SearchChoice name="category" label="Category" options={Object.entries(categories)} />
      <SearchChoice name="outcome" label="Outcome" options={Object.entries(outcomes)} />
    </SearchChoices>
  )
}

function createMatch(search: URLSearchParams): (finding: Finding) => boolean {
  const [severity, category, outcome] = rowFilters.map((name) => search.get(name))
  return (finding) =>
    (!severity || severity === (finding.severity ?? UNKNOWN)) &&
    (!category || category === (finding.category ?? UNKNOWN)) &&
    (!outcome || outcome === toOutcome(finding))
}

/** How many findings of the window match, loaded or not: the sums by severity and category say so. */
function countMatching(combinations: readonly Combination[], search: URLSearchParams): number {
  const [severity, category, outcome] = rowFilters.map((name) => search.get(name))
  const { posted, accepted, not_accepted, unknown } = sumAcceptance(
    combinations.filter(
      (one) => (!severity || severity === one.severity) && (!category || category === one.category),
    ),
  )
  const counts: Readonly<Record<string, number | undefined>> = { accepted, not_accepted, unknown }
  return outcome ? (counts[outcome] ?? 0) : posted
}

function toOutcome({ accepted }: Finding): keyof typeof outcomes {
  if (accepted === null) return 'unknown'
  return accepted ? 'accepted' : 'not_accepted'
}

function toCsvRows(findings: readonly Finding[]) {
  const head = ['pr_url', 'repository_id', 'merged_at', 'url', 'severity', 'category', 'accepted']
  return [
    head,
    ...findings.map(({ pullRequest: { pr_url, repository_id, merged_at }, ...finding }) => [
      pr_url,
      repository_id,
      merged_at,
      finding.url,
      finding.severity,
      finding.category,
      finding.accepted,
    ]),
  ]
}
