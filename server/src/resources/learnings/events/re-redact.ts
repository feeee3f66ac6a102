import type { ChangeContext } from '../../../access/change-context.ts'
import { rootScope, type Scope } from '../../../access/scope.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { inTransaction, readScoped, type Tx } from '../../../db/transaction.ts'
import type { LearningId, OrganizationId, RootId } from '../../../ids.ts'
import { indexLearnings } from '../../../learning-index/index-learnings.ts'
import { enqueueApprovals } from '../../../learning-index/tasks-sql.ts'
import { contentHash, textForIdentity } from '../../../text/identity.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import type { LearningState } from '../lifecycle.ts'
import type { EmbeddedTexts } from '../write/embed.ts'
import { reRedactTexts } from '../write/item.ts'
import { recordLearningChanges } from '../write/record-change.ts'
import {
  byAge,
  deleteOrigins,
  findLearnings,
  type LearningRow,
  lockLearnings,
  removeLearnings,
  reserveLearningPositions,
  updateLearnings,
} from '../write/sql.ts'
import {
  findLearningRootsUnscoped,
  raiseRedactorVersion,
  readOutdated,
  transferUsesAndOrigins,
  updateDetails,
} from './sql.ts'
import { embedBeforeTransaction } from './transition.ts'

const BATCH_SIZE = 200

/** Redacts the texts of every root with the current redactor version. Resumable. */
export async function reRedactLearnings(context: WorkerContext, batchSize = BATCH_SIZE): Promise<void> {
  for await (const root of findLearningRootsUnscoped(context.database, REDACTOR_VERSION)) {
    await reRedactRoot(context, root, batchSize).catch((err: unknown) =>
      context.log.error({ err, root }, 're-redaction failed; will retry'),
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
  await inTransaction(database, scope, (tx) => raiseRedactorVersion(scope, tx, REDACTOR_VERSION))
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
  const embedded = await embedBeforeTransaction(
    scope,
    context,
    seen.map((row) => reRedactLearning(row).text),
  )
  await inTransaction(context.database, scope, async (tx) => {
    const change: ChangeContext = { scope, tx, actor: { kind: 'service', id: null }, at: context.now() }
    await writeDuplicateGroups(
      change,
      organization,
      await readDuplicateGroups(change, organization, ids),
      embedded,
    )
  })
}

/** Locks the head. */
async function readDuplicateGroups(
  { scope, tx, at }: ChangeContext,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<DuplicateGroup[]> {
  const [head, rows] = await Promise.all([
    reserveLearningPositions(scope, tx, ids.length, REDACTOR_VERSION),
    lockLearnings(scope, tx, organization, { ids }),
  ])
  const redacted = rows.map(reRedactLearning)
  const hashes = redacted.map(({ content_hash }) => content_hash)
  const known = new Set(ids)
  const others = await lockLearnings(scope, tx, organization, { hashes })
  const was = [...rows, ...others.filter(({ id }) => !known.has(id))]
  return mergeDuplicates(was, { base: head.position - ids.length, at })
}

async function writeDuplicateGroups(
  change: ChangeContext,
  organization: OrganizationId,
  groups: readonly DuplicateGroup[],
  embedded: EmbeddedTexts,
): Promise<void> {
  const { scope, tx, at } = change
  const merged = groups.flatMap(({ survivor, absorbed }) =>
    absorbed.map((learning) => ({ learning, survivor: survivor.id })),
  )
  await transferUsesAndOrigins(
    scope,
    tx,
    organization,
    merged.map(({ learning: { id }, survivor }) => ({ id, survivor })),
  )
  // Before the survivors are written: content hashes are unique.
  await removeLearnings(
    scope,
    tx,
    organization,
    merged.map(({ learning }) => learning.id),
  )
  await writeSurvivors(scope, tx, organization, groups)
  const changed = groups.filter(({ survivor, isIndexed }) => survivor.state === 'shared' && !isIndexed)
  const items = changed.map(({ survivor }) => ({
    learning: survivor,
    vectors: embedded.vectorsOf(survivor.text),
  }))
  await indexLearnings(scope, tx, embedded.models, items, at, embedded.onIndexError)
  await recordLearningChanges(
    change,
    merged.map(({ learning, survivor }) => ({ what: 'merged', learning, metadata: { survivor } })),
  )
}

async function writeSurvivors(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  groups: readonly DuplicateGroup[],
): Promise<void> {
  const survivors = groups.map(({ survivor }) => survivor)
  await Promise.all([
    updateLearnings(scope, tx, survivors),
    updateDetails(scope, tx, organization, survivors),
    deleteOrigins(
      scope,
      tx,
      organization,
      survivors.filter(({ state }) => state !== 'private').map(({ id }) => id),
    ),
    enqueueApprovals(
      scope,
      tx,
      survivors.flatMap(({ organization_id, id, state, deadline }) =>
        state === 'pending' && deadline !== null ? [{ organization_id, id, deadline }] : [],
      ),
    ),
  ])
}

/** Learnings of one repository whose texts are equal under the current redactor version. */
interface DuplicateGroup {
  /** The new row of the oldest Learning. */
  readonly survivor: LearningRow
  readonly absorbed: readonly LearningRow[]
  /** Whether its index row already matches its new text. */
  readonly isIndexed: boolean
}

/** Keeps the id even if the text changes. */
function reRedactLearning(row: LearningRow): LearningRow {
  if (row.redactor_version >= REDACTOR_VERSION) return row
  return {
    ...row,
    ...reRedactTexts(row),
    content_hash: contentHash(row.repository_id, textForIdentity(row.text)),
    redactor_version: REDACTOR_VERSION,
  }
}

/** Merges equal texts into the oldest Learning. Uses at most one position after `base` per group. */
function mergeDuplicates(
  rows: readonly LearningRow[],
  { base, at }: { readonly base: number; readonly at: Date },
): DuplicateGroup[] {
  const groups = Map.groupBy(rows, (row) => reRedactLearning(row).content_hash.toString('hex'))
  return [...groups.values()].map((duplicates, index) => mergeGroup(duplicates, base + index + 1, at))
}

// As if the texts had always been equal: the earliest decision wins.
const statePrecedence: Readonly<Record<LearningState, number>> = {
  shared: 2,
  disapproved: 2,
  pending: 1,
  private: 0,
}

function mergeGroup(duplicates: readonly LearningRow[], position: number, at: Date): DuplicateGroup {
  const [was, ...gone] = duplicates.toSorted(byAge)
  if (was === undefined) throw new Error('A group of duplicates must not be empty.')
  const [strongest = was] = duplicates.toSorted((a, b) => comparePrecedence(a, b) || byAge(a, b))
  const { state, source, deadline } = strongest
  const redacted = reRedactLearning(was)
  const isSame =
    redacted.text === was.text && redacted.file === was.file && redacted.source_url === was.source_url
  const is = {
    ...redacted,
    state,
    source: gone.length === 0 ? was.source : source,
    deadline,
    pull_request: strongest.pull_request ?? was.pull_request,
    position: state === 'shared' ? (was.position ?? position) : null,
    updated_at: isSame && was.state === state ? was.updated_at : at,
  }
  return {
    survivor: is,
    absorbed: gone,
    isIndexed: was.state === 'shared' && redacted.content_hash.equals(was.content_hash),
  }
}

/** Among pending Learnings, the earlier deadline wins. */
function comparePrecedence(one: LearningRow, other: LearningRow): number {
  return (
    statePrecedence[other.state] - statePrecedence[one.state] ||
    getDeadlineTime(one.deadline) - getDeadlineTime(other.deadline)
  )
}

function getDeadlineTime(deadline: Date | null): number {
  return deadline === null ? Number.MAX_SAFE_INTEGER : deadline.getTime()
}
