import type { WorkerContext } from '../../bus/context.ts'
import { publishRevokedCredentials } from '../../bus/ingest/revoked-credentials.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { KeyId } from '../../ids.ts'
import { readRevokedOrExpiredUnscoped } from './sql.ts'

type RefreshContext = Pick<WorkerContext, 'database' | 'bus' | 'log' | 'now'>

/** Tells every node which ingest credentials have ended: they verify them without the database. */
export async function refreshRevokedCredentials({ database, bus, log, now }: RefreshContext): Promise<void> {
  const rows = await runUnscoped<{ id: KeyId }>(database, readRevokedOrExpiredUnscoped, [now().toISOString()])
  const published = await publishRevokedCredentials(
    bus,
    rows.map(({ id }) => id),
  )
  if (published) log.info({ ended: rows.length }, 'told which ingest credentials have ended')
}
