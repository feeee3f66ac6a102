import type { Get } from '@scholiast/sdk'
import { useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { ChoiceFilter } from '../../ui/choice-filter.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PeriodFilter, useSearchUpdate } from '../../ui/filters.tsx'
import { formatTime, MISSING } from '../../ui/format.ts'
import { SearchText } from '../../ui/search-text.tsx'
import { Table } from '../../ui/table.tsx'
import styles from './audit.module.css'
import type { AuditRow } from './log.ts'

export function LogFilters({ options }: { readonly options: Get<'/v1/audit-logs'>['filter_options'] }) {
  const [search] = useSearchParams()
  const update = useSearchUpdate()
  return (
    <div className={styles['filters']}>
      <SearchText label="Actor" maxLength={200} />
      <ChoiceFilter parameter="actions" one="action" options={options?.actions ?? []} />
      <ChoiceFilter parameter="resource_types" one="resource type" options={options?.resource_types ?? []} />
      <PeriodFilter optional />
      {search.size === 0 ? null : (
        <Button
          kind="link"
          onClick={() => update(Object.fromEntries([...search.keys()].map((name) => [name, null])))}
        >
          Remove filters
        </Button>
      )}
    </div>
  )
}

export function LogTable({ rows }: { readonly rows: readonly AuditRow[] }) {
  return (
    <Table
      caption="Audit log, newest first"
      items={rows}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Row', cell: ({ position }) => position },
        { head: 'Time', cell: ({ createdAt }) => formatTime(createdAt) },
        { head: 'Actor', cell: ({ actor }) => describeActor(actor) },
        {
          head: 'What happened',
          wide: true,
          cell: ({ resourceSummary }) => <span className={styles['summary']}>{resourceSummary}</span>,
        },
      ]}
      details={(row) => <Details row={row} />}
    />
  )
}

export function describeActor({ name, owner }: AuditRow['actor']): string {
  return owner === null || owner.name === name ? name : `${name} (${owner.name})`
}

function Details({ row }: { readonly row: AuditRow }) {
  const { resource_id, ...metadata } = row.metadata
  return (
    <Facts
      facts={[
        ['Action', `${row.actionLabel} (${row.action})`],
        [
          'Resource',
          typeof resource_id === 'string' ? `${row.resourceTypeLabel} ${resource_id}` : row.resourceTypeLabel,
        ],
        ['Actor', [describeActor(row.actor), row.actor.subtitle].filter(Boolean).join(', ')],
        ['Address', row.ipAddress ?? MISSING],
        ['Time', row.createdAt],
        ['Details', <Json key="details" label="Details" text={JSON.stringify(metadata, null, 2)} />],
        ['Hash', <code key="hash">{row.hash}</code>],
        ['Hashed text', <Json key="content" label="Hashed text" text={row.content} />],
      ]}
    />
  )
}

function Json({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    // A long text scrolls, so it can have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles['json']} tabIndex={0} aria-label={label} role="region">
      {text}
    </pre>
  )
}
