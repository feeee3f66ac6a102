import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestEmbedder, openLearningIndex, shareLearnings } from '../../../test/shared-learnings.ts'
import { readScoped } from '../../db/transaction.ts'
import { createLog } from '../../observe/log.ts'
import { createEmbedderSet, type Embedder, type EmbeddingModels } from '../../text/embed/embedder.ts'
import { chooseModels, embedQuery } from '../models.ts'
import { findCandidates } from '../search.ts'
import { readModelsUnscoped } from '../sql.ts'
import { maintainModels } from './maintain-models.ts'
import { repairIndex } from './repair.ts'

const log = createLog('test', 'silent')
const next = createTestEmbedder('next', 32)
const COUNT = 250

const { tenant, api, organization, scope, sql } = await openLearningIndex()
beforeEach(async () => {
  await sql('delete from learning; delete from learning_model')
})

const share = (models: EmbeddingModels, texts: readonly string[]) =>
  shareLearnings(
    api,
    scope,
    models,
    organization,
    texts.map((text) => ({ text })),
  )

/** Learnings that a node without a model wrote. */
async function shareByWords(): Promise<void> {
  const texts = Array.from({ length: COUNT }, (_, n) => `Rule ${n} about case${n}`)
  await share(await readNodeModels([]), texts)
}

/** One run of the worker's timer. */
const maintain = (configured: readonly Embedder[]) =>
  maintainModels({
    database: tenant.pool,
    embedders: createEmbedderSet(configured),
    log,
    now: () => new Date(),
  })

/** The models of a node of this version, without its cache. */
const readNodeModels = async (configured: readonly Embedder[]) =>
  chooseModels(await readModelsUnscoped(api), configured)

async function countRows(): Promise<Record<string, number>> {
  const rows = await sql('select model, count(*)::int as rows from learning_index group by 1 order by 1')
  return Object.fromEntries(rows.map(({ model, rows: count }) => [String(model), Number(count)]))
}

/** How many of three Learnings a node finds by a word, and whether it compares vectors. */
async function searchNode(configured: readonly Embedder[], words = ['case3', 'case77', 'case249']) {
  const models = await readNodeModels(configured)
  let [found, compared] = [0, 0]
  for (const word of words) {
    const vector = await embedQuery(scope, models, word)
    const query = { organizations: [organization], vector, terms: [word], limit: 10, only: {} }
    const hits = await readScoped(api, scope, (tx) => findCandidates(scope, tx, models, query))
    const texts = await sql(
      `select text from learning where id = any ('{${hits.map(({ id }) => id).join(',')}}')`,
    )
    if (texts.some(({ text }) => String(text).endsWith(` ${word}`))) found++
    if (hits.some(({ similarity }) => similarity !== null)) compared++
  }
  return { found, compared }
}

test('a model that comes later is filled in the background; searches use words until then', async () => {
  await shareByWords()
  await maintain([])
  assert.deepEqual(await countRows(), { words: COUNT })
  assert.deepEqual(await searchNode([]), { found: 3, compared: 0 })

  await maintain([next])
  const filling = await readNodeModels([next])
  assert.deepEqual([filling.active, filling.filling], [null, [next]])
  assert.equal((await share(filling, ['New rule about newcase'])).failed.size, 0)
  assert.deepEqual(await searchNode([next], ['case3', 'newcase']), { found: 2, compared: 0 })

  await maintain([next])
  assert.equal((await readNodeModels([next])).active, next)
  assert.deepEqual(await searchNode([next], ['case3', 'newcase']), { found: 2, compared: 2 })
  assert.deepEqual(await countRows(), { next: COUNT + 1 })
  assert.deepEqual(await sql('select model, state from learning_model'), [{ model: 'next', state: 'active' }])
})

test('a model that fails leaves searches by words; the next run of the worker continues', async () => {
  await shareByWords()
  let calls = 0
  const flaky: Embedder = {
    ...next,
    embed: (texts) => (++calls === 2 ? Promise.reject(new Error('killed')) : next.embed(texts)),
  }
  await maintain([flaky])
  await assert.rejects(maintain([flaky]), /killed/)
  assert.equal((await countRows())['next'], 100)
  assert.deepEqual(await searchNode([next]), { found: 3, compared: 0 })
  await maintain([flaky])
  assert.equal((await countRows())['next'], COUNT)
  assert.deepEqual(await searchNode([next]), { found: 3, compared: 3 })
})

test('a node without a model writes rows of words, which a node with the model completes', async () => {
  await sql(`insert into learning_model values ('next', 32, 'active')`)
  const models = await readNodeModels([])
  assert.equal(models.active, null)
  assert.equal((await share(models, ['Rule about case3'])).failed.size, 0)
  assert.deepEqual(await countRows(), { words: 1 })
  assert.deepEqual(await searchNode([], ['case3']), { found: 1, compared: 0 })
  await repairIndex({
    database: tenant.pool,
    embedders: createEmbedderSet([next]),
    log,
    now: () => new Date(Date.now() + 60_000),
  })
  assert.deepEqual(await searchNode([next], ['case3']), { found: 1, compared: 1 })
})
