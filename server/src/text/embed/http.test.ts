import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  type EmbedderFault,
  type EmbeddingServer,
  startEmbeddingServer,
} from '../../../test/engines/embedding-server.ts'
import type { EmbedderConfig } from '../../settings/embedder.ts'
import { EmbeddingFailed } from './embedder.ts'
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
    timeoutMs: 2_000,
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

/** Fails as it should, and tells nothing of what was sent. */
async function failure(embedding: Promise<unknown>): Promise<string> {
  const error = await embedding.then(
    () => assert.fail('It did not fail.'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof EmbeddingFailed, `${String(error)} is no EmbeddingFailed`)
  assert.equal(error.cause, undefined)
  for (const secret of [apiKey, ...texts]) assert.ok(!String(error.stack).includes(secret))
  return error.message
}

describe('what is sent', () => {
  test('texts go out in the protocol, without a key when there is none', async () => {
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

  test('the key and the dimensions are sent when they are set', async () => {
    await createTestEmbedder({ apiKey, sendDimensions: true }).embed(texts)
    const [call] = newCalls()
    assert.equal(call?.authorization, `Bearer ${apiKey}`)
    assert.equal(call?.dimensions, dimensions)
  })

  test('nothing is asked for no texts', async () => {
    assert.deepEqual(await createTestEmbedder().embed([]), [])
    assert.equal(newCalls().length, 0)
  })

  test('many texts go in batches of at most 100, four at once, and come back in order', async () => {
    await server.setFault('slow', { delayMs: 50 })
    const many = Array.from({ length: 950 }, (_, number) => `learning number ${number}`)
    const vectors = await createTestEmbedder().embed(many)
    const sizes = newCalls().map(({ input }) => input.length)
    assert.deepEqual(sizes.toSorted(descending), [...Array.from({ length: 9 }, () => 100), 50])
    assert.equal(server.maxConcurrentCalls(), 4)
    assert.equal(vectors.length, many.length)
    const [single] = await createTestEmbedder().embed(['learning number 777'])
    assertNear(similarity(vectors[777], single), 1)
  })

  test('long texts are cut, and share a call only while it stays small', async () => {
    const long = Array.from({ length: 30 }, (_, number) => `${number} ${'long '.repeat(5_000)}`)
    assert.equal((await createTestEmbedder().embed(long)).length, 30)
    const inputs = newCalls().map(({ input }) => input)
    assert.deepEqual(inputs.map((input) => input.length).toSorted(descending), [25, 5])
    assert.ok(inputs.flat().every((text) => text.length === 8_000))
  })

  test('a text that is cut within a character is still well-formed', async () => {
    await createTestEmbedder().embed(['x'.repeat(7_999) + '🚚'])
    assert.ok(newCalls()[0]?.input[0]?.isWellFormed())
  })
})

describe('what comes back', () => {
  test('vectors have length 1, and similar texts are near each other', async () => {
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

  test('answers are put in order by their index', async () => {
    const straight = await createTestEmbedder().embed(texts)
    await server.setFault('shuffled')
    assert.deepEqual(await createTestEmbedder().embed(texts), straight)
  })

  const wrong: readonly (readonly [EmbedderFault, RegExp])[] = [
    ['wrong-dimensions', /vectors of 63 dimensions, EMBEDDER_DIMENSIONS says 64/],
    ['wrong-count', /2 vectors for 3 texts/],
    ['repeated-index', /an index twice/],
    ['not-a-number', /no number/],
    ['all-zero', /all zero/],
    ['not-json', /no JSON/],
    ['huge', /more than \d+ bytes/],
    ['redirect', /answered 307\. Redirects are not followed/],
    ['refusal', /answered 401\. Check EMBEDDER_API_KEY/],
  ]
  for (const [fault, message] of wrong) {
    test(`${fault} fails at once, without another attempt`, async () => {
      await server.setFault(fault)
      assert.match(await failure(createTestEmbedder({ apiKey }).embed(texts)), message)
      assert.equal(newCalls().length, 1)
    })
  }
})

describe('trouble', () => {
  test('a model that is down fails, and is used again when it is back', async () => {
    const embedder = createTestEmbedder()
    await server.setFault('down')
    assert.match(await failure(embedder.embed(texts)), /connection to the embedder failed \(ECONNREFUSED\)/)
    await server.setFault('none')
    assert.equal((await embedder.embed(texts)).length, 3)
  })

  for (const fault of ['error', 'cut', 'busy'] as const) {
    test(`${fault} is tried again until it goes well`, async () => {
      await server.setFault(fault, { times: 2 })
      assert.equal((await createTestEmbedder().embed(texts)).length, 3)
      assert.equal(newCalls().length, 3)
    })

    test(`${fault} that stays is given up`, async () => {
      await server.setFault(fault)
      const message = { error: /answered 500/, cut: /connection/, busy: /answered 429/ }[fault]
      assert.match(await failure(createTestEmbedder({ apiKey, timeoutMs: 60_000 }).embed(texts)), message)
      assert.equal(newCalls().length, 4)
    })
  }

  test('Retry-After is waited for', async () => {
    await server.setFault('busy', { times: 1, retryAfter: '1' })
    const start = performance.now()
    await createTestEmbedder().embed(texts)
    const took = performance.now() - start
    assert.ok(took >= 1_000 && took < 2_000, `took ${took} ms`)
  })

  test('Retry-After may be a date', async () => {
    const date = new Date(Date.now() + 2_000).toUTCString()
    await server.setFault('busy', { times: 1, retryAfter: date })
    await createTestEmbedder().embed(texts)
    assert.ok(Date.now() >= Date.parse(date))
  })

  test('a Retry-After that nobody has the time for is given up at once', async () => {
    await server.setFault('busy', { retryAfter: '3600' })
    const start = performance.now()
    assert.match(await failure(createTestEmbedder().embed(texts)), /answered 429/)
    assert.ok(performance.now() - start < 1_000)
    assert.equal(newCalls().length, 1)
  })

  for (const fault of ['slow', 'drips'] as const) {
    test(`${fault}: a call is ended after its time, all calls after three times that`, async () => {
      await server.setFault(fault)
      const start = performance.now()
      assert.match(await failure(createTestEmbedder({ timeoutMs: 300 }).embed(texts)), /not answer in time/)
      const took = performance.now() - start
      assert.ok(took > 300 && took < 1_500, `took ${took} ms`)
      assert.ok(newCalls().length > 1)
    })
  }

  test('one batch that fails ends the others', async () => {
    const many = Array.from({ length: 2_000 }, (_, number) => `learning number ${number}`)
    await server.setFault('refusal', { times: 1 })
    await failure(createTestEmbedder().embed(many))
    assert.ok(newCalls().length <= 8, `${newCalls().length} calls`)
  })
})
