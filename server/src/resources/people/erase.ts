import type { AuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { rootScope, type Scope } from '../../access/scope.ts'
import type { Bus } from '../../bus/connect.ts'
import { rewriteDeadLetters } from '../../bus/dead-letters.ts'
import type { Pool } from '../../db/connect.ts'
import type { MetricsStores } from '../../db/stores.ts'
import { dryRunTransaction, inTransaction, type Tx } from '../../db/transaction.ts'
import { refuse } from '../../errors.ts'
import type { PersonId, RootId } from '../../ids.ts'
import { withoutPerson } from './erase-letters.ts'
import {
  blankLearningAuthors,
  blankPullRequestAuthors,
  clearAddressesOf,
  clearAuditOf,
  type ErasureBatch,
  firstLearningPosition,
  firstPullRequestPosition,
  readStore,
} from './erase-names-sql.ts'
import {
  blankNames,
  lockRootForErasure,
  type PersonalIdentifiers,
  type RevokedAccess,
  readPersonalIdentifiers,
  revokeAllAccess,
} from './erase-sql.ts'
import { recordRevokedAccess } from './record-erasure.ts'

export interface Eraser {
  readonly database: Pool
  readonly stores: MetricsStores
  readonly bus: Bus
  readonly now: () => Date
  /** Everything is done and taken back: what it answers is what would happen. */
  readonly rehearse: boolean
  readonly reportProgress: (line: string) => void
}

export interface Erased {
  /** Rows that were changed or deleted, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Organizations that are left without an admin. */
  readonly withoutAdmin: readonly string[]
}

interface Erasure {
  readonly eraser: Eraser
  readonly scope: Scope
  readonly person: PersonId
}

const actor = { kind: 'operator', id: null } as const

/**
 * First the person is shut out, then names are taken out of what others have written, piece by piece, at last the
 * person's own: so whoever is killed in between still finds the person by the e-mail, and begins again. An erased
 * person can be erased again, for what was told since.
 */
export async function erasePerson(eraser: Eraser, root: RootId, person: PersonId): Promise<Erased> {
  const erasure = { eraser, scope: rootScope(root), person }
  const identifiers = await inTransaction(eraser.database, erasure.scope, (tx) =>
    readPersonalIdentifiers(erasure.scope, tx, person),
  )
  if (identifiers === null) return refuse('NOT_FOUND', `The tenant root has no person with the id ${person}.`)
  const store = await findStore(erasure)
  const revoked = await changing(erasure, async (change) => {
    const found = await revokeAccess(change, person)
    await recordRevokedAccess(change, person, found, [])
    return found
  })
  eraser.reportProgress('Keys, seat and memberships have ended.')
  const swept = {
    audit_clear: await clearAudit(erasure, identifiers),
    learning: await eraseInBatches(erasure, eraser.database, firstLearningPosition, (tx, after) =>
      blankLearningAuthors(erasure.scope, tx, person, after),
    ),
    pull_request: await clearMetrics(erasure, identifiers, store),
    dead_letters: await clearLetters(erasure, identifiers),
  }
  eraser.reportProgress('Names were taken out of the audit log, Learnings, metrics and dead letters.')
  const last = await changing(erasure, (change) => finish(change, person, swept))
  return summarizeErasure(eraser.rehearse ? [last.revoked] : [revoked, last.revoked], last, swept)
}

/** What the first part of a rehearsal has ended was there again for the last. */
function summarizeErasure(
  revocations: readonly RevokedAccess[],
  { names, cleared }: Finished,
  swept: Readonly<Record<string, number>>,
): Erased {
  const sum = (count: (revoked: RevokedAccess) => number) =>
    revocations.reduce((total, revoked) => total + count(revoked), 0)
  const left = revocations.flatMap(({ organizations }) => organizations)
  return {
    rows: {
      person: names.person,
      account: names.account,
      membership: left.length,
      repository_access: sum(({ repositories }) => repositories),
      seat: sum(({ seats }) => seats),
      seat_request: sum(({ requests }) => requests),
      api_key: names.api_key,
      ...swept,
      audit_clear: (swept['audit_clear'] ?? 0) + (revocations.length > 1 ? cleared : 0),
    },
    withoutAdmin: left
      .filter(({ without_admin }) => without_admin)
      .map(({ organization_id }) => organization_id),
  }
}

/** Before anything is changed: a store that this process does not know of would keep the names. */
async function findStore({ eraser, scope }: Erasure): Promise<Pool> {
  const store = await inTransaction(eraser.database, scope, (tx) => readStore(scope, tx))
  return eraser.stores.pool(store ?? refuseWhileMoving(scope))
}

function refuseWhileMoving({ root }: Scope): never {
  return refuse(
    'INVALID_REQUEST',
    `The metrics are being moved. Wait until that has ended (npm run admin -- metrics status ${root}), then ask again.`,
  )
}

async function revokeAccess({ scope, tx, at }: ChangeContext, person: PersonId): Promise<RevokedAccess> {
  const [, , revoked] = await Promise.all([
    lockRootForErasure(scope, tx),
    lockAndCountSeats(scope, tx),
    revokeAllAccess(scope, tx, person, at),
  ])
  return revoked
}

interface Finished {
  readonly revoked: RevokedAccess
  readonly names: Awaited<ReturnType<typeof blankNames>>
  readonly cleared: number
}

async function finish(
  change: ChangeContext,
  person: PersonId,
  swept: Readonly<Record<string, number>>,
): Promise<Finished> {
  const { scope, tx, at } = change
  const revoked = await revokeAccess(change, person)
  const names = await blankNames(scope, tx, person, at)
  const { rows: cleared } = await clearAuditOf(scope, tx, person)
  const total = Object.values({ ...swept, ...names, cleared }).reduce((sum, rows) => sum + rows, 0)
  const entry: AuditEntry = {
    action: 'person_erased',
    resourceType: 'person',
    resourceId: person,
    organization: null,
    actor: change.actor,
    metadata: { ...swept, audit_clear: (swept['audit_clear'] ?? 0) + cleared },
    person,
  }
  // Whoever was erased before, and is found erased, is not told of again.
  await recordRevokedAccess(change, person, revoked, total > 0 ? [entry] : [])
  return { revoked, names, cleared }
}

async function clearAudit(erasure: Erasure, { keys }: PersonalIdentifiers): Promise<number> {
  const { eraser, scope, person } = erasure
  let rows = await eraseInBatches(erasure, eraser.database, true, (tx) => clearAuditOf(scope, tx, person))
  for (const id of [person, ...keys])
    rows += await eraseInBatches(erasure, eraser.database, -1, (tx, after) =>
      clearAddressesOf(scope, tx, id, after),
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

function clearLetters({ eraser, scope }: Erasure, identifiers: PersonalIdentifiers): Promise<number> {
  return rewriteDeadLetters(
    eraser.bus,
    scope.root,
    (text) => withoutPerson(text, identifiers),
    eraser.rehearse,
  )
}

/** Piece by piece, each in a transaction of its own, until there is nothing left. */
async function eraseInBatches<Place>(
  { eraser, scope }: Erasure,
  pool: Pool,
  first: Place,
  step: (tx: Tx, after: Place) => Promise<ErasureBatch<Place>>,
): Promise<number> {
  let rows = 0
  for (let after: Place | null = first; after !== null; ) {
    const from: Place = after
    const batch: ErasureBatch<Place> = await transact(eraser, pool, scope, (tx) => step(tx, from))
    rows += batch.rows
    after = batch.last
    // A rehearsal would meet the same rows for ever where nothing leads on but the change itself.
    if (eraser.rehearse && after === from) return rows
  }
  return rows
}

function changing<Result>(
  { eraser, scope }: Erasure,
  work: (change: ChangeContext) => Promise<Result>,
): Promise<Result> {
  const at = eraser.now()
  return transact(eraser, eraser.database, scope, (tx) => work({ tx, scope, actor, at }))
}

function transact<Result>(
  { rehearse }: Eraser,
  pool: Pool,
  scope: Scope,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return rehearse ? dryRunTransaction(pool, scope, work) : inTransaction(pool, scope, work)
}
