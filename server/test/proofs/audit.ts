import { randomUUID } from 'node:crypto'
import type { Action } from '../../src/access/audit/catalogue.ts'
import { exportAudit } from '../../src/access/audit/export.ts'
import type { AuditEntry, writeAuditEntry } from '../../src/access/audit.ts'
import { rootScope } from '../../src/access/scope.ts'
import type { Pool } from '../../src/db/connect.ts'
import { statement } from '../../src/db/connect.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { isStatementTimeout } from '../../src/db/unavailable.ts'
import type { OrganizationId, RootId } from '../../src/ids.ts'

export { chainHash, contentDigest, genesis, sealPersonalValues } from '../../src/access/audit/chain.ts'
export { type AuditChainHead, createSigner, type SignedHead } from '../../src/access/audit/heads.ts'
export { listHeadsFiles } from '../../src/access/audit/heads-file.ts'
export {
  AuditChainError,
  readSignedHeads,
  type SignedHeads,
  verifyExport,
} from '../../src/access/audit/verify.ts'
export { runChange } from '../../src/admin/operator.ts'
export { connect, type Pool } from '../../src/db/connect.ts'
export { createRole } from '../../src/resources/roles/manage.ts'

export type AppendAudit = typeof writeAuditEntry

/** Appends rows with the code of the service, or of a copy of its source; `entry` is the API entry point of the copy. */
export async function loadAppendAudit(entry: string | null): Promise<AppendAudit> {
  const base = entry === null ? new URL('../../src/api.ts', import.meta.url).href : `file://${entry}`
  const loaded = (await import(
    new URL('access/audit.ts', base).href
  )) as typeof import('../../src/access/audit.ts')
  return loaded.writeAuditEntry
}

/** Appends signed heads with the code of the service, or of a copy of its source. */
export async function loadAppendHeads(entry: string | null) {
  const base = entry === null ? new URL('../../src/api.ts', import.meta.url).href : `file://${entry}`
  const loaded = (await import(
    new URL('access/audit/heads-file.ts', base).href
  )) as typeof import('../../src/access/audit/heads-file.ts')
  return loaded.appendHeads
}

export interface AuditedChange {
  readonly root: RootId
  readonly organization: OrganizationId | null
  readonly action: Action & `role_${string}`
  /** The name of the row; unique in the proof. */
  readonly name: string
  /** How long the transaction stays open after its audit row. */
  readonly heldMs: number
  readonly rolledBack: boolean
}

class RolledBackError extends Error {}

const sleepInTransaction = statement('proof.hold', `select pg_sleep($1::float8 / 1000)`)

/** Writes a change with its audit row; false if it was rolled back. */
export async function applyAuditedChange(
  appendAudit: AppendAudit,
  pool: Pool,
  change: AuditedChange,
): Promise<boolean> {
  const scope = rootScope(change.root)
  const entry: AuditEntry = {
    action: change.action,
    resourceId: change.name,
    organization: change.organization,
    actor: { kind: 'key', id: randomUUID(), address: '192.0.2.1' },
    metadata: { name: change.name },
    personal: { name: change.name },
  }
  try {
    await inTransaction(pool, scope, async (tx) => {
      await appendAudit(tx, scope, entry, new Date())
      if (change.heldMs > 0) await tx.query(sleepInTransaction, [change.heldMs])
      if (change.rolledBack) throw new RolledBackError()
    })
    return true
  } catch (error) {
    // On a busy machine, fifty writers of one head may wait longer than a request may.
    if (error instanceof RolledBackError || isStatementTimeout(error)) return false
    throw error
  }
}

/** The complete export of a root, in chunks. */
export function exportRoot(pool: Pool, root: RootId, withClear = false): AsyncGenerator<string, void> {
  return exportAudit(pool, rootScope(root), withClear)
}
