import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { openTenant } from '../../../../test/fixture.ts'
import { createUsageEvent, storeUsageEvents } from '../../../../test/metrics/usage.ts'
import {
  createEventGenerator,
  createTestWriter,
  storeEvents,
  toReviewTarget,
} from '../../../../test/pull-requests.ts'
import { UNRESOLVED_REASON } from '../../../bus/queue/organizations.ts'
import { toPullRequestKey } from '../../../metrics-store/write/pull-request-sql.ts'
import type { McpUsedEvent } from './mcp-payload.ts'
import type { FinalizedEvent, ReviewEvent } from './review-payload.ts'

type StoredEvent = ReviewEvent | McpUsedEvent
interface UsageEntryRow {
  readonly key: string
  readonly position: number | null
  readonly entry: {
    readonly pr_url: string
    readonly servers: { name: string; calls: number; tools: unknown[] }[]
  } | null
}

const reviewer = createEventGenerator()
const tables =
  'pull_request, finding, finding_week, metrics_day, outcome, review_comment_change, mcp_usage, mcp_event, mcp_day, metrics_head, metrics_placement'

const { database, superuser, tenant, use } = await openTenant()
const writer = use(createTestWriter(database))
const [home, neighbour] = tenant.workspace.organizations
assert.ok(neighbour)
const [root, first, second, workplace] = [tenant.workspace.root, home, neighbour, toReviewTarget(home)]
beforeEach(() => superuser.query(`truncate ${tables}`))

/** Together, as the worker processes a message: first pull requests, then usage. */
async function store(...events: StoredEvent[]): Promise<void> {
  const uses = events.filter((event) => event.type === 'mcp.used')
  const reviews = events.filter((event) => event.type !== 'mcp.used')
  if (reviews.length > 0) assert.deepEqual(await storeEvents(writer, root, reviews), [])
  if (uses.length > 0) assert.deepEqual(await storeUsageEvents(writer, root, uses), [])
}

async function read<Found extends object>(text: string): Promise<Found[]> {
  return (await superuser.query<Found>(text)).rows
}

/** In the order of writing, what is not shown last. */
const rows = () =>
  read<UsageEntryRow>(
    'select pull_request_key as key, position::int, entry::json as entry from mcp_usage order by position, pull_request_key',
  )

const later = (event: FinalizedEvent, fields: Partial<FinalizedEvent['payload']> = {}, hours = 1) =>
  reviewer.finalized(workplace, {
    ...event.payload,
    ...fields,
    occurred_at: new Date(Date.parse(event.occurred_at) + hours * 3_600_000).toISOString(),
  })

const toKey = ({ payload }: FinalizedEvent) => toPullRequestKey(root, payload)

const closed = { status: 'closed', merged_at: null } as const

test('usage of a merged pull request is an entry with exactly the fields of the contract [P5-mcp-2]', async () => {
  const event = reviewer.finalized(workplace)
  const { payload } = event
  await store(
    event,
    createUsageEvent(event, [{ name: 'linear', tools: [{ name: 'search', calls: 3, errors: 1 }] }]),
  )
  const [row] = await read<{ entry: string }>('select entry from mcp_usage')
  assert.equal(
    row?.entry,
    JSON.stringify({
      pr_url: payload.url,
      organization_id: first.orgId,
      repository_id: payload.repository.id,
      author_id: payload.author?.id,
      merged_at: payload.merged_at,
      servers: [{ name: 'linear', calls: 3, tools: [{ name: 'search', calls: 3, errors: 1 }] }],
      completeness: 'best_effort',
    }),
  )
  const columns = await read(
    `select root_id, organization_id, instance_id, author_id, day::text, u.position = h.position as last,
       largest_mcp = octet_length(entry) as largest
     from mcp_usage u join metrics_head h using (root_id)`,
  )
  assert.deepEqual(columns, [
    {
      root_id: root,
      organization_id: first.id,
      instance_id: null,
      author_id: payload.author?.id,
      day: payload.merged_at?.slice(0, 10),
      last: true,
      largest: true,
    },
  ])
})

test('usage that arrives before its pull request is returned once the pull request arrives; without usage there is no entry [P10-9]', async () => {
  const [used, unused] = [reviewer.finalized(workplace), reviewer.finalized(workplace)]
  await store(createUsageEvent(used, ['a/x']))
  await store(createUsageEvent(used, ['a/y', 'b/x']))
  assert.deepEqual(await rows(), [{ key: toKey(used), position: null, entry: null }])
  await store(used, unused)
  const [row, ...others] = await rows()
  assert.deepEqual(others, [])
  assert.deepEqual(
    row?.entry?.servers.map(({ name, calls }) => [name, calls]),
    [
      ['a', 2],
      ['b', 1],
    ],
  )
  const [day] = await read(
    `select first_position::int, last_position::int from mcp_day where day = '${used.payload.merged_at?.slice(0, 10)}'`,
  )
  assert.deepEqual(day, { first_position: row?.position, last_position: row?.position })
})

test('growing usage and a rewrite move the entry to the end; an outcome or a duplicate does not', async () => {
  const events = Array.from({ length: 3 }, () => reviewer.finalized(workplace))
  const [one, two, three] = events
  assert.ok(one && two && three)
  const uses = events.map((event) => createUsageEvent(event, ['a/x']))
  await store(...events, ...uses)
  const order = async () => (await rows()).map(({ key }) => key)
  const keys = events.map(toKey)
  assert.deepEqual(await order(), keys)
  const untouched = await rows()
  await store(...uses.toReversed(), ...events, reviewer.outcome(one, { accepted: true }))
  assert.deepEqual(await rows(), untouched)
  await store(createUsageEvent(one, ['a/x']))
  assert.deepEqual(await order(), [keys[1], keys[2], keys[0]])
  const renamed = 'https://git.example.com/renamed/2'
  await store(later(two, { url: renamed }))
  assert.deepEqual(await order(), [keys[2], keys[0], keys[1]])
  assert.equal((await rows()).at(-1)?.entry?.pr_url, renamed)
})

test('closed pull requests are not returned; if one is merged later, all of its usage is returned', async () => {
  const event = reviewer.finalized(workplace, closed)
  await store(event, createUsageEvent(event, ['a/x']))
  await store(createUsageEvent(event, ['a/x']))
  const [hidden] = await rows()
  assert.deepEqual([hidden?.entry, hidden?.position], [null, null])
  const merged = later(event, { status: 'merged', merged_at: event.occurred_at })
  await store(merged)
  assert.equal((await rows())[0]?.entry?.servers[0]?.calls, 2)
  await store(later(merged, closed))
  assert.equal((await rows())[0]?.entry, null)
})

test('usage follows its pull request to another organization', async () => {
  const event = reviewer.finalized(workplace)
  await store(event, createUsageEvent(event, ['a/x']))
  const organization = { provider: 'github', host: 'github.com', id: second.orgId, name: second.name }
  await store(later(event, { organization }))
  assert.deepEqual(
    await read(`select organization_id, entry::json ->> 'organization_id' as told from mcp_usage`),
    [{ organization_id: second.id, told: second.orgId }],
  )
})

test('names are stored unchanged, whatever characters they contain', async () => {
  const odd = [`{"a,b"}`, `\\'";--`, 'null', 'NULL', '\\N', ' ', '…\u{1f600}', '$1', '\u2028', '\\x1f']
  const event = reviewer.finalized(workplace)
  const servers = odd.map((name) => ({ name, tools: [{ name, calls: 1, errors: 0 }] }))
  await store(event, createUsageEvent(event, servers, `\\'";--`))
  await store(createUsageEvent(event, servers, `\\'";--`))
  const [row] = await rows()
  assert.deepEqual(
    row?.entry?.servers,
    servers.map((server) => ({ ...server, calls: 1 })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
})

test('writing a pull request does not read usage in a root without usage', async () => {
  await superuser.query('revoke select on mcp_usage from scholiast_worker')
  try {
    await store(reviewer.finalized(workplace))
  } finally {
    await superuser.query('grant select on mcp_usage to scholiast_worker')
  }
})

test('a credential cannot add usage for other organizations or their pull requests', async () => {
  const theirs = reviewer.finalized(toReviewTarget(second))
  const early = reviewer.finalized(toReviewTarget(second))
  await store(theirs, createUsageEvent(theirs, ['a/x']), createUsageEvent(early, ['a/x']))
  const untouched = await rows()
  const organization = { provider: 'github', host: 'github.com', id: first.orgId, name: first.name }
  const asOurs = [theirs, early].map((event) =>
    createUsageEvent({ ...event, payload: { ...event.payload, organization } }, ['a/x']),
  )
  const refused = [...asOurs, createUsageEvent(theirs, ['a/x'])]
  const left = await storeUsageEvents(writer, root, refused, [first.id])
  assert.deepEqual(
    left.map(({ event, reason }) => `${event.id} ${reason}`).toSorted(),
    refused.map(({ id }) => `${id} ${UNRESOLVED_REASON}`).toSorted(),
  )
  assert.deepEqual(await rows(), untouched)
  assert.equal((await read('select from mcp_event')).length, 2)
})

test('usage is retried later while the metrics of its root are moving', async () => {
  const event = reviewer.finalized(workplace)
  await store(event)
  await superuser.query(`update metrics_head set state = 'moved'`)
  await assert.rejects(store(createUsageEvent(event, ['a/x'])), { name: 'RetryLaterError' })
  await superuser.query(`update metrics_head set state = 'active'`)
  await superuser.query(
    `insert into metrics_placement (root_id, store, moving_to) values ($1, 'shared', 'isolated')`,
    [root],
  )
  await assert.rejects(store(createUsageEvent(event, ['a/x'])), { name: 'RetryLaterError' })
  assert.deepEqual(await rows(), [])
})

test('concurrent writers lose no call', async () => {
  const events = Array.from({ length: 4 }, () => reviewer.finalized(workplace))
  await Promise.all(
    Array.from({ length: 12 }, async (_, lane) => {
      for (const event of events)
        await store(createUsageEvent(event, ['a/x', `a/${lane}`]), later(event, {}, lane))
    }),
  )
  const found = await rows()
  assert.equal(found.length, 4)
  for (const { entry } of found) {
    assert.deepEqual([entry?.servers[0]?.calls, entry?.servers[0]?.tools.length], [24, 13])
  }
})

interface Step {
  readonly number: number
  /** Null: the pull request is finalized. */
  readonly used: string[] | null
  readonly merged: boolean
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  number: fc.integer({ min: 1, max: 3 }),
  used: fc.option(fc.subarray(['a/x', 'a/y', 'b/x'], { minLength: 1 }), { freq: 2 }),
  merged: fc.boolean(),
})
/** Every event twice or more, in any order. */
const anyHistory = fc.array(anyStep, { minLength: 1, maxLength: 12 }).chain((steps) => {
  const events = steps.map(toEvent)
  const all = [...events, ...events]
  const order = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })
  return fc.record({ steps: fc.constant(steps), order, size: fc.integer({ min: 1, max: 5 }) })
})

function toEvent({ number, used, merged }: Step, at: number): StoredEvent {
  const event = createEventGenerator().finalized(toReviewTarget(first), {
    event_id: `finalized-${at}`,
    repository: { id: 'r', name: 'r' },
    number,
    author: { id: `author-${at}`, username: null },
    url: `https://git.example.com/r/${number}`,
    // After all merge times, which are cut to it otherwise.
    occurred_at: new Date(Date.UTC(2026, 1, 1, at)).toISOString(),
    merged_at: `2026-01-0${1 + (at % 7)}T00:00:00.000Z`,
    ...(!merged && closed),
  })
  return used === null ? event : createUsageEvent(event, used, `used-${at}`)
}

interface ExpectedUsage {
  readonly key: string
  readonly day: string | null
  readonly author: string | null
  readonly servers: unknown
}

/** The whole rule, for all steps at once: of each pull request all that was used, if it is merged in the end. */
function expectAfter(steps: readonly Step[]): ExpectedUsage[] {
  return [...Map.groupBy(steps.entries(), ([, { number }]) => number)]
    .flatMap(([number, of]): ExpectedUsage[] => {
      const calls = of.flatMap(([, { used }]) => used ?? [])
      if (calls.length === 0) return []
      const last = of.findLast(([, { used }]) => used === null)
      const key = toPullRequestKey(root, { organization: workplace, repository: { id: 'r' }, number })
      if (last === undefined || !last[1].merged) return [{ key, day: null, author: null, servers: null }]
      const count = (server: string, tool: string) =>
        calls.filter((call) => call === `${server}/${tool}`).length
      const servers = ['a', 'b'].flatMap((server) => {
        const used = ['x', 'y'].filter((tool) => count(server, tool) > 0)
        const counted = used.map((tool) => ({ name: tool, calls: count(server, tool), errors: 0 }))
        const sum = counted.reduce((total, tool) => total + tool.calls, 0)
        return used.length === 0 ? [] : [{ name: server, calls: sum, tools: counted }]
      })
      return [{ key, day: `2026-01-0${1 + (last[0] % 7)}`, author: `author-${last[0]}`, servers }]
    })
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

test('the stored state matches the model for any history in any order', async () => {
  const property = fc.asyncProperty(anyHistory, async ({ steps, order, size }) => {
    await superuser.query(`truncate ${tables}`)
    for (let from = 0; from < order.length; from += size) await store(...order.slice(from, from + size))
    const stored = await read(
      `select pull_request_key as key, day::text, author_id as author, entry::json -> 'servers' as servers
       from mcp_usage order by pull_request_key`,
    )
    assert.deepEqual(stored, expectAfter(steps))
    const [shown] = await read(
      'select count(*) = count(distinct position) as apart from mcp_usage where entry is not null',
    )
    assert.deepEqual(shown, { apart: true })
  })
  await fc.assert(property, { numRuns: 60 })
})
