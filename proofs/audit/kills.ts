import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from '../../server/test/database.ts'
import { connect, createRole, exportRoot, runChange } from '../../server/test/proofs/audit.ts'
import { createTenant, type Tenant } from '../../server/test/tenant.ts'
import type { Measurement } from '../tools/report.ts'
import { findChainFault } from './tampering.ts'

const WRITERS = 8
const PAUSE_MS = 40

/** Connections are killed during changes: each change has its row, each row its change, and the chain is valid. */
export async function proveKills(kills: number): Promise<Measurement[]> {
  const database = await createDatabase()
  const superuser = database.superuser()
  const tenant = await createTenant(database, { repositories: 0 })
  try {
    const { root } = tenant.alone
    const confirmed = await changeWhileKilling(database, tenant, kills)
    const { rows } = await superuser.query<{ changes: number; rows: number; both: number }>(
      `select (select count(*) from custom_role where root_id = $1)::int as changes, count(*)::int as rows,
         count(distinct r.id)::int as both
       from audit_log l left join custom_role r on r.root_id = $1 and r.id::text = l.resource_id
       where l.root_id = $1 and l.action = 'role_created'`,
      [root],
    )
    const { changes = -1, rows: auditRows = -2, both = -3 } = rows[0] ?? {}
    const fault = await findChainFault(exportRoot(tenant.pool, root), null)
    return [
      {
        measure: `${kills} connections killed within a change, ${changes} changes made (${confirmed} confirmed): audit rows`,
        goal: String(changes),
        result: auditRows,
        met: changes === auditRows && both === changes && changes >= confirmed && confirmed > 0,
      },
      { measure: '… the chain', goal: 'valid', result: fault?.message ?? 'valid', met: fault === null },
    ]
  } finally {
    await Promise.all([tenant.close(), superuser.end()])
    await database.drop()
  }
}

/** Returns how many changes were confirmed while this many connections were killed during one. */
async function changeWhileKilling(database: TestDatabase, { alone }: Tenant, kills: number): Promise<number> {
  const pool = connect({ url: database.urls.worker, name: 'killed', connections: WRITERS })
  const operator = { pool, now: () => new Date() }
  const [organization] = alone.organizations
  const stopped = new AbortController()
  let confirmed = 0
  const writing = Array.from({ length: WRITERS }, async () => {
    while (!stopped.signal.aborted) {
      const made = runChange(operator, alone.root, (change) =>
        createRole(change, organization.id, { name: randomUUID() }),
      )
      await made.then(
        () => (confirmed += 1),
        () => {},
      )
    }
  })
  await killConnections(database, kills)
  stopped.abort()
  await Promise.all(writing)
  await pool.end()
  return confirmed
}

async function killConnections(database: TestDatabase, kills: number): Promise<void> {
  const superuser = database.superuser()
  for (let killed = 0; killed < kills; ) {
    const { rowCount } = await superuser.query(
      `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
         where datname = current_database() and application_name = 'scholiast-killed' and xact_start is not null
         order by random() limit 1) victim`,
    )
    killed += rowCount ?? 0
    await sleep(Math.random() * PAUSE_MS)
  }
  await superuser.end()
}
