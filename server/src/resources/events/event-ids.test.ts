import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createBus, createWorkerContext } from '../../../test/bus.ts'
import { openTenant } from '../../../test/fixture.ts'
import { createEventGenerator, type ReviewTarget, toReviewTarget } from '../../../test/pull-requests.ts'
import { PartiallyHandledError } from '../../bus/consumer.ts'
import type { EventBatch, IngestEvent } from '../../bus/ingest-event.ts'
import { sweepEventIds } from '../../bus/queue/event-ids.ts'
import { eventConsumer } from '../../consumers.ts'
import { connect } from '../../db/connect.ts'
import { connectMetricsStores } from '../../db/stores.ts'
import type { KeyId, OrganizationId } from '../../ids.ts'
import { toPullRequestKey } from '../../metrics-store/write/pull-request-sql.ts'

const generator = createEventGenerator()
const consumer = eventConsumer(1000)

const { database, superuser, tenant, use } = await openTenant()
const testBus = use(await createBus())
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))
const stores = use(connectMetricsStores(new Map([['shared', database.urls.worker]]), 'test', 4))
const context = createWorkerContext(pool, testBus.bus, stores)
const [home, neighbour] = tenant.workspace.organizations
assert.ok(neighbour)
const target = toReviewTarget(home)
const otherTarget = toReviewTarget(neighbour)

/** Handles a message like the worker. Returns the deferred events. */
async function handle(
  events: readonly IngestEvent[],
  organizations: EventBatch['organizations'] = null,
): Promise<readonly IngestEvent[]> {
  const credential = randomUUID() as string as KeyId
  try {
    await consumer.handle(context, { root: tenant.workspace.root, credential, organizations, events })
    return []
  } catch (error) {
    if (!(error instanceof PartiallyHandledError)) throw error
    return (error.rest as EventBatch).events
  }
}

async function count(text: string, ...values: unknown[]): Promise<number> {
  const { rows } = await superuser.query<{ count: string }>(text, [tenant.workspace.root, ...values])
  return Number(rows[0]?.count)
}
const countPullRequests = (number: number) =>
  count('select count(*) from pull_request where root_id = $1 and number = $2', number)
const countOutcomes = (id: string) =>
  count('select count(*) from outcome where root_id = $1 and event_id = $2', id)

const organizationOf = ({ provider, host, organization: { id } }: ReviewTarget) => ({ provider, host, id })

test('a reused id is never stored, whatever the second event says, of every family [P11-ids-1]', async () => {
  const first = generator.finalized(target)
  const { id, payload } = first
  const { findings, number } = payload
  const organization = organizationOf(target)
  assert.deepEqual(await handle([first]), [])
  const later = new Date().toISOString()
  const scan = {
    organization,
    repository: payload.repository,
    scan_id: 'reused',
    tool: 'scanner',
    category: '',
    branch: '',
    commit: null,
    complete: true,
    scanned_at: null,
    findings: [],
  }
  const reused: IngestEvent[] = [
    generator.finalized(target, { event_id: id, number: number + 1000 }),
    { ...first, occurred_at: later, payload: { ...payload, findings: [] } },
    generator.outcome(first, { event_id: id, occurred_at: later, finding_id: findings[0]?.id ?? '' }),
    {
      id,
      type: 'mcp.used',
      version: 1,
      occurred_at: later,
      payload: { organization, repository: { id: payload.repository.id }, number, servers: [] },
    },
    {
      id,
      type: 'learning.proposed',
      version: 1,
      occurred_at: later,
      payload: {
        organization,
        repository_id: payload.repository.id,
        learning: 'Never stored, because its id is used.',
        file: null,
        source_url: null,
        author: null,
        source: 'chat',
        number: null,
      },
    },
    { id, type: 'security_scan.completed', version: 1, occurred_at: later, payload: scan },
    {
      id,
      type: 'inventory.changed',
      version: 1,
      occurred_at: later,
      payload: { repositories: [{ organization, id: 'reused-id', name: 'never-stored' }] },
    },
  ]
  for (const event of reused) assert.deepEqual(await handle([event]), [], event.type)
  assert.equal(await countPullRequests(number + 1000), 0)
  assert.equal(await countOutcomes(id), 0)
  for (const [table, condition] of [
    ['learning', `text like 'Never stored%'`],
    ['security_scan', `scan_id = 'reused'`],
    ['repository', `provider_repository_id = 'reused-id'`],
    ['mcp_event', `event_id = '${id}'`],
  ] as const)
    assert.equal(await count(`select count(*) from ${table} where root_id = $1 and ${condition}`), 0, table)
  const stored = 'select count(*) from finding where root_id = $1 and pull_request_key = $2'
  assert.equal(await count(stored, toPullRequestKey(tenant.workspace.root, payload)), findings.length)
  // Another organization of the same root has ids of its own.
  const elsewhere = generator.finalized(otherTarget, { event_id: id, number: number + 2000 })
  assert.deepEqual(await handle([elsewhere]), [])
  assert.equal(await countPullRequests(number + 2000), 1)
})

test('of two events with one id in a message, the first is stored; a redelivered message changes nothing', async () => {
  const first = generator.finalized(target, { number: 3001 })
  const second = generator.finalized(target, { event_id: first.id, number: 3002 })
  const outcome = generator.outcome(first)
  const message = [first, second, outcome]
  assert.deepEqual(await handle(message), [])
  const stored = await superuser.query('select position from metrics_head where root_id = $1', [
    tenant.workspace.root,
  ])
  assert.ok(stored.rows.length > 0)
  assert.deepEqual(await handle(message), [])
  assert.deepEqual([await countPullRequests(3001), await countPullRequests(3002)], [1, 0])
  assert.equal(await countOutcomes(outcome.id), 1)
})

test('many workers that meet one id store one event', async () => {
  const id = randomUUID()
  const events = Array.from({ length: 8 }, (_, index) =>
    generator.finalized(target, { event_id: id, number: 4000 + index }),
  )
  await Promise.all(events.map((event) => handle([event])))
  const counts = await Promise.all(events.map(({ payload }) => countPullRequests(payload.number)))
  assert.equal(
    counts.reduce((sum, one) => sum + one),
    1,
  )
})

test('an event that is not stored does not use up its id, so that a corrected one is', async () => {
  const id = randomUUID()
  const proposal = (repository_id: string): IngestEvent => ({
    id,
    type: 'learning.proposed',
    version: 1,
    occurred_at: new Date().toISOString(),
    payload: {
      organization: organizationOf(target),
      repository_id,
      learning: 'Corrected, therefore stored.',
      file: null,
      source_url: null,
      author: null,
      source: 'chat',
      number: null,
    },
  })
  const wrong = proposal('no-such-repository')
  assert.deepEqual(await handle([wrong]), [wrong])
  const right = proposal(target.repositories[0]?.id ?? '')
  assert.deepEqual(await handle([right]), [])
  assert.equal(await count(`select count(*) from learning where root_id = $1 and text like 'Corrected%'`), 1)
  // The wrong one is retried meanwhile, and is no longer counted.
  assert.deepEqual(await handle([wrong]), [])
})

test('a credential of one organization cannot use up the ids of another', async () => {
  const [, other] = tenant.workspace.organizations
  const event = generator.finalized(target, { number: 5001 })
  const narrow = [other?.id] as OrganizationId[]
  const foreign = generator.finalized(target, { event_id: event.id, number: 5002 })
  assert.deepEqual(await handle([foreign], narrow), [foreign])
  assert.deepEqual(await handle([event]), [])
  assert.deepEqual([await countPullRequests(5001), await countPullRequests(5002)], [1, 0])
})

test('an organization that an event creates counts the id of that event', async () => {
  const id = randomUUID()
  const organization = { provider: 'github', id: `created-${id}` }
  const inventory = (name: string, at: string): IngestEvent => ({
    id,
    type: 'inventory.changed',
    version: 1,
    occurred_at: at,
    payload: { organizations: [{ ...organization, name }] },
  })
  await handle([inventory('First', '2026-01-01T00:00:00.000Z')])
  await handle([inventory('Second', '2026-01-02T00:00:00.000Z')])
  const { rows } = await superuser.query<{ name: string }>(
    'select name from organization where root_id = $1 and provider_organization_id = $2',
    [tenant.workspace.root, organization.id],
  )
  assert.deepEqual(rows, [{ name: 'First' }])
})

test('after 31 days an id is forgotten, and the times of the events decide [P11-ids-1]', async () => {
  const first = generator.finalized(target, { number: 6001, occurred_at: '2026-03-01T00:00:00.000Z' })
  const outcome = generator.outcome(first, { occurred_at: '2026-03-02T00:00:00.000Z', accepted: true })
  assert.deepEqual(await handle([first, outcome]), [])
  const again = (at: string, url: string): IngestEvent => ({
    ...first,
    occurred_at: at,
    payload: { ...first.payload, url },
  })
  const outcomeAgain = { ...outcome, payload: { ...outcome.payload, accepted: false } }
  const newer = again('2026-03-05T00:00:00.000Z', 'https://example.com/newer')
  const older = again('2026-02-01T00:00:00.000Z', 'https://example.com/older')
  const newerOutcome = { ...outcomeAgain, occurred_at: '2026-03-06T00:00:00.000Z' }
  const age = async (days: number) =>
    superuser.query(`update counted_event_id set at = now() - $1 * interval '1 day'`, [days])
  const urlOf = async () => {
    const { rows } = await superuser.query<{ url: string }>(
      'select url from pull_request where root_id = $1 and number = 6001',
      [tenant.workspace.root],
    )
    return rows[0]?.url
  }
  await age(30)
  await sweepEventIds(pool, new Date())
  await handle([newer])
  assert.equal(await urlOf(), first.payload.url, 'it counts for at least 30 days')
  await age(32)
  assert.ok((await sweepEventIds(pool, new Date())) >= 2)
  await handle([older])
  assert.equal(await urlOf(), first.payload.url)
  await superuser.query('truncate counted_event_id')
  await handle([newer, newerOutcome])
  assert.equal(await urlOf(), 'https://example.com/newer')
  const { rows } = await superuser.query<{ accepted: boolean }>(
    'select accepted from outcome where root_id = $1 and event_id = $2',
    [tenant.workspace.root, outcome.id],
  )
  assert.deepEqual(rows, [{ accepted: false }])
})
