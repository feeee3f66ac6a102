import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localEmbedder } from '../../../../test/local-embedder.ts'
import { EmbeddingError } from '../../../text/embed/embedder.ts'
import { createDeclineFinder } from './similar-replies.ts'

test('a reply that is like those that decline is found, others and other languages are not', async () => {
  const find = createDeclineFinder(localEmbedder)
  assert.equal(await find('this code never sees an empty list, so a check makes no sense'), true)
  assert.equal(await find('great find, the handle leaks on errors'), false)
  assert.equal(await find('das ist hier wirklich völlig unnötig'), false)
  assert.equal(await find('pass it'), false)
  await localEmbedder.close()
})

test('without the model no reply declines', async () => {
  const embed = () => Promise.reject(new EmbeddingError('The model is not available.'))
  assert.equal(await createDeclineFinder({ embed })('this is not a problem at all'), false)
})
