import { randomUUID } from 'node:crypto'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { applyAuditedChange, connect, exportRoot, loadAppendAudit } from '../../server/test/proofs/audit.ts'
import { createTenant, type Tenant } from '../../server/test/tenant.ts'
import { copyWithout } from '../tools/copy.ts'
import type { Measurement } from '../tools/report.ts'
import { findChainFault } from './tampering.ts'
import { positionsFromSequence, prepareSequence } from './without-lock.ts'

const WRITERS = 50

/** Fifty concurrent writers on one root: the chain does not fork and has a row for every committed change. */
export async function proveWriters(changes: number, withLock: boolean): Promise<Measurement[]> {
  const database = await createDatabase()
  const superuser = database.superuser()
  const copy = withLock ? null : await copyWithout([positionsFromSequence])
  const tenant = await createTenant(database, { repositories: 0 })
  try {
    if (copy !== null) await prepareSequence(superuser)
    const { root } = tenant.workspace
    const committed = await writeAtOnce(database, tenant, copy?.apiEntry ?? null, changes)
    const { rows } = await superuser.query<{ forks: number; rows: number }>(
      `select (count(*) - count(distinct previous_hash))::int as forks,
         (count(*) filter (where metadata ? 'name' and actor_kind = 'key'))::int as rows
       from audit_log where root_id = $1`,
      [root],
    )
    const fault = await findChainFault(exportRoot(tenant.pool, root), null)
    return toMeasurements(changes, committed, rows[0] ?? { forks: -1, rows: -1 }, fault?.message ?? null)
  } finally {
    await Promise.all([tenant.close(), superuser.end()])
    await copy?.remove()
    await database.drop()
  }
}

/** Returns how many changes were committed. */
async function writeAtOnce(
  { urls }: TestDatabase,
  { workspace }: Tenant,
  entry: string | null,
  changes: number,
): Promise<number> {
  const pool = connect({ url: urls.api, name: 'proof', connections: WRITERS })
  const appendAudit = await loadAppendAudit(entry)
  const { root, organizations } = workspace
  const change = { root, organization: organizations[0].id, action: 'role_created', heldMs: 0 } as const
  let next = 0
  let committed = 0
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < changes) {
        const rolledBack = next++ % 10 === 3
        if (await applyAuditedChange(appendAudit, pool, { ...change, name: randomUUID(), rolledBack }))
          committed += 1
      }
    }),
  )
  await pool.end()
  return committed
}

function toMeasurements(
  changes: number,
  committed: number,
  { forks, rows }: { readonly forks: number; readonly rows: number },
  fault: string | null,
): Measurement[] {
  const title = `${WRITERS} writers on one root, ${changes} changes of which one in ten is rolled back`
  return [
    { measure: `${title}: rows with the same previous row`, goal: '0', result: forks, met: forks === 0 },
    {
      measure: '… rows, one for each committed change',
      goal: String(committed),
      result: rows,
      met: rows === committed && committed > 0,
    },
    {
      measure: '… the chain, verified from its export',
      goal: 'holds',
      result: fault?.slice(0, 60) ?? 'holds',
      met: fault === null,
    },
  ]
}
