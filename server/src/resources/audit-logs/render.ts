import { describeAction, getResourceTypeLabel } from '../../access/audit/catalogue.ts'
import { DAY_MS, HOUR_MS } from '../../time.ts'
import type { AuditRow } from './page-sql.ts'

/** Names of actors that have no name or no longer have one. */
export const fallbackNames = {
  erased: 'Erased person',
  deletedKey: 'Deleted key',
  operator: 'Operator',
  service: 'Scholiast',
} as const

export function renderEntry(row: AuditRow, now: Date) {
  const { label } = describeAction(row.action)
  return {
    id: row.id,
    action: row.action,
    actionLabel: label,
    resourceType: row.resource_type,
    resourceTypeLabel: getResourceTypeLabel(row.resource_type),
    resourceSummary: renderResourceSummary(row),
    actor: renderActor(row),
    metadata: row.metadata,
    ipAddress: row.clear?.['ip_address']?.value ?? null,
    createdAt: row.at,
    relativeTime: relativeTime(now.getTime() - Date.parse(row.at)),
  }
}

/** Fills the catalogue's sentence with values of the row; erased values are shown as (erased). */
function renderResourceSummary({ action, resource_id, metadata, clear }: AuditRow): string {
  const { sentence } = describeAction(action)
  const filled = sentence.replace(/\{(\w{1,64})\}/g, (_, name: string) => {
    if (name === 'resource') return resource_id ?? 'unknown'
    const value = clear?.[name]?.value ?? metadata[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '(erased)'
  })
  const repeats = metadata['count']
  return action === 'request_refused' && typeof repeats === 'number'
    ? `${filled}, ${repeats} more times`
    : filled + renderClaims(metadata['claimed'], clear)
}

/** Persons whom only the sender of an event names. */
function renderClaims(claimed: unknown, clear: AuditRow['clear']): string {
  if (!Array.isArray(claimed)) return ''
  return claimed
    .map(
      (role) =>
        ` (${String(role).replaceAll('_', ' ')}: ${clear?.[role]?.value ?? 'erased'}, claimed by the sender)`,
    )
    .join('')
}

function renderActor({ actor_kind, person, key }: AuditRow) {
  const isBot = actor_kind === 'key' || actor_kind === 'service'
  return { ...renderActorNames(actor_kind, person, key), isBot, avatarUrl: null }
}

function renderActorNames(kind: AuditRow['actor_kind'], person: AuditRow['person'], key: AuditRow['key']) {
  switch (kind) {
    case 'person':
      return { name: person?.name ?? fallbackNames.erased, subtitle: person?.email ?? null }
    case 'key':
      return { name: key?.name ?? fallbackNames.deletedKey, subtitle: key && keySubtitle(key) }
    case 'operator':
      return { name: fallbackNames.operator, subtitle: 'Operator of the installation' }
    case 'service':
      return { name: fallbackNames.service, subtitle: 'The service itself' }
  }
}

function keySubtitle({ kind, prefix, last_four, owner }: NonNullable<AuditRow['key']>): string {
  return `${kind} key ${prefix}…${last_four}${owner === null ? '' : ` of ${owner}`}`
}

const units = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
] as const

export function relativeTime(ms: number): string {
  for (const [unit, length] of units) {
    const count = Math.floor(ms / length)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
