import type { AuditSettings } from '../../config.ts'
import type { Pool } from '../../db/connect.ts'
import type { Log } from '../../observe/log.ts'
import { createSigner, type Signer } from './heads.ts'
import { applyAuditRetention, sweepHeads } from './retention.ts'
import { attestHeads, signHeads } from './sign-heads.ts'

/** The worker's settings for the audit log. */
export interface AuditMaintenance {
  readonly signer: Signer | null
  readonly headsFile: string | null
  readonly headsSeconds: number
  readonly retentionMonths: number | null
}

export function createAuditMaintenance(settings: AuditSettings): AuditMaintenance {
  const { signingKey, headsFile, headsSeconds, retentionMonths } = settings
  if ((signingKey === null) !== (headsFile === null))
    throw new Error('AUDIT_SIGNING_KEY and AUDIT_HEADS_FILE require each other: set both or none.')
  const signer = signingKey === null ? null : createSigner(signingKey)
  return { signer, headsFile, headsSeconds: Math.max(1, headsSeconds), retentionMonths }
}

interface AuditTimerContext {
  readonly database: Pool
  readonly log: Log
  readonly audit: AuditMaintenance
  readonly now: () => Date
}

export async function signAuditHeads({ database, log, audit, now }: AuditTimerContext): Promise<void> {
  const { signer, headsFile } = audit
  if (signer === null || headsFile === null) return
  const signed = await signHeads(database, signer, headsFile, now)
  if (signed > 0) log.info({ signed, key: signer.keyId }, 'signed audit chain heads')
}

export async function retainAuditLog({ database, log, audit, now }: AuditTimerContext): Promise<void> {
  const { signer, headsFile, retentionMonths } = audit
  const dropped = await applyAuditRetention(database, retentionMonths, now(), async (checkpoints) => {
    if (signer === null || headsFile === null) return
    await attestHeads(database, signer, headsFile, checkpoints, now())
  })
  await sweepHeads(database)
  if (dropped > 0) log.info({ dropped, retentionMonths }, 'dropped months of the audit log')
}
