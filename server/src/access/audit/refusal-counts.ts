import type { Pool } from '../../db/connect.ts'
import { inTransaction, runUnscoped } from '../../db/transaction.ts'
import type { OrganizationId, PersonId, RootId } from '../../ids.ts'
import { pluralize } from '../../plural.ts'
import { type AuditEntry, writeAuditEntry } from '../audit.ts'
import { readSignInRoute, toSignInEntry } from '../refusals.ts'
import { rootScope } from '../scope.ts'
import { findRootsWithRefusalsUnscoped, takeRefusals } from './sql.ts'

interface RefusalCount {
  readonly key_id: string
  readonly organization_id: OrganizationId | null
  readonly route: string
  readonly code: string
  readonly minute: string
  readonly refused: number
}

// Nodes add their counts some seconds after a minute ends; `minute` is its start.
const REFUSAL_COUNT_DELAY_MS = (60 + 90) * 1000

/**
 * The first refusal of a minute is in the audit chain already. This writes how many more there were and deletes the
 * counts. If a root fails, its counts stay and the other roots continue.
 */
export async function auditRefusalCounts(pool: Pool, now: Date): Promise<void> {
  const newest = new Date(now.getTime() - REFUSAL_COUNT_DELAY_MS)
  const roots = await runUnscoped<{ root_id: RootId }>(pool, findRootsWithRefusalsUnscoped, [newest])
  const failures: unknown[] = []
  for (const { root_id } of roots) {
    await auditRefusalCountsOfRoot(pool, root_id, newest, now).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `Could not write the refusal counts of ${pluralize(failures.length, 'root')}; retrying later.`,
    )
}

async function auditRefusalCountsOfRoot(pool: Pool, root: RootId, newest: Date, now: Date): Promise<void> {
  const scope = rootScope(root)
  await inTransaction(pool, scope, async (tx) => {
    const counts = await tx.query<RefusalCount>(takeRefusals, [scope.root, newest])
    for (const count of counts) {
      if (count.refused > 1) await writeAuditEntry(tx, scope, toEntry(root, count), now)
    }
  })
}

function toEntry(root: RootId, count: RefusalCount): AuditEntry {
  const { key_id, organization_id, route, code, minute, refused } = count
  const counted = { count: refused - 1, minute: new Date(minute).toISOString() }
  const method = readSignInRoute(route)
  if (method !== null) {
    const person = key_id === root ? null : (key_id as PersonId)
    return toSignInEntry({ person, method, reason: code, issuer: null }, counted)
  }
  return {
    action: 'request_refused',
    resourceId: route,
    organization: organization_id,
    actor: { kind: 'key', id: key_id },
    metadata: { code, route, ...counted },
  }
}
