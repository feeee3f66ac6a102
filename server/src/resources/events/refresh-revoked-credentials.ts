import type { WorkerContext } from '../../bus/context.ts'
import { publishRevokedCredentials } from '../../bus/queue/revoked-credentials.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { KeyId } from '../../ids.ts'
import { readRevokedOrExpiredUnscoped } from './sql.ts'

type RefreshContext = Pick<WorkerContext, 'database' | 'bus' | 'log' | 'now'>

/**
 * Publishes the revoked and expired ingest credentials: API nodes verify credentials without the database. A command that
 * revokes a credential calls it after the commit; when it resolves, the revocation is on the bus. The worker's timer
 * repeats it for credentials that expire, and for revocations that could not be published.
 */
export async function refreshRevokedCredentials({ database, bus, log, now }: RefreshContext): Promise<void> {
  const at = now()
  let credentials = 0
  const readIds = async () => {
    const rows = await runUnscoped<{ id: KeyId }>(database, readRevokedOrExpiredUnscoped, [at.toISOString()])
    credentials = rows.length
    return rows.map(({ id }) => id)
  }
  if (await publishRevokedCredentials(bus, readIds, at))
    log.info({ credentials }, 'published revoked ingest credentials')
}
