import type { ChangeContext } from '../../../access/change-context.ts'
import { rootScope, type Scope } from '../../../access/scope.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { inTransaction, readScoped, type Tx } from '../../../db/transaction.ts'
import type { LearningId, OrganizationId, RootId } from '../../../ids.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { oweApproval } from '../../../learning-index/tasks.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import type { Embedded } from '../write/embed.ts'
import { recordLearningChanges } from '../write/record-change.ts'
import {
  deleteOrigins,
  findLearnings,
  lockLearnings,
  removeLearnings,
  reserveLearningPositions,
  updateLearnings,
} from '../write-sql.ts'
import { absorb, findRootsUnscoped, raiseRedactor, readOutdated, updateDetails } from './maintenance-sql.ts'
import { type Family, mergeEquals, redactAnew } from './merge.ts'
import { embedAhead } from './transition.ts'

const BATCH_SIZE = 200

/** Brings the texts of every root to the rules of this version. It goes on where it was stopped. */
export async function reRedact(context: WorkerContext, batchSize = BATCH_SIZE): Promise<void> {
  for await (const root of findRootsUnscoped(context.database, REDACTOR_VERSION)) {
    await reRedactRoot(context, root, batchSize).catch((err: unknown) =>
      context.log.error({ err, root }, 'learnings were not redacted anew; it is tried again'),
    )
  }
}

async function reRedactRoot(context: WorkerContext, root: RootId, batchSize: number): Promise<void> {
  const scope = rootScope(root)
  const { database } = context
  for (;;) {
    const outdated = await readScoped(database, scope, (tx) =>
      readOutdated(scope, tx, REDACTOR_VERSION, batchSize),
    )
    if (outdated.length === 0) break
    for (const [organization, of] of Map.groupBy(outdated, ({ organization_id }) => organization_id)) {
      await reRedactBatch(
        context,
        scope,
        organization,
        of.map(({ id }) => id),
      )
    }
  }
  await inTransaction(database, scope, (tx) => raiseRedactor(scope, tx, REDACTOR_VERSION))
}

async function reRedactBatch(
  context: WorkerContext,
  scope: Scope,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<void> {
  const seen = await readScoped(context.database, scope, (tx) =>
    findLearnings(scope, tx, organization, { ids }),
  )
  const embedded = await embedAhead(
    context,
    seen.map((row) => redactAnew(row).text),
  )
  await inTransaction(context.database, scope, async (tx) => {
    const change: ChangeContext = { scope, tx, actor: { kind: 'service', id: null }, at: context.now() }
    await writeFamilies(change, organization, await readFamilies(change, organization, ids), embedded)
  })
}

/** The head is held from here on. */
async function readFamilies(
  { scope, tx, at }: ChangeContext,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<Family[]> {
  const [head, rows] = await Promise.all([
    reserveLearningPositions(scope, tx, ids.length, REDACTOR_VERSION),
    lockLearnings(scope, tx, organization, { ids }),
  ])
  const anew = rows.map(redactAnew)
  const hashes = anew.map(({ content_hash }) => content_hash)
  const known = new Set(ids)
  const others = await lockLearnings(scope, tx, organization, { hashes })
  const was = [...rows, ...others.filter(({ id }) => !known.has(id))]
  return mergeEquals(was, { base: head.position - ids.length, at })
}

async function writeFamilies(
  change: ChangeContext,
  organization: OrganizationId,
  families: readonly Family[],
  embedded: Embedded,
): Promise<void> {
  const { scope, tx, at } = change
  const merged = families.flatMap(({ is, absorbed }) =>
    absorbed.map((learning) => ({ learning, survivor: is.id })),
  )
  await absorb(
    scope,
    tx,
    organization,
    merged.map(({ learning: { id }, survivor }) => ({ id, survivor })),
  )
  // The content of those that go is free for those that stay.
  await removeLearnings(
    scope,
    tx,
    organization,
    merged.map(({ learning }) => learning.id),
  )
  await writeSurvivors(scope, tx, organization, families)
  const changed = families.filter(({ is, isIndexed }) => is.state === 'shared' && !isIndexed)
  const items = changed.map(({ is }) => ({ learning: is, vectors: embedded.vectorsOf(is.text) }))
  await indexLearnings(scope, tx, embedded.models, items, at, embedded.trouble)
  await recordLearningChanges(
    change,
    merged.map(({ learning, survivor }) => ({ what: 'merged', learning, metadata: { survivor } })),
  )
}

async function writeSurvivors(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  families: readonly Family[],
): Promise<void> {
  const survivors = families.map(({ is }) => is)
  await Promise.all([
    updateLearnings(scope, tx, survivors),
    updateDetails(scope, tx, organization, survivors),
    deleteOrigins(
      scope,
      tx,
      organization,
      survivors.filter(({ state }) => state !== 'private').map(({ id }) => id),
    ),
    oweApproval(
      scope,
      tx,
      survivors.flatMap(({ organization_id, id, state, deadline }) =>
        state === 'pending' && deadline !== null ? [{ organization_id, id, deadline }] : [],
      ),
    ),
  ])
}
