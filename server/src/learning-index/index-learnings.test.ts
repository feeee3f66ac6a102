import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import {
  createTestEmbedder,
  openLearningIndex,
  plantLearnings,
  shareLearnings,
} from '../../test/shared-learnings.ts'
import { rootScope } from '../access/scope.ts'
import { inTransaction } from '../db/transaction.ts'
import type { LearningId } from '../ids.ts'
import { createLog } from '../observe/log.ts'
import { updateLearnings } from '../resources/learnings/write/sql.ts'
import { createEmbedderSet, type EmbeddingModels } from '../text/embed/embedder.ts'
import { contentHash } from '../text/identity.ts'
import { findUnindexed, indexLearnings } from './index-learnings.ts'
import { maintainModels } from './maintenance/maintain-models.ts'
import { repairIndex } from './maintenance/repair.ts'
import { chooseModels, embedAll } from './models.ts'
import { enqueueApprovals, findDueTasksUnscoped } from './tasks-sql.ts'

const log = createLog('test', 'silent')
const main = createTestEmbedder('main')
const next = createTestEmbedder('next', 32)
const models: EmbeddingModels = { active: main, filling: [] }
const both: EmbeddingModels = { active: main, filling: [next] }

const { tenant, api, organization, scope, sql } = await openLearningIndex()
beforeEach(async () => {
  main.fail(false)
  next.fail(false)
  await sql('delete from learning; delete from learning_model')
})

/** The index rows and the pending tasks. */
async function stored() {
  const rows = await sql(
    `select l.text, i.model, i.content_hash = l.content_hash as same from learning_index i
     join learning l on l.id = i.learning_id order by l.text, i.model`,
  )
  const tasks = await sql(
    `select l.text, t.kind, t.attempts from learning_task t join learning l on l.id = t.learning_id order by 1, 2`,
  )
  return {
    rows: rows.map(
      ({ text, model, same }) => `${String(text)} ${String(model)}${same === true ? '' : ' outdated'}`,
    ),
    tasks: tasks.map(({ text, kind, attempts }) => `${String(text)} ${String(kind)} ${String(attempts)}`),
  }
}

const share = (texts: readonly string[], of: EmbeddingModels = models) =>
  shareLearnings(
    api,
    scope,
    of,
    organization,
    texts.map((text) => ({ text })),
  )

const repair = (configured = [main, next], now = () => new Date()) =>
  repairIndex({ database: tenant.pool, embedders: createEmbedderSet(configured), log, now })

const dueAgain = () => sql(`update learning_task set at = now() - interval '1 second'`)

describe('in the transaction of the change', () => {
  test('writes a row for every model', async () => {
    const { failed } = await share(['a', 'b'], both)
    assert.equal(failed.size, 0)
    assert.deepEqual(await stored(), { rows: ['a main', 'a next', 'b main', 'b next'], tasks: [] })
  })

  test('returns Learnings without a vector of the active model and enqueues them', async () => {
    main.fail(true)
    const { rows, failed } = await share(['a', 'b'], both)
    assert.deepEqual([...failed].toSorted(), rows.map(({ id }) => id).toSorted())
    assert.deepEqual(await stored(), { rows: ['a next', 'b next'], tasks: ['a index 0', 'b index 0'] })
  })

  test('a Learning that lacks only the vector of a filling model is searchable and enqueued', async () => {
    next.fail(true)
    const { failed } = await share(['a'], both)
    assert.equal(failed.size, 0)
    assert.deepEqual(await stored(), { rows: ['a main'], tasks: ['a index 0'] })
  })

  test('a changed text deletes outdated rows of every model', async () => {
    const { rows } = await share(['old'], both)
    const [row] = rows
    assert.ok(row)
    next.fail(true)
    const changed = { ...row, text: 'new', content_hash: contentHash('1', 'new') }
    const [vectors] = await embedAll(scope, both, ['new'])
    assert.ok(vectors)
    await inTransaction(api, scope, async (tx) => {
      await updateLearnings(scope, tx, [changed])
      await indexLearnings(scope, tx, both, [{ learning: changed, vectors }], new Date())
    })
    assert.deepEqual(await stored(), { rows: ['new main'], tasks: ['new index 0'] })
  })

  test('a failing index statement does not roll back the change', async () => {
    const troubles: unknown[] = []
    // PostgreSQL rejects this vector.
    const vectors = new Map([['main', new Float32Array(0)]])
    const rows = await inTransaction(api, scope, async (tx) => {
      const planted = await plantLearnings(scope, tx, organization, [{ text: 'kept' }])
      const items = planted.map((learning) => ({ learning, vectors }))
      const failed = await indexLearnings(scope, tx, models, items, new Date(), (error) =>
        troubles.push(error),
      )
      assert.deepEqual([...failed], [planted[0]?.id])
      return planted
    })
    assert.equal(rows.length, 1)
    assert.equal(troubles.length, 1)
    assert.deepEqual(await stored(), { rows: [], tasks: ['kept index 0'] })
    await repair()
    assert.deepEqual(await stored(), { rows: ['kept main'], tasks: [] })
  })

  test('finds Learnings whose current text is not indexed', async () => {
    const { rows } = await share(['a', 'b'])
    const [a, b] = rows
    assert.ok(a && b)
    const ask = () => inTransaction(api, scope, (tx) => findUnindexed(scope, tx, models, rows))
    assert.equal((await ask()).size, 0)
    await sql(`delete from learning_index where learning_id = '${a.id}'`)
    assert.deepEqual(await ask(), new Set([a.id]))
    await sql(`update learning_index set content_hash = sha256('other')`)
    assert.deepEqual(await ask(), new Set<LearningId>([a.id, b.id]))
  })

  test('concurrent transactions write the same rows once', async () => {
    const { rows } = await share(['a', 'b', 'c'])
    const vectors = await embedAll(scope, models, ['a', 'b', 'c'])
    const items = rows.map((learning, index) => ({ learning, vectors: vectors[index] ?? new Map() }))
    await Promise.all(
      Array.from({ length: 4 }, () =>
        inTransaction(api, scope, (tx) => indexLearnings(scope, tx, models, items, new Date())),
      ),
    )
    assert.deepEqual(await stored(), { rows: ['a main', 'b main', 'c main'], tasks: [] })
  })
})

describe('the worker', () => {
  test('indexes enqueued Learnings of several roots', async () => {
    main.fail(true)
    await share(['a'])
    const [{ id, root }] = tenant.workspace.organizations
    await shareLearnings(api, rootScope(root), models, id, [{ text: 'b' }])
    main.fail(false)
    await repair([main])
    assert.deepEqual(await stored(), { rows: ['a main', 'b main'], tasks: [] })
  })

  test('retries failed tasks with exponential backoff, at most ten minutes', async () => {
    main.fail(true)
    await share(['a'])
    const waits: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) {
      const now = new Date()
      await repair([main], () => now)
      const [row] = await sql(
        `select extract(epoch from at - '${now.toISOString()}')::float as wait from learning_task`,
      )
      waits.push(Number(row?.['wait']))
      await dueAgain()
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
    main.fail(false)
    await repair([main])
    assert.deepEqual(await stored(), { rows: ['a main'], tasks: [] })
  })

  test('a text that the model rejects does not block others for long', async () => {
    const picky = {
      ...createTestEmbedder('main'),
      embed: (texts: readonly string[]) =>
        texts.includes('poison') ? Promise.reject(new Error('no')) : main.embed(texts),
    }
    main.fail(true)
    await share(['a', 'b', 'poison'])
    main.fail(false)
    for (let attempt = 0; attempt < 4; attempt++) {
      await repair([picky, next])
      await dueAgain()
    }
    assert.deepEqual(await stored(), { rows: ['a main', 'b main'], tasks: ['poison index 4'] })
  })

  test('re-reads a text that changes while it is embedded', async () => {
    main.fail(true)
    const { rows } = await share(['old'])
    main.fail(false)
    const [row] = rows
    assert.ok(row)
    const changed = { ...row, text: 'new', content_hash: contentHash('1', 'new') }
    let embedded = 0
    const slow = {
      ...main,
      async embed(texts: readonly string[]) {
        if (embedded++ === 0) await inTransaction(api, scope, (tx) => updateLearnings(scope, tx, [changed]))
        return main.embed(texts)
      },
    }
    await repair([slow, next])
    assert.equal(embedded, 2)
    assert.deepEqual(await stored(), { rows: ['new main'], tasks: [] })
  })

  test('deleting a Learning deletes its tasks', async () => {
    main.fail(true)
    const { rows } = await share(['a'])
    const deadline = new Date(Date.now() + 1000)
    await inTransaction(api, scope, (tx) =>
      enqueueApprovals(
        scope,
        tx,
        rows.map((row) => ({ ...row, deadline })),
      ),
    )
    const due = (at: Date) => findDueTasksUnscoped(tenant.pool, 'approve', at, 10)
    assert.deepEqual(await due(new Date(deadline.getTime() - 1)), [])
    assert.deepEqual(
      (await due(deadline)).map(({ id, root }) => [id, root]),
      [[rows[0]?.id, scope.root]],
    )
    await sql('delete from learning')
    assert.deepEqual(await due(deadline), [])
  })
})

describe('models', () => {
  const now = () => new Date()

  test('activates the first configured model of an installation', async () => {
    const settle = (configured: (typeof main)[]) =>
      maintainModels({ database: tenant.pool, embedders: createEmbedderSet(configured), log, now })
    await settle([next, main])
    await settle([main])
    assert.deepEqual(await sql('select model, dimensions, state from learning_model'), [
      { model: 'next', dimensions: 32, state: 'active' },
    ])
  })

  test('repairs Learnings that were written with another model', async () => {
    await share(['a', 'b'])
    await maintainModels({ database: tenant.pool, embedders: createEmbedderSet([next]), log, now })
    await repair([next, main])
    assert.deepEqual((await stored()).rows, ['a main', 'a next', 'b main', 'b next'])
  })

  test('deletes a retired model and its rows once no node can have it cached', async () => {
    await share(['a', 'b'], both)
    await sql(
      `insert into learning_model values ('next', 32, 'active', now()), ('main', 64, 'retired', now() - interval '9 minutes')`,
    )
    const settle = () =>
      maintainModels({ database: tenant.pool, embedders: createEmbedderSet([next, main]), log, now })
    await settle()
    assert.equal((await stored()).rows.length, 4)
    await sql(`update learning_model set since = since - interval '2 minutes' where model = 'main'`)
    await settle()
    assert.deepEqual((await stored()).rows, ['a next', 'b next'])
    assert.deepEqual(await sql('select model from learning_model'), [{ model: 'next' }])
  })

  test('a node that is not configured for the active model fails and does not use another', async () => {
    const chosen = chooseModels([{ model: 'gone', dimensions: 3, state: 'active' }], [main])
    assert.equal(chosen.active?.model, 'gone')
    await assert.rejects(chosen.active.embed(['a']), /not configured for the model gone/)
    const { failed } = await share(['a'], chosen)
    assert.equal(failed.size, 1)
  })

  test('nodes embed with a filling model, and with one that was just retired', () => {
    const rows = [
      { model: 'main', dimensions: 64, state: 'retired' },
      { model: 'next', dimensions: 32, state: 'active' },
      { model: 'other', dimensions: 3, state: 'filling' },
      { model: 'older', dimensions: 3, state: 'retired' },
    ] as const
    const { active, filling } = chooseModels(rows, [main, next])
    assert.equal(active, next)
    assert.deepEqual(
      filling.map(({ model }) => model),
      ['main', 'other'],
    )
  })
})
