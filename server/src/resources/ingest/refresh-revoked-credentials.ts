import type { WorkerContext } from '../../bus/context.ts'
import { publishRevokedCredentials } from '../../bus/ingest/revoked-credentials.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { KeyId } from '../../ids.ts'
import { readRevokedOrExpiredUnscoped } from './sql.ts'

type RefreshContext = Pick<WorkerContext, 'database' | 'bus' | 'log' | 'now'>

/** Publishes the revoked and expired ingest credentials: API nodes verify credentials without the database. */
export async function refreshRevokedCredentials({ database, bus, log, now }: RefreshContext): Promise<void> {
  const rows = await runUnscoped<{ id: KeyId }>(database, readRevokedOrExpiredUnscoped, [now().toISOString()])
  const published = await publishRevokedCredentials(
    bus,
    rows.map(({ id }) => id),
  )
  if (published) log.info({ credentials: rows.length }, 'published revoked ingest credentials')
}
