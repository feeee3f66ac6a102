import assert from 'node:assert/strict'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { localEmbedder as embedder } from '../../../test/local-embedder.ts'
import type { RootId } from '../../ids.ts'
import { EmbeddingError } from './embedder.ts'
import { createLocalEmbedder, type LocalEmbedder, type LocalEmbedderOptions } from './local.ts'

const scratch = mkdtempSync(join(tmpdir(), 'scholiast-test-'))
const opened: LocalEmbedder[] = []
const threads: Worker[] = []
const noteThread = (thread: Worker) => threads.push(thread)
process.on('worker', noteThread)
after(async () => {
  process.off('worker', noteThread)
  rmSync(scratch, { recursive: true })
  await Promise.all([embedder, ...opened].map((each) => each.close()))
})

function open(options: LocalEmbedderOptions): LocalEmbedder {
  const created = createLocalEmbedder(options)
  assert.ok(created)
  opened.push(created)
  return created
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

async function similarity(one: string, other: string): Promise<number> {
  const [a, b] = await embedder.embed([one, other])
  assert.ok(a && b)
  return cosine(a, b)
}

/** The message of the failure. It quotes no text. */
async function failure(embedding: Promise<unknown>): Promise<string> {
  const error = await embedding.then(
    () => assert.fail('It did not fail.'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof EmbeddingError, `${String(error)} is no EmbeddingError`)
  assert.ok(!String(error.stack).includes('canary'))
  return error.message
}

describe('vectors', () => {
  const odd = ['', ' \n', '!!!', 'zzqqxx', '数据库', '🚚'.repeat(500), 'lone \ud83d half', 'null \u0000 byte']

  test('returns a unit vector per text, in order, the same alone and in a batch', async () => {
    const texts = [...odd, 'Close the file.', 'word '.repeat(2_000), 'x'.repeat(10_000)]
    const vectors = await embedder.embed(texts)
    assert.equal(vectors.length, texts.length)
    for (const [index, vector] of vectors.entries()) {
      assert.equal(vector.length, embedder.dimensions)
      assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5)
      const [alone] = await embedder.embed([texts[index] ?? ''])
      assert.deepEqual(vector, alone)
    }
  })

  test('uses the first 256 tokens of a long text', async () => {
    const start = 'Retry failed calls with jitter. '.repeat(40)
    const [short, long, other] = await embedder.embed([
      start,
      `${start}${'Colours come from design tokens. '.repeat(300)}`,
      `Colours come from design tokens. ${start}`,
    ])
    assert.ok(short && long && other)
    assert.deepEqual(long, short)
    assert.notDeepEqual(other, short)
  })

  test('finds the first 256 tokens, however far apart they stand', async () => {
    const words = Array.from({ length: 150 }, (_, number) => (number % 2 === 0 ? 'retry' : 'delay'))
    const [near, apart] = await embedder.embed([words.join(' '), words.join(' '.repeat(20))])
    assert.deepEqual(apart, near)
  })

  test('returns no vectors for no texts', async () => {
    assert.deepEqual(await embedder.embed([]), [])
  })

  const pairs = [
    [
      'Validate input before it reaches the database.',
      'prevent SQL injection: check what the request contains',
      'Buttons have rounded corners.',
    ],
    ['Retry failed calls with a delay.', 'use exponential backoff on errors', 'Colours come from tokens.'],
    ['Money is stored in cents.', 'const price = 19.99 // float amount', 'Close the file after reading.'],
  ] as const
  for (const [text, same, unrelated] of pairs) {
    test(`finds what means the same: ${text}`, async () => {
      const near = await similarity(text, same)
      const far = await similarity(text, unrelated)
      assert.ok(near > far + 0.1, `${near} and ${far}`)
    })
  }

  // Cosines of the model's authors for these sentences, in full precision: sbert.net, "Semantic Textual Similarity".
  const published = [
    ['The cat sits outside', 'The dog plays in the garden', 0.2838],
    ['A man is playing guitar', 'A woman watches TV', -0.0327],
    ['The new movie is awesome', 'The new movie is so great', 0.8939],
  ] as const
  for (const [one, other, wanted] of published) {
    test(`agrees with the published similarity: ${one}`, async () => {
      const result = await similarity(one, other)
      assert.ok(Math.abs(result - wanted) < 0.05, `${result} is not ${wanted}`)
    })
  }

  test('the vectors of this model never change', async () => {
    // Stored vectors are compared with new ones: a change of these numbers requires a new model name.
    assert.equal(embedder.model, 'local-minilm-1')
    const [vector] = await embedder.embed(['Retry failed network calls with exponential backoff and jitter.'])
    const start = Array.from(vector?.slice(0, GOLDEN.length) ?? [])
    // Processors round a little differently.
    for (const [index, value] of start.entries())
      assert.ok(Math.abs(value - (GOLDEN[index] ?? 0)) < 0.01, JSON.stringify(start))
  })
})

describe('queue', () => {
  test('rejects what exceeds its limit, and leaves room for single texts', async () => {
    const small = open({ maxThreads: 1, maxWaitingTexts: 8 })
    const batch = ['a canary', 'b', 'c', 'd']
    const accepted = small.embed(batch)
    const refused = failure(small.embed(batch))
    const single = small.embed(['e'])
    assert.match(await refused, /texts waiting, and the limit is 4/)
    assert.equal((await accepted).length, 4)
    assert.equal((await single).length, 1)
    assert.equal((await small.embed(batch)).length, 4)
  })

  test('a large batch does not delay a single text', async () => {
    const order: string[] = []
    const batch = embedder.embed(Array.from({ length: 200 }, (_, number) => `learning number ${number}`))
    const single = embedder.embed(['a single query'])
    await Promise.all([batch.then(() => order.push('batch')), single.then(() => order.push('single'))])
    assert.deepEqual(order, ['single', 'batch'])
  })

  const [one, other, third] = ['one', 'other', 'third'] as [RootId, RootId, RootId]
  const listTexts = (count: number) => Array.from({ length: count }, (_, number) => `text number ${number}`)

  test('tenants take turns: many texts of one delay the next text of another by one text', async () => {
    const small = open({ maxThreads: 1 })
    const order: (RootId | undefined)[] = []
    const embed = (texts: readonly string[], root?: RootId) =>
      small.embed(texts, root && { root }).then(() => order.push(root))
    const flood = listTexts(50).map((text) => embed([text], one))
    await Promise.all([...flood, embed(['a query'], other), embed(['a query'], third)])
    assert.equal(order.indexOf(other), 1)
    assert.ok(order.indexOf(third) <= 3, `the text of the third tenant was number ${order.indexOf(third)}`)
    assert.equal(order.length, 52)
  })

  test('a tenant that fills its share of the queue leaves room for others', async () => {
    const small = open({ maxThreads: 1, maxWaitingTexts: 16 })
    // One of them goes to the thread at once.
    const accepted = listTexts(9).map((text) => small.embed([text], { root: one }))
    assert.match(await failure(small.embed(['a canary'], { root: one })), /8 texts of this tenant waiting/)
    assert.match(await failure(small.embed(listTexts(4), { root: one })), /8 texts waiting/)
    const query = small.embed(['a query'], { root: other })
    assert.equal((await Promise.all([...accepted, query])).length, 10)
    assert.equal((await small.embed(listTexts(4), { root: one })).length, 4)
  })

  test('a call that is aborted fails at once, and its texts make room for others', async () => {
    const small = open({ maxThreads: 1, maxWaitingTexts: 16 })
    const batch = Array.from({ length: 8 }, (_, number) => `a canary ${number}`)
    const abort = new AbortController()
    const aborted = failure(small.embed(batch, { signal: abort.signal }))
    const refused = failure(small.embed(batch))
    abort.abort()
    const accepted = small.embed(batch)
    assert.match(await aborted, /The caller did not wait/)
    assert.match(await refused, /texts waiting/)
    assert.equal((await accepted).length, batch.length)
  })

  test('starts a thread before the first text, to warm up', async () => {
    const started = threads.length
    const warm = open({ maxThreads: 1 })
    await warm.warmUp?.()
    assert.equal(threads.length, started + 1)
    assert.equal((await warm.embed(['Close the file.'])).length, 1)
    assert.equal(threads.length, started + 1)
  })

  test('rejects unfinished and later calls when it is closed', async () => {
    const closing = open({ maxThreads: 1 })
    const unfinished = ['a canary', 'another'].map((text) => failure(closing.embed([text, text, text])))
    await closing.close()
    for (const message of await Promise.all(unfinished)) assert.match(message, /closed|ended|loaded/)
    assert.match(await failure(closing.embed(['a canary'])), /The local model is closed/)
  })
})

test('the runtime of the model has no code that reports to its vendor', () => {
  // Releases from 1.29 on send usage data by default. Process-wide environment variables are the only way to stop them.
  const folder = new URL('../../../../node_modules/onnxruntime-node/bin/', import.meta.url)
  const libraries = globSync('**/*.{so.1,dylib}', { cwd: folder })
  assert.notEqual(libraries.length, 0)
  for (const library of libraries)
    assert.ok(!readFileSync(new URL(library, folder)).includes('PosixTelemetry'), library)
})

describe('threads', () => {
  test('a thread that ends fails its texts and is replaced', async () => {
    const before = await embedder.embed(['Close the file.'])
    // Before the text is sent: in the middle of one, the runtime would abort the process. The queue hears of the end later.
    const ended = threads.map((thread) => thread.terminate())
    const running = failure(embedder.embed(['a canary']))
    await Promise.all(ended)
    assert.match(await running, /A thread of the local model ended/)
    assert.deepEqual(await embedder.embed(['Close the file.']), before)
  })

  test('a model that cannot be loaded fails every call without starting a thread for each', async () => {
    const folder = pathToFileURL(`${scratch}/damaged/`)
    cpSync(new URL('../../../model/', import.meta.url), folder, { recursive: true })
    writeFileSync(new URL('model_quantized.onnx', folder), 'damaged')
    const damaged = open({ folder, maxThreads: 1 })
    assert.match(await failure(damaged.embed(['a canary'])), /The local model could not be loaded: /)
    const started = performance.now()
    for (let call = 0; call < 100; call++)
      assert.match(await failure(damaged.embed(['a canary'])), /could not be loaded/)
    assert.ok(performance.now() - started < 5_000)
  })

  test('is null without the files of the model', () => {
    assert.equal(createLocalEmbedder({ folder: pathToFileURL(`${scratch}/none/`) }), null)
  })
})

const GOLDEN: readonly number[] = [-0.061, 0.004, 0.037, 0.02, -0.096, -0.075, 0.037, 0.007]
