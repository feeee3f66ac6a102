import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../db/connect.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { MODEL_CACHE_MS } from '../models.ts'
import { readModelsUnscoped } from '../sql.ts'
import { fillIndex } from './fill.ts'
import type { IndexMaintenanceContext } from './repair.ts'
import { activateModelUnscoped, countSharedUnscoped, startFillingUnscoped } from './sql.ts'
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
}

const PROPAGATION_MS = MODEL_CACHE_MS + 2_000
const BATCH_SIZE = 400
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000]
const REPORT_INTERVAL_MS = 3_000

/** Searches use the old model until every shared Learning has a row of the new one. Safe to interrupt and run again. */
export async function reindex(job: ReindexJob): Promise<ReindexResult> {
  const { database, to, report, propagationMs = PROPAGATION_MS } = job
  const old = (await readModelsUnscoped(database)).find(({ state }) => state === 'active')
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
  return { from: old?.model ?? null, to: to.model, embedded }
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
    await fillIndex({
      database: job.database,
      to: { ...job.to, embed: (texts) => embedWithRetries(job, texts) },
      batchSize: BATCH_SIZE,
      shouldContinue: () => true,
      onBatch(learnings) {
        found += learnings.length
        missedWrites += learnings.filter(({ updated_at }) => new Date(updated_at) > startedAt).length
        addProgress(learnings.length)
      },
    })
    filled += found
  }
  return { filled, missedWrites }
}

async function embedWithRetries(
  { to, report }: ReindexJob,
  texts: readonly string[],
): Promise<Float32Array[]> {
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
