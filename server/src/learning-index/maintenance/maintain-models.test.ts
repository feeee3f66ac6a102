import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { makeDatabase, type TestDatabase } from '../../../test/database.ts'
import { makeTestEmbedder, shareLearnings } from '../../../test/shared-learnings.ts'
import { makeTenant, type Tenant } from '../../../test/tenant.ts'
import { rootScope, type Scope } from '../../access/scope.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { readScoped } from '../../db/transaction.ts'
import type { OrganizationId } from '../../ids.ts'
import { makeLog } from '../../observe/log.ts'
import { createEmbedderSet, type Embedder, type EmbeddingModels } from '../../text/embed/embedder.ts'
import { chooseModels, embedQuery, PREVIOUS_MODEL } from '../models.ts'
import { findCandidates } from '../search.ts'
import { readModelsUnscoped } from '../sql.ts'
import { maintainModels } from './maintain-models.ts'
import { repairIndex } from './repair.ts'

const log = makeLog('test', 'silent')
const previous = makeTestEmbedder(PREVIOUS_MODEL, 100)
const next = makeTestEmbedder('next', 32)
const COUNT = 250
let database: TestDatabase
let tenant: Tenant
let api: Pool
let scope: Scope
let organization: OrganizationId

before(async () => {
  database = await makeDatabase()
  tenant = await makeTenant(database)
  api = connect({ url: database.urls.api, name: 'test', connections: 4 })
  organization = tenant.alone.organizations[0].id
  scope = { ...rootScope(tenant.alone.root), organizations: [organization] }
})
beforeEach(async () => {
  await sql('delete from learning; delete from learning_model')
})
after(async () => {
  await Promise.all([api.end(), tenant.close()])
  await database.drop()
})

async function sql(text: string): Promise<Record<string, unknown>[]> {
  const superuser = database.superuser()
  const { rows } = await superuser.query<Record<string, unknown>>(text)
  await superuser.end()
  return rows
}

const share = (models: EmbeddingModels, texts: readonly string[]) =>
  shareLearnings(
    api,
    scope,
    models,
    organization,
    texts.map((text) => ({ text })),
  )

/** The installation as the previous version leaves it. */
async function installPreviousVersion(): Promise<void> {
  await sql(`insert into learning_model values ('${PREVIOUS_MODEL}', 100, 'active')`)
  const texts = Array.from({ length: COUNT }, (_, n) => `Rule ${n} about case${n}`)
  await share({ active: previous, filling: [] }, texts)
  await advanceTwoDays()
}

async function advanceTwoDays(): Promise<void> {
  await sql(
    `update learning set updated_at = updated_at - interval '2 days';
     update learning_model set replaced_at = replaced_at - interval '2 days', since = since - interval '2 days'`,
  )
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

/** The previous version reads these columns, and knows only its own model. */
async function readPreviousNodeModels(): Promise<EmbeddingModels> {
  const rows = await sql('select model, state from learning_model')
  assert.deepEqual(
    rows.find(({ state }) => state === 'active'),
    { model: PREVIOUS_MODEL, state: 'active' },
  )
  const missing = { ...next, embed: () => Promise.reject(new Error('not configured')) }
  return { active: previous, filling: rows.some(({ model }) => model === 'next') ? [missing] : [] }
}

async function countRows(): Promise<Record<string, number>> {
  const rows = await sql('select model, count(*)::int as rows from learning_index group by 1 order by 1')
  return Object.fromEntries(rows.map(({ model, rows: count }) => [String(model), Number(count)]))
}

/** How many of three Learnings a node finds by a word, and whether it compares vectors. */
async function searchNode(configured: readonly Embedder[], words = ['case3', 'case77', 'case249']) {
  const models = await readNodeModels(configured)
  let [found, compared] = [0, 0]
  for (const word of words) {
    const vector = await embedQuery(models, word)
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

describe('from the model of the previous version', () => {
  test('to a model: by words until the worker has reindexed, then by meaning; old rows go after a day', async () => {
    await installPreviousVersion()
    assert.deepEqual(await searchNode([next]), { found: 3, compared: 0 })
    await maintain([next])
    const filling = await readNodeModels([next])
    assert.deepEqual([filling.active, filling.filling], [null, [next]])
    assert.equal((await share(filling, ['New rule about newcase'])).failed.size, 0)
    assert.deepEqual(await searchNode([next], ['case3', 'newcase']), { found: 2, compared: 0 })

    await maintain([next])
    assert.deepEqual(await countRows(), { [PREVIOUS_MODEL]: COUNT, next: COUNT + 1 })
    assert.equal((await readNodeModels([next])).active, next)
    assert.deepEqual(await searchNode([next], ['case3', 'newcase']), { found: 2, compared: 2 })

    // A node of the previous version still searches and writes with its model.
    const { failed } = await share(await readPreviousNodeModels(), [
      'Written by the previous version oldcase',
    ])
    assert.equal(failed.size, 0)
    await repairIndex({
      database: tenant.pool,
      embedders: createEmbedderSet([next]),
      log,
      now: () => new Date(Date.now() + 60_000),
    })
    assert.deepEqual(await countRows(), { [PREVIOUS_MODEL]: COUNT + 1, next: COUNT + 2 })

    // It wrote less than a day ago.
    await sql(`update learning_model set replaced_at = replaced_at - interval '2 days'`)
    await maintain([next])
    await readPreviousNodeModels()
    await advanceTwoDays()
    await maintain([next])
    await advanceTwoDays()
    await maintain([next])
    assert.deepEqual(await countRows(), { next: COUNT + 2 })
    assert.deepEqual(await sql('select model, state from learning_model'), [
      { model: 'next', state: 'active' },
    ])
    assert.deepEqual(await searchNode([next], ['case3', 'newcase', 'oldcase']), { found: 3, compared: 3 })
  })

  test('without a model: by words, also after the old rows are gone; a model that comes later is filled first', async () => {
    await installPreviousVersion()
    assert.deepEqual(await searchNode([]), { found: 3, compared: 0 })
    assert.equal((await share(await readNodeModels([]), ['New rule about newcase'])).failed.size, 0)
    assert.deepEqual(await countRows(), { [PREVIOUS_MODEL]: COUNT, words: 1 })
    for (let day = 0; day < 6; day += 2) {
      await maintain([])
      await advanceTwoDays()
    }
    assert.deepEqual(await countRows(), { words: COUNT + 1 })
    assert.deepEqual(await searchNode([], ['case3', 'newcase']), { found: 2, compared: 0 })

    await maintain([next])
    assert.deepEqual(await searchNode([next], ['case3', 'newcase']), { found: 2, compared: 0 })
    await maintain([next])
    assert.deepEqual(await searchNode([next], ['case3', 'newcase']), { found: 2, compared: 2 })
    assert.deepEqual(await countRows(), { next: COUNT + 1 })
    assert.deepEqual(await sql('select model, state from learning_model'), [
      { model: 'next', state: 'active' },
    ])
  })

  test('a model that fails leaves searches by words; the next run of the worker continues', async () => {
    await installPreviousVersion()
    let calls = 0
    const flaky: Embedder = {
      ...next,
      embed: (texts) => (++calls === 2 ? Promise.reject(new Error('killed')) : next.embed(texts)),
    }
    await maintain([flaky])
    await assert.rejects(maintain([flaky]), /killed/)
    assert.deepEqual(await countRows(), { [PREVIOUS_MODEL]: COUNT, next: 100 })
    assert.deepEqual(await searchNode([next]), { found: 3, compared: 0 })
    await maintain([flaky])
    assert.deepEqual(await countRows(), { [PREVIOUS_MODEL]: COUNT, next: COUNT })
    assert.deepEqual(await searchNode([next]), { found: 3, compared: 3 })
  })
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
