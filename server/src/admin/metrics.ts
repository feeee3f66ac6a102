import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../access/scope.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import {
  listPlacementsUnscoped,
  type MoveStatus,
  readMoveStatus,
  requestMove,
} from '../resources/placements/move.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'
import { type AdminContext, changeRoot } from './context.ts'
import {
  type Command,
  command,
  done,
  dryRunOption,
  moreAfter,
  pageOf,
  pageOptions,
  rootOption,
  UsageError,
} from './line/command.ts'

const environment = ['WORKER_DATABASE_URL', 'METRICS_STORES']
const POLL_INTERVAL_MS = 500

const move = command({
  name: 'metrics move',
  summary: 'Move the metrics of a tenant root to another store; the worker does it',
  environment,
  options: {
    root: rootOption,
    store: { kind: 'text', takes: 'STORE', required: true, summary: 'A name of METRICS_STORES, or shared' },
    wait: { kind: 'flag', summary: 'Wait until the worker has moved them' },
    'dry-run': dryRunOption,
  },
  words: ['root', 'store'],
  example: "'Meridian Freight' isolated --wait",
  async run(admin, { root, store, wait, 'dry-run': dryRun }) {
    await refuseUnready(admin, store)
    const from = await changeRoot(admin, root, (change) => requestMove(change, store), { dryRun })
    const facts = { from, store, dry_run: dryRun }
    if (dryRun) return done(`Would move the metrics from "${from}" to "${store}".`, facts)
    if (!wait) return done(`The worker moves the metrics from "${from}" to "${store}".`, facts)
    await waitUntilMoved(admin, root)
    return done(`The metrics were moved from "${from}" to "${store}".`, facts)
  },
})

/** A root that has left for a store which is not there would be without metrics until it is. */
async function refuseUnready(admin: AdminContext, store: string): Promise<void> {
  const stores = admin.stores()
  if (!stores.names.includes(store)) {
    const known = stores.names.join(', ')
    throw new UsageError(`There is no metrics store "${store}" in METRICS_STORES. There are: ${known}.`)
  }
  await refuseUnguardedRole(stores.pool(store))
}

async function waitUntilMoved(admin: AdminContext, root: string): Promise<void> {
  for (let said = ''; ; ) {
    const status = await readStatus(admin, root)
    if (status.moving_to === null && status.leaving === null) return
    const line = describeMove(status)
    if (line !== said) admin.say(line)
    said = line
    await sleep(POLL_INTERVAL_MS)
  }
}

async function readStatus(admin: AdminContext, root: string) {
  const { pool } = await admin.operator()
  const { id, name } = await findRootUnscoped(pool, root)
  return { id, name, ...(await readMoveStatus(rootScope(id), pool, admin.stores())) }
}

function describeMove({ store, moving_to, leaving, stage, rows_copied }: MoveStatus): string {
  if (moving_to !== null) {
    const rows = rows_copied === null ? '' : `, ${rows_copied} rows`
    return `From "${store}" to "${moving_to}": ${stage}${rows}.`
  }
  if (leaving !== null) return `In "${store}"; what was left in "${leaving}" is being deleted.`
  return `In "${store}".`
}

const list = command({
  name: 'metrics list',
  summary: 'List the tenant roots whose metrics were moved; the others are in "shared"',
  options: pageOptions,
  example: '--limit 50',
  async run(admin, values) {
    const page = pageOf(values)
    const rows = await listPlacementsUnscoped((await admin.operator()).pool, page)
    return {
      rows: rows.map((row) => ({ ...row })),
      none: 'Nothing was moved: all metrics are in "shared".',
      more: moreAfter(rows, page.limit),
    }
  },
})

const status = command({
  name: 'metrics status',
  summary: 'Show where the metrics of a tenant root are, and how their move goes',
  environment,
  options: { root: rootOption },
  words: ['root'],
  example: "'Meridian Freight'",
  async run(admin, { root }) {
    const found = await readStatus(admin, root)
    return { said: describeMove(found), facts: { ...found } }
  },
})

export const metricsCommands: readonly Command[] = [move, list, status]
