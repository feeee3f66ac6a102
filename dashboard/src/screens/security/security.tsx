import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { apiQuery, createLoader } from '../../api/query.ts'
import { useOrganization } from '../../frame/use-organization.ts'
import { Button } from '../../ui/button.tsx'
import { formatCount, formatCounted, formatDate } from '../../ui/format.ts'
import { Load } from '../../ui/load.tsx'
import { Headline, Note, Page, Row, Section } from '../../ui/page.tsx'
import { CopyCurl, DownloadCsv, DownloadSarif } from '../../ui/share.tsx'
import { Table } from '../../ui/table.tsx'
import {
  ages,
  countDaysSince,
  countFindings,
  findOldest,
  type Group,
  readSecurityFilters,
  severities,
} from './findings.ts'
import { FindingsTable, findingsQuery } from './findings-table.tsx'
import { NoScans } from './no-scans.tsx'
import styles from './security.module.css'

const AgeChart = lazy(async () => ({ default: (await import('../../charts/age-chart.tsx')).AgeChart }))

/** One read has the sentence, the chart, the repositories to choose from, and whether there was a scan at all. */
function summaryQuery(organization: string) {
  return apiQuery(organization, '/v1/security/summary', {
    query: { state: 'all', group_by: ['severity', 'state', 'repository', 'age'] },
  })
}

export const loader = createLoader((organization, search) => [
  summaryQuery(organization),
  findingsQuery(organization, readSecurityFilters(search), undefined),
])

/** What is open, for how long? */
export function Component() {
  const organization = useOrganization()
  const [search] = useSearchParams()
  const summary = useQuery(summaryQuery(organization))
  const filters = readSecurityFilters(search)
  const read = { path: '/v1/security/scans/code', query: { ...filters } }
  const name = `security-findings-${filters.state}`
  return (
    <Page
      title="Security"
      tools={
        <>
          <CopyCurl read={read} />
          <DownloadCsv read={read} name={name} />
          <DownloadSarif read={read} name={name} />
        </>
      }
    >
      <Load query={summary} what="security findings">
        {({ data }) => (data.length === 0 ? <NoScans /> : <Findings groups={data} />)}
      </Load>
    </Page>
  )
}

function Findings({ groups }: { readonly groups: readonly Group[] }) {
  const [search] = useSearchParams()
  const filters = readSecurityFilters(search)
  const chosen = groups.filter(
    ({ group }) => filters.repo_id === undefined || group.repository === filters.repo_id,
  )
  const open = chosen.filter(({ group }) => group.state === 'open')
  const total = countFindings(
    filters.state === 'all' ? chosen : chosen.filter(({ group }) => group.state === filters.state),
  )
  return (
    <>
      <Summary open={open} all={chosen} />
      {open.length === 0 ? null : <Ages open={open} />}
      <FindingsTable groups={groups} filters={filters} total={total} />
    </>
  )
}

function Summary({ open, all }: { readonly open: readonly Group[]; readonly all: readonly Group[] }) {
  const counts = severities
    .map((severity) => ({ severity, count: countSeverity(open, severity) }))
    .filter(({ count }) => count > 0)
  const oldest = findOldest(open)
  const countState = (state: string) => countFindings(all.filter(({ group }) => group.state === state))
  const more = `${formatCounted(countState('fixed'), 'finding was', 'findings were')} fixed, ${formatCount(countState('dismissed'))} dismissed.`
  if (oldest === null)
    return (
      <Row>
        <Headline more={more}>No security findings are open.</Headline>
      </Row>
    )
  return (
    <Row>
      <Headline more={more}>
        <b>{formatCounted(countFindings(open), 'finding')}</b> {countFindings(open) === 1 ? 'is' : 'are'}{' '}
        open: {counts.map(({ severity, count }) => `${formatCount(count)} ${severity}`).join(', ')}. The
        oldest has been open for <b>{formatCounted(countDaysSince(oldest), 'day')}</b>, since{' '}
        {formatDate(oldest)}.
      </Headline>
    </Row>
  )
}

function countSeverity(groups: readonly Group[], severity: string): number {
  return countFindings(groups.filter(({ group }) => group.severity === severity))
}

function Ages({ open }: { readonly open: readonly Group[] }) {
  const [asTable, setAsTable] = useState(false)
  const bins = ages.map((age) => ({
    label: `${age.replace('-', '–')} days`,
    parts: severities.map((name) => ({
      name,
      count: countSeverity(
        open.filter(({ group }) => group.age === age),
        name,
      ),
    })),
  }))
  const used = severities.filter((severity) => countSeverity(open, severity) > 0)
  return (
    <Section
      title="Open findings by age"
      tools={
        <Button kind="link" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
      notes={
        <Note>
          <b>Age</b> counts whole days since a scan first reported the finding. It may have been in the code
          for longer. The bars cover periods of different lengths.
        </Note>
      }
    >
      {asTable ? (
        <Table
          caption="Open findings by age and severity"
          items={bins}
          keyOf={({ label }) => label}
          columns={[
            { head: 'Age', cell: ({ label }) => label },
            ...severities.map((severity, index) => ({
              head: severity,
              number: true,
              cell: (bin: (typeof bins)[number]) => formatCount(bin.parts[index]?.count ?? 0),
            })),
          ]}
        />
      ) : (
        <Suspense fallback={<div className={styles['chart']} data-loading />}>
          <AgeChart bins={bins} parts={used} />
        </Suspense>
      )}
    </Section>
  )
}
