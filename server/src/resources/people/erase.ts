import type { ChangeContext, ChangeEntry } from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { rootScope, type Scope } from '../../access/scope.ts'
import type { Bus } from '../../bus/connect.ts'
import { rewriteDeadLetters } from '../../bus/dead-letters.ts'
import { rewriteArchived } from '../../bus/queue/archive.ts'
import type { Pool } from '../../db/connect.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { dryRunTransaction, inTransaction, type Tx } from '../../db/transaction.ts'
import { refuseOperation } from '../../errors.ts'
import type { PersonId, RootId } from '../../ids.ts'
import { recordTakenAccess } from './deprovision.ts'
import {
  blankLearningAuthors,
  blankNames,
  blankPullRequestAuthors,
  clearIpAddresses,
  clearPersonalAuditValues,
  type ErasureBatch,
  firstLearningPosition,
  firstPullRequestPosition,
  lockRoot,
  type PersonalIdentifiers,
  type RevokedAccess,
  type RevokedTable,
  readMetricsStore,
  readPersonalIdentifiers,
  revokeAllAccess,
} from './erase-sql.ts'

const personalFields = new Set(['username', 'name', 'email'])
const ERASED = 'erased'

/** Returns the message without the names of the person, or null if it does not mention the person. */
function removePersonFromMessage(text: string, { email, accounts }: PersonalIdentifiers): string | null {
  let found = false

  // Only records with a username describe people: repositories and organizations also have ids and names.
  function mentionsPerson(record: Readonly<Record<string, unknown>>): boolean {
    const { id, provider, host, email: address } = record
    if (typeof address === 'string' && address.toLowerCase() === email) return true
    const isAccountOfPerson = (account: PersonalIdentifiers['accounts'][number]) =>
      account.account_id === id &&
      (provider === undefined || provider === account.provider) &&
      (host === undefined || host === account.host)
    return 'username' in record && accounts.some(isAccountOfPerson)
  }

  function clean(value: unknown): unknown {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(clean)
    const record = value as Readonly<Record<string, unknown>>
    const isPerson = mentionsPerson(record)
    const fields = Object.entries(record).map(([name, inner]) => {
      if (!isPerson || !personalFields.has(name) || typeof inner !== 'string' || inner === ERASED)
        return [name, clean(inner)]
      found = true
      return [name, ERASED]
    })
    return Object.fromEntries(fields)
  }

  const cleaned = clean(parse(text))
  return found ? JSON.stringify(cleaned) : null
}

/** A message that is not JSON contains no fields to erase. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export interface ErasureContext {
  readonly database: Pool
  readonly stores: MetricsStores
  readonly bus: Bus
  readonly now: () => Date
  /** Rolls back every transaction; the result is what would change. */
  readonly dryRun: boolean
  readonly reportProgress: (line: string) => void
}

export interface ErasureResult {
  /** Changed or deleted rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Organizations that have no admin afterwards. */
  readonly withoutAdmin: readonly string[]
}

interface Erasure {
  readonly context: ErasureContext
  readonly scope: Scope
  readonly person: PersonId
}

const operator = { kind: 'operator', id: null } as const

/**
 * Revokes all access first, then erases names from data written by others in batches, and the person's own row last.
 * After an interruption the person can therefore still be found by e-mail and the command run again. Erasing an erased
 * person again removes names that arrived since.
 */
export async function erasePerson(
  context: ErasureContext,
  root: RootId,
  person: PersonId,
): Promise<ErasureResult> {
  const erasure = { context, scope: rootScope(root), person }
  const identifiers = await inTransaction(context.database, erasure.scope, (tx) =>
    readPersonalIdentifiers(erasure.scope, tx, person),
  )
  if (identifiers === null) return refuseOperation(`The tenant root has no person with the id ${person}.`)
  const store = await findMetricsStore(erasure)
  const revoked = await runChange(erasure, async (change) => {
    const found = await revokeAccess(change, person)
    await recordRevokedAccess(change, person, found, [])
    return found
  })
  context.reportProgress('Revoked keys, seat and memberships.')
  const clearedByTable = {
    audit_clear: await clearAuditEntries(erasure, identifiers),
    learning: await eraseInBatches(erasure, context.database, firstLearningPosition, (tx, after) =>
      blankLearningAuthors(erasure.scope, tx, person, after),
    ),
    pull_request: await clearMetrics(erasure, identifiers, store),
    ...(await clearMessages(erasure, identifiers)),
  }
  context.reportProgress('Erased names from the audit log, Learnings, metrics and messages.')
  const last = await runChange(erasure, (change) => finishErasure(change, person, clearedByTable))
  return summarizeErasure(context.dryRun ? [last.revoked] : [revoked, last.revoked], last, clearedByTable)
}

/** In a dry run the last pass finds everything again, because the first one was rolled back. */
function summarizeErasure(
  revocations: readonly RevokedAccess[],
  { names, cleared }: FinalPass,
  clearedByTable: Readonly<Record<string, number>>,
): ErasureResult {
  const count = (...tables: readonly RevokedTable[]) =>
    Object.fromEntries(
      tables.map((table) => [table, revocations.reduce((sum, { rows }) => sum + rows[table], 0)]),
    )
  const left = revocations.flatMap(({ organizations }) => organizations)
  return {
    rows: {
      person: names.person,
      account: names.account,
      membership: left.length,
      ...count('repository_access', 'seat', 'seat_request'),
      api_key: names.api_key,
      ...count('session', 'identity', 'passkey', 'sign_in_link', 'scim_user'),
      ...clearedByTable,
      audit_clear: (clearedByTable['audit_clear'] ?? 0) + (revocations.length > 1 ? cleared : 0),
    },
    withoutAdmin: left
      .filter(({ without_admin }) => without_admin)
      .map(({ organization_id }) => organization_id),
  }
}

/** Runs before any change, so that an unknown store fails the command instead of retaining the names. */
async function findMetricsStore({ context, scope }: Erasure): Promise<Pool> {
  const store = await inTransaction(context.database, scope, (tx) => readMetricsStore(scope, tx))
  return context.stores.pool(store ?? refuseWhileMoving(scope))
}

function refuseWhileMoving({ root }: Scope): never {
  return refuseOperation(
    `The metrics are being moved. Wait for the move to finish (npm run admin -- metrics status ${root}), then retry.`,
  )
}

async function revokeAccess({ scope, tx, at }: ChangeContext, person: PersonId): Promise<RevokedAccess> {
  const [, , revoked] = await Promise.all([
    tx.query(lockRoot, [scope.root]),
    lockAndCountSeats(scope, tx),
    revokeAllAccess(scope, tx, person, at),
  ])
  return revoked
}

interface FinalPass {
  readonly revoked: RevokedAccess
  readonly names: Awaited<ReturnType<typeof blankNames>>
  readonly cleared: number
}

async function finishErasure(
  change: ChangeContext,
  person: PersonId,
  clearedByTable: Readonly<Record<string, number>>,
): Promise<FinalPass> {
  const { scope, tx, at } = change
  const revoked = await revokeAccess(change, person)
  const names = await blankNames(scope, tx, person, at)
  const { rows: cleared } = await clearPersonalAuditValues(scope, tx, person)
  const total = Object.values({ ...clearedByTable, ...names, cleared }).reduce((sum, rows) => sum + rows, 0)
  const entry: ChangeEntry = {
    action: 'person_erased',
    resourceId: person,
    organization: null,
    metadata: { ...clearedByTable, audit_clear: (clearedByTable['audit_clear'] ?? 0) + cleared },
    person,
  }
  // Erasing an erased person without changes records nothing.
  await recordRevokedAccess(change, person, revoked, total > 0 ? [entry] : [])
  return { revoked, names, cleared }
}

async function clearAuditEntries(erasure: Erasure, { keys, merged }: PersonalIdentifiers): Promise<number> {
  const { context, scope, person } = erasure
  let rows = await eraseInBatches(erasure, context.database, true, (tx) =>
    clearPersonalAuditValues(scope, tx, person),
  )
  for (const id of [person, ...merged, ...keys])
    rows += await eraseInBatches(erasure, context.database, -1, (tx, after) =>
      clearIpAddresses(scope, tx, id, after),
    )
  return rows
}

async function clearMetrics(
  erasure: Erasure,
  { accounts }: PersonalIdentifiers,
  store: Pool,
): Promise<number> {
  const { scope } = erasure
  return eraseInBatches(erasure, store, firstPullRequestPosition, async (tx, after) => {
    return (await blankPullRequestAuthors(scope, tx, accounts, after)) ?? refuseWhileMoving(scope)
  })
}

/** Dead letters, and messages in the archive. */
async function clearMessages(
  { context: { bus, dryRun }, scope }: Erasure,
  identifiers: PersonalIdentifiers,
): Promise<{ dead_letters: number; archive: number }> {
  const rewrite = (text: string) => removePersonFromMessage(text, identifiers)
  const deadLetters = await rewriteDeadLetters(bus, scope.root, rewrite, dryRun)
  return { dead_letters: deadLetters, archive: await rewriteArchived(bus, scope.root, rewrite, dryRun) }
}

/** Each batch is a transaction of its own. */
async function eraseInBatches<Position>(
  { context, scope }: Erasure,
  pool: Pool,
  first: Position,
  step: (tx: Tx, after: Position) => Promise<ErasureBatch<Position>>,
): Promise<number> {
  let rows = 0
  for (let after: Position | null = first; after !== null; ) {
    const from: Position = after
    const batch: ErasureBatch<Position> = await runTransaction(context, pool, scope, (tx) => step(tx, from))
    rows += batch.rows
    after = batch.last
    // In a dry run a scan that advances only by its changes would read the same rows forever.
    if (context.dryRun && after === from) return rows
  }
  return rows
}

function runChange<Result>(
  { context, scope }: Erasure,
  work: (change: ChangeContext) => Promise<Result>,
): Promise<Result> {
  const at = context.now()
  return runTransaction(context, context.database, scope, (tx) => work({ tx, scope, actor: operator, at }))
}

function runTransaction<Result>(
  { dryRun }: ErasureContext,
  pool: Pool,
  scope: Scope,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return dryRun ? dryRunTransaction(pool, scope, work) : inTransaction(pool, scope, work)
}

/** Writes no name, because these rows are never erased. */
async function recordRevokedAccess(
  change: ChangeContext,
  person: PersonId,
  { organizations, keys, rows }: RevokedAccess,
  more: readonly ChangeEntry[],
): Promise<void> {
  const subject = { person, organization: null, personal: {} }
  const parts = [{ left: organizations }, { seats: rows.seat, automatic: true }, { keys }]
  await recordTakenAccess(change, subject, parts, { more })
}
