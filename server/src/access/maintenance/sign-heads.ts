import type { Pool } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { AuditChainHead, Signer } from '../audit/heads.ts'
import { appendHeads } from '../audit/heads-file.ts'
import { findUnsignedUnscoped, markSignedUnscoped } from './sql.ts'

const HEADS_PER_BATCH = 1000

/**
 * Signs the head of every chain that has grown and appends it to a file outside the database. Heads are marked as signed
 * after the file is synced; after a crash in between they are signed again, which is harmless.
 */
export async function signHeads(pool: Pool, signer: Signer, file: string, now: () => Date): Promise<number> {
  for (let signed = 0; ; ) {
    const heads = await runUnscoped<AuditChainHead & object>(pool, findUnsignedUnscoped, [HEADS_PER_BATCH])
    if (heads.length === 0) return signed
    await appendHeads(
      file,
      heads.map((head) => signer.sign(head, now())),
    )
    await runUnscoped(pool, markSignedUnscoped, [
      heads.map(({ root }) => root),
      heads.map(({ position }) => position),
    ])
    signed += heads.length
  }
}
