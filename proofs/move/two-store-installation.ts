import { setTimeout as sleep } from 'node:timers/promises'
import { createBus } from '../../server/test/bus.ts'
import { createDatabase } from '../../server/test/database.ts'
import { createCredential, ingestSettings } from '../../server/test/ingest.ts'
import { startApi, startWorker } from '../../server/test/process.ts'
import { createStores } from '../../server/test/stores.ts'
import { createTenant, type TestRoot } from '../../server/test/tenant.ts'
import { runAdmin } from '../tools/admin.ts'

export type Store = 'shared' | 'isolated'

export interface RowCounts {
  readonly events: number
  readonly changes: number
}

/** A service with two metrics stores and a root to move between them. */
export interface TwoStoreInstallation {
  readonly url: string
  readonly root: TestRoot
  /** A workspace token. */
  readonly key: string
  readonly credential: string
  /** Requests a move with the operator's command. */
  requestMove(store: Store): Promise<void>
  /** Resolves when the root can be read again; with `swept`, when the old store is empty too. */
  waitUntilMoved(options: { readonly swept: boolean }): Promise<void>
  /** Kills the worker with -9 while it copies, and starts another one. False if the copy finished first. */
  killWhileCopying(to: Store): Promise<boolean>
  /** Rows of the root in a store: those of events, and those of the changes feed. */
  count(store: Store): Promise<RowCounts>
  stop(): Promise<void>
}

const MAX_MOVE_MS = 300_000

const selectPlacement = `select moving_to is null and (leaving is null or not $2) as moved from metrics_placement
  where root_id = $1`
const selectArrival = `select arrival ->> 'stage' as stage, (arrival ->> 'rows')::int as rows, state from metrics_head
  where root_id = $1`
const selectRowCounts = `select
  ((select count(*) from pull_request where root_id = $1) + (select count(*) from outcome where root_id = $1))::int
    as events,
  (select count(*)::int from review_comment_change where root_id = $1) as changes`

/** `workerEntry` may be that of a copy of the source without a cure. */
export async function startTwoStoreInstallation(workerEntry?: string): Promise<TwoStoreInstallation> {
  const database = await createDatabase()
  const [stores, bus, tenant] = await Promise.all([
    createStores(database),
    createBus(),
    createTenant(database),
  ])
  const settings = { ...ingestSettings(bus), METRICS_STORES: stores.setting, LIMIT_METRICS: 'off' }
  const { root } = tenant.workspace
  const { value: key } = await tenant.createKey('workspace')
  const api = await startApi(database, settings)
  let worker = await startWorker(database, settings, workerEntry)
  const superusers = { shared: database.superuser(), isolated: stores.isolated.superuser() }
  const queryStore = async <Row extends object>(store: Store, text: string, ...values: unknown[]) => {
    const { rows } = await superusers[store].query<Row>(text, [root, ...values])
    return rows[0]
  }

  return {
    url: api.url,
    root: tenant.workspace,
    key,
    credential: createCredential(tenant.ring, root).value,
    async requestMove(store) {
      const environment = { WORKER_DATABASE_URL: database.urls.worker, METRICS_STORES: stores.setting }
      await runAdmin(environment, 'metrics', 'move', root, store)
    },
    waitUntilMoved: ({ swept }) =>
      waitUntil(
        async () => (await queryStore<{ moved: boolean }>('shared', selectPlacement, swept))?.moved ?? false,
        50,
      ),
    async killWhileCopying(to) {
      let isCopying = false
      await waitUntil(async () => {
        const head = await queryStore<{ stage: string; rows: number; state: string }>(to, selectArrival)
        isCopying = head?.stage === 'copying' && head.rows > 0
        return isCopying || head?.state === 'active'
      }, 1)
      await worker.stop('SIGKILL')
      worker = await startWorker(database, settings, workerEntry)
      return isCopying
    },
    count: async (store) =>
      (await queryStore<RowCounts>(store, selectRowCounts)) ?? { events: 0, changes: 0 },
    async stop() {
      await Promise.all([api.stop(), worker.stop()])
      await Promise.all([...Object.values(superusers).map((pool) => pool.end()), tenant.close(), bus.drop()])
      await stores.drop()
      await database.drop()
    },
  }
}

async function waitUntil(condition: () => Promise<boolean>, pauseMs: number): Promise<void> {
  const end = Date.now() + MAX_MOVE_MS
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('A move did not finish within five minutes.')
    await sleep(pauseMs)
  }
}
