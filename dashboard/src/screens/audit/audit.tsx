import { type Get, ScholiastError } from '@scholiast/sdk'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { apiQuery, createLoader } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { formatCount, formatCounted, formatTime } from '../../ui/format.ts'
import { Empty, Load, QueryProblem } from '../../ui/load.tsx'
import { Headline, Note, Page, Row, Section } from '../../ui/page.tsx'
import { usePages } from '../../ui/pages.ts'
import { CopyCurl, SaveCsv } from '../../ui/share.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { type ChainState, segmentQuery } from './chain.ts'
import { Health } from './health.tsx'
import { type AuditRow, logQuery, readLogFilters } from './log.ts'
import { describeActor, LogFilters, LogTable } from './log-table.tsx'
import { Verification } from './verification.tsx'

function statusQuery(organization: string) {
  return apiQuery(organization, '/v1/ingest/status', {})
}

export const loader = createLoader((organization, search) => [
  statusQuery(organization),
  logQuery(organization, readLogFilters(search)),
])

/** Who did what, is it intact, is data flowing? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const filters = readLogFilters(search)
  const status = useQuery(statusQuery(organization))
  const first = useQuery({ ...logQuery(organization, filters), placeholderData: keepPreviousData })
  const { query, items, loadMore } = usePages((cursor) => logQuery(organization, filters, cursor))
  // Rows that were written between two reads move others to the next page.
  const rows = [...new Map(items.map((row) => [row.id, row])).values()]
  const segment = useQuery(segmentQuery(organization, rows))
  const total = first.data?.pagination?.total_count ?? rows.length
  return (
    <Page
      title="Audit and health"
      tools={
        <>
          <CopyCurl read={{ path: '/v1/audit-logs', query: { ...filters, page_size: 100 } }} />
          <SaveCsv name="audit-log" rows={() => renderRows(rows)} />
        </>
      }
    >
      <Row>
        <Headline more={<Signatures segment={segment} />}>
          <Flow status={status} />{' '}
          <Intact segment={segment} count={rows.length} isEmpty={first.data?.data.length === 0} />
        </Headline>
        <QueryProblem query={segment} what="hashes of the audit log" />
      </Row>
      <Health query={status} />
      <Verification rows={rows} total={total} segment={segment} />
      <Section
        title="Who did what"
        wide
        notes={
          <>
            <Note>
              <b>Open a row</b> to see its whole content, its hash and the text that was hashed. The CSV file
              has the rows that are shown.
            </Note>
            {first.data?.warnings.map(({ message }) => (
              <Note key={message}>{message}</Note>
            ))}
            {loadMore === null && rows.length < total ? (
              <Note>
                <b>Older rows</b> are not shown here: pages end after 10,000 rows. Choose a period, or export
                the log on the command line.
              </Note>
            ) : null}
          </>
        }
      >
        <LogFilters options={first.data?.filter_options} />
        {rows.length === 0 ? null : <LogTable rows={rows} />}
        <Load query={query} what="audit log">
          {() =>
            rows.length === 0 ? (
              <Empty title="No row matches">
                <p>
                  Remove a filter, or choose another period. The log has a row for every change and every
                  refusal.
                </p>
              </Empty>
            ) : (
              <ShowMore
                shown={rows.length}
                one="row"
                total={total}
                loadMore={loadMore}
                busy={query.isFetching}
              />
            )
          }
        </Load>
      </Section>
    </Page>
  )
}

function Flow({ status: { data, error } }: { readonly status: UseQueryResult<Get<'/v1/ingest/status'>> }) {
  if (error !== null && data === undefined)
    return error instanceof ScholiastError && error.status === 403
      ? 'You cannot see whether data is flowing.'
      : 'It could not be read whether data is flowing.'
  if (data === undefined) return 'Loading…'
  const { last_event_at, queued, dead_letters } = data
  const arrived =
    last_event_at === null
      ? 'No event arrived in 30 days'
      : `The last event arrived on ${formatTime(last_event_at)}`
  const waiting =
    queued === null
      ? null
      : queued === 0
        ? 'nothing is waiting'
        : `${formatCounted(queued, 'message is', 'messages are')} waiting`
  const given =
    dead_letters === null
      ? null
      : dead_letters === 0
        ? 'nothing was given up'
        : `${formatCounted(dead_letters, 'message')} ${dead_letters === 1 ? 'was' : 'were'} given up`
  return `${[arrived, [waiting, given].filter(Boolean).join(' and ')].filter(Boolean).join('; ')}.`
}

interface IntactProps {
  readonly segment: UseQueryResult<ChainState>
  readonly count: number
  readonly isEmpty: boolean
}

function Intact({ segment: { data, error }, count, isEmpty }: IntactProps) {
  if (isEmpty) return null
  if (error !== null && data === undefined) return 'The hash chain could not be read.'
  if (data === undefined) return null
  const { verification } = data
  if (verification.state === 'unknown')
    return `The rows below were not verified, because ${verification.reason}.`
  return verification.state === 'intact' ? (
    <>
      The <b>{formatCounted(count, 'row')}</b> of the log below {count === 1 ? 'is' : 'are'} intact.
    </>
  ) : (
    <>
      <b>The log below is not intact.</b> {verification.fault}
    </>
  )
}

function Signatures({ segment: { data } }: { readonly segment: UseQueryResult<ChainState> }) {
  if (data === undefined) return null
  const { verification, signedAt, isSigning } = data
  if (!isSigning) return 'Nothing is signed yet, so a rewrite of all rows would not be noticed.'
  if (signedAt === null || verification.state !== 'intact')
    return 'The last signed head is not among the rows below. Verify the whole chain to see it.'
  const after = verification.last - verification.result.signed_to
  return (
    `The last signed head covers row ${formatCount(verification.result.signed_to)}, signed on ${formatTime(signedAt)}. ` +
    (after === 0 ? 'No row came after it.' : `${formatCounted(after, 'row')} came after it.`)
  )
}

function renderRows(rows: readonly AuditRow[]) {
  return [
    ['position', 'time', 'action', 'actor', 'summary', 'resource_type', 'resource_id', 'ip_address', 'hash'],
    ...rows.map((row) => {
      const { resource_id } = row.metadata
      return [
        row.position,
        row.createdAt,
        row.action,
        describeActor(row.actor),
        row.resourceSummary,
        row.resourceType,
        typeof resource_id === 'string' ? resource_id : null,
        row.ipAddress,
        row.hash,
      ]
    }),
  ]
}
