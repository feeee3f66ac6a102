import { type AuditEntry, writeAuditEntries } from '../../access/audit.ts'
import { rootScope } from '../../access/scope.ts'
import {
  findRootsWithReceivedUnscoped,
  type RootWithReceived,
  takeReceivedCounts,
} from '../../bus/queue/received-sql.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction, runUnscoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import { pluralize } from '../../plural.ts'
import { HOUR_MS } from '../../time.ts'

/** Writes one audit row per organization, credential, type and finished hour. A failing root does not stop the others. */
export async function auditReceivedEvents(pool: Pool, now: Date): Promise<void> {
  const before = new Date(now.getTime() - HOUR_MS)
  const roots = await runUnscoped<RootWithReceived>(pool, findRootsWithReceivedUnscoped, [before])
  const failures: unknown[] = []
  for (const { root_id } of roots)
    await auditReceivedEventsOfRoot(pool, root_id, before, now).catch((error: unknown) =>
      failures.push(error),
    )
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `Could not write the event counts of ${pluralize(failures.length, 'root')}; retrying later.`,
    )
}

async function auditReceivedEventsOfRoot(pool: Pool, root: RootId, before: Date, now: Date): Promise<void> {
  const scope = rootScope(root)
  await inTransaction(pool, scope, async (tx) => {
    const counts = await takeReceivedCounts(scope, tx, before)
    const entries = counts.map(
      ({ organization_id, credential_id, type, hour, events }): AuditEntry => ({
        action: 'metrics_received',
        resourceId: null,
        organization: organization_id,
        actor: { kind: 'key', id: credential_id },
        metadata: { type, events, hour: new Date(hour).toISOString() },
      }),
    )
    await writeAuditEntries(tx, scope, entries, now)
  })
}
