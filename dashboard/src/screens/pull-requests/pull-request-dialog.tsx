import type { Get } from '@scholiast/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { apiQuery } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { categories, severities } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { useSearchUpdate } from '../../ui/filters.tsx'
import { formatCount, formatCounted, formatMinutes, MISSING } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Table } from '../../ui/table.tsx'
import { namePullRequest, type PullRequestTarget, readPullRequestTarget } from '../pull-request-link.ts'
import styles from './pull-requests.module.css'
import { TimeLine } from './time-line.tsx'

type Review = Get<'/v1/metrics/reviews'>['data'][number]
type McpUse = Get<'/v1/metrics/mcp'>['data'][number]

/** The API finds a pull request by its day and repository. One repository rarely has more than this in a day. */
const DAY_LIMIT = 1000

/** One pull request, named in the address. Nothing is read before it is opened. */
export function PullRequestDialog() {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  const target = readPullRequestTarget(search)
  return (
    <Dialog
      title={target === null ? '' : namePullRequest(target.url)}
      open={target !== null}
      onClose={() => update({ pr: null, pr_day: null, pr_repository: null })}
      wide
    >
      {target === null ? null : <PullRequest target={target} />}
    </Dialog>
  )
}

function PullRequest({ target }: { readonly target: PullRequestTarget }) {
  const query = toDayQuery(target)
  const organization = useOrganization()
  const reviews = useQuery(
    apiQuery(organization, '/v1/metrics/reviews', { query: { ...query, status: 'all' } }),
  )
  return (
    <div className={styles['dialog']}>
      <Load query={reviews} what="pull request">
        {({ data }) => {
          const review = data.find(({ pr_url }) => pr_url === target.url)
          return review === undefined ? (
            <p>
              This pull request is not among those of {target.day}. It may have been removed, or its day may
              have changed since this link was created.
            </p>
          ) : (
            <Details review={review} target={target} />
          )
        }}
      </Load>
    </div>
  )
}

function toDayQuery({ day, repository }: PullRequestTarget) {
  return { start_date: day, end_date: day, repository_ids: [repository], limit: DAY_LIMIT }
}

interface DetailsProps {
  readonly review: Review
  readonly target: PullRequestTarget
}

function Details({ review, target }: DetailsProps) {
  return (
    <>
      <p className={styles['lead']}>
        By {review.author_username ?? 'an unknown author'} in {review.repository_name ?? review.repository_id}
        {', '}
        {review.status === 'merged' ? 'merged' : 'closed without a merge'}.{' '}
        <ExternalLink href={review.pr_url}>Open on the Git provider</ExternalLink>
      </p>
      <TimeLine review={review} />
      <p className={`${styles['lead']} ${styles['after']}`}>
        Review rounds: {review.review_iterations ?? MISSING}. Estimated by the reviewer: complexity{' '}
        {review.estimated_complexity ?? MISSING} of 5, {formatMinutes(review.estimated_review_minutes)} to
        review.
      </p>
      <h3>Findings</h3>
      <Findings review={review} target={target} />
      <h3>MCP calls</h3>
      <McpCalls target={target} />
    </>
  )
}

function Findings({ review, target }: DetailsProps) {
  const organization = useOrganization()
  const { posted, accepted } = review.coderabbit_comments.total
  const comments = useQuery({
    ...apiQuery(organization, '/v1/metrics/review-comments', { query: toDayQuery(target) }),
    enabled: posted > 0 && review.status === 'merged',
  })
  if (posted === 0) return <p className={styles['lead']}>The reviewer found nothing.</p>
  const bySeverity = severities
    .flatMap((severity) => {
      const count = severity === 'unknown' ? undefined : review.coderabbit_comments.severity[severity]
      return count === undefined || count.posted === 0 ? [] : [`${formatCount(count.posted)} ${severity}`]
    })
    .join(', ')
  const summary = `${formatCounted(posted, 'finding')}, ${formatCount(accepted)} known to be acted on${bySeverity === '' ? '' : `: ${bySeverity}`}.`
  return (
    <>
      <p className={styles['lead']}>{summary}</p>
      {review.status === 'merged' ? (
        <Load query={comments} what="comments">
          {({ data }) => (
            <CommentTable
              comments={data.find(({ pr_url }) => pr_url === target.url)?.coderabbit_comments ?? []}
            />
          )}
        </Load>
      ) : (
        <p className={styles['lead']}>The API lists comments only for merged pull requests.</p>
      )}
    </>
  )
}

type Comment = Get<'/v1/metrics/review-comments'>['data'][number]['coderabbit_comments'][number]

function CommentTable({ comments }: { readonly comments: readonly Comment[] }) {
  const numbered = comments.map((comment, index) => ({ ...comment, index }))
  return (
    <Table
      caption="Findings of this pull request"
      items={numbered}
      keyOf={({ index }) => String(index)}
      columns={[
        { head: 'Severity', cell: ({ severity }) => severity ?? 'unknown' },
        { head: 'Category', wide: true, cell: ({ category }) => categories[category ?? 'unknown'] },
        { head: 'Outcome', cell: ({ accepted }) => describeOutcome(accepted) },
        {
          head: 'Git provider',
          cell: ({ url, index }) => (
            <ExternalLink href={url}>
              Comment<span className="visually-hidden">{` ${index + 1}`}</span>
            </ExternalLink>
          ),
        },
      ]}
    />
  )
}

function describeOutcome(accepted: boolean | null): string {
  if (accepted === null) return 'unknown'
  return accepted ? 'acted on' : 'not acted on'
}

function McpCalls({ target }: { readonly target: PullRequestTarget }) {
  const organization = useOrganization()
  const query = useQuery(apiQuery(organization, '/v1/metrics/mcp', { query: toDayQuery(target) }))
  return (
    <Load query={query} what="MCP calls">
      {({ data }) => {
        const tools = toTools(data.find(({ pr_url }) => pr_url === target.url))
        if (tools.length === 0)
          return <p className={styles['lead']}>No MCP calls were reported for this pull request.</p>
        return (
          <Table
            caption="MCP calls of this pull request"
            items={tools}
            keyOf={({ server, name }) => `${server} ${name}`}
            columns={[
              { head: 'Server', cell: ({ server }) => server },
              { head: 'Tool', wide: true, cell: ({ name }) => name },
              { head: 'Calls', number: true, cell: ({ calls }) => formatCount(calls) },
              { head: 'Failed', number: true, cell: ({ errors }) => formatCount(errors) },
            ]}
          />
        )
      }}
    </Load>
  )
}

function toTools(use: McpUse | undefined) {
  return (use?.servers ?? []).flatMap(({ name: server, tools }) => tools.map((tool) => ({ ...tool, server })))
}
