import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { growBulk } from '../../../test/bulk/learnings.ts'
import { startEmbeddingServer } from '../../../test/engines/embedding-server.ts'
import { createTestEmbedder, openLearningIndex, shareLearnings } from '../../../test/shared-learnings.ts'
import { waitFor } from '../../../test/wait.ts'
import { readScoped } from '../../db/transaction.ts'
import { createLog } from '../../observe/log.ts'
import type { Embedder } from '../../text/embed/embedder.ts'
import { createEmbedderSet } from '../../text/embed/embedder.ts'
import { embedAll, MODEL_CACHE_MS, readModels } from '../models.ts'
import { findCandidates } from '../search.ts'
import { reindex } from './reindex.ts'

const log = createLog('test', 'silent')
const LEARNINGS = 1_200
const old = createTestEmbedder('old')
const next = createTestEmbedder('next', 32)

const { database, tenant, api, organization, scope, sql } = await openLearningIndex()
await sql(`insert into learning_model values ('old', 64, 'active')`)
const bulkTarget = { root: tenant.alone.root, organization, repositories: ['1', '2'] }
await growBulk(database, bulkTarget, old, { to: LEARNINGS })

/** Counts shared Learnings whose text has no row of the model. */
async function lacking(model: string): Promise<number> {
  const rows = await sql(
    `select 1 from learning l where state = 'shared' and not exists (select from learning_index i
       where i.learning_id = l.id and i.model = '${model}' and i.content_hash = l.content_hash)`,
  )
  return rows.length
}

const modelRows = () => sql('select model, state from learning_model order by model')

/** A node that searches and writes with its cached models until stopped. */
function startNode(name: string, configured: readonly Embedder[]) {
  const embedders = createEmbedderSet(configured)
  const stopping = new AbortController()
  const seen = { searches: 0, empty: 0, found: new Set<string>(), written: 0 }
  const searching = async () => {
    while (!stopping.signal.aborted) {
      const models = await readModels(api, embedders)
      const [vectors] = await embedAll(scope, models, ['validate currency amounts'])
      const question = { organizations: [organization], terms: [], limit: 10, only: {} }
      const model = models.active?.model ?? ''
      const vector = vectors?.get(model) ?? null
      const found = await readScoped(api, scope, (tx) =>
        findCandidates(scope, tx, models, { ...question, vector }),
      )
      seen.searches++
      if (found.length < 10) seen.empty++
      seen.found.add(model)
    }
  }
  const writing = async () => {
    while (!stopping.signal.aborted) {
      const models = await readModels(api, embedders)
      await shareLearnings(api, scope, models, organization, [
        { text: `written by ${name} ${seen.written++}` },
      ])
      await sleep(20)
    }
  }
  const ended = Promise.all([searching(), writing()])
  return {
    seen,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

describe('reindex', () => {
  const job = (to: Embedder, options = {}) =>
    reindex({
      database: tenant.pool,
      log,
      now: () => new Date(),
      to,
      force: false,
      report: () => {},
      propagationMs: MODEL_CACHE_MS + 300,
      ...options,
    })

  test('searches and writes continue during a reindex, and no search returns too few results', async () => {
    const node = startNode('one that knows', [old, next])
    await waitFor('it searches', () => node.seen.searches > 0)
    const [result] = await Promise.allSettled([job(next)])
    await waitFor('it knows the next model', () => node.seen.found.has('next'))
    await node.stop()
    assert.ok(result.status === 'fulfilled')
    assert.ok(node.seen.searches > 50, `${node.seen.searches} searches`)
    assert.equal(node.seen.empty, 0)
    assert.deepEqual(node.seen.found, new Set(['old', 'next']))
    assert.deepEqual(await modelRows(), [
      { model: 'next', state: 'active' },
      { model: 'old', state: 'retired' },
    ])
    assert.equal(await lacking('next'), 0)
    const { from, embedded } = result.value
    assert.equal(from, 'old')
    assert.ok(embedded >= LEARNINGS)
  })

  test('a failing model aborts the reindex, and the next run resumes', async () => {
    const calls: number[] = []
    let broken = true
    const third = createTestEmbedder('third', 16)
    const flaky: Embedder = {
      ...third,
      embed(texts) {
        calls.push(texts.length)
        if (broken && calls.length > 2) throw new Error('The process was killed.')
        return third.embed(texts)
      },
    }
    // Throws instead of retrying, like a process that is killed.
    const say = (line: string) => assert.match(line, /Waiting until all nodes use it/)
    await assert.rejects(job(flaky, { report: say, propagationMs: 0 }))
    assert.deepEqual((await modelRows()).at(-1), { model: 'third', state: 'filling' })
    const left = await lacking('third')
    assert.ok(left > 0 && left < LEARNINGS)
    broken = false
    const { embedded } = await job(flaky, { propagationMs: 0 })
    assert.equal(embedded, left)
    assert.equal(await lacking('third'), 0)
  })

  test('reports a node that is not configured for the model, and activates nothing without --force', async () => {
    const fourth = createTestEmbedder('fourth', 16)
    const node = startNode('one that does not', [createTestEmbedder('third', 16)])
    try {
      await assert.rejects(job(fourth), /written without fourth during the reindex.*--force/)
      assert.deepEqual(
        (await modelRows()).filter(({ state }) => state !== 'retired'),
        [
          { model: 'fourth', state: 'filling' },
          { model: 'third', state: 'active' },
        ],
      )
      await job(fourth, { force: true, propagationMs: 0 })
    } finally {
      await node.stop()
    }
    assert.deepEqual(
      (await modelRows()).filter(({ state }) => state !== 'retired'),
      [{ model: 'fourth', state: 'active' }],
    )
  })

  test('a killed command completes when it is run again', async () => {
    const server = await startEmbeddingServer({ dimensions: 24 })
    const command = () =>
      spawn(
        process.execPath,
        [fileURLToPath(new URL('../../admin.ts', import.meta.url)), 'learnings', 'reindex', '--json'],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: {
            PATH: process.env['PATH'],
            WORKER_DATABASE_URL: database.urls.worker,
            EMBEDDER_URL: server.url,
            EMBEDDER_MODEL: 'small',
            EMBEDDER_DIMENSIONS: '24',
          },
        },
      )
    await server.setFault('slow', { delayMs: 150 })
    const killed = command()
    await waitFor('eight calls', () => server.calls.length >= 8)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const total = Number((await sql(`select count(*)::int as count from learning`))[0]?.['count'])
    const left = await lacking('http:small:24')
    assert.ok(left > 0 && left < total, `${left} of ${total} are left`)
    await server.setFault('none')
    const finished = command()
    const output: string[] = []
    finished.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text))
    const [code] = (await once(finished, 'exit')) as [number | null]
    assert.equal(code, 0, output.join(''))
    const facts = JSON.parse(output.join('')) as Record<string, unknown>
    assert.equal(facts['embedded'], left)
    assert.equal(facts['to'], 'http:small:24')
    assert.equal(await lacking('http:small:24'), 0)
    await server.stop()
  })
})
