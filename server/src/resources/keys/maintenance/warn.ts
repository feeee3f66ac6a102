import { rootScope } from '../../../access/scope.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { emitAll } from '../../../bus/emit.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { NIL_UUID, type RootId } from '../../../ids.ts'
import { claimDueWarnings, findRootsToWarnUnscoped } from './sql.ts'

const MAX_ROOTS_PER_QUERY = 500
const MAX_KEYS_PER_TRANSACTION = 1000

/** Emits events for keys that expire in 14 days and in 3, once each. A root that fails does not delay the others. */
export async function warnExpiringKeys(
  context: Pick<WorkerContext, 'database' | 'log' | 'now'>,
): Promise<void> {
  const at = context.now()
  let after = NIL_UUID as RootId
  for (;;) {
    const roots = await findRootsToWarnUnscoped(context.database, at, after, MAX_ROOTS_PER_QUERY)
    for (const root of roots) {
      await warnRoot(context, root, at).catch((err: unknown) =>
        context.log.error({ err, root }, 'failed to announce expiring keys; retrying on the next run'),
      )
      after = root
    }
    if (roots.length < MAX_ROOTS_PER_QUERY) return
  }
}

async function warnRoot(
  { database }: Pick<WorkerContext, 'database'>,
  root: RootId,
  at: Date,
): Promise<void> {
  const scope = rootScope(root)
  for (;;) {
    const claimed = await inTransaction(database, scope, async (tx) => {
      const keys = await claimDueWarnings(scope, tx, at, MAX_KEYS_PER_TRANSACTION)
      const events = keys.flatMap(({ id, days, kind, organization_id, owner_id, expires_at }) => {
        if (days === null) return []
        const payload = { key_id: id, kind, organization_id, owner_id, expires_at, days }
        return [{ type: 'key.expiring', payload } as const]
      })
      await emitAll(tx, scope, events)
      return keys.length
    })
    if (claimed < MAX_KEYS_PER_TRANSACTION) return
  }
}
