import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { applyEdit } from '../tools/copy.ts'
import { readMutants } from './read.ts'

const server = new URL('../../server/', import.meta.url)

for (const mutant of readMutants()) {
  test(`the mutant fits the server: ${mutant.breaks}`, () => {
    const source = readFileSync(new URL(mutant.file, server), 'utf8')
    applyEdit(source, mutant)
    for (const path of mutant.tests) assert.ok(existsSync(new URL(path, server)), `${path} does not exist`)
    // A replacement that uses a name that is gone would fail every test, whatever it breaks.
    if ('by' in mutant) assert.deepEqual(listNewWords(mutant.by, source), [])
  })
}

/** The words of a replacement that its file does not contain, without those in texts. */
function listNewWords(replacement: string, source: string): string[] {
  const known = new Set(['true', 'false', ...listWords(source)])
  return listWords(replacement.replaceAll(/'[^']*'|`[^`]*`/g, '')).filter((word) => !known.has(word))
}

function listWords(text: string): readonly string[] {
  return text.match(/[\w$]+/g) ?? []
}
