import { randomUUID } from 'node:crypto'
import type { Reply } from '../cli/src/conformance/http.ts'
import { createEvent, eventually, ownOrganization, send } from './metrics-data.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'

export const auditLogsPath = '/v1/audit-logs'

export type AuditEntry = {
  id: string
  action: string
  actionLabel: string
  resourceType: string
  resourceTypeLabel: string
  resourceSummary: string
  actor: {
    name: string
    subtitle: string | null
    isBot: boolean
    avatarUrl: null
    owner: { id: string; name: string } | null
  }
  metadata: Record<string, unknown>
  ipAddress: string | null
  createdAt: string
  relativeTime: string
  position: number
  hash: string
  content: string
  personalValues: Record<string, { salt: string; value: string }>
}
type Option = { value: string; label: string; count: number }
export type AuditPage = {
  data: AuditEntry[]
  next_cursor: string
  has_more?: boolean
  warnings: { parameter: string; value: string; message: string }[]
  pagination: {
    page: number
    page_size: number
    total_count: number
    total_pages: number
    has_next_page: boolean
    has_previous_page: boolean
  }
  filter_options: { actions: Option[]; resource_types: Option[] }
}

export function ask(query: string, key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${auditLogsPath}?${query}`, { key: demo.keys[key] })
}

export async function read(query: string, key: KeyName = 'workspace'): Promise<AuditPage> {
  const reply = await ask(query, key)
  assertPage(reply)
  return reply.body as AuditPage
}

/** Everything from a cursor on, and the cursor behind it. */
export async function readOn(query: string, cursor: string, key: KeyName = 'workspace') {
  const entries: AuditEntry[] = []
  for (let next = cursor; ; ) {
    const page = await read(`${query}&cursor=${encodeURIComponent(next)}`, key)
    entries.push(...page.data)
    next = page.next_cursor
    if (page.has_more === false) return { entries, cursor: next }
  }
}

// Out of use, so that its name may change; each change of it is one row of the audit log.
export const archived = '620118404'

/** Makes a row `repository_changed` of the home organization, and tells the name in it. */
export async function changeSomething(): Promise<string> {
  const name = `renamed-${randomUUID()}`
  const repository = { organization: ownOrganization, id: archived, name, active: false }
  await send([createEvent('inventory.changed', new Date().toISOString(), { repositories: [repository] })])
  await eventually('the change is in the audit log', async () => {
    const { data } = await read('actions=repository_changed&page_size=50')
    return data.some(({ resourceSummary }) => resourceSummary.includes(name))
  })
  return name
}
