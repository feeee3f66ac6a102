import { createHmac } from 'node:crypto'
import type { Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import type { Tx } from '../db/transaction.ts'
import { getHttpStatus, Refusal, refuse } from '../errors.ts'
import { errorReply, getReplyText, JSON_TYPE, type Reply } from './reply.ts'
import {
  claimIdempotencyKey,
  createSavepoint,
  rollbackToSavepoint,
  selectStoredReply,
  updateStoredReply,
} from './sql.ts'

export interface KeyedRequest {
  readonly keyHash: Buffer
  readonly requestHash: Buffer
}

export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || header === '' || header.length > 255) {
    return refuse('INVALID_REQUEST', 'Idempotency-Key must be 1 to 255 characters, given once.')
  }
  return header
}

/** Only keyed hashes are stored: neither the key nor the request can be read back. */
export function hashRequest(ring: KeyRing, key: string, request: readonly unknown[]): KeyedRequest {
  const secret = ring.at(-1)?.secret
  if (secret === undefined) throw new Error('There is no key to hash requests with.')
  const hash = (text: string) => createHmac('sha256', secret).update(text).digest()
  return { keyHash: hash(key), requestHash: hash(JSON.stringify(request)) }
}

/** The kept answer of the same request, or the name of work that it has begun, if there is either. */
export async function findStoredReply(
  tx: Tx,
  scope: Scope,
  keyed: KeyedRequest,
): Promise<{ readonly reply: Reply } | { readonly begun: string | null }> {
  const [row] = await tx.query<{ request_hash: Buffer; status: number | null; body: string | null }>(
    selectStoredReply,
    [scope.root, keyed.keyHash],
  )
  if (row === undefined) return { begun: null }
  if (!row.request_hash.equals(keyed.requestHash)) {
    return refuse(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request. Use a new one.',
    )
  }
  if (row.status === null) return { begun: row.body }
  const body = row.body === null ? null : { text: row.body, type: JSON_TYPE }
  return { reply: { status: row.status, headers: { 'idempotency-replayed': 'true' }, body } }
}

export interface IdempotentWork {
  readonly shownOnce: readonly string[]
  readonly errorBody: 'error' | 'errors'
  run(pendingWorkId: string | null): Promise<Reply>
}

export type WorkOutcome = { readonly reply: Reply } | { readonly refusal: Refusal }

/**
 * Runs the work once: its answer is kept in the same transaction, a refusal of the work too. Of work that outlives the
 * request its name is kept, until `storeReply`.
 */
export async function runOnce(
  tx: Tx,
  scope: Scope,
  keyed: KeyedRequest,
  work: IdempotentWork,
): Promise<WorkOutcome> {
  const [claimed] = await tx.query(claimIdempotencyKey, [scope.root, keyed.keyHash, keyed.requestHash])
  const stored = claimed === undefined ? await findStoredReply(tx, scope, keyed) : { begun: null }
  if ('reply' in stored) return stored
  const outcome = await runToOutcome(tx, work, stored.begun)
  const reply = 'reply' in outcome ? outcome.reply : errorReply(work.errorBody, outcome.refusal)
  if (reply.pending)
    await tx.query(updateStoredReply, [scope.root, keyed.keyHash, null, reply.pending.workId])
  else await storeReply(tx, scope, keyed, reply, work.shownOnce)
  return outcome
}

export async function storeReply(
  tx: Tx,
  scope: Scope,
  keyed: KeyedRequest,
  reply: Reply,
  shownOnce: readonly string[],
): Promise<void> {
  // What was done stands, but its answer asks for a repetition: the claim without an answer is free to be taken, and the
  // work that was begun is found again.
  if (reply.status >= 500) return
  await tx.query(updateStoredReply, [scope.root, keyed.keyHash, reply.status, toStoredBody(reply, shownOnce)])
}

async function runToOutcome(
  tx: Tx,
  work: IdempotentWork,
  pendingWorkId: string | null,
): Promise<WorkOutcome> {
  await tx.query(createSavepoint, [])
  try {
    return { reply: await work.run(pendingWorkId) }
  } catch (error) {
    if (!(error instanceof Refusal) || !isReplayable(error)) throw error
    await tx.query(rollbackToSavepoint, [])
    return { refusal: error }
  }
}

/** Whoever may not come in, or comes too often, may ask again with another key, or later. */
function isReplayable({ code }: Refusal): boolean {
  return getHttpStatus(code) < 500 && code !== 'RATE_LIMIT_EXCEEDED' && code !== 'UNAUTHORIZED'
}

/** A secret that is shown once is not kept: the repeated answer lacks it. */
function toStoredBody(reply: Reply, shownOnce: readonly string[]): string | null {
  if (reply.body === null || !('json' in reply.body) || shownOnce.length === 0) return getReplyText(reply)
  const fields = Object.entries(reply.body.json as object).filter(([name]) => !shownOnce.includes(name))
  return JSON.stringify(Object.fromEntries(fields))
}
