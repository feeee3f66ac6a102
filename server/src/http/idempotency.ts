import { createHmac } from 'node:crypto'
import { getSoleOrganization, type Scope } from '../access/scope.ts'
import type { KeyRing } from '../config.ts'
import { replicateAtCommit } from '../db/replication.ts'
import type { Tx } from '../db/transaction.ts'
import { getHttpStatus, Refusal, refuse } from '../errors.ts'
import type { OrganizationId } from '../ids.ts'
import type { Endpoint } from './endpoint.ts'
import { errorReply, getReplyText, JSON_TYPE, type Reply } from './reply.ts'
import {
  claimIdempotencyKey,
  createSavepoint,
  rollbackToSavepoint,
  selectStoredReply,
  updateStoredReply,
} from './sql.ts'

export interface KeyedRequest {
  /** Keys of two organizations never meet; null = a request to several organizations, whose keys belong to the root. */
  readonly organization: OrganizationId | null
  readonly keyHash: Buffer
  readonly requestHash: Buffer
}

export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || header === '' || header.length > 255) {
    return refuse('INVALID_REQUEST', 'Idempotency-Key must have 1 to 255 characters and occur once.')
  }
  return header
}

/** Only keyed hashes are stored, so neither the key nor the request can be recovered. */
export function hashRequest(
  ring: KeyRing,
  scope: Scope,
  key: string,
  request: readonly unknown[],
): KeyedRequest {
  const secret = ring.at(-1)?.secret
  if (secret === undefined) throw new Error('No key to hash requests with: set SIGNING_KEYS.')
  const hash = (text: string) => createHmac('sha256', secret).update(text).digest()
  return {
    organization: getSoleOrganization(scope),
    keyHash: hash(key),
    requestHash: hash(JSON.stringify(request)),
  }
}

/** The first three parameters of the statements. */
function toKeyValues(scope: Scope, { organization, keyHash }: KeyedRequest): unknown[] {
  return [scope.root, organization, keyHash]
}

/** Returns the stored response of the same request, or the id of work that it started, if any. */
export async function findStoredReply(
  tx: Tx,
  scope: Scope,
  keyed: KeyedRequest,
): Promise<{ readonly reply: Reply } | { readonly begun: string | null }> {
  const row = await tx.first<{ request_hash: Buffer; status: number | null; body: string | null }>(
    selectStoredReply,
    toKeyValues(scope, keyed),
  )
  if (row === null) return { begun: null }
  if (!row.request_hash.equals(keyed.requestHash)) {
    return refuse(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request. Use a new key.',
    )
  }
  if (row.status === null) return { begun: row.body }
  const body = row.body === null ? null : { text: row.body, type: JSON_TYPE }
  return { reply: { status: row.status, headers: { 'idempotency-replayed': 'true' }, body } }
}

export type WorkOutcome = { readonly reply: Reply } | { readonly refusal: Refusal }

/**
 * Runs the work once and stores its response, or its refusal, in the same transaction. For work that outlives the request
 * it stores the id of the work; `storeReply` later replaces it by the response.
 */
export async function runOnce(
  tx: Tx,
  scope: Scope,
  keyed: KeyedRequest,
  endpoint: Pick<Endpoint, 'errorBody' | 'replies'>,
  run: (pendingWorkId: string | null) => Promise<Reply>,
): Promise<WorkOutcome> {
  const claimed = await tx.query(claimIdempotencyKey, [...toKeyValues(scope, keyed), keyed.requestHash])
  const stored = claimed.length > 0 ? { begun: null } : await findStoredReply(tx, scope, keyed)
  if ('reply' in stored) {
    await replicateAtCommit(tx)
    return stored
  }
  const outcome = await runToOutcome(tx, () => run(stored.begun))
  const reply = 'reply' in outcome ? outcome.reply : errorReply(endpoint.errorBody, outcome.refusal)
  if (reply.pending)
    await tx.query(updateStoredReply, [...toKeyValues(scope, keyed), null, reply.pending.workId])
  else await storeReply(tx, scope, keyed, endpoint, reply)
  return outcome
}

export async function storeReply(
  tx: Tx,
  scope: Scope,
  keyed: KeyedRequest,
  { replies }: Pick<Endpoint, 'replies'>,
  reply: Reply,
): Promise<void> {
  // The change stands, but a 5xx asks the caller to retry: without a stored response the retry can claim the key, or
  // find the work that was started.
  if (reply.status >= 500) return
  const body = toStoredBody(reply, replies[reply.status]?.shownOnce ?? [])
  await tx.query(updateStoredReply, [...toKeyValues(scope, keyed), reply.status, body])
}

async function runToOutcome(tx: Tx, run: () => Promise<Reply>): Promise<WorkOutcome> {
  await tx.query(createSavepoint, [])
  try {
    return { reply: await run() }
  } catch (error) {
    if (!(error instanceof Refusal) || !isReplayable(error)) throw error
    await tx.query(rollbackToSavepoint, [])
    return { refusal: error }
  }
}

/** A request refused for its API key or the rate limit can be retried with the same Idempotency-Key. */
function isReplayable({ code }: Refusal): boolean {
  return getHttpStatus(code) < 500 && code !== 'RATE_LIMIT_EXCEEDED' && code !== 'UNAUTHORIZED'
}

/** A secret that is shown once is not stored, so the repeated response lacks it. */
function toStoredBody(reply: Reply, shownOnce: readonly string[]): string | null {
  if (reply.body === null || !('json' in reply.body) || shownOnce.length === 0) return getReplyText(reply)
  const fields = Object.entries(reply.body.json as object).filter(([name]) => !shownOnce.includes(name))
  return JSON.stringify(Object.fromEntries(fields))
}
