import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readTerms } from './read.ts'
import { openWords, wordsFile } from './words.ts'

const words = openWords()

function weightOf(term: string): number {
  const place = words.places.get(term)
  assert.notEqual(place, undefined, term)
  return words.weights[place as number] as number
}

test('what reviews are full of weighs less than what they seldom say, and unknown names weigh most', () => {
  assert.ok(weightOf('use') < weightOf('query'))
  assert.ok(weightOf('query') < weightOf('deadlock'))
  const { terms, weights } = readTerms(words, 'use frobnicate_zyxwv')
  assert.equal(weights[terms.indexOf('frobnicatezyxwv')], 1)
})

test('words that the embeddings are too old for are known, and phrases are found in texts', () => {
  for (const term of ['mutex', 'webhook', 'graphql', 'race condition'])
    assert.ok(words.places.has(term), term)
  assert.ok(readTerms(words, 'This is a race condition.').terms.includes('race condition'))
  assert.ok(readTerms(words, 'the accessToken').terms.includes('access token'))
})

test('words of one meaning are kin', () => {
  const place = words.places.get('mutex') as number
  const kin = words.kin.subarray(words.kinStarts[place], words.kinStarts[place + 1])
  assert.ok(kin.includes(words.places.get('lock') as number))
  assert.ok(!kin.includes(words.places.get('invoice') as number))
})

test('a file that is missing, cut off or of another version says what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'))
  try {
    const file = pathToFileURL(join(folder, 'words.bin'))
    assert.throws(() => openWords(file), /ENOENT.*npm run build/)
    const bytes = readFileSync(wordsFile)
    writeFileSync(file, bytes.subarray(0, bytes.length - 1))
    assert.throws(() => openWords(file), /cut off.*npm run build/)
    bytes.writeUInt32LE(0xffff, 8)
    writeFileSync(file, bytes)
    assert.throws(() => openWords(file), /another version.*npm run build/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
