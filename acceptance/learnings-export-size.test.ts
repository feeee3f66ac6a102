import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertErrors } from '../cli/src/conformance/http.ts'
import { askLearnings, learningsPath, ownFile, readLearningPages, write } from './learnings-data.ts'
import { changesPath } from './metrics-data.ts'
import { call, demo } from './service.ts'
import { assertSharedWindow, strict } from './windows.ts'

const CEILING = 16 * 1024 * 1024

test('an export of more than 16 MiB is 413 RESPONSE_TOO_LARGE as JSON and as CSV, and its parts are not [P7-get-8]', async () => {
  const file = ownFile()
  // The longest text there is, in the widest characters, and as many in a batch as a body may carry.
  const text = (place: number) => `${place} `.padEnd(10, '.') + '𝔏'.repeat(9_990)
  for (let from = 0; from < 500; from += 100) {
    await write(Array.from({ length: 100 }, (_, place) => ({ learning: text(from + place), file })))
  }
  for (const form of ['', '&format=json', '&format=csv']) {
    assertErrors(await askLearnings(`files=${file}${form}`), 413, 'RESPONSE_TOO_LARGE', form)
  }
  const fits = await askLearnings(`files=${file}&limit=400`)
  assert.equal(fits.status, 200)
  assert.ok(Buffer.byteLength(fits.text) <= CEILING)
  assert.equal((await readLearningPages(`files=${file}&limit=250`)).flat().length, 500)
})

test('the export counts in the window of the metrics, every page of it [P1-limit-12]', async () => {
  const ask = (path: string) => () => call(path, { base: strict(), key: demo.keys.instance })
  await assertSharedWindow('"metrics";q=10;w=60', [
    ask(learningsPath),
    ask(changesPath),
    ask(`${learningsPath}?format=csv`),
    ask(changesPath),
  ])
})
