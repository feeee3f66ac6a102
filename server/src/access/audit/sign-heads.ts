import type { Pool } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { AuditChainHead, Signer } from './heads.ts'
import { appendHeads } from './heads-file.ts'
import { findUnsignedUnscoped, markSignedUnscoped, storeHeadsUnscoped } from './sql.ts'

const HEADS_PER_BATCH = 1000

/**
 * Signs heads and appends them to a file outside the database, which a reader of the file trusts. Then stores them in the
 * database too, where callers of the API find them.
 */
export async function attestHeads(
  pool: Pool,
  signer: Signer,
  file: string,
  heads: readonly AuditChainHead[],
  at: Date,
): Promise<void> {
  const signed = heads.map((head) => signer.sign(head, at))
  await appendHeads(file, signed)
  const publicKey = signer.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  await runUnscoped(pool, storeHeadsUnscoped, [JSON.stringify(signed), signer.keyId, publicKey])
}

/**
 * Signs the head of every chain that has grown. Heads are marked as signed after the file is synced; after a crash in
 * between they are signed again, which is harmless.
 */
export async function signHeads(pool: Pool, signer: Signer, file: string, now: () => Date): Promise<number> {
  for (let signed = 0; ; ) {
    const heads = await runUnscoped<AuditChainHead>(pool, findUnsignedUnscoped, [HEADS_PER_BATCH])
    if (heads.length === 0) return signed
    await attestHeads(pool, signer, file, heads, now())
    await runUnscoped(pool, markSignedUnscoped, [
      heads.map(({ root }) => root),
      heads.map(({ position }) => position),
    ])
    signed += heads.length
  }
}
