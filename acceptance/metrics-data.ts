import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../cli/src/conformance/http.ts'
import { assertPage, call, demo, home, type KeyName } from './service.ts'

export const reviewCommentsPath = '/v1/metrics/review-comments'
export const changesPath = '/v1/metrics/review-comments/changes'
export const asLines = { accept: 'application/x-ndjson' }

export type Comment = {
  url: string
  severity: string | null
  category: string | null
  accepted: boolean | null
}
export type Entry = {
  pr_url: string
  organization_id: string
  repository_id: string
  author_id: string | null
  merged_at: string | null
  coderabbit_comments: Comment[]
}
export type Page = { data: Entry[]; next_cursor: string | null }

export type Finding = Record<string, unknown> & { id: string; url: string }
/** A payload of pull_request.finalized: whatever a test wants to send in it. */
export type PullRequest = Record<string, unknown> & {
  organization: { provider: string; host?: string; id: string }
  repository: { id: string }
  number: number
  url: string
  findings: Finding[]
}
export type Event = { id: string; type: string; version: number; occurred_at: string; payload: unknown }

type Credential = 'ingest' | 'ingest_instance' | 'ingest_other_tenant'

export const ownOrganization = { provider: 'github', id: home.org_id }

/** Days of a year in which the demo has nothing, a week apart; each file has a year of its own. */
export function calendarOf(year: number): () => string {
  let week = 0
  return () => dayAfter(`${year}-01-04`, 7 * week++)
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

export function windowOf(start: string, end = start): string {
  return `start_date=${start}&end_date=${end}`
}

// Each run numbers the pull requests of the repository from another start.
let lastNumber = Math.floor(Math.random() * 2 ** 40)

/** A pull request of the home organization, merged at noon of a day, with two findings unless it says otherwise. */
export function mergedOn(day: string, over: Record<string, unknown> = {}): PullRequest {
  lastNumber += 1
  const url = `https://github.com/meridian/booking-api/pull/${lastNumber}`
  return {
    organization: ownOrganization,
    repository: { id: home.repositories[0]?.repository_id ?? '' },
    number: lastNumber,
    url,
    status: 'merged',
    author: { id: '90001', username: 'a-developer' },
    merged_at: `${day}T12:00:00.000Z`,
    findings: [findingOf(url, 1), findingOf(url, 2)],
    ...over,
  }
}

export function findingOf(url: string, place: number, over: Record<string, unknown> = {}): Finding {
  return {
    id: `${url.slice(-20)}-${place}`,
    url: `${url}#discussion_r${place}`,
    severity: 'minor',
    category: 'functional_correctness',
    ...over,
  }
}

/** Told a minute after the merge, or when the test says. */
export function finalized(pullRequest: PullRequest, occurredAt?: string): Event {
  const known = pullRequest['merged_at'] ?? pullRequest['closed_at']
  const time = typeof known === 'string' ? Date.parse(known) + 60_000 : Date.now()
  return createEvent('pull_request.finalized', occurredAt ?? new Date(time).toISOString(), pullRequest)
}

export function outcomeOf(
  { organization, repository, number, findings }: PullRequest,
  place: number,
  accepted: boolean | null,
  occurredAt = new Date().toISOString(),
): Event {
  const finding_id = findings[place]?.id
  const payload = { organization, repository, number, finding_id, accepted, source: 'person' }
  return createEvent('finding.outcome', occurredAt, payload)
}

export function createEvent(type: string, occurred_at: string, payload: unknown): Event {
  return { id: randomUUID(), type, version: 1, occurred_at, payload }
}

/** Every event must be taken: a test that wants a rejection asks for it itself. */
export async function send(events: Event[], credential: Credential = 'ingest'): Promise<void> {
  const reply = await call('/ingest/v1/events', {
    key: demo.keys[credential],
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  assert.equal(reply.status, 202, reply.text)
  const { accepted, rejected } = reply.body as { accepted: number; rejected: unknown[] }
  assert.deepEqual({ accepted, rejected }, { accepted: events.length, rejected: [] })
}

const markerDay = '2019-06-15'

/**
 * Returns when all of it is stored, whether or not it is shown. Events that are sent together are stored together, so
 * it is enough to wait for one that is sent with them: the only pull request of its author.
 */
export async function store(...given: (PullRequest | Event)[]): Promise<void> {
  const events = given.map((one) => ('payload' in one ? (one as Event) : finalized(one)))
  const credential = credentialFor(events)
  const author = randomUUID()
  const { organization, repository } = (events[0]?.payload ?? {}) as PullRequest
  const marker = mergedOn(markerDay, { organization, repository, author: { id: author } })
  await send([...events, finalized(marker)], credential)
  const reader = readers[credential]
  await eventually('what was sent is stored', async () => {
    const { data } = await read(`${windowOf(markerDay)}&user_ids=${author}`, reader)
    return data.length === 1
  })
}

/** One after the other: each is stored before the next is sent. */
export async function storeSequentially(...given: (PullRequest | Event)[]): Promise<void> {
  for (const one of given) await store(one)
}

const readers = {
  ingest: 'workspace',
  ingest_instance: 'instance',
  ingest_other_tenant: 'other_tenant',
} as const

function credentialFor(events: readonly Event[]): Credential {
  const { organization } = (events[0]?.payload ?? {}) as PullRequest
  const { root } = demo.organizations.find(({ org_id }) => org_id === organization.id) ?? home
  if (root === 'instance') return 'ingest_instance'
  return root === 'workspace' ? 'ingest' : 'ingest_other_tenant'
}

/** What was accepted is stored soon, not at once. */
export async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const patience = Date.now() + 30_000
  while (!(await isSo())) {
    assert.ok(Date.now() < patience, `not within 30 seconds: ${what}`)
    await sleep(25)
  }
}

export function ask(
  query: string,
  key: KeyName = 'workspace',
  headers: Record<string, string> = {},
): Promise<Reply> {
  return call(`${reviewCommentsPath}?${query}`, { key: demo.keys[key], headers })
}

export async function read(query: string, key: KeyName = 'workspace'): Promise<Page> {
  const reply = await ask(query, key)
  assertPage(reply)
  return reply.body as Page
}

/** Every page of a query, one after the other, from the cursor on that it may have. */
export async function readPages(query: string, key: KeyName = 'workspace'): Promise<Entry[][]> {
  const pages: Entry[][] = []
  const search = new URLSearchParams(query)
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await read(search.toString(), key)
    pages.push(page.data)
    cursor = page.next_cursor
    search.set('cursor', cursor ?? '')
  }
  return pages
}

export async function readWhole(query: string, key: KeyName = 'workspace'): Promise<Entry[]> {
  return (await readPages(query, key)).flat()
}

export function urlsOf(entries: readonly { pr_url: string }[]): string[] {
  return entries.map(({ pr_url }) => pr_url)
}
