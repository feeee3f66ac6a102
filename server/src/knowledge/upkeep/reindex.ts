import { setTimeout as sleep } from 'node:timers/promises'
import { rootScope } from '../../access/scope.ts'
import type { Pool } from '../../db/connect.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { RootId } from '../../ids.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { rowsOf } from '../keep.ts'
import { dropOutdatedRows, insertRows, type Shared } from '../keep-sql.ts'
import { REMEMBERED_MS } from '../models.ts'
import { readModelsUnscoped } from '../models-sql.ts'
import { activateUnscoped, startFillingUnscoped } from './models-sql.ts'
import { makeNearIndexes } from './near.ts'
import { measureRecall } from './recall.ts'
import type { Upkeep } from './repair.ts'
import { countSharedUnscoped, findMissing, findRootsUnscoped, lockSharedRows, type Missing } from './sql.ts'

export interface Reindex {
  readonly database: Pool
  readonly log: Upkeep['log']
  readonly now: () => Date
  /** The model that texts are embedded with from now on. */
  readonly to: Embedder
  /** Takes the model into use although some node does not seem to know it. */
  readonly force: boolean
  /** Told how far it is, every few seconds. */
  readonly say: (line: string) => void
  /** How long to wait until every node has heard of a change. */
  readonly hearingMs?: number
}

export interface Reindexed {
  readonly from: string | null
  readonly to: string
  readonly embedded: number
  /** Of the ten nearest, how many a search finds; null when there is nothing to search. */
  readonly recallBefore: number | null
  readonly recallAfter: number | null
}

const HEARING_MS = REMEMBERED_MS + 2_000
const BATCH = 400
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000]
const SAY_EVERY_MS = 3_000

/** Searches use the old model until every shared Learning has its row of the new one. Broken off, it can be begun again. */
export async function reindex(job: Reindex): Promise<Reindexed> {
  const { database, to, say, hearingMs = HEARING_MS } = job
  const old = (await readModelsUnscoped(database)).find(({ state }) => state === 'active')
  const recallBefore = old === undefined ? null : await measureRecall(database, old)
  if (old?.model !== to.model) {
    await startFillingUnscoped(database, to)
    say(`Every new text is embedded with ${to.model} too. Waiting until all nodes have heard of it.`)
    await sleep(hearingMs)
  }
  const count = progress(say, await countSharedUnscoped(database))
  const { filled: embedded, unheard } = await fill(job, count)
  await makeNearIndexes(job)
  if (old?.model !== to.model) {
    refuseUnheard(job, unheard)
    await activateUnscoped(database, to.model)
    say(`Searches use ${to.model} from now on.`)
    await sleep(hearingMs)
    await fill(job, count)
  }
  const recallAfter = await measureRecall(database, to)
  return { from: old?.model ?? null, to: to.model, embedded, recallBefore, recallAfter }
}

type Count = (done: number) => void

interface Filled {
  readonly filled: number
  /** Written without the model after every node should have heard of it. */
  readonly unheard: number
}

/** Goes through all roots again as long as much was missing: more may be written meanwhile. */
async function fill(job: Reindex, count: Count): Promise<Filled> {
  const heard = job.now()
  let [filled, unheard] = [0, 0]
  for (let found = BATCH; found >= BATCH; ) {
    found = 0
    for (const root of await findRootsUnscoped(job.database)) {
      for await (const missing of fillRoot(job, root)) {
        found += missing.length
        unheard += missing.filter(({ updated_at }) => new Date(updated_at) > heard).length
        count(missing.length)
      }
    }
    filled += found
  }
  return { filled, unheard }
}

/** In order of id, batch by batch. */
async function* fillRoot({ database, to, say }: Reindex, root: RootId): AsyncGenerator<readonly Missing[]> {
  const scope = rootScope(root)
  for (let last: Missing | undefined; ; ) {
    const missing = await readScoped(database, scope, (tx) => findMissing(scope, tx, to.model, BATCH, last))
    last = missing.at(-1)
    if (last === undefined) return
    const vectors = await embedPatiently(to, missing, say)
    const known = new Map(
      missing.map((learning, place) => [learning.id, { learning, vector: vectors[place] }]),
    )
    await inTransaction(database, scope, async (tx) => {
      const locked = await lockSharedRows(scope, tx, missing)
      const rows = locked.flatMap((learning) => {
        const found = known.get(learning.id)
        const same = found?.learning.content_hash.equals(learning.content_hash) ?? false
        if (found?.vector === undefined || !same) return []
        return rowsOf({ learning, vectors: new Map([[to.model, found.vector]]) }, [to.model])
      })
      await Promise.all([dropOutdatedRows(scope, tx, locked), insertRows(scope, tx, rows)])
    })
    yield missing
  }
}

async function embedPatiently(
  to: Embedder,
  learnings: readonly Shared[],
  say: (line: string) => void,
): Promise<Float32Array[]> {
  const texts = learnings.map(({ text }) => text)
  for (const pause of PAUSES_MS) {
    try {
      return await to.embed(texts)
    } catch (error) {
      say(
        `${error instanceof Error ? error.message : 'The model failed.'} Trying again in ${pause / 1000} s.`,
      )
      await sleep(pause)
    }
  }
  return to.embed(texts)
}

/** A node that wrote without the new model, long after it should have heard of it, could not search by it either. */
function refuseUnheard({ to, force }: Reindex, unheard: number): void {
  if (unheard === 0 || force) return
  throw new Error(
    `${unheard} Learnings were written without ${to.model} meanwhile: some node is not configured for it, or cannot ` +
      'reach it, and would search by words alone. Give all nodes the same EMBEDDER_* settings and run this again; what ' +
      'was embedded is kept. Or go on regardless with --force.',
  )
}

function progress(say: (line: string) => void, total: number): Count {
  let done = 0
  let said = performance.now()
  const start = said
  return (more) => {
    done += more
    const now = performance.now()
    if (now - said < SAY_EVERY_MS) return
    said = now
    say(`${done} of ${total} Learnings, ${Math.round((done * 1000) / (now - start))} a second`)
  }
}
