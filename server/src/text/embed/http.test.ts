import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  type EmbedderFault,
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../test/engines/embedding-server.ts'
import type { EmbedderConfig } from '../../settings/embedder.ts'
import { EmbeddingError } from './embedder.ts'
import { createHttpEmbedder } from './http.ts'

const dimensions = 64
const apiKey = 'a-key-that-opens-the-model'
const texts = ['Retry with jitter.', 'Money is kept in cents.', 'A canary nobody may quote.']

let server: EmbeddingServer
let seen = 0

before(async () => {
  server = await startEmbeddingServer({ dimensions })
})
afterEach(async () => {
  await server.setFault('none')
  seen = server.calls.length
})
after(() => server.stop())

function createTestEmbedder(changes: Partial<EmbedderConfig> = {}) {
  return createHttpEmbedder({
    url: server.url,
    model: 'words-v1',
    dimensions,
    sendDimensions: false,
    apiKey: null,
    timeoutMs: 30_000,
    ...changes,
  })
}

const descending = (one: number, other: number) => other - one
const newCalls = () => server.calls.slice(seen)

function similarity(one: Float32Array | undefined, other: Float32Array | undefined): number {
  assert.ok(one && other)
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}

function assertNear(result: number, wanted: number): void {
  assert.ok(Math.abs(result - wanted) < 1e-5, `${result} is not ${wanted}`)
}

/** Asserts that it fails with the message and quotes neither texts nor keys. */
async function failure(embedding: Promise<unknown>): Promise<string> {
  const error = await embedding.then(
    () => assert.fail('It did not fail.'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof EmbeddingError, `${String(error)} is no EmbeddingError`)
  assert.equal(error.cause, undefined)
  for (const secret of [apiKey, ...texts]) assert.ok(!String(error.stack).includes(secret))
  return error.message
}

describe('request', () => {
  test('sends texts in the OpenAI format, without a key if none is set', async () => {
    await createTestEmbedder().embed(texts)
    assert.deepEqual(newCalls(), [
      {
        path: 'POST /v1/embeddings',
        authorization: undefined,
        model: 'words-v1',
        input: texts,
        encodingFormat: 'float',
        dimensions: undefined,
      },
    ])
  })

  test('sends the key and the dimensions if they are set', async () => {
    await createTestEmbedder({ apiKey, sendDimensions: true }).embed(texts)
    const [call] = newCalls()
    assert.equal(call?.authorization, `Bearer ${apiKey}`)
    assert.equal(call?.dimensions, dimensions)
  })

  test('sends no request for no texts', async () => {
    assert.deepEqual(await createTestEmbedder().embed([]), [])
    assert.equal(newCalls().length, 0)
  })

  test('sends batches of at most 100 texts, four at a time, and returns vectors in order', async () => {
    await server.setFault('slow', { delayMs: 50, concurrentCalls: 4 })
    const many = Array.from({ length: 950 }, (_, number) => `learning number ${number}`)
    const vectors = await createTestEmbedder().embed(many)
    const sizes = newCalls().map(({ input }) => input.length)
    assert.deepEqual(sizes.toSorted(descending), [...Array.from({ length: 9 }, () => 100), 50])
    assert.equal(server.maxConcurrentCalls(), 4)
    assert.equal(vectors.length, many.length)
    const [single] = await createTestEmbedder().embed(['learning number 777'])
    assertNear(similarity(vectors[777], single), 1)
  })

  test('truncates long texts and limits the size of a request', async () => {
    const long = Array.from({ length: 30 }, (_, number) => `${number} ${'long '.repeat(5_000)}`)
    assert.equal((await createTestEmbedder().embed(long)).length, 30)
    const inputs = newCalls().map(({ input }) => input)
    assert.deepEqual(inputs.map((input) => input.length).toSorted(descending), [25, 5])
    assert.ok(inputs.flat().every((text) => text.length === 8_000))
  })

  test('a text truncated within a surrogate pair is well-formed', async () => {
    await createTestEmbedder().embed(['x'.repeat(7_999) + '🚚'])
    assert.ok(newCalls()[0]?.input[0]?.isWellFormed())
  })
})

describe('response', () => {
  test('returns unit vectors; similar texts are near each other', async () => {
    const [one, same, akin, other] = await createTestEmbedder().embed([
      'retry failed calls with jitter',
      'Retry failed calls, with jitter!',
      'retry calls with care',
      'colours come from tokens',
    ])
    assertNear(similarity(one, one), 1)
    assertNear(similarity(one, same), 1)
    assert.ok(similarity(one, akin) > similarity(one, other) + 0.2)
  })

  test('orders vectors by their index', async () => {
    const straight = await createTestEmbedder().embed(texts)
    await server.setFault('shuffled')
    assert.deepEqual(await createTestEmbedder().embed(texts), straight)
  })

  const wrong: readonly (readonly [EmbedderFault, RegExp])[] = [
    ['wrong-dimensions', /vectors of 63 dimensions, but EMBEDDER_DIMENSIONS is 64/],
    ['wrong-count', /2 vectors for 3 texts/],
    ['repeated-index', /duplicate or invalid index/],
    ['not-a-number', /not a number/],
    ['all-zero', /zero or infinite/],
    ['not-json', /not a JSON object/],
    ['huge', /more than \d+ bytes/],
    ['redirect', /returned 307\. Redirects are not followed/],
    ['refusal', /returned 401\. Check EMBEDDER_API_KEY/],
  ]
  for (const [fault, message] of wrong) {
    test(`${fault} fails without a retry`, async () => {
      await server.setFault(fault)
      assert.match(await failure(createTestEmbedder({ apiKey }).embed(texts)), message)
      assert.equal(newCalls().length, 1)
    })
  }
})

describe('failures', () => {
  test('fails while the model is down, and works again afterwards', async () => {
    const embedder = createTestEmbedder()
    await server.setFault('down')
    assert.match(await failure(embedder.embed(texts)), /connection to the embedder failed \(ECONNREFUSED\)/)
    await server.setFault('none')
    assert.equal((await embedder.embed(texts)).length, 3)
  })

  for (const fault of ['error', 'cut', 'busy'] as const) {
    test(`${fault} is retried until it succeeds`, async () => {
      await server.setFault(fault, { times: 2 })
      assert.equal((await createTestEmbedder().embed(texts)).length, 3)
      assert.equal(newCalls().length, 3)
    })

    test(`a permanent ${fault} fails after the last attempt`, async () => {
      await server.setFault(fault)
      const message = { error: /returned 500/, cut: /connection/, busy: /returned 429/ }[fault]
      assert.match(await failure(createTestEmbedder({ apiKey, timeoutMs: 60_000 }).embed(texts)), message)
      assert.equal(newCalls().length, 4)
    })
  }

  test('waits for Retry-After', async () => {
    await server.setFault('busy', { times: 1, retryAfter: '1' })
    const start = performance.now()
    await createTestEmbedder().embed(texts)
    const took = performance.now() - start
    assert.ok(took >= 1_000 && took < 2_000, `took ${took} ms`)
  })

  test('accepts a date in Retry-After', async () => {
    const date = new Date(Date.now() + 2_000).toUTCString()
    await server.setFault('busy', { times: 1, retryAfter: date })
    await createTestEmbedder().embed(texts)
    assert.ok(Date.now() >= Date.parse(date))
  })

  test('fails immediately if Retry-After is too long', async () => {
    await server.setFault('busy', { retryAfter: '3600' })
    const start = performance.now()
    assert.match(await failure(createTestEmbedder().embed(texts)), /returned 429/)
    assert.ok(performance.now() - start < 1_000)
    assert.equal(newCalls().length, 1)
  })

  for (const fault of ['slow', 'drips'] as const) {
    test(`${fault}: aborts a call after its timeout, and all calls after three timeouts`, async () => {
      await server.setFault(fault)
      const start = performance.now()
      assert.match(await failure(createTestEmbedder({ timeoutMs: 300 }).embed(texts)), /not respond in time/)
      const took = performance.now() - start
      assert.ok(took > 300 && took < 20_000, `took ${took} ms`)
      // Each call has its timeout: a fourth one would begin after the third timeout.
      const { length: count } = newCalls()
      assert.ok(count === 2 || count === 3, `${count} calls`)
    })
  }

  test('a failing batch aborts the others', async () => {
    const many = Array.from({ length: 2_000 }, (_, number) => `learning number ${number}`)
    await server.setFault('refusal', { times: 1 })
    await failure(createTestEmbedder().embed(many))
    assert.ok(newCalls().length <= 8, `${newCalls().length} calls`)
  })
})
