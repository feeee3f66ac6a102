import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../access/scope.ts'
import { readMetricsRetention, readSettings } from '../config.ts'
import { refuseUnguardedRole } from '../db/guard.ts'
import { pluralize } from '../plural.ts'
import { countExpiredInStore, expireStore } from '../resources/metrics/retention/expire.ts'
import { type MoveStatus, readMoveStatus, requestMove } from '../resources/placements/move.ts'
import { readPlacementsUnscoped } from '../resources/placements/sql.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'
import { getFirstDayOfMonth } from '../time.ts'
import {
  type AdminCommand,
  briefOutput,
  defineCommand,
  listPage,
  type OutputFields,
  option,
  UsageError,
} from './command.ts'
import { type AdminContext, changeRoot } from './context.ts'

const environment = ['WORKER_DATABASE_URL', 'METRICS_STORES']
const POLL_INTERVAL_MS = 500
const REPORT_MS = 5_000

const move = defineCommand({
  name: 'metrics move',
  summary: 'Move the metrics of a tenant root to another store, in the background',
  environment,
  options: {
    root: option.root,
    store: option.text('STORE', 'Target store: a name from METRICS_STORES, or shared', { required: true }),
    wait: option.flag('Wait until the worker has finished the move'),
    'dry-run': option.dryRun,
  },
  positionals: ['root', 'store'],
  example: "'Meridian Freight' isolated --wait",
  async run(admin, { root, store, wait, 'dry-run': dryRun }) {
    await refuseUnready(admin, store)
    const from = await changeRoot(admin, root, (change) => requestMove(change, store), { dryRun })
    const fields = { from, store, dry_run: dryRun }
    if (dryRun) return briefOutput(`Would move the metrics from "${from}" to "${store}".`, fields)
    if (!wait) return briefOutput(`The worker will move the metrics from "${from}" to "${store}".`, fields)
    await waitUntilMoved(admin, root)
    return briefOutput(`The metrics were moved from "${from}" to "${store}".`, fields)
  },
})

/** A root moved to an unavailable store would have no metrics until the store is back. */
async function refuseUnready(admin: AdminContext, store: string): Promise<void> {
  const stores = admin.stores()
  if (!stores.names.includes(store)) {
    const known = stores.names.join(', ')
    throw new UsageError(`METRICS_STORES has no store "${store}". Known stores: ${known}.`)
  }
  await refuseUnguardedRole(stores.pool(store))
}

async function waitUntilMoved(admin: AdminContext, root: string): Promise<void> {
  for (let reported = ''; ; ) {
    const status = await readStatus(admin, root)
    if (status.moving_to === null && status.leaving === null) return
    const line = describeMove(status)
    if (line !== reported) admin.reportProgress(line)
    reported = line
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
    const rows = rows_copied === null ? '' : `, ${pluralize(rows_copied, 'row')}`
    return `From "${store}" to "${moving_to}": ${stage}${rows}.`
  }
  if (leaving !== null) return `In "${store}"; the copy in "${leaving}" is being deleted.`
  return `In "${store}".`
}

const list = defineCommand({
  name: 'metrics list',
  summary: 'List tenant roots whose metrics were moved; all others are in "shared"',
  options: option.page,
  example: '--limit 50',
  run: (admin, values) =>
    listPage(values, 'No metrics have been moved: all metrics are in "shared".', async (page) =>
      readPlacementsUnscoped((await admin.operator()).pool, page),
    ),
})

const status = defineCommand({
  name: 'metrics status',
  summary: 'Show the store of a tenant root’s metrics and the progress of a move',
  environment,
  options: { root: option.root },
  positionals: ['root'],
  example: "'Meridian Freight'",
  async run(admin, { root }) {
    const found = await readStatus(admin, root)
    return { message: describeMove(found), fields: { ...found } }
  },
})

const expire = defineCommand({
  name: 'metrics expire',
  summary: 'Remove old metrics now (METRICS_RETENTION_MONTHS), as the worker does',
  environment: [...environment, 'METRICS_RETENTION_MONTHS'],
  options: { 'dry-run': option.dryRun },
  example: '--dry-run',
  async run(admin, { 'dry-run': dryRun }) {
    const months = readSettings(admin.env, readMetricsRetention)
    if (months === null)
      throw new UsageError('METRICS_RETENTION_MONTHS is not set: all metrics are retained.')
    const at = (await admin.operator()).now()
    const firstDay = getFirstDayOfMonth(at, months)
    const report = (err: unknown) => {
      throw err
    }
    const rows: OutputFields[] = []
    for (const store of admin.stores().names) {
      const pool = admin.stores().pool(store)
      const removeSome = () => {
        const pauseAt = performance.now() + REPORT_MS
        return expireStore(pool, { firstDay, at, report, isOver: () => performance.now() > pauseAt })
      }
      let pullRequests = await (dryRun ? countExpiredInStore(pool, firstDay) : removeSome())
      for (let removed = dryRun ? 0 : pullRequests; removed > 0; pullRequests += removed) {
        admin.reportProgress(`${store}: ${pluralize(pullRequests, 'pull request')} removed`)
        removed = await removeSome()
      }
      rows.push({ store, before: firstDay, pull_requests: pullRequests, dry_run: dryRun })
    }
    return { rows, emptyMessage: '' }
  },
})

export const metricsCommands: readonly AdminCommand[] = [move, list, status, expire]
