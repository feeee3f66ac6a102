import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTenant } from '../../test/fixture.ts'
import { createUsageEvent, storeUsageEvents } from '../../test/metrics/usage.ts'
import { createEventGenerator, storeEvents, toReviewTarget } from '../../test/pull-requests.ts'
import { createStores } from '../../test/stores.ts'
import { createTenant, type TestRoot } from '../../test/tenant.ts'
import { waitFor } from '../../test/wait.ts'
import { rootScope } from '../access/scope.ts'
import { emit } from '../bus/emit.ts'
import { RetryLaterError } from '../bus/ingest-event.ts'
import { connect } from '../db/connect.ts'
import { connectMetricsStores } from '../db/stores.ts'
import { inTransaction } from '../db/transaction.ts'
import type { RootId } from '../ids.ts'
import { createLog } from '../observe/log.ts'
import { requestMove } from '../resources/placements/move.ts'
import { moveMetrics, stepMove } from './move.ts'
import { movedTables } from './move-rows-sql.ts'
import {
  advanceArrival,
  claimTarget,
  clearLeavingStore,
  completePlacement,
  fenceSource,
  lockMovedHead,
  openTarget,
} from './move-sql.ts'

const { database, superuser, tenant, use } = await openTenant()
const stores = use(await createStores(database))
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 4 }))
const mover = {
  database: pool,
  stores: stores.stores,
  log: createLog('test', 'silent'),
  now,
  emitEvent: emit,
}
const superusers = { shared: superuser, isolated: use(stores.isolated.superuser()) }

function now(): Date {
  return new Date()
}

const writer = () => ({ database: pool, stores: stores.stores, organizationCache: new Map(), now })
let seed = 0

async function writePullRequests({ root, organizations }: TestRoot, count: number): Promise<void> {
  const reviewer = createEventGenerator({ seed: (seed += 1), findings: 3 })
  const workplaces = organizations.map((organization) => toReviewTarget(organization))
  const finalized = Array.from({ length: count }, (_, index) => {
    const place = workplaces[index % workplaces.length]
    assert.ok(place)
    return reviewer.finalized(place, { number: seed * 100_000 + index })
  })
  const outcomes = finalized.filter((_, index) => index % 3 === 0).map((event) => reviewer.outcome(event))
  for (const events of [finalized, outcomes]) assert.deepEqual(await storeEvents(writer(), root, events), [])
  const used = finalized
    .filter((_, index) => index % 4 === 0)
    .map((event) => createUsageEvent(event, ['a/b', 'a/c']))
  assert.deepEqual(await storeUsageEvents(writer(), root, used), [])
}

const requestRootMove = (root: RootId, store: string) =>
  tenant.change(root, (change) => requestMove(change, store))

/** Everything a store holds of a root, row by row. */
async function readContents(store: 'shared' | 'isolated', root: RootId): Promise<string[]> {
  const rows: string[] = []
  for (const table of movedTables) {
    const found = await superusers[store].query<{ line: string }>(
      `select '${table} ' || row_to_json(t) as line from ${table} t where root_id = $1`,
      [root],
    )
    rows.push(...found.rows.map(({ line }) => line).sort())
  }
  return rows
}

async function readHeadRow(store: 'shared' | 'isolated', root: RootId) {
  const { rows } = await superusers[store].query<{ position: string; state: string; move: number }>(
    `select position, state, move, arrival, largest_entry, largest_review, largest_mcp from metrics_head where root_id = $1`,
    [root],
  )
  return rows[0]
}

async function readPlacementRow(root: RootId) {
  const { rows } = await superusers.shared.query(
    `select store, moving_to, leaving, move from metrics_placement where root_id = $1`,
    [root],
  )
  return rows[0] as unknown
}

async function finishMove(root: RootId): Promise<string[]> {
  const steps: string[] = []
  for (let step = await stepMove(mover, root); step !== 'rest'; step = await stepMove(mover, root)) {
    steps.push(step)
  }
  return steps
}

test('a root moves to another store and back with every row, and positions continue', async () => {
  const { root } = tenant.workspace
  await writePullRequests(tenant.workspace, 700)
  await writePullRequests(tenant.alone, 20)
  const [all, others] = await Promise.all([
    readContents('shared', root),
    readContents('shared', tenant.alone.root),
  ])
  for (const table of movedTables)
    assert.ok(
      all.some((row) => row.startsWith(`${table} `)),
      table,
    )
  const head = await readHeadRow('shared', root)
  assert.equal(await requestRootMove(root, 'isolated'), 'shared')
  const steps = await finishMove(root)
  assert.deepEqual(
    [...new Set(steps)],
    ['fence', 'claim', 'clear', 'copy', 'open', 'settle', 'sweep'],
    'each step once or more, in this order',
  )
  assert.deepEqual(await readContents('isolated', root), all)
  assert.deepEqual(await readContents('shared', root), [])
  assert.deepEqual(await readContents('shared', tenant.alone.root), others)
  assert.deepEqual(await readHeadRow('isolated', root), { ...head, move: 1 })
  assert.deepEqual(await readHeadRow('shared', root), { ...head, state: 'moved', move: 1 })
  assert.deepEqual(await readPlacementRow(root), {
    store: 'isolated',
    moving_to: null,
    leaving: null,
    move: 1,
  })

  await writePullRequests(tenant.workspace, 10)
  assert.deepEqual(await readContents('shared', root), [])
  const more = await readContents('isolated', root)
  assert.ok(more.length > all.length)
  const grown = await readHeadRow('isolated', root)
  assert.ok(Number(grown?.position) > Number(head?.position))
  await requestRootMove(root, 'shared')
  await finishMove(root)
  assert.deepEqual(await readContents('shared', root), more)
  assert.deepEqual(await readContents('isolated', root), [])
  assert.deepEqual(await readHeadRow('shared', root), { ...grown, move: 2 })
})

test('a move writes an audit row and an event at its start and its end', async () => {
  const { root } = tenant.instance
  await requestRootMove(root, 'isolated')
  await finishMove(root)
  const audits = await superusers.shared.query(
    `select action, actor_kind, metadata from audit_log where root_id = $1 and action like 'metrics%' order by position`,
    [root],
  )
  const metadata = { from: 'shared', store: 'isolated' }
  assert.deepEqual(audits.rows, [
    { action: 'metrics_move_requested', actor_kind: 'operator', metadata },
    { action: 'metrics_moved', actor_kind: 'service', metadata: { ...metadata, position: 0 } },
  ])
  const events = await superusers.shared.query(
    `select type, payload from outbox where root_id = $1 and type like 'metrics%' order by id`,
    [root],
  )
  assert.deepEqual(events.rows, [
    { type: 'metrics.move_requested', payload: metadata },
    { type: 'metrics.moved', payload: metadata },
  ])
})

test('writes are rejected during a move, including those routed before it', async () => {
  const { root } = tenant.alone
  await requestRootMove(root, 'isolated')
  await assert.rejects(writePullRequests(tenant.alone, 1), RetryLaterError)
  assert.equal(await stepMove(mover, root), 'fence')
  // As if the writer had looked up the store before the move was asked for.
  await superusers.shared.query('update metrics_placement set moving_to = null where root_id = $1', [root])
  await assert.rejects(writePullRequests(tenant.alone, 1), RetryLaterError)
  await superusers.shared.query(`update metrics_placement set moving_to = 'isolated' where root_id = $1`, [
    root,
  ])
  await finishMove(root)
  await writePullRequests(tenant.alone, 1)
})

test('the fence waits for the writer that holds the head', async () => {
  const made = await createTenant(database)
  const { root } = made.alone
  await writePullRequests(made.alone, 1)
  await requestRootMove(root, 'isolated')
  const writing = await superusers.shared.connect()
  await writing.query('begin')
  await writing.query('update metrics_head set position = position + 1 where root_id = $1', [root])
  const fenced = stepMove(mover, root)
  await waitFor('the fence waits', async () => {
    const { rows } = await superusers.shared.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%metrics_head%'
         and datname = current_database()`,
    )
    return rows.length === 1
  })
  await writing.query('commit')
  writing.release()
  assert.equal(await fenced, 'fence')
  await finishMove(root)
  assert.equal((await readHeadRow('isolated', root))?.position, (await readHeadRow('shared', root))?.position)
  await made.close()
})

test('leftover rows in the target store are deleted first', async () => {
  const { root } = tenant.workspace
  const all = await readContents('shared', root)
  assert.ok(all.length > 0)
  await superusers.isolated.query(
    `insert into review_comment_change (root_id, position, organization_id, pull_request_key, entry) values ($1, 1, $1, $1, 'left')`,
    [root],
  )
  await requestRootMove(root, 'isolated')
  await finishMove(root)
  assert.deepEqual(await readContents('isolated', root), all)
})

test('crashing and concurrent movers neither lose nor duplicate rows', async () => {
  const made = await createTenant(database, { organizations: 3 })
  const { root } = made.workspace
  await writePullRequests(made.workspace, 2_500)
  const all = await readContents('shared', root)
  const settled = async (store: string) => {
    const place = (await readPlacementRow(root)) as { store: string; moving_to: null; leaving: null }
    return place.store === store && place.moving_to === null && place.leaving === null
  }
  for (const store of ['isolated', 'shared', 'isolated'] as const) {
    await requestRootMove(root, store)
    const done = new AbortController()
    const movers = [1, 2, 3].map(async () => {
      while (!done.signal.aborted) await moveMetrics(mover)
    })
    const killer = (async () => {
      for (const end = Date.now() + 2_000; !done.signal.aborted && Date.now() < end; ) {
        for (const each of Object.values(superusers)) {
          await each.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'scholiast-test-metrics' and datname = current_database() and random() < 0.3`,
          )
        }
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
    })()
    await waitFor(`the root is in ${store}`, () => settled(store)).finally(() => done.abort())
    await Promise.all([...movers, killer])
    assert.deepEqual(await readContents(store, root), all)
    assert.deepEqual(await readContents(store === 'shared' ? 'isolated' : 'shared', root), [])
  }
  await made.close()
})

test('a worker of an earlier move changes nothing', async () => {
  const { root } = tenant.alone
  const scope = rootScope(root)
  const place = (await readPlacementRow(root)) as { move: number; store: string }
  await requestRootMove(root, 'shared')
  await finishMove(root)
  const [shared, isolated] = [stores.stores.pool('shared'), stores.stores.pool('isolated')]
  const rows = await readContents('shared', root)
  const heads = [await readHeadRow('shared', root), await readHeadRow('isolated', root)]
  for (const old of [1, place.move, place.move + 1]) {
    const source = {
      position: 0,
      largest_entry: 0,
      largest_review: 0,
      largest_mcp: 0,
      state: 'moved',
      move: old,
      arrival: null,
    } as const
    const arrival = { stage: 'copied', rows: 0 } as const
    for (const store of [shared, isolated]) {
      const tries = await inTransaction(store, scope, async (tx) => [
        await fenceSource(scope, tx, old),
        await claimTarget(scope, tx, old, { stage: 'clearing' }),
        await advanceArrival(scope, tx, old, { stage: 'clearing' }, arrival),
        await openTarget(scope, tx, old, arrival, source),
        old <= place.move && (await lockMovedHead(scope, tx, old)),
      ])
      assert.ok(!tries.includes(true), `move ${old}: ${tries.join()}`)
    }
    const settles = await inTransaction(pool, scope, async (tx) => [
      await completePlacement(scope, tx, old),
      old <= place.move && (await clearLeavingStore(scope, tx, old)),
    ])
    assert.ok(!settles.includes(true), `move ${old}: ${settles.join()}`)
  }
  assert.deepEqual([await readHeadRow('shared', root), await readHeadRow('isolated', root)], heads)
  assert.deepEqual(await readContents('shared', root), rows)
})

test('large rows are copied in several chunks', async () => {
  const made = await createTenant(database)
  const { root } = made.alone
  await superusers.shared.query(
    `insert into pull_request (root_id, pull_request_key, provider, host, repository_id, number, organization_id,
       provider_organization_id, organization_name, url, status, reviewers, day, position, event_id, event_at, counted, entry, review)
     select $1, gen_random_uuid(), 'github', 'github.com', 'r', n, $1, 'o', 'o', 'u', 'merged', '{"a, \\"b\\"",c}', '2026-01-01', n,
       'e' || n, now(), true, repeat('"é\\', 150000), '{ "spaced" : 1.10 }' from generate_series(1, 12) n`,
    [root],
  )
  const all = await readContents('shared', root)
  await requestRootMove(root, 'isolated')
  const steps = await finishMove(root)
  assert.ok(steps.filter((step) => step === 'copy').length > 5)
  assert.deepEqual(await readContents('isolated', root), all)
  await made.close()
})

test('a failing move leaves the root in place and does not stop other moves', async () => {
  const made = await createTenant(database)
  const urls = new Map([
    ['shared', database.urls.worker],
    ['isolated', stores.isolated.urls.worker],
    ['twin', `${database.urls.worker}?x=1`],
    ['away', 'postgres://scholiast_worker@127.0.0.1:1/nowhere'],
  ])
  const opened = connectMetricsStores(urls, 'test', 1)
  const wider = { ...mover, stores: opened }
  const moves = [
    { root: made.workspace.root, store: 'away', says: /ECONNREFUSED/ },
    { root: made.instance.root, store: 'unheard-of', says: /metrics store "unheard-of" is not configured/ },
    { root: made.lower.root, store: 'twin', says: /are the same database/ },
  ]
  for (const { root, store } of moves) await requestRootMove(root, store)
  await requestRootMove(made.alone.root, 'isolated')
  await writePullRequests(tenant.workspace, 1)
  for (const { root, says: pattern } of moves) await assert.rejects(stepMove(wider, root), pattern)
  await moveMetrics(wider)
  for (const { root } of moves) assert.equal(await readHeadRow('shared', root), undefined, 'no fence')
  assert.equal(((await readPlacementRow(made.alone.root)) as { store: string }).store, 'isolated')
  await superusers.shared.query('delete from metrics_placement where root_id = any ($1)', [
    moves.map(({ root }) => root),
  ])
  await Promise.all([opened.close(), made.close()])
})

test('a target store with missing rows is not opened', async () => {
  const made = await createTenant(database)
  const { root } = made.workspace
  await writePullRequests(made.workspace, 30)
  await requestRootMove(root, 'isolated')
  for (let step = await stepMove(mover, root); ; step = await stepMove(mover, root)) {
    const arrival = (await readHeadRow('isolated', root)) as unknown as { arrival: { stage: string } | null }
    if (step === 'copy' && arrival.arrival?.stage === 'copied') break
  }
  await superusers.isolated.query(
    'delete from outcome where ctid = (select ctid from outcome where root_id = $1 limit 1)',
    [root],
  )
  await assert.rejects(stepMove(mover, root), /it is not opened/)
  assert.equal((await readHeadRow('isolated', root))?.state, 'incoming')
  await superusers.shared.query('delete from metrics_placement where root_id = $1', [root])
  await made.close()
})
