import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Reply } from '../cli/src/conformance/http.ts'
import { createEvent, eventually, send } from './metrics-data.ts'
import { assertPage, at, call, demo, home, type KeyName, organizationsOf } from './service.ts'

export const learningsPath = '/v1/learnings'

export const recordFields = [
  'id',
  'learning',
  'repository_id',
  'repository_name',
  'organization_id',
  'organization_name',
  'author_id',
  'author_username',
  'file',
  'source_url',
  'created_at',
  'updated_at',
  'last_used_at',
  'usage_count',
] as const

export type Learning = {
  id: string
  learning: string
  repository_id: string
  repository_name: string | null
  organization_id: string
  organization_name: string
  author_id: string | null
  author_username: string | null
  file: string | null
  source_url: string | null
  created_at: string
  updated_at: string
  last_used_at: string | null
  usage_count: number
}
export type LearningsPage = { data: Learning[]; next_cursor: string | null; ranked_by?: string }

export type Item = { repository_id?: string; learning: string; file?: string; source_url?: string }

export const firstRepository = at(home.repositories, 0)
export const secondRepository = at(home.repositories, 1)

/** A path that nobody else writes about: what a test asks for by it is its own. */
export function ownFile(): string {
  return `acceptance/${randomUUID()}.ts`
}

/** A text that nobody else has. */
export function ownText(words = 'Prefer small functions.'): string {
  return `${words} (${randomUUID()})`
}

/** Writes them in one batch, in the first repository of the home organization unless they say otherwise. */
export async function write(items: Item[], key: KeyName = 'user'): Promise<string[]> {
  const data = items.map((item) => ({ repository_id: firstRepository.repository_id, ...item }))
  const reply = await call(learningsPath, {
    key: demo.keys[key],
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data, ...(key === 'workspace' && { org_id: home.org_id }) }),
  })
  assert.equal(reply.status, 200, reply.text)
  const { status, results } = reply.body as { status: string; results: { status: string; id: string }[] }
  assert.equal(status, 'success', reply.text)
  return results.map(({ id }) => id)
}

export type Proposal = {
  organization?: { provider: string; host?: string; id: string }
  repository_id?: string
  learning: string
  source?: 'chat' | 'review' | 'agent' | 'connector'
  [field: string]: unknown
}

/** A proposal as a reviewer sends it; of the home organization unless it says otherwise. */
export function proposed(proposal: Proposal, occurredAt = new Date().toISOString()) {
  return createEvent('learning.proposed', occurredAt, {
    organization: { provider: 'github', id: home.org_id },
    repository_id: firstRepository.repository_id,
    source: 'review',
    ...proposal,
  })
}

/** Returns when a proposal that is shared at once is in the export. */
export async function share(
  proposal: Proposal & { file: string },
  key: KeyName = 'workspace',
): Promise<void> {
  const credentials = { instance: 'ingest_instance', other_tenant: 'ingest_other_tenant' } as const
  await send([proposed(proposal)], key in credentials ? credentials[key as 'instance'] : 'ingest')
  await eventually('a proposal is shared', async () => {
    const { data } = await readLearnings(`files=${proposal.file}`, key)
    return data.some(({ learning }) => learning === proposal.learning)
  })
}

/** The demo’s self-hosted organizations, as events name them. */
export const instanceOrganizations = organizationsOf('instance').map(({ org_id, repositories }) => ({
  organization: { provider: 'gitlab', host: 'git.halden.example.com', id: org_id },
  repository_id: at(repositories, 0).repository_id,
}))

export function askLearnings(
  query: string,
  key: KeyName = 'user',
  headers: Record<string, string> = {},
): Promise<Reply> {
  return call(query === '' ? learningsPath : `${learningsPath}?${query}`, { key: demo.keys[key], headers })
}

export async function readLearnings(query: string, key: KeyName = 'user'): Promise<LearningsPage> {
  const reply = await askLearnings(query, key)
  assertPage(reply)
  return reply.body as LearningsPage
}

/** Every page of a query, one after the other. */
export async function readLearningPages(query: string, key: KeyName = 'user'): Promise<Learning[][]> {
  const pages: Learning[][] = []
  const search = new URLSearchParams(query)
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readLearnings(search.toString(), key)
    pages.push(page.data)
    cursor = page.next_cursor
    search.set('cursor', cursor ?? '')
  }
  return pages
}

export function textsOf(learnings: readonly { learning: string }[]): string[] {
  return learnings.map(({ learning }) => learning)
}
