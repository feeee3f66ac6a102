import { makeLog } from '../observe/log.ts'
import { refreshRevokedCredentials } from '../resources/ingest/refresh-revoked-credentials.ts'
import { countRoot, deleteRoot } from '../resources/roots/delete.ts'
import { listDeletedRootsUnscoped } from '../resources/roots/list-deleted.ts'
import { findRootUnscoped } from '../resources/workspaces/find.ts'
import {
  type AdminCommand,
  defineCommand,
  dryRunOption,
  type Output,
  pageOptions,
  renderNextPageHint,
  rootOption,
  toPage,
  UsageError,
} from './command.ts'
import type { AdminContext } from './context.ts'

// A credential that has ended is refused everywhere within 5 seconds; a worker remembers an organization for 5.
const REVOCATION_DELAY_MS = 6_000

const remove = defineCommand({
  name: 'root delete',
  summary: 'Delete a tenant root with all it has, in every store; without --confirm, count it',
  environment: ['WORKER_DATABASE_URL', 'METRICS_STORES', 'NATS_URL', 'BUS_PREFIX'],
  options: {
    root: rootOption,
    confirm: { kind: 'text', placeholder: 'NAME', summary: 'The name of the tenant root, typed once more' },
    'dry-run': dryRunOption,
  },
  example: "--root 'Meridian Freight' --dry-run",
  async run(admin, { root, confirm, 'dry-run': dryRun }) {
    const operator = await admin.operator()
    const { id, name } = await findRootUnscoped(operator.pool, root)
    if (confirm !== undefined && confirm !== name) {
      throw new UsageError(`--confirm must be the name of the tenant root, letter by letter: ${name}`)
    }
    if (dryRun || confirm === undefined) return countRootRows(admin, id, name)
    const bus = await admin.bus()
    const { pool: database, now } = operator
    const log = makeLog('admin', 'silent')
    const { say } = admin
    say(`Deleting ${name} (${id}). If this is broken off, run the same command again.`)
    const tombstone = await deleteRoot(
      {
        database,
        stores: admin.stores(),
        bus,
        now,
        reportProgress: say,
        refreshRevokedCredentials: () => refreshRevokedCredentials({ database, bus, log, now }),
        graceMs: REVOCATION_DELAY_MS,
      },
      id,
    )
    return {
      message: `Deleted ${name}. What is left is its tombstone: npm run admin -- root deleted`,
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
  admin.say(`Nothing was deleted. To delete ${name} (${id}) with all of this: --confirm '${name}'`)
  return { rows: found.map((row) => ({ ...row })), emptyMessage: `Nothing but the name of ${name} is left.` }
}

const list = defineCommand({
  name: 'root deleted',
  summary: 'List the tenant roots that were deleted: when, and where their audit chains ended',
  options: pageOptions,
  example: '--limit 50',
  async run(admin, values) {
    const page = toPage(values)
    const found = await listDeletedRootsUnscoped((await admin.operator()).pool, page)
    const rows = found.map((tombstone) => ({ ...tombstone }))
    return { rows, emptyMessage: 'No tenant root was deleted.', more: renderNextPageHint(rows, page.limit) }
  },
})

export const rootCommands: readonly AdminCommand[] = [remove, list]
