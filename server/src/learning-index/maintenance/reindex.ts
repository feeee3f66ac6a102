import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { toIndexRows } from '../index-learnings.ts'
import { deleteOutdatedIndexRows, insertIndexRows, type SharedLearning } from '../index-rows-sql.ts'
import { MODEL_CACHE_MS } from '../models.ts'
import { readModelsUnscoped } from '../models-sql.ts'
import { activateModelUnscoped, startFillingUnscoped } from './models-sql.ts'
import { measureRecall } from './recall.ts'
import type { IndexMaintenanceContext } from './repair.ts'
import {
  countSharedUnscoped,
  findIndexedRootsUnscoped,
  findUnindexedLearnings,
  lockSharedLearnings,
  type UnindexedLearning,
} from './sql.ts'
import { createVectorIndexes } from './vector-index.ts'

export interface ReindexJob {
  readonly database: Pool
  readonly log: IndexMaintenanceContext['log']
  readonly now: () => Date
  /** The model that texts are embedded with from now on. */
  readonly to: Embedder
  /** Takes the model into use although some node does not seem to know it. */
  readonly force: boolean
  /** Told how far it is, every few seconds. */
  readonly report: (line: string) => void
  /** How long to wait until every node has heard of a change. */
  readonly propagationMs?: number
}

export interface ReindexResult {
  readonly from: string | null
  readonly to: string
  readonly embedded: number
  /** Of the ten nearest, how many a search finds; null when there is nothing to search. */
  readonly recallBefore: number | null
  readonly recallAfter: number | null
}

const PROPAGATION_MS = MODEL_CACHE_MS + 2_000
const BATCH_SIZE = 400
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000]
const REPORT_INTERVAL_MS = 3_000

/** Searches use the old model until every shared Learning has its row of the new one. Broken off, it can be begun again. */
export async function reindex(job: ReindexJob): Promise<ReindexResult> {
  const { database, to, report, propagationMs = PROPAGATION_MS } = job
  const old = (await readModelsUnscoped(database)).find(({ state }) => state === 'active')
  const recallBefore = old === undefined ? null : await measureRecall(database, old)
  if (old?.model !== to.model) {
    await startFillingUnscoped(database, to)
    report(`Every new text is embedded with ${to.model} too. Waiting until all nodes have heard of it.`)
    await sleep(propagationMs)
  }
  const addProgress = createProgressReporter(report, await countSharedUnscoped(database))
  const { filled: embedded, missedWrites } = await fillModel(job, addProgress)
  await createVectorIndexes(job)
  if (old?.model !== to.model) {
    refuseMissedWrites(job, missedWrites)
    await activateModelUnscoped(database, to.model)
    report(`Searches use ${to.model} from now on.`)
    await sleep(propagationMs)
    await fillModel(job, addProgress)
  }
  const recallAfter = await measureRecall(database, to)
  return { from: old?.model ?? null, to: to.model, embedded, recallBefore, recallAfter }
}

type AddProgress = (done: number) => void

interface FillResult {
  readonly filled: number
  /** Written without the model after every node should have heard of it. */
  readonly missedWrites: number
}

/** Goes through all roots again as long as much was missing: more may be written meanwhile. */
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

/** In order of id, batch by batch. */
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
      report(
        `${error instanceof Error ? error.message : 'The model failed.'} Trying again in ${pause / 1000} s.`,
      )
      await sleep(pause)
    }
  }
  return to.embed(texts)
}

/** A node that wrote without the new model, long after it should have heard of it, could not search by it either. */
function refuseMissedWrites({ to, force }: ReindexJob, missedWrites: number): void {
  if (missedWrites === 0 || force) return
  throw new Error(
    `${missedWrites} Learnings were written without ${to.model} meanwhile: some node is not configured for it, or cannot ` +
      'reach it, and would search by words alone. Give all nodes the same EMBEDDER_* settings and run this again; what ' +
      'was embedded is kept. Or go on regardless with --force.',
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
    report(`${done} of ${total} Learnings, ${Math.round((done * 1000) / (now - start))} a second`)
  }
}
