import { Link, useSearchParams } from 'react-router'
import { apiQuery } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { screenPath } from '../../paths.ts'
import { Facts } from '../../ui/facts.tsx'
import { useSearchUpdate } from '../../ui/filters.tsx'
import { formatCounted, formatTime, MISSING } from '../../ui/format.ts'
import { Empty, Load } from '../../ui/load.tsx'
import { Note, Section } from '../../ui/page.tsx'
import { usePages } from '../../ui/pages.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import {
  compareFindings,
  countDaysSince,
  type Filters,
  type Finding,
  type Group,
  readSecurityFilters,
} from './findings.ts'
import styles from './security.module.css'

const PAGE_SIZE = 100

export function findingsQuery(organization: string, filters: Filters, cursor: string | undefined) {
  return apiQuery(organization, '/v1/security/scans/code', {
    query: { ...filters, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
  })
}

interface FindingsTableProps {
  readonly groups: readonly Group[]
  readonly filters: Filters
  readonly total: number
}

export function FindingsTable({ groups, filters, total }: FindingsTableProps) {
  const organization = useOrganization()
  const { query, items, loadMore } = usePages((cursor) => findingsQuery(organization, filters, cursor))
  const title = `${filters.state.slice(0, 1).toUpperCase()}${filters.state.slice(1)} findings`
  return (
    <Section
      title={title}
      wide
      notes={
        <>
          {loadMore === null ? null : (
            <Note>
              <b>The most severe come first</b> among the rows that are loaded. The CSV and SARIF files above
              have all rows.
            </Note>
          )}
          <Note>
            <b>Fixed</b> means that a later complete scan by the same tool no longer reported it.{' '}
            <b>Dismissed</b> means that somebody gave a reason.
          </Note>
        </>
      }
    >
      <FilterRow groups={groups} />
      {items.length === 0 ? null : (
        <Table
          caption={title}
          items={items.toSorted(compareFindings)}
          keyOf={({ id }) => id}
          columns={filters.state === 'all' ? [...columns, stateColumn] : columns}
          details={(finding) => <Details finding={finding} />}
        />
      )}
      <Load query={query} what="findings">
        {() =>
          items.length === 0 ? (
            <NothingMatches />
          ) : (
            <ShowMore
              shown={items.length}
              one="finding"
              total={total}
              loadMore={loadMore}
              busy={query.isFetching}
            />
          )
        }
      </Load>
    </Section>
  )
}

const columns: readonly Column<Finding>[] = [
  { head: 'Finding', wide: true, cell: ({ title }) => title },
  {
    head: 'Severity',
    cell: ({ severity, state }) => (
      <span className={severity === 'critical' && state === 'open' ? styles['severe'] : undefined}>
        {severity}
      </span>
    ),
  },
  {
    head: 'Where',
    cell: (finding) => (
      <span className={styles['place']}>
        {finding.repository_name} <code>{describeLocation(finding)}</code>
      </span>
    ),
  },
  {
    head: 'First seen',
    number: true,
    cell: ({ first_seen_at }) => `${formatCounted(countDaysSince(first_seen_at), 'day')} ago`,
  },
]

const stateColumn: Column<Finding> = { head: 'State', cell: ({ state }) => state }

function describeLocation({ file_path, start_line, end_line }: Finding): string {
  if (start_line === null) return file_path
  const last = end_line === null || end_line === start_line ? '' : `–${end_line}`
  return `${file_path}:${start_line}${last}`
}

function Details({ finding }: { readonly finding: Finding }) {
  const organization = useOrganization()
  return (
    <Facts
      facts={[
        ['What', finding.description],
        ['Weakness', finding.cwe ?? MISSING],
        ['Repository', `${finding.organization_name} / ${finding.repository_name}`],
        ['Lines', <code key="lines">{describeLocation(finding)}</code>],
        ['State', finding.state],
        ['First seen', formatTime(finding.first_seen_at)],
        ['Last seen', `${formatTime(finding.last_seen_at)}, by scan ${finding.scan_id}`],
        ['ID', <code key="id">{finding.id}</code>],
        [
          'History',
          <Link
            key="history"
            to={screenPath(
              organization,
              'audit',
              '?actions=security_scan_applied,security_finding_dismissed',
            )}
          >
            Scans and dismissals in the audit log
          </Link>,
        ],
      ]}
    />
  )
}

function FilterRow({ groups }: { readonly groups: readonly Group[] }) {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  const { state, repo_id } = readSecurityFilters(search)
  const repositories = new Map(
    groups.map(({ group }) => [group.repository ?? '', group.repository_name ?? group.repository ?? '']),
  )
  return (
    <div className={styles['filters']}>
      <label>
        State
        <select
          value={state}
          onChange={({ target }) => update({ state: target.value === 'open' ? null : target.value })}
        >
          <option value="open">Open</option>
          <option value="fixed">Fixed</option>
          <option value="dismissed">Dismissed</option>
          <option value="all">All</option>
        </select>
      </label>
      <label>
        Repository
        <select value={repo_id ?? ''} onChange={({ target }) => update({ repository: target.value })}>
          <option value="">All repositories</option>
          {repo_id !== undefined && !repositories.has(repo_id) ? (
            <option value={repo_id}>{repo_id}</option>
          ) : null}
          {[...repositories]
            .sort(([, a], [, b]) => a.localeCompare(b))
            .map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </label>
    </div>
  )
}

function NothingMatches() {
  return (
    <Empty title="No finding matches">
      <p>Choose another state or repository above.</p>
    </Empty>
  )
}
