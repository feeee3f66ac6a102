import type { Get } from '@scholiast/sdk'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { apiQuery, queryClient } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { categories, severities } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import type { readFilters } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatDate } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { readAllPages, usePages } from '../../ui/pages.ts'
import { SearchChoice, SearchChoices } from '../../ui/search-choice.tsx'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import { namePullRequest, pullRequestPath } from '../pull-request-link.ts'
import styles from './findings.module.css'
import { ROWS_ID } from './rows-id.ts'

const PATH = '/v1/metrics/review-comments'
/** Filters of rows are applied here, so they need many rows at once; without them, a few are enough. */
const PULL_REQUESTS_PER_PAGE = { all: 100, filtered: 1000 }
const ROWS_PER_STEP = 50
const FILE_PAGE_SIZE = 1000
const UNKNOWN = 'unknown'
const outcomes = { accepted: 'acted on', not_accepted: 'not acted on', unknown: 'unknown' }

type Filters = ReturnType<typeof readFilters>
type PullRequest = Get<typeof PATH>['data'][number]
type Finding = PullRequest['coderabbit_comments'][number] & { readonly pullRequest: PullRequest }

const rowFilters = ['severity', 'category', 'outcome']

export function findingsQuery(
  organization: string,
  filters: Filters,
  search: URLSearchParams,
  cursor?: string,
) {
  const isFiltered = rowFilters.some((name) => search.get(name))
  const limit = PULL_REQUESTS_PER_PAGE[isFiltered ? 'filtered' : 'all']
  return reviewCommentsQuery(organization, filters, limit, cursor)
}

function reviewCommentsQuery(organization: string, filters: Filters, limit: number, cursor?: string) {
  return apiQuery(organization, PATH, {
    query: { ...filters, limit, ...(cursor !== undefined && { cursor }) },
  })
}

interface FindingRowsProps {
  readonly filters: Filters
  /** All findings of the window, loaded or not. */
  readonly posted: number
}

export function FindingRows({ filters, posted }: FindingRowsProps) {
  const [search] = useSearchParams()
  return (
    <div id={ROWS_ID} className={styles['rows']} tabIndex={-1}>
      <Section
        title="The findings"
        tools={<CopyCurl read={{ path: PATH, query: { ...filters } }} />}
        notes={
          <>
            <Note>
              <b>The text of a comment is never stored.</b> Read it where it was posted. Several findings may
              share one comment.
            </Note>
            <Note>
              <b>“Not acted on” does not prove a rejection.</b> Outcomes can still change. The list has no
              reviewer: the API reports reviewers as sums only.
            </Note>
          </>
        }
      >
        <RowFilters />
        <FindingList key={search.toString()} filters={filters} posted={posted} />
      </Section>
    </div>
  )
}

function FindingList({ filters, posted }: FindingRowsProps) {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const [steps, setSteps] = useState(1)
  const pages = usePages<PullRequest>((cursor) => findingsQuery(organization, filters, search, cursor))
  const loaded = listFindings(pages.items)
  const matching = loaded.filter(createMatch(search))
  const shown = matching.slice(0, steps * ROWS_PER_STEP)
  const isMore = shown.length < matching.length || pages.loadMore !== null
  const showMore = () => {
    setSteps(steps + 1)
    if (matching.length <= steps * ROWS_PER_STEP) pages.loadMore?.()
  }
  return (
    <>
      <Load query={pages.query} what="findings">
        {() => (
          <>
            <div className={styles['state']}>
              <p role="status">
                {formatCount(shown.length)} of {formatCounted(matching.length, 'finding')} shown, in the order
                in which they were stored.{' '}
                {pages.loadMore === null
                  ? null
                  : `The list and its filters cover ${formatCount(loaded.length)} of the ${formatCount(posted)} findings in these days so far; “Show more” loads further ones.`}
              </p>
              <SaveCsv
                name="findings"
                rows={async () => {
                  const all = await readAllPages((cursor) =>
                    queryClient.fetchQuery(
                      reviewCommentsQuery(organization, filters, FILE_PAGE_SIZE, cursor),
                    ),
                  )
                  return toCsvRows(listFindings(all).filter(createMatch(search)))
                }}
              />
            </div>
            {shown.length === 0 ? null : <FindingTable findings={shown} />}
          </>
        )}
      </Load>
      {isMore ? (
        <p className={styles['more']}>
          <Button onClick={showMore} busy={pages.query.isFetching}>
            Show more
          </Button>
        </p>
      ) : null}
    </>
  )
}

function listFindings(pullRequests: readonly PullRequest[]): readonly Finding[] {
  return pullRequests.flatMap((pullRequest) =>
    pullRequest.coderabbit_comments.map((finding): Finding => ({ ...finding, pullRequest })),
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
          head: 'On the forge',
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
