import { type Pool, statement } from './connect.ts'
import { runUnscoped, type Tx } from './transaction.ts'

// An empty message in the log of the database makes the commit wait like one that has changed rows.
const waitForStandby = statement(
  'db.wait-for-standby',
  `select case when current_setting('synchronous_standby_names') <> ''
     then pg_logical_emit_message(true, 'scholiast', '') end`,
)

/**
 * Resolves when everything that is visible now is on the synchronous standby too; at once if none is configured.
 *
 * A commit that is cut off while it waits for its standby becomes visible without being replicated. Code that finds its
 * work done by such a commit must wait before it reports the work as done: after a failover it would be lost.
 */
export async function awaitReplication(pool: Pool): Promise<void> {
  await runUnscoped(pool, waitForStandby, [])
}

// Slots, because the columns of pg_stat_replication need rights that the roles do not have. Those of a backup are temporary.
const selectStandbys = statement(
  'db.standbys',
  `select count(*) filter (where active)::int as standbys,
     max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))::float8 as lag_bytes
   from pg_replication_slots where slot_type = 'physical' and not temporary`,
)

/** Standbys with a replication slot, and how far the last of them is behind; null without slots. */
export async function readStandbysUnscoped(pool: Pool) {
  const [row] = await runUnscoped<{ standbys: number; lag_bytes: number | null }>(pool, selectStandbys, [])
  return row ?? { standbys: 0, lag_bytes: null }
}

/** The same for the commit of a transaction that may change nothing itself. */
export async function replicateAtCommit(tx: Tx): Promise<void> {
  await tx.query(waitForStandby, [])
}
