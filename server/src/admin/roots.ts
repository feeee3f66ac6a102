import { createLog } from '../observe/log.ts'
import { refreshRevokedCredentials } from '../resources/events/refresh-revoked-credentials.ts'
import { countRoot, deleteRoot } from '../resources/roots/delete.ts'
import { readTombstonesUnscoped } from '../resources/roots/sql.ts'
import { findRootUnscoped } from '../resources/workspaces/manage.ts'

import { type AdminCommand, defineCommand, listPage, type Output, option, UsageError } from './command.ts'
import type { AdminContext } from './context.ts'

// Every node rejects a revoked credential within 5 seconds; workers cache organizations for 5 seconds.
const REVOCATION_DELAY_MS = 6_000

const remove = defineCommand({
  name: 'root delete',
  summary: 'Delete a tenant root and its data in all stores; without --confirm, only count it',
  environment: ['WORKER_DATABASE_URL', 'METRICS_STORES', 'NATS_URL', 'BUS_PREFIX'],
  options: {
    root: option.root,
    confirm: option.text('NAME', 'Repeat the name of the tenant root to confirm'),
    'dry-run': option.dryRun,
  },
  example: "--root 'Meridian Freight' --dry-run",
  async run(admin, { root, confirm, 'dry-run': dryRun }) {
    const operator = await admin.operator()
    const { id, name } = await findRootUnscoped(operator.pool, root)
    if (confirm !== undefined && confirm !== name) {
      throw new UsageError(`--confirm must be the exact name of the tenant root: ${name}`)
    }
    if (dryRun || confirm === undefined) return countRootRows(admin, id, name)
    const bus = await admin.bus()
    const { pool: database, now } = operator
    const log = createLog('admin', 'silent')
    const { reportProgress } = admin
    reportProgress(`Deleting ${name} (${id}). If the command is interrupted, run it again.`)
    const tombstone = await deleteRoot(
      {
        database,
        stores: admin.stores(),
        bus,
        now,
        reportProgress,
        refreshRevokedCredentials: () => refreshRevokedCredentials({ database, bus, log, now }),
        graceMs: REVOCATION_DELAY_MS,
      },
      id,
    )
    return {
      message: `Deleted ${name}. To see its tombstone: npm run admin -- root deleted`,
      fields: { ...tombstone },
    }
  },
})

async function countRootRows(
  admin: AdminContext,
  id: Parameters<typeof countRoot>[1],
  name: string,
): Promise<Output> {
  const { pool: database } = await admin.operator()
  const found = await countRoot({ database, stores: admin.stores(), bus: await admin.bus() }, id)
  admin.reportProgress(`Nothing was deleted. To delete ${name} (${id}) and these rows: --confirm '${name}'`)
  return { rows: found.map((row) => ({ ...row })), emptyMessage: `Only the name of ${name} is left.` }
}

const list = defineCommand({
  name: 'root deleted',
  summary: 'List deleted tenant roots: time of deletion and end of the audit chain',
  options: option.page,
  example: '--limit 50',
  run: (admin, values) =>
    listPage(values, 'No tenant roots have been deleted.', async (page) =>
      readTombstonesUnscoped((await admin.operator()).pool, page),
    ),
})

export const rootCommands: readonly AdminCommand[] = [remove, list]
