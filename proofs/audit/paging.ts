import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '../../server/test/database.ts'
import { startApi } from '../../server/test/process.ts'
import { applyAuditedChange, connect, loadAppendAudit } from '../../server/test/proofs/audit.ts'
import { createTenant, type Tenant } from '../../server/test/tenant.ts'
import { copyWithout } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { createPoller, type Poller } from './poller.ts'
import { positionsFromSequence, prepareSequence } from './without-lock.ts'

const WRITERS = 16
const PAUSE_MS = 5
const SLOW_MS = 100

interface WrittenRow {
  readonly name: string
  readonly root: string
  readonly organization: string
  readonly action: string
}

interface Follower {
  readonly poller: Poller
  readonly sees: (row: WrittenRow) => boolean
}

/** Pollers of every kind follow the log over HTTP under many writers, some of which fail or are slow. */
export async function provePaging(rows: number, withLock: boolean): Promise<Measurement[]> {
  const database = await createDatabase()
  const superuser = database.superuser()
  const copy = withLock ? null : await copyWithout([positionsFromSequence])
  const tenant = await createTenant(database, { repositories: 0 })
  const pool = connect({ url: database.urls.api, name: 'proof', connections: WRITERS })
  const api = await startApi(database, { LIMIT_AUDIT: 'off' })
  try {
    if (copy !== null) await prepareSequence(superuser)
    const appendAudit = await loadAppendAudit(copy?.apiEntry ?? null)
    const followers = await createFollowers(tenant, api.url)
    const written: WrittenRow[] = []
    let writing = true
    const write = (load: Parameters<typeof applyAuditedChange>[2]) =>
      applyAuditedChange(appendAudit, pool, load)
    await Promise.all([
      writeRows(tenant, rows, followers, write, written).finally(() => {
        writing = false
      }),
      ...followers.map(({ poller }) => follow(poller, () => writing)),
    ])
    return followers.map((follower) => checkFollower(follower, written))
  } finally {
    await api.stop()
    await Promise.all([pool.end(), tenant.close(), superuser.end()])
    await copy?.remove()
    await database.drop()
  }
}

async function createFollowers(tenant: Tenant, url: string): Promise<Follower[]> {
  const { workspace, instance } = tenant
  const kinds = ['workspace', 'organization', 'instance'] as const
  const keys = await Promise.all(kinds.map((kind) => tenant.createKey(kind)))
  const [token, bound, ofInstance] = keys.map(({ value }) => value) as [string, string, string]
  const [first] = workspace.organizations
  const inWorkspace = ({ root }: WrittenRow) => root === workspace.root
  return [
    { poller: createPoller('workspace key', url, token, ''), sees: inWorkspace },
    {
      poller: createPoller('organization key', url, bound, ''),
      sees: ({ organization }) => organization === first.id,
    },
    { poller: createPoller('instance key', url, ofInstance, ''), sees: ({ root }) => root === instance.root },
    {
      poller: createPoller('workspace key, one action', url, token, 'actions=role_deleted'),
      sees: (row) => inWorkspace(row) && row.action === 'role_deleted',
    },
    {
      poller: createPoller('organization key, one action', url, bound, 'actions=role_created'),
      sees: (row) => row.organization === first.id && row.action === 'role_created',
    },
  ]
}

async function writeRows(
  { workspace, instance }: Tenant,
  rows: number,
  followers: readonly Follower[],
  write: (change: Parameters<typeof applyAuditedChange>[2]) => Promise<boolean>,
  written: WrittenRow[],
): Promise<void> {
  let changes = 0
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (written.length < rows) {
        const pollMs = await waitForPollers(followers)
        for (let burst = 0; burst < 8 && written.length < rows; burst++) {
          changes += 1
          const of = changes % 3 === 0 ? instance : workspace
          const organization = pick(of.organizations).id
          const action = changes % 7 === 0 ? 'role_deleted' : 'role_created'
          const heldMs =
            changes % 20 === 7 ? SLOW_MS * Math.random() : Math.min(pollMs, SLOW_MS) * 0.2 * Math.random()
          const row = { name: randomUUID(), root: of.root, organization, action } as const
          if (await write({ ...row, heldMs, rolledBack: changes % 10 === 3 })) written.push(row)
        }
      }
    }),
  )
}

/** Writers wait for the pollers: a poller that lags sees only rows committed long ago, and misses none. */
async function waitForPollers(followers: readonly Follower[]): Promise<number> {
  const started = performance.now()
  const before = followers.map(({ poller }) => poller.caughtUpCount)
  while (followers.some(({ poller }, index) => poller.caughtUpCount === before[index])) await sleep(1)
  return performance.now() - started
}

async function follow(poller: Poller, shouldContinue: () => boolean): Promise<void> {
  while (shouldContinue()) if (!(await poller.poll())) await sleep(Math.random() * PAUSE_MS)
  while (await poller.poll()) continue
}

function checkFollower({ poller, sees }: Follower, written: readonly WrittenRow[]): Measurement {
  const expected = new Set(written.filter(sees).map(({ name }) => name))
  const received = new Set(poller.seen)
  const missed = [...expected].filter((name) => !received.has(name)).length
  const twice = poller.seen.length - received.size
  const neverCommitted = [...received].filter((name) => !expected.has(name)).length
  return {
    measure: `${poller.name} under ${WRITERS} writers, ${expected.size} rows: missed, repeated, never committed`,
    goal: '0, 0, 0',
    result: `${missed}, ${twice}, ${neverCommitted}`,
    met: expected.size > written.length / 50 && missed === 0 && twice === 0 && neverCommitted === 0,
  }
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
