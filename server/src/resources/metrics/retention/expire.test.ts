import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createBus, createWorkerContext } from '../../../../test/bus.ts'
import { startService, type TestService } from '../../../../test/call.ts'
import { createDatabase } from '../../../../test/database.ts'
import { openTenant } from '../../../../test/fixture.ts'
import { createCredential, ingestSettings, publishRevoked, sendEvents } from '../../../../test/ingest.ts'
import { createUsageEvent } from '../../../../test/metrics/usage.ts'
import { startApi, startWorker } from '../../../../test/process.ts'
import { createEventGenerator, storeEvents, toReviewTarget } from '../../../../test/pull-requests.ts'
import { createStores } from '../../../../test/stores.ts'
import { createTenant, type TestRoot } from '../../../../test/tenant.ts'
import { waitFor } from '../../../../test/wait.ts'
import { emit } from '../../../bus/emit.ts'
import type { IngestEvent } from '../../../bus/ingest-event.ts'
import { startQueueConsumer } from '../../../bus/queue/consume-queue.ts'
import { eventConsumer } from '../../../consumers.ts'
import { connect } from '../../../db/connect.ts'
import { connectMetricsStores } from '../../../db/stores.ts'
import { moveMetrics, stepMove } from '../../../metrics-store/move.ts'
import { toPullRequestKey } from '../../../metrics-store/write/pull-request-sql.ts'
import { requestMove } from '../../placements/move.ts'
import type { FinalizedEvent, FinalizedPullRequest } from '../write/review-payload.ts'
import { expireMetrics, expireStore } from './expire.ts'

// 1 March is the first day that is stored: three complete months and the current one.
const now = () => new Date('2026-06-15T12:00:00Z')
const MONTHS = 3
const [LAST_OLD, FIRST_STORED] = ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z']

let months: number | null = null
// Numbers the pull requests of all tests.
const generator = createEventGenerator({ findings: 3 })

const { database, superuser, tenant, use, defer } = await openTenant()
const testBus = use(await createBus())
const stores = use(await createStores(database))
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))
const context = {
  ...createWorkerContext(pool, testBus.bus, stores.stores),
  now,
  get metricsRetentionMonths() {
    return months
  },
}
use(startQueueConsumer(context, eventConsumer(1000)))
await publishRevoked(testBus.bus, [])
let service: TestService = await serve()
defer(() => service.stop())

async function serve(): Promise<TestService> {
  const settings = {
    ...ingestSettings(testBus),
    METRICS_STORES: stores.setting,
    METRICS_RETENTION_MONTHS: String(months ?? ''),
    LIMIT_METRICS: 'off',
    LIMIT_EVENT_STATUS: 'off',
  }
  const started = startService(database, settings, undefined, undefined, undefined, { now })
  const key = createCredential(tenant.ring, tenant.workspace.root).value
  const body = { ids: ['a'] }
  await waitFor('the service is connected', async () => {
    const { status } = await started.call('/ingest/v1/events/status', { key, method: 'POST', body })
    return status === 200
  })
  return started
}

/** As an installation that was started with this setting. */
async function withRetention(setting: number, work: () => Promise<void>): Promise<void> {
  months = setting
  await service.stop()
  service = await serve()
  await work()
  months = null
}

/** What the timer of the worker does. */
async function expire(setting: number | null): Promise<void> {
  months = setting
  await expireMetrics(context)
  months = null
}

interface Receipt {
  readonly accepted: number
  readonly rejected: unknown[]
  readonly warnings: { index: number; path: string; message: string }[]
}

interface Change {
  readonly pull_request_key: string
  readonly position: number
  readonly kind: string
  readonly pr_url: string
  readonly reason?: string
  readonly at: string
  readonly finding_id?: string
  readonly accepted?: boolean | null
  readonly findings?: { finding_id: string; accepted: boolean | null }[]
}

/** A tenant root with a sender, a reader and a follower of the feed. */
function open({ root, organizations }: TestRoot, readerKind: 'workspace' | 'instance') {
  const key = createCredential(tenant.ring, root).value
  const reader = tenant.createKey(readerKind)
  const [first] = organizations
  const copy = new Map<string, Map<string, boolean | null>>()
  const urls = new Map<string, string>()
  let cursor = ''

  async function read<Body>(path: string): Promise<Body> {
    const { status, text, body } = await service.call(path, { key: (await reader).value })
    assert.equal(status, 200, text)
    return body as Body
  }

  /** Every field of a list except the cursor. */
  async function list(path: string, window = 'start_date=2016-01-01&end_date=2027-01-01&limit=1000') {
    return (await read<{ data: { pr_url: string }[] }>(`/v1/metrics/${path}?${window}`)).data
  }

  async function follow(from = cursor): Promise<Change[]> {
    const changes: Change[] = []
    for (let hasMore = true; hasMore; ) {
      const page = await read<{ data: Change[]; next_cursor: string; has_more: boolean }>(
        `/v1/metrics/review-comments/changes?limit=300${from === '' ? '' : `&cursor=${from}`}`,
      )
      changes.push(...page.data)
      hasMore = page.has_more
      from = page.next_cursor
    }
    cursor = from
    for (const change of changes) applyChange(change)
    return changes
  }

  function applyChange({ pull_request_key, kind, pr_url, findings, finding_id, accepted }: Change): void {
    if (kind === 'removed') copy.delete(pull_request_key)
    else if (kind === 'written') {
      urls.set(pull_request_key, pr_url)
      copy.set(pull_request_key, new Map(findings?.map((finding) => [finding.finding_id, finding.accepted])))
    } else copy.get(pull_request_key)?.set(finding_id ?? '', accepted ?? null)
  }

  async function send(events: readonly IngestEvent[]): Promise<Receipt> {
    const { status, text, body } = await service.call('/ingest/v1/events', {
      key,
      method: 'POST',
      body: events,
    })
    assert.equal(status, 202, text)
    return body as unknown as Receipt
  }

  async function readStatuses(events: readonly IngestEvent[]): Promise<string[]> {
    const ids = events.map(({ id }) => id)
    const { body } = await service.call('/ingest/v1/events/status', { key, method: 'POST', body: { ids } })
    return (body as unknown as { data: { status: string }[] }).data.map(({ status }) => status)
  }

  function merged(time: string, fields: Partial<FinalizedPullRequest> = {}): FinalizedEvent {
    const occurred_at = new Date(Date.parse(time) + 60_000).toISOString()
    const payload = { merged_at: time, closed_at: time, ...fields }
    const event = generator.finalized(toReviewTarget(first), { ...payload, occurred_at })
    return { ...event, id: randomUUID() }
  }

  function judged(event: FinalizedEvent, occurred_at: string): IngestEvent {
    const finding_id = event.payload.findings[0]?.id ?? assert.fail()
    const outcome = generator.outcome(event, { accepted: true, finding_id, source: 'person', occurred_at })
    return { ...outcome, id: randomUUID() }
  }

  /** Sends the events, and waits until all have this status and nothing is queued. */
  async function settle(events: readonly IngestEvent[], expected: string): Promise<Receipt> {
    const receipt = await send(events)
    assert.deepEqual([receipt.accepted, receipt.rejected], [events.length, []])
    await waitFor(`all are ${expected}`, async () =>
      (await readStatuses(events)).every((status) => status === expected),
    )
    await waitFor('the queue is empty', async () => (await testBus.messages('QUEUE')).length === 0)
    return receipt
  }

  /** What the follower has, as the pages of review-comments have it. */
  const copiedUrls = () => [...copy.keys()].map((held) => urls.get(held) ?? '').toSorted()

  return { list, read, follow, copy, copiedUrls, merged, judged, settle }
}

const urlsOf = (rows: readonly { pr_url: string }[]) => rows.map(({ pr_url }) => pr_url).toSorted()
const urlOf = (event: FinalizedEvent) => event.payload.url
const used = (event: FinalizedEvent, occurred_at: string) => ({
  ...createUsageEvent(event, ['docs/search']),
  occurred_at,
})

/** Tables with the rows of pull requests, by the columns of their key. */
const tables = ['pull_request', 'finding', 'outcome', 'mcp_usage', 'mcp_event']

async function countRows({ root }: TestRoot, events: readonly FinalizedEvent[]): Promise<number[]> {
  const keys = events.map(({ payload }) => toPullRequestKey(root, payload))
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await superuser.query(`select from ${table} where pull_request_key = any ($1)`, [keys])
      return rows.length
    }),
  )
}

test('without METRICS_RETENTION_MONTHS metrics stay for ever [P16-retention-1]', async () => {
  const { settle, merged, list, follow } = open(tenant.instance, 'instance')
  const ancient = merged('2016-05-04T03:02:01.000Z')
  const receipt = await settle([ancient], 'stored')
  assert.deepEqual(receipt.warnings, [])
  await expire(null)
  assert.deepEqual(urlsOf(await list('review-comments')), [urlOf(ancient)])
  assert.deepEqual(
    (await follow()).map(({ kind }) => kind),
    ['written'],
  )
})

test('removed entries appear in the change feed as removed with reason expired, and nothing of them is left [P16-retention-2]', async () => {
  const { settle, merged, judged, list, read, follow, copy, copiedUrls } = open(tenant.workspace, 'workspace')
  const ancient = merged('2016-05-04T03:02:01.000Z')
  const old = merged(LAST_OLD)
  const bare = merged(LAST_OLD, { findings: [] })
  const closed = merged(LAST_OLD, { status: 'closed', merged_at: null })
  const undated = merged(LAST_OLD, { merged_at: null, closed_at: null })
  const atLimit = merged(FIRST_STORED)
  const recent = merged('2026-06-01T00:00:00.000Z')
  const removed = [ancient, old, bare, closed]
  const stored = [atLimit, recent]
  await settle([...removed, undated, ...stored], 'stored')
  await settle(
    [ancient, ...stored].map((event) => judged(event, '2026-05-02T00:00:00.000Z')),
    'stored',
  )
  await settle(
    [ancient, closed, recent].map((event) => used(event, '2026-05-02T00:00:00.000Z')),
    'stored',
  )
  await follow()
  const urls = [ancient, old, undated, ...stored].map(urlOf).toSorted()
  assert.deepEqual(copiedUrls(), urls)

  await expire(MONTHS)
  const changes = await follow()
  // The time of the event of `undated` is a minute later: on the first day that is stored.
  assert.deepEqual(urlsOf(changes), [ancient, old].map(urlOf).toSorted())
  for (const { kind, reason, at } of changes)
    assert.deepEqual([kind, reason, at], ['removed', 'expired', now().toISOString()])
  const left = [undated, ...stored].map(urlOf).toSorted()
  assert.deepEqual(copiedUrls(), left)
  assert.deepEqual(urlsOf(await list('review-comments')), left)
  assert.deepEqual(urlsOf(await list('reviews')), left)
  assert.deepEqual(
    urlsOf(await list('reviews', 'start_date=2016-01-01&end_date=2027-01-01&status=closed')),
    [],
  )
  assert.deepEqual([...new Set(urlsOf(await list('findings')))], left)
  assert.deepEqual(urlsOf(await list('mcp')), [urlOf(recent)])
  const countFindings = (events: readonly FinalizedEvent[]) =>
    events.reduce((total, { payload }) => total + payload.findings.length, 0)
  assert.deepEqual(await countRows(tenant.workspace, removed), [0, 0, 0, 0, 0])
  assert.deepEqual(await countRows(tenant.workspace, stored), [2, countFindings(stored), 2, 1, 1])
  // A follower that starts now has what the lists have, and sees no outcome of a pull request that is gone.
  const followed = new Map(copy)
  copy.clear()
  const fresh = await follow('')
  assert.deepEqual(copy, followed)
  assert.deepEqual(
    fresh.filter(({ pr_url }) => pr_url === urlOf(ancient)).map(({ kind }) => kind),
    ['removed'],
  )
  // The sums of whole weeks come from counted weeks, those by author from findings: both give the findings that are left.
  const sum = async (by: string) => {
    const window = 'start_date=2016-01-04&end_date=2026-07-05'
    const { data } = await read<{ data: { posted: number }[] }>(`/v1/metrics/summary?${window}${by}`)
    return data.reduce((total, { posted }) => total + posted, 0)
  }
  const findings = countFindings([undated, ...stored])
  assert.deepEqual([await sum(''), await sum('&group_by=author')], [findings, findings])
  const { rows } = await superuser.query(
    `select from metrics_day where root_id = $1 and day < '2026-03-01'
     union all select from mcp_day where root_id = $1 and day < '2026-03-01'
     union all select from finding_week where root_id = $1 and week + 6 < '2026-03-01'`,
    [tenant.workspace.root],
  )
  assert.equal(rows.length, 0)
})

test('a removal that is interrupted at any step continues, and loses and doubles nothing [P16-retention-2]', async () => {
  const { settle, merged, list, follow, copiedUrls } = open(tenant.workspace, 'workspace')
  const events = Array.from({ length: 450 }, (_, index) => {
    const { findings } = merged(LAST_OLD).payload
    return merged(index < 430 ? LAST_OLD : FIRST_STORED, { findings: findings.slice(0, 1) })
  })
  await settle(events, 'stored')
  await follow()
  const listed = urlsOf(await list('review-comments'))
  const failures: string[] = []
  const run = (isOver: () => boolean) =>
    expireStore(stores.stores.pool('shared'), {
      firstDay: FIRST_STORED.slice(0, 10),
      at: now(),
      report: (err) => failures.push((err as Error).message),
      isOver,
    })
  // A worker that stops after its first step.
  let steps = 0
  assert.equal(await run(() => (steps += 1) > 1), 200)
  const first = await follow()
  assert.equal(first.length, 200)
  assert.deepEqual(copiedUrls(), urlsOf(await list('review-comments')))
  // The last statements of a step fail: the whole step has not happened.
  await superuser.query(`create function fail() returns trigger language plpgsql as $$ begin
    raise exception 'the disk is full'; end $$`)
  await superuser.query('create trigger fail before insert on review_comment_change execute function fail()')
  assert.equal(await run(() => false), 0)
  assert.deepEqual(failures, ['the disk is full'])
  assert.deepEqual(await follow(), [])
  assert.deepEqual(copiedUrls(), urlsOf(await list('review-comments')))
  await superuser.query('drop function fail cascade')
  // Two workers at once, which the timer's lock prevents, share the rest.
  const shares = await Promise.all([run(() => false), run(() => false)])
  assert.equal(shares[0] + shares[1], 230)
  const rest = await follow()
  const expired = events.slice(0, 430).map(urlOf)
  assert.deepEqual(urlsOf([...first, ...rest]), expired.toSorted())
  assert.deepEqual(copiedUrls(), urlsOf(await list('review-comments')))
  assert.deepEqual(
    copiedUrls(),
    listed.filter((url) => !expired.includes(url)),
  )
  assert.equal(await run(() => false), 0)
})

test('older events are accepted, not stored and named in warnings, all of them [P16-retention-3]', async () => {
  await withRetention(MONTHS, async () => {
    const { settle, merged, judged, list, follow } = open(tenant.workspace, 'workspace')
    await follow()
    const lists = () => Promise.all(['review-comments', 'reviews', 'mcp'].map((path) => list(path)))
    const shown = await lists()
    const old = merged(LAST_OLD)
    const closed = merged(LAST_OLD, { status: 'closed', merged_at: null })
    const undated = merged('2026-02-27T00:00:00.000Z', { merged_at: null, closed_at: null })
    const expired = [old, closed, undated, judged(old, LAST_OLD), used(old, LAST_OLD)]
    const { warnings } = await settle(expired, 'refused')
    assert.deepEqual(
      warnings.map(({ index, path }) => [index, path]),
      [
        [0, 'payload.merged_at'],
        [1, 'payload.closed_at'],
        [2, 'occurred_at'],
        [3, 'occurred_at'],
        [4, 'occurred_at'],
      ],
    )
    for (const { message } of warnings) assert.match(message, /accepted but not stored.+before 2026-03-01/)
    // Sent again, as by a replay: the same.
    await settle(expired, 'refused')
    const many = Array.from({ length: 300 }, () => merged(LAST_OLD, { findings: [] }))
    const misspelled = many.map((event) => ({ ...event, payload: { ...event.payload, Url: 'x' } }))
    const receipt = await settle(misspelled, 'refused')
    const named = receipt.warnings.filter(({ message }) => /not stored/.test(message))
    assert.deepEqual(
      named.map(({ index }) => index),
      many.map((_, index) => index),
    )
    assert.deepEqual(await lists(), shown)
    assert.deepEqual(await follow(), [])
    assert.deepEqual(await countRows(tenant.workspace, [old, closed, undated]), [0, 0, 0, 0, 0])
    // What is not older is stored as always, also when it is sent together with older events.
    const atLimit = merged(FIRST_STORED)
    assert.deepEqual((await settle([atLimit, judged(atLimit, FIRST_STORED)], 'stored')).warnings, [])
    assert.ok(urlsOf(await list('review-comments')).includes(urlOf(atLimit)))
  })
})

test('an event that was too old can be sent again when more months are stored [P16-retention-3]', async () => {
  const { settle, merged, list } = open(tenant.workspace, 'workspace')
  const old = merged(LAST_OLD)
  await withRetention(MONTHS, async () => {
    await settle([old], 'refused')
  })
  await withRetention(MONTHS + 1, async () => {
    assert.deepEqual((await settle([old], 'stored')).warnings, [])
    assert.ok(urlsOf(await list('review-comments')).includes(urlOf(old)))
  })
})

test('a root that is being moved is left alone; its new store removes what is old [P16-retention-1]', async () => {
  const { root } = tenant.instance
  const { settle, merged, list, follow, copiedUrls } = open(tenant.instance, 'instance')
  const [old, recent] = [merged(LAST_OLD, { number: 77 }), merged(FIRST_STORED, { number: 78 })]
  await settle([old, recent], 'stored')
  await follow()
  const all = copiedUrls()
  const mover = { ...context, database: pool, emitEvent: emit }
  await tenant.change(root, (change) => requestMove(change, 'isolated'))
  while ((await stepMove(mover, root)) !== 'copy') await expire(MONTHS)
  await expire(MONTHS)
  while ((await stepMove(mover, root)) !== 'rest') await moveMetrics(mover)
  assert.deepEqual(urlsOf(await list('review-comments')), all.toSorted())
  await expire(MONTHS)
  const changes = await follow()
  assert.ok(changes.length > 0 && changes.every(({ reason }) => reason === 'expired'))
  assert.deepEqual(copiedUrls(), [urlOf(recent)])
  assert.deepEqual(urlsOf(await list('review-comments')), [urlOf(recent)])
})

test('the processes read the setting: the API warns, in its thread too, and the worker removes and refuses [P16-retention-1]', async () => {
  const [own, bus] = [await createDatabase(), await createBus()]
  const made = await createTenant(own)
  const { root, organizations } = made.workspace
  const target = toReviewTarget(organizations[0])
  const key = createCredential(made.ring, root).value
  const ancient = (count: number) =>
    Array.from({ length: count }, () => {
      const event = generator.finalized(target, { merged_at: '2016-05-04T03:02:01.000Z' })
      return { ...event, id: randomUUID() }
    })
  const ownStores = connectMetricsStores(new Map([['shared', own.urls.worker]]), 'test', 2)
  const writer = { ...context, database: made.pool, stores: ownStores }
  assert.deepEqual(await storeEvents(writer, root, ancient(1)), [])
  const settings = { ...ingestSettings(bus), METRICS_RETENTION_MONTHS: '1' }
  const [api, started] = await Promise.all([startApi(own, settings), startWorker(own, settings)])
  try {
    const send = (events: readonly IngestEvent[]) => sendEvents(api.url, key, events)
    await waitFor('the API accepts events', async () => (await send(ancient(1))).status === 202)
    // The thread checks large bodies.
    for (const count of [1, 400]) {
      const { warnings } = (await (await send(ancient(count))).json()) as Receipt
      assert.equal(warnings.length, count)
    }
    await waitFor('the queue is empty', async () => (await bus.messages('QUEUE')).length === 0)
    const admin = own.superuser()
    await waitFor(
      'the worker has removed what was stored',
      async () => (await admin.query('select from pull_request')).rowCount === 0,
    )
    await admin.end()
  } finally {
    await Promise.all([api.stop(), started.stop(), made.close(), ownStores.close()])
    await bus.drop()
    await own.drop()
  }
})
