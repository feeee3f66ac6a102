import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWords } from '../words/words.ts'
import { createLocalEmbedder } from './local.ts'

const embedder = createLocalEmbedder(openWords())

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0)
}

async function likeness(one: string, other: string): Promise<number> {
  const [a, b] = await embedder.embed([one, other])
  assert.ok(a && b)
  return cosine(a, b)
}

test('returns a unit vector per text, in order', async () => {
  const texts = ['', '!!!', 'the of and', 'zzqqxx', '数据库', 'Close the file.', 'word '.repeat(2_000)]
  const vectors = await embedder.embed(texts)
  assert.equal(vectors.length, texts.length)
  for (const vector of vectors) {
    assert.equal(vector.length, embedder.dimensions)
    assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-3)
  }
  const [alone] = await embedder.embed(['Close the file.'])
  assert.deepEqual(vectors[5], alone)
})

test('texts with the same meaning are nearer than texts that share a word', async () => {
  const near = await likeness(
    'Never log passwords.',
    'The credentials of the user are printed to the console',
  )
  const far = await likeness('Never log passwords.', 'Never nest ternaries.')
  assert.ok(near > far + 0.2, `${near} and ${far}`)
})

test('unknown words are near similarly spelled words', async () => {
  const near = await likeness('frobnicator', 'frobnicators')
  const far = await likeness('frobnicator', 'xyzzyplugh')
  assert.ok(near > far + 0.3, `${near} and ${far}`)
})

test('the vectors of this model never change', async () => {
  // Stored vectors are compared with new ones: a change of these numbers requires a new model name.
  assert.equal(embedder.model, 'local-words-1')
  const [vector] = await embedder.embed(['Retry failed network calls with exponential backoff and jitter.'])
  assert.deepEqual(
    Array.from(vector ?? [])
      .slice(0, GOLDEN.length)
      .map((value) => Number(value.toFixed(3))),
    GOLDEN,
  )
})

const GOLDEN: readonly number[] = [-0.034, -0.074, -0.109, -0.07, -0.137, -0.095, -0.014, 0.122]
