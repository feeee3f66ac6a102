import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readApiConfig, readWorkerConfig } from '../../config.ts'
import { createEmbedders } from './create.ts'
import type { Embedder } from './embedder.ts'

const local: Embedder = { model: 'local', dimensions: 2, embed: () => Promise.resolve([]) }

const settings = {
  EMBEDDER_URL: 'http://models.example.com:11434/v1/',
  EMBEDDER_MODEL: 'nomic-embed-text:v1.5',
  EMBEDDER_DIMENSIONS: '768',
}

function configFrom(env: Record<string, string>) {
  const urls = { AUTH_DATABASE_URL: 'x', API_DATABASE_URL: 'x', WORKER_DATABASE_URL: 'x' }
  const whole = { ...urls, SIGNING_KEYS: `k:${'ab'.repeat(32)}`, ...env }
  const { embedder } = readApiConfig(whole)
  assert.deepEqual(readWorkerConfig(whole).embedder, embedder)
  return embedder
}

test('uses only the local model without a URL', () => {
  assert.equal(configFrom({}), null)
  assert.deepEqual(createEmbedders(null, local).configured, [local])
})

test('a configured model comes before the local one', () => {
  const config = configFrom(settings)
  assert.deepEqual(config, {
    url: 'http://models.example.com:11434/v1',
    model: 'nomic-embed-text:v1.5',
    dimensions: 768,
    sendDimensions: false,
    apiKey: null,
    timeoutMs: 5_000,
  })
  const models = createEmbedders(config, local).configured.map(({ model, dimensions }) => ({
    model,
    dimensions,
  }))
  assert.deepEqual(models, [
    { model: 'http:nomic-embed-text:v1.5:768', dimensions: 768 },
    { model: 'local', dimensions: 2 },
  ])
})

test('reads every setting', () => {
  const config = configFrom({
    ...settings,
    EMBEDDER_SEND_DIMENSIONS: 'yes',
    EMBEDDER_API_KEY: 'opens-the-model',
    EMBEDDER_TIMEOUT_MS: '800',
  })
  assert.equal(config?.sendDimensions, true)
  assert.equal(config?.apiKey, 'opens-the-model')
  assert.equal(config?.timeoutMs, 800)
})

test('reports all invalid settings at once without quoting secrets', () => {
  const wrong = {
    EMBEDDER_URL: 'https://user:hidden@models.example.com',
    EMBEDDER_API_KEY: 'hidden\nkey',
    EMBEDDER_DIMENSIONS: '4001',
    EMBEDDER_TIMEOUT_MS: 'soon',
    EMBEDDER_SEND_DIMENSIONS: 'maybe',
  }
  assert.throws(
    () => configFrom(wrong),
    ({ message }: Error) => {
      for (const name of Object.keys(wrong)) assert.ok(message.includes(`\n  ${name} must`), name)
      assert.ok(message.includes('EMBEDDER_MODEL must be the name of a model'))
      assert.ok(!message.includes('hidden'))
      return true
    },
  )
})

for (const url of ['models.example.com', 'ftp://models.example.com', 'http://x.example.com/?key=1']) {
  test(`rejects the URL ${url}`, () => {
    assert.throws(() => configFrom({ ...settings, EMBEDDER_URL: url }), /EMBEDDER_URL must be/)
  })
}

test('rejects settings without a URL', () => {
  assert.throws(
    () => configFrom({ EMBEDDER_MODEL: 'x', EMBEDDER_API_KEY: 'x' }),
    /EMBEDDER_URL is not set, so EMBEDDER_API_KEY and EMBEDDER_MODEL would have no effect/,
  )
})
