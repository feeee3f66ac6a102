import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { toIndexRows } from '../index-learnings.ts'
import { MODEL_CACHE_MS } from '../models.ts'
import { deleteOutdatedIndexRows, insertIndexRows, readModelsUnscoped, type SharedLearning } from '../sql.ts'
import { measureRecall } from './recall.ts'
import type { IndexMaintenanceContext } from './repair.ts'
import {
  activateModelUnscoped,
  countSharedUnscoped,
  findIndexedRootsUnscoped,
  findUnindexedLearnings,
  lockSharedLearnings,
  startFillingUnscoped,
  type UnindexedLearning,
} from './sql.ts'
import { createVectorIndexes } from './vector-index.ts'

export interface ReindexJob {
  readonly database: Pool
  readonly log: IndexMaintenanceContext['log']
  readonly now: () => Date
  /** The model to switch to. */
  readonly to: Embedder
  /** Activates the model even if some node appears not to be configured for it. */
  readonly force: boolean
  /** Receives progress lines every few seconds. */
  readonly report: (line: string) => void
  /** How long to wait until the cached model lists of all nodes have expired. */
  readonly propagationMs?: number
}

export interface ReindexResult {
  readonly from: string | null
  readonly to: string
  readonly embedded: number
  /** The share of the ten nearest rows that a search finds; null without rows. */
  readonly recallBefore: number | null
  readonly recallAfter: number | null
}

const PROPAGATION_MS = MODEL_CACHE_MS + 2_000
const BATCH_SIZE = 400
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000]
const REPORT_INTERVAL_MS = 3_000

/** Searches use the old model until every shared Learning has a row of the new one. Safe to interrupt and run again. */
export async function reindex(job: ReindexJob): Promise<ReindexResult> {
  const { database, to, report, propagationMs = PROPAGATION_MS } = job
  const old = (await readModelsUnscoped(database)).find(({ state }) => state === 'active')
  const recallBefore = old === undefined ? null : await measureRecall(database, old)
  if (old?.model !== to.model) {
    await startFillingUnscoped(database, to)
    report(`New texts are now embedded with ${to.model} too. Waiting until all nodes use it.`)
    await sleep(propagationMs)
  }
  const addProgress = createProgressReporter(report, await countSharedUnscoped(database))
  const { filled: embedded, missedWrites } = await fillModel(job, addProgress)
  await createVectorIndexes(job)
  if (old?.model !== to.model) {
    refuseMissedWrites(job, missedWrites)
    await activateModelUnscoped(database, to.model)
    report(`Searches now use ${to.model}.`)
    await sleep(propagationMs)
    await fillModel(job, addProgress)
  }
  const recallAfter = await measureRecall(database, to)
  return { from: old?.model ?? null, to: to.model, embedded, recallBefore, recallAfter }
}

type AddProgress = (done: number) => void

interface FillResult {
  readonly filled: number
  /** Learnings written without the model after all nodes should have known it. */
  readonly missedWrites: number
}

/** Repeats until little is missing, because Learnings are written meanwhile. */
async function fillModel(job: ReindexJob, addProgress: AddProgress): Promise<FillResult> {
  const startedAt = job.now()
  let [filled, missedWrites] = [0, 0]
  for (let found = BATCH_SIZE; found >= BATCH_SIZE; ) {
    found = 0
    for (const root of await findIndexedRootsUnscoped(job.database)) {
      for await (const missing of fillRoot(job, root)) {
        found += missing.length
        missedWrites += missing.filter(({ updated_at }) => new Date(updated_at) > startedAt).length
        addProgress(missing.length)
      }
    }
    filled += found
  }
  return { filled, missedWrites }
}

/** Yields each filled batch, in order of id. */
async function* fillRoot(
  { database, to, report }: ReindexJob,
  root: RootId,
): AsyncGenerator<readonly UnindexedLearning[]> {
  const scope = rootScope(root)
  for (let last: UnindexedLearning | undefined; ; ) {
    const missing = await readScoped(database, scope, (tx) =>
      findUnindexedLearnings(scope, tx, to.model, BATCH_SIZE, last),
    )
    last = missing.at(-1)
    if (last === undefined) return
    const vectors = await embedWithRetries(to, missing, report)
    const known = new Map(
      missing.map((learning, index) => [learning.id, { learning, vector: vectors[index] }]),
    )
    await inTransaction(database, scope, async (tx) => {
      const locked = await lockSharedLearnings(scope, tx, missing)
      const rows = locked.flatMap((learning) => {
        const found = known.get(learning.id)
        const same = found?.learning.content_hash.equals(learning.content_hash) ?? false
        if (found?.vector === undefined || !same) return []
        return toIndexRows({ learning, vectors: new Map([[to.model, found.vector]]) }, [to.model])
      })
      await Promise.all([deleteOutdatedIndexRows(scope, tx, locked), insertIndexRows(scope, tx, rows)])
    })
    yield missing
  }
}

async function embedWithRetries(
  to: Embedder,
  learnings: readonly SharedLearning[],
  report: (line: string) => void,
): Promise<Float32Array[]> {
  const texts = learnings.map(({ text }) => text)
  for (const pause of RETRY_DELAYS_MS) {
    try {
      return await to.embed(texts)
    } catch (error) {
      report(`${error instanceof Error ? error.message : 'The model failed.'} Retrying in ${pause / 1000} s.`)
      await sleep(pause)
    }
  }
  return to.embed(texts)
}

/** A node that still writes without the new model could not search with it either. */
function refuseMissedWrites({ to, force }: ReindexJob, missedWrites: number): void {
  if (missedWrites === 0 || force) return
  throw new Error(
    `${missedWrites} Learnings were written without ${to.model} during the reindex. Some node is not configured for it or ` +
      'cannot reach it, and would search by terms only. Give all nodes the same EMBEDDER_* settings and run the command ' +
      'again; it reuses stored vectors. To activate the model anyway, use --force.',
  )
}

function createProgressReporter(report: (line: string) => void, total: number): AddProgress {
  let done = 0
  let lastReport = performance.now()
  const start = lastReport
  return (more) => {
    done += more
    const now = performance.now()
    if (now - lastReport < REPORT_INTERVAL_MS) return
    lastReport = now
    report(`${done} of ${total} Learnings, ${Math.round((done * 1000) / (now - start))} per second`)
  }
}
