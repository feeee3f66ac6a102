import { setImmediate } from 'node:timers/promises'
import type { Static } from 'typebox'
import type { SelectedScope } from '../../../access/scope.ts'
import type { AppContext } from '../../../http/app-context.ts'
import type { RequestContext } from '../../../http/endpoint.ts'
import { ok, type Reply } from '../../../http/reply.ts'
import type { LearningId } from '../../../ids.ts'
import { findUnindexed, indexLearnings } from '../../../learning-index/index-learnings.ts'
import type { SimilarById } from '../../../learning-index/similar.ts'
import { deleteTasks } from '../../../learning-index/tasks-sql.ts'
import { explainTextFlags } from '../../../text/flags.ts'
import { type EmbeddedTexts, embedTexts } from './embed.ts'
import { type ValidatedItem, validateItem } from './item.ts'
import { type BatchPlan, type ItemOutcome, planBatch } from './plan.ts'
import { type LearningChange, recordLearningChanges } from './record-change.ts'
import type { BatchResult, CreateBody, IgnoredField } from './schema.ts'
import { canCompare, findSimilarLearnings, renderSimilar } from './similar.ts'
import { deleteOrigins, insertLearnings, type LearningRow, updateLearnings } from './sql.ts'
import { toWriteContext, type WriteContext } from './write-context.ts'

interface CreateInput {
  readonly body: Static<typeof CreateBody>
}

export function isDryRun({ body }: CreateInput): boolean {
  return body.dry_run === true
}

interface PreparedBatch {
  readonly validated: readonly ValidatedItem[]
  readonly embedded: EmbeddedTexts
  readonly maxPending: number
}

export async function prepareBatch(
  app: AppContext,
  { body }: CreateInput,
  { scope }: SelectedScope,
): Promise<PreparedBatch> {
  const validated: ValidatedItem[] = []
  for (const given of body.data as readonly unknown[]) {
    validated.push(validateItem(given))
    // Redacting a hundred long texts takes seconds: yield so that other requests can run.
    await setImmediate()
  }
  // A dry run indexes nothing, so texts leave the request only to be compared.
  const isEmbedded = !isDryRun({ body }) || (await canCompare(app))
  const texts = isEmbedded ? validated.flatMap((one) => ('item' in one ? [one.item.text] : [])) : []
  return {
    validated,
    embedded: await embedTexts(scope, app, texts),
    maxPending: app.config.maxPendingLearnings,
  }
}

export async function createLearnings(
  context: RequestContext<PreparedBatch>,
  input: CreateInput,
): Promise<Reply> {
  const { validated, embedded, maxPending } = context.prepared
  const writeContext = toWriteContext(context)
  const dryRun = isDryRun(input)
  const plan = await planBatch(writeContext, validated, {
    dryRun,
    isAdmin: context.principal.admin,
    maxPending,
  })
  const similar = await findSimilarToBatch(writeContext, plan, embedded)
  if (dryRun) return ok(renderBatchResult(plan.outcomes, { unindexed: new Set(), similar }))
  await storeBatch(writeContext, plan)
  const unindexed = await indexBatch(writeContext, plan, embedded)
  await recordLearningChanges(writeContext, toLearningChanges(plan))
  return ok(renderBatchResult(plan.outcomes, { unindexed, similar }))
}

async function storeBatch(
  { scope, tx, organization }: WriteContext,
  { created, shared }: BatchPlan,
): Promise<void> {
  const rows = shared.map(({ is }) => is)
  const ids = rows.map(({ id }) => id)
  await Promise.all([
    insertLearnings(scope, tx, created),
    updateLearnings(scope, tx, rows),
    deleteOrigins(scope, tx, organization, ids),
    deleteTasks(scope, tx, 'approve', rows),
  ])
}

/** Indexes created and newly shared Learnings, and repairs missing rows of the others. Returns ids without an index. */
async function indexBatch(
  { scope, tx, at }: WriteContext,
  { created, shared, unchanged, sentAs }: BatchPlan,
  { models, vectorsOf, onIndexError }: EmbeddedTexts,
): Promise<ReadonlySet<LearningId>> {
  const missing = await findUnindexed(scope, tx, models, unchanged)
  const learnings = [
    ...created.filter(isShared),
    ...shared.map(({ is }) => is),
    ...unchanged.filter(({ id }) => missing.has(id)),
  ]
  const items = learnings.map((learning) => ({
    learning,
    vectors: vectorsOf(sentAs.get(learning.id) ?? learning.text),
  }))
  return indexLearnings(scope, tx, models, items, at, onIndexError)
}

/** Close to the Learnings that the batch creates or shares. Compared before they are stored, so that a dry run reads the same. */
function findSimilarToBatch(
  writeContext: WriteContext,
  { created, shared, sentAs }: BatchPlan,
  embedded: EmbeddedTexts,
): Promise<SimilarById> {
  const learnings = [...created.filter(isShared), ...shared.map(({ is }) => is)]
  const texts = learnings.map(({ id, text }) => ({ id, text: sentAs.get(id) ?? text }))
  return findSimilarLearnings(writeContext, texts, embedded, { withEachOther: true })
}

function isShared({ state }: LearningRow): boolean {
  return state === 'shared'
}

function toLearningChanges({ created, shared }: BatchPlan): LearningChange[] {
  return [
    ...created.map((learning): LearningChange => {
      if (isShared(learning)) return { what: 'created', learning }
      const { source, flags } = learning
      return { what: 'proposed', learning, metadata: { source, flags } }
    }),
    ...shared.map(
      ({ was, is }): LearningChange => ({
        what: was.state === 'pending' ? 'approved' : 'promoted',
        learning: is,
        was,
      }),
    ),
  ]
}

/** What is known of the stored Learnings besides their outcome. */
interface BatchDetails {
  /** Learnings without an index. */
  readonly unindexed: ReadonlySet<LearningId>
  readonly similar: SimilarById
}

function renderBatchResult(
  outcomes: readonly ItemOutcome[],
  details: BatchDetails,
): Static<typeof BatchResult> {
  const seen = new Set<LearningId>()
  const results = outcomes.map((outcome, itemIndex) => {
    const id = outcome.status === 'failed' ? null : outcome.learning.id
    // A text becomes shared once: a later item of the batch with the same text only names it.
    const similar = id === null || seen.has(id) ? new Map() : details.similar
    if (id !== null) seen.add(id)
    return renderItemResult(outcome, itemIndex, { ...details, similar })
  })
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length
  const failed = count('failed')
  return {
    status: failed === 0 ? 'success' : failed === results.length ? 'failure' : 'partial_success',
    created_count: count('created'),
    duplicate_count: count('duplicate'),
    failed_count: failed,
    results,
  }
}

const indexFailedMessage =
  'The Learning is stored, but reviews do not find it yet: its index could not be written. ' +
  'Send the same item again to repair it, or wait: the server retries automatically.'

function renderItemResult(outcome: ItemOutcome, itemIndex: number, { unindexed, similar }: BatchDetails) {
  const { status } = outcome
  if (status === 'failed') {
    const { code, message, id } = outcome
    return { index: itemIndex, status, ...(id && { id }), error: { code, message } }
  }
  const { id, state } = outcome.learning
  if (status === 'duplicate' && outcome.matched === 'id')
    return { index: itemIndex, status, id, matched: outcome.matched, ...renderIgnored(outcome.ignored) }
  if (unindexed.has(id))
    return {
      index: itemIndex,
      status: 'failed',
      id,
      error: { code: 'INDEX_FAILED', message: indexFailedMessage },
    }
  return {
    index: itemIndex,
    status,
    id,
    ...((state === 'pending' || state === 'private') && { state }),
    ...renderFlags(outcome.learning),
    ...(status === 'duplicate' && renderIgnored(outcome.ignored)),
    ...renderSimilar(similar, id),
  }
}

/** Null flags: the row was written by a version that does not examine texts. */
function renderFlags({ text, file, flags }: LearningRow) {
  const found = flags?.length === 0 ? [] : explainTextFlags(text, file)
  return (
    found.length > 0 && {
      flags: found.map(({ flag }) => flag),
      flag_excerpts: found.map(({ excerpt }) => excerpt),
    }
  )
}

function renderIgnored(ignored: readonly IgnoredField[]) {
  return ignored.length > 0 && { ignored: [...ignored] }
}
