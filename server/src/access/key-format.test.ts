import assert from 'node:assert/strict'
import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { KeyId, RootId } from '../ids.ts'
import { signIngestCredential } from './ingest-credential.ts'
import {
  createKeyValue,
  describeKey,
  hashKey,
  isWellFormedKey,
  type KeyKind,
  keyKinds,
} from './key-format.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX_LENGTH = 8
const RANDOM_DIGITS = 30
const anyKind = fc.constantFrom(...keyKinds)
const anyKey = anyKind.map((kind) => createKeyValue(kind))

const prefixes: Record<KeyKind, string> = {
  organization: 'sch_org_',
  user: 'sch_usr_',
  workspace: 'sch_wsp_',
  instance: 'sch_ins_',
  legacy: 'sch_leg_',
  agentic: 'sch_agt_',
}

function replaceAt(key: string, index: number, character: string): string {
  return key.slice(0, index) + character + key.slice(index + 1)
}

function swap(key: string, one: number, other: number): string {
  return replaceAt(replaceAt(key, one, key.charAt(other)), other, key.charAt(one))
}

test('a key is the readable prefix of its kind, 30 digits and 6 check digits [P2-format-1]', () => {
  for (const kind of keyKinds) {
    const key = createKeyValue(kind)
    assert.ok(key.startsWith(prefixes[kind]), kind)
    assert.match(key.slice(PREFIX_LENGTH), /^[0-9A-Za-z]{36}$/)
    assert.ok(isWellFormedKey(key), kind)
  }
})

test('a key carries at least 160 random bits: every digit takes every value, and no two keys are equal [P2-format-1]', () => {
  assert.ok(RANDOM_DIGITS * Math.log2(alphabet.length) >= 160)
  const keys = Array.from({ length: 3000 }, () => createKeyValue('user'))
  assert.equal(new Set(keys).size, keys.length)
  for (let index = PREFIX_LENGTH; index < PREFIX_LENGTH + RANDOM_DIGITS; index++) {
    const seen = new Set(keys.map((key) => key.charAt(index)))
    assert.equal(seen.size, alphabet.length, `place ${index}`)
  }
})

test('every change of a single character is refused [P2-format-2]', () => {
  for (const kind of keyKinds) {
    const key = createKeyValue(kind)
    for (let index = 0; index < key.length; index++) {
      for (const character of `${alphabet}_-. é`) {
        if (character === key.charAt(index)) continue
        assert.equal(isWellFormedKey(replaceAt(key, index, character)), false, `place ${index}`)
      }
    }
  }
})

test('every swap of two neighbours, and of any two characters, is refused', () => {
  const index = fc.nat(PREFIX_LENGTH + RANDOM_DIGITS + 5)
  fc.assert(
    fc.property(anyKey, index, index, (key, one, other) => {
      for (const swapped of [swap(key, one, Math.min(one + 1, key.length - 1)), swap(key, one, other)]) {
        assert.equal(isWellFormedKey(swapped), swapped === key)
      }
    }),
    { numRuns: 2000 },
  )
})

test('the prefix is under the check digits too: a key cannot be passed off as one of another kind', () => {
  fc.assert(
    fc.property(anyKey, anyKind, (key, kind) => {
      const disguised = prefixes[kind] + key.slice(PREFIX_LENGTH)
      assert.equal(isWellFormedKey(disguised), disguised === key)
    }),
  )
})

test('a character too few, a character too many, white space and any other text are refused', () => {
  const key = createKeyValue('user')
  for (const other of ['', key.slice(0, -1), key.slice(1), `${key}0`, ` ${key}`, `${key} `, `${key}\n`]) {
    assert.equal(isWellFormedKey(other), false, JSON.stringify(other))
  }
  assert.equal(isWellFormedKey(key.toUpperCase()), false)
  assert.equal(isWellFormedKey(key.replace('sch_usr_', 'sch_ing_')), false)
  fc.assert(fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), (text) => !isWellFormedKey(text)))
})

test('the patterns of docs/keys.md find every leaked key in files, and nothing else in our documentation [P2-format-3]', () => {
  const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
  const page = readFileSync(join(docs, 'keys.md'), 'utf8')
  const patterns = /```regex\n([^`]+)\n```/.exec(page)?.[1]?.split('\n') ?? []
  const find = (text: string) =>
    patterns.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, 'g'))].map(([match]) => match))
  const ring = [{ id: 'k', secret: createSecretKey(randomBytes(32)) }]
  const [id, root] = [randomUUID() as KeyId, randomUUID() as RootId]
  const credential = { id, root, organizations: null, expiresAt: new Date(Date.now() + 1e9) }
  const keys = [...keyKinds, ...keyKinds].map((kind) => createKeyValue(kind))
  for (const key of [...keys, signIngestCredential(ring, credential)]) {
    for (const text of [
      key,
      `SCHOLIAST_API_KEY=${key}\n`,
      `{"key":"${key}"}`,
      `curl -H 'x-service-api-key: ${key}' https://scholiast.example.com`,
      `+const key = \`${key}\`;`,
      `https://ci.example.com/?key=${key}&n=1`,
    ])
      assert.deepEqual(find(text), [key])
  }
  assert.deepEqual(find(createKeyValue('user').replace('sch_', 'abc_')), [])
  for (const file of readdirSync(docs).filter((name) => name.endsWith('.md')))
    assert.deepEqual(find(readFileSync(join(docs, file), 'utf8')), [], file)
})

test('what is stored is the SHA-256 of the whole value', () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      assert.deepEqual(hashKey(key), createHash('sha256').update(key).digest())
    }),
  )
})

test('only its prefix and last four characters identify a key', () => {
  const key = createKeyValue('agentic')
  assert.deepEqual(describeKey(key), { prefix: 'sch_agt_', lastFour: key.slice(-4) })
})
