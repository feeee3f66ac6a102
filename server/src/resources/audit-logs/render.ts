import { describeAction, getResourceTypeLabel } from '../../access/audit/catalogue.ts'
import { canonicalJson } from '../../access/audit/chain.ts'
import type { Principal } from '../../access/principal.ts'
import { cleanName } from '../../names.ts'
import { pluralize } from '../../plural.ts'
import { DAY_MS, HOUR_MS } from '../../time.ts'
import type { AuditRow } from './page-sql.ts'

/** Names of actors that have no name or no longer have one. */
export const fallbackNames = {
  erased: 'Erased person',
  deletedKey: 'Deleted key',
  operator: 'Operator',
  service: 'Scholiast',
} as const

/** Only a caller who may read Learnings sees their first words. */
export function renderEntry(stored: AuditRow, { permissions }: Principal, now: Date) {
  const isHidden = stored.resource_type === 'learning' && !permissions.has('learning:read')
  const row = isHidden ? { ...stored, resource_name: null } : stored
  const { label } = describeAction(row.action)
  return {
    id: row.id,
    action: row.action,
    actionLabel: label,
    resourceType: row.resource_type,
    resourceTypeLabel: getResourceTypeLabel(row.resource_type),
    resourceSummary: renderResourceSummary(row),
    actor: renderActor(row),
    metadata: renderMetadata(row),
    ipAddress: row.clear?.['ip_address']?.value ?? null,
    createdAt: new Date(row.at).toISOString(),
    relativeTime: relativeTime(now.getTime() - Date.parse(row.at)),
    position: row.position,
    hash: row.hash,
    content: renderContent(row),
    personalValues: row.clear ?? {},
  }
}

/** The text whose SHA-256 is the digest of the row in the chain. */
function renderContent(row: AuditRow): string {
  const { id, organization_id, at, action, resource_type, resource_id } = row
  const { actor_kind, actor_id, metadata, sealed } = row
  return canonicalJson({
    id,
    organization_id,
    at,
    action,
    resource_type,
    resource_id,
    actor_kind,
    actor_id,
    metadata,
    sealed,
  })
}

/** The stored metadata with the id of the resource, and with the personal values that `before` and `after` stand for. */
function renderMetadata({ resource_id, metadata, sealed, clear }: AuditRow) {
  const personal = (side: 'before' | 'after') =>
    Object.keys(sealed)
      .filter((name) => name.startsWith(`${side}.`))
      .map((name) => [name.slice(side.length + 1), clear?.[name]?.value ?? null] as const)
  const fields = (side: 'before' | 'after') => {
    const stored = metadata[side] as Readonly<Record<string, unknown>> | undefined
    const values = personal(side)
    return stored === undefined && values.length === 0
      ? {}
      : { [side]: { ...stored, ...Object.fromEntries(values) } }
  }
  return { resource_id, ...metadata, ...fields('before'), ...fields('after') }
}

/** Fills the catalogue's sentence with values of the row; erased values are shown as (erased). */
function renderResourceSummary(row: AuditRow): string {
  const { action, metadata, clear } = row
  const { sentence } = describeAction(action)
  const filled = sentence.replace(/\{(\w{1,64})\}/g, (_, name: string) => {
    if (name === 'resource') return renderResource(row)
    if (name === 'role') return renderRole(row)
    if (name === 'people') return renderPeople(row)
    if (name === 'person') return row.resource_name ?? fallbackNames.erased
    const value = clear?.[name]?.value ?? metadata[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '(erased)'
  })
  const repeats = metadata['count']
  return action === 'request_refused' && typeof repeats === 'number'
    ? `${filled}, ${pluralize(repeats, 'more time')}`
    : filled + renderChangedFields(row) + renderClaims(metadata['claimed'], clear)
}

function renderResource({ resource_type, resource_id, resource_name }: AuditRow): string {
  if (resource_name === null) return resource_id ?? 'unknown'
  return resource_type === 'learning' ? `“${toFirstWords(resource_name)}”` : resource_name
}

/** At most 8 words and 80 characters: some writing has no blanks. */
function toFirstWords(text: string): string {
  const words = cleanName(text).split(/\s+/)
  const first = Array.from(words.slice(0, 8).join(' ')).slice(0, 80).join('')
  return first.length < words.join(' ').length ? `${first}…` : first
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A system role is stored by its name, a custom one by its id. */
function renderRole({ metadata: { role }, role_name }: AuditRow): string {
  if (role_name !== null) return role_name
  return typeof role !== 'string' || uuid.test(role) ? 'a deleted role' : role
}

function renderPeople({ resource_id, resource_name, metadata, sealed, clear }: AuditRow): string {
  if ('name' in sealed) return clear?.['name']?.value ?? '(erased)'
  if (resource_id !== null) return resource_name ?? fallbackNames.erased
  return pluralize(Number(metadata['users']), 'person', 'people')
}

/** Distinguishes changes of one resource: a new description is not a new permission. */
function renderChangedFields(row: AuditRow): string {
  const { before, after } = renderMetadata(row) as { readonly before?: object; readonly after?: object }
  const isVague = describeAction(row.action).sentence.endsWith('changed')
  if (!isVague || before === undefined || after === undefined) return ''
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.length === 0 ? '' : ` (${names.sort().join(', ').replaceAll('_', ' ')})`
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
  return { ...renderActorNames(actor_kind, person, key), isBot, avatarUrl: null, owner: key?.owner ?? null }
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
  return `${kind === 'scim' ? 'SCIM credential' : `${kind} key`} ${prefix}…${last_four}${owner === null ? '' : ` of ${owner.name}`}`
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
    if (count >= 1) return `${pluralize(count, unit)} ago`
  }
  return 'just now'
}
