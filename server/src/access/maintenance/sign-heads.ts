import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pool } from '../../db/connect.ts'
import { runUnscoped } from '../../db/transaction.ts'
import type { AuditChainHead, SignedHead, Signer } from '../audit/heads.ts'
import { findUnsignedUnscoped, markSignedUnscoped } from './sql.ts'

const HEADS_PER_BATCH = 1000
// Longer than the partial line that an interrupted append can leave.
const TAIL_BYTES = 4 * 1024 * 1024
const NEWLINE = 10
const OPENING_BRACE = 123

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

/** Truncates a partial line that a crash left, then appends whole lines. */
export async function appendHeads(file: string, heads: readonly SignedHead[]): Promise<void> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o644)
  try {
    await handle.truncate(await findEndOfLastLine(handle, file))
    await handle.appendFile(heads.map((head) => `${JSON.stringify(head)}\n`).join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(dirname(file))
}

async function findEndOfLastLine(handle: FileHandle, file: string): Promise<number> {
  const { size } = await handle.stat()
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  await handle.read(tail, 0, tail.length, size - tail.length)
  const newline = tail.lastIndexOf(NEWLINE)
  // Only the first line can be incomplete; any other file without a line break is not ours.
  if (newline === -1 && size > 0 && tail[0] !== OPENING_BRACE)
    throw new Error(`${file} is not a file of signed heads: AUDIT_HEADS_FILE must name a dedicated file.`)
  return size - tail.length + newline + 1
}

/** A new file survives a crash only if its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
