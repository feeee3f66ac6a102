import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Reply } from '../cli/src/conformance/http.ts'
import {
  createEvent,
  type Event,
  eventually,
  finalized,
  mergedOn,
  type PullRequest,
  send,
  windowOf,
} from './metrics-data.ts'
import { firmware, fleet } from './metrics-scope.ts'
import { assertPage, call, demo, type KeyName } from './service.ts'

export const mcpPath = '/v1/metrics/mcp'

export type UsedTool = { name: string; calls: number; errors: number }
export type Usage = {
  pr_url: string
  organization_id: string
  repository_id: string
  author_id: string | null
  merged_at: string | null
  servers: { name: string; calls: number; tools: UsedTool[] }[]
  completeness: string
}
export type UsagePage = { data: Usage[]; next_cursor: string | null }

/** Told of a pull request: tools of one server, each called once unless it says otherwise. */
export function usedBy(
  { organization, repository, number }: PullRequest,
  server = 'linear',
  tools: Record<string, unknown>[] = [{ name: 'search' }],
): Event {
  const payload = { organization, repository, number, servers: [{ name: server, tools }] }
  return createEvent('mcp.used', new Date().toISOString(), payload)
}

export function askUsage(query: string, key: KeyName = 'workspace'): Promise<Reply> {
  return call(`${mcpPath}?${query}`, { key: demo.keys[key] })
}

export async function readUsage(query: string, key: KeyName = 'workspace'): Promise<UsagePage> {
  const reply = await askUsage(query, key)
  assertPage(reply)
  return reply.body as UsagePage
}

/** Every page of a query, one after the other, from the cursor on that it may have. */
export async function readAllUsage(query: string, key: KeyName = 'workspace'): Promise<Usage[]> {
  const found: Usage[] = []
  const search = new URLSearchParams(query)
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readUsage(search.toString(), key)
    found.push(...page.data)
    cursor = page.next_cursor
    search.set('cursor', cursor ?? '')
  }
  return found
}

/** The only pull request of a query. */
export async function usageOf(query: string): Promise<Usage> {
  const { data } = await readUsage(query)
  const [usage] = data
  assert.ok(usage && data.length === 1, `${data.length} pull requests`)
  return usage
}

/**
 * As `store`, for usage: events that are sent together are stored together, usage after pull requests. So it is there when a
 * pull request that is sent with it, and used something, is.
 */
export async function storeUse(...events: Event[]): Promise<void> {
  const { organization, repository } = (events[0]?.payload ?? {}) as PullRequest
  const author = randomUUID()
  const marker = mergedOn('2019-06-16', { organization, repository, author: { id: author } })
  const instance = [firmware, fleet].includes(organization.id)
  const credential = instance ? 'ingest_instance' : 'ingest'
  await send([...events, finalized(marker), usedBy(marker)], credential)
  await eventually('what was sent is stored', async () => {
    const query = `${windowOf('2019-06-16')}&user_ids=${author}`
    return (await readUsage(query, instance ? 'instance' : 'workspace')).data.length === 1
  })
}
