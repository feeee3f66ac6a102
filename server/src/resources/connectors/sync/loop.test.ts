import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../../../test/call.ts'
import { MemoryForge } from '../../../../test/connectors/memory-forge.ts'
import { connectOrganization, createTestSync, runUntilIdle } from '../../../../test/connectors/test-sync.ts'
import { openDatabase } from '../../../../test/fixture.ts'
import { limitsOff } from '../../../../test/limits-off.ts'
import { createTenant, type Tenant } from '../../../../test/tenant.ts'
import { connect } from '../../../db/connect.ts'
import type { RootId } from '../../../ids.ts'
import { HOUR_MS } from '../../../time.ts'
import type { SyncContext } from './context.ts'
import { startSync } from './loop.ts'

const CONNECTORS = 20
/** Turns of the other tenant that each turn of the slow one waits for: together more than 100. */
const TURNS_MEANWHILE = 6
const MAX_WAIT_MS = 60_000

let forges: readonly [MemoryForge, MemoryForge]
const now = () => new Date(Date.now() + HOUR_MS)

const { database, superuser, use } = await openDatabase()
const tenants = [use(await createTenant(database)), use(await createTenant(database))] as const
const service = use(startService(database, limitsOff))
const pool = use(connect({ url: database.urls.worker, name: 'test', connections: 8 }))

beforeEach(() => {
  forges = [createForge(tenants[0]), createForge(tenants[1])]
})
afterEach(() => superuser.query('delete from connector'))

function createForge({ workspace }: Tenant): MemoryForge {
  return new MemoryForge(workspace.organizations[0].orgId, now)
}

/** A worker for both tenants, each with a forge of its own. */
function createSync(overrides: Partial<SyncContext> = {}): SyncContext {
  const [first, second] = forges
  return createTestSync(pool, first, [], {
    createClient: ({ root }) => (root === rootOf(tenants[0]) ? first : second).createClient(),
    sendEvents: () => Promise.resolve(),
    ...overrides,
  })
}

const rootOf = ({ workspace }: Tenant): RootId => workspace.root

/** The inventory of the second tenant is always due. */
async function keepBusy(forge: MemoryForge): Promise<void> {
  await connectOrganization(service, tenants[1], 'polling')
  forge.beforeRequest = async (name) => {
    if (name === 'members')
      await superuser.query('update connector set inventory_due_at = inventory_due_at - $1::interval', [
        '1 s',
      ])
  }
}

const countTurns = (forge: MemoryForge) => forge.requests.filter((name) => name === 'organization').length

/** False = it did not happen in time. */
async function waitFor(isReached: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + MAX_WAIT_MS; !(await isReached()); ) {
    if (Date.now() > end) return false
    await sleep(5)
  }
  return true
}

test('a tenant with many slow connectors does not delay another one, and each of its connectors is served', async () => {
  const [slow, busy] = forges
  for (let index = 0; index < CONNECTORS; index++) await connectOrganization(service, tenants[0], 'polling')
  await keepBusy(busy)
  const observed = { isDelayed: false }
  slow.beforeRequest = async (name) => {
    if (name !== 'organization' || observed.isDelayed) return
    const earlier = countTurns(busy)
    observed.isDelayed = !(await waitFor(() => countTurns(busy) >= earlier + TURNS_MEANWHILE))
  }
  const countServed = async () => {
    const { rowCount } = await superuser.query(
      'select from connector where root_id = $1 and inventory_sent_at is not null',
      [rootOf(tenants[0])],
    )
    return rowCount ?? 0
  }
  const running = startSync(createSync())
  try {
    while (!observed.isDelayed && (await countServed()) < CONNECTORS) await sleep(5)
    assert.equal(await countServed(), CONNECTORS)
    assert.ok(countTurns(busy) > 100, `${countTurns(busy)} turns`)
  } finally {
    observed.isDelayed = true
    await running.stop()
  }
})

test('a step that never returns ends at its deadline, is recorded, and leaves its slot to others', async () => {
  const [stuck, busy] = forges
  const { key } = await connectOrganization(service, tenants[0], 'polling')
  await keepBusy(busy)
  const never = Promise.withResolvers<void>()
  let signal: AbortSignal | undefined
  stuck.beforeRequest = () => never.promise
  const sync = createSync()
  const running = startSync(
    createSync({
      createClient(connector, work, aborted) {
        if (connector.root === rootOf(tenants[0])) signal = aborted
        return sync.createClient(connector, work)
      },
    }),
    { maxStepMs: { inventory: 2000 } },
  )
  const readShown = async () => {
    const { body } = await service.call('/v1/connectors', { key })
    return (body.data as unknown as { error: string | null }[])[0]
  }
  try {
    assert.ok(await waitFor(async () => (await readShown())?.error !== null))
    assert.match(String((await readShown())?.error), /took so long that it was ended/)
    assert.equal(signal?.aborted, true)
    const [requests, turns] = [stuck.requests.length, countTurns(busy)]
    assert.ok(await waitFor(() => countTurns(busy) > turns + 5))
    assert.equal(stuck.requests.length, requests, 'it rests')
    // What it waited for comes after all: nothing of it is stored.
    never.resolve()
    await waitFor(() => countTurns(busy) > turns + 10)
    const { rows } = await superuser.query('select from connector_repository where root_id = $1', [
      rootOf(tenants[0]),
    ])
    assert.equal(rows.length, 0)
  } finally {
    await running.stop()
  }
})

const LIVE_DEADLINE_MS = 3000
// An inventory may take longer, and does not hold a slot of live steps.
const stuckSteps = [
  { steps: 'live steps', stuckAt: 'read', slots: 6 },
  { steps: 'inventories', stuckAt: 'organization', slots: 2 },
] as const

for (const { steps, stuckAt, slots } of stuckSteps) {
  test(`seven tenants whose ${steps} never end delay another one by the deadline of a live step at most`, async () => {
    const stuck = await Promise.all(Array.from({ length: 7 }, () => createTenant(database)))
    const stuckForges = new Map(stuck.map((tenant) => [rootOf(tenant), createForge(tenant)]))
    const [, served] = forges
    const own = createSync()
    const sync = createSync({
      createClient: (connector, work) =>
        stuckForges.get(connector.root)?.createClient() ?? own.createClient(connector, work),
    })
    for (const tenant of [...stuck, tenants[1]]) await connectOrganization(service, tenant, 'hooks')
    for (const forge of [...stuckForges.values(), served]) forge.write(forge.addRepository('1'), 1, {})
    await runUntilIdle(sync)

    const never = Promise.withResolvers<void>()
    let stuckCount = 0
    for (const forge of stuckForges.values())
      forge.beforeRequest = async (name) => {
        if (name !== stuckAt) return
        stuckCount += 1
        await never.promise
      }
    await superuser.query('update connector set inventory_due_at = now() where root_id <> $1', [
      rootOf(tenants[1]),
    ])
    await superuser.query(`${markPullRequests} where root_id <> $1`, [rootOf(tenants[1])])
    const running = startSync(sync, { maxStepMs: { live: LIVE_DEADLINE_MS } })
    const countReads = () => served.requests.filter((name) => name === 'read').length
    try {
      assert.ok(await waitFor(() => stuckCount >= slots))
      const [reads, started] = [countReads(), performance.now()]
      await superuser.query(`${markPullRequests} where root_id = $1`, [rootOf(tenants[1])])
      assert.ok(await waitFor(() => countReads() > reads))
      const waited = performance.now() - started
      assert.ok(waited < 2 * LIVE_DEADLINE_MS, `${waited} ms`)
    } finally {
      never.resolve()
      await running.stop()
      await Promise.all(stuck.map((tenant) => tenant.close()))
    }
  })
}

/** As hooks do. */
const markPullRequests =
  'update connector_pull_request set dirty_since = now(), due_at = now(), marks = marks + 1'

test('a failure that cannot be recorded is logged, and stops neither the tenant nor others', async () => {
  const [failing, busy] = forges
  await connectOrganization(service, tenants[0], 'polling')
  await keepBusy(busy)
  failing.beforeRequest = () => {
    throw new TypeError('a defect')
  }
  await superuser.query(
    `create function refuse_trouble() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse_trouble before update of error on connector for each row execute function refuse_trouble()`,
  )
  const logged: unknown[] = []
  const sync = createSync()
  const log = {
    ...sync.log,
    error: (...values: unknown[]) => logged.push(values[1]),
  } as unknown as SyncContext['log']
  const running = startSync({ ...sync, log })
  try {
    assert.ok(await waitFor(() => logged.includes('could not record the failure of a connector')))
    const turns = countTurns(busy)
    assert.ok(await waitFor(() => countTurns(busy) > turns + 5))
    await superuser.query('update connector set lease_until = null')
    assert.ok(await waitFor(() => countTurns(failing) > 1), 'it is tried again')
  } finally {
    await running.stop()
    await superuser.query('drop function refuse_trouble cascade')
  }
})
