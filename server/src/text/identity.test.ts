import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { OrganizationId } from '../ids.ts'
import {
  contentHash,
  type LearningLocation,
  learningId,
  learningIds,
  MAX_CODE_POINTS,
  readLearning,
  textForIdentity,
} from './identity.ts'
import { redact } from './redact.ts'

const location: LearningLocation = {
  organization: '6e7f5d3c-2f2a-4c0f-9a58-0d7f1c1b2a39' as OrganizationId,
  repository: '4711',
}
const anyText = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' })

test('identifies equal and different texts', () => {
  const same: readonly (readonly [string, string])[] = [
    ['Prefer early returns.', '  Prefer early returns.\n'],
    ['Prefer early returns.', '\ufeff\u00a0Prefer early returns.\u2003\u2028'],
    ['one\ntwo', 'one\r\ntwo'],
    ['one\ntwo', 'one\rtwo'],
    ['caf\u00e9', 'cafe\u0301'],
    ['Use [REDACTED:password]', 'Use [REDACTED:password] '],
    ['PASSWORD=[REDACTED:password]', 'PASSWORD=Sommer2026!'],
    ['PASSWORD=Herbst2025!', 'PASSWORD=Sommer2026!'],
  ]
  for (const [one, other] of same) assert.equal(textForIdentity(one), textForIdentity(other), other)
  const different = ['one', 'One', 'o ne', 'one\n\ntwo', 'one\ntwo', 'one two', 'ﬁ', 'fi', '²', '2']
  assert.equal(new Set(different.map((text) => textForIdentity(text))).size, different.length)
})

test('stores the text as sent, trimmed and redacted', () => {
  const learning = readLearning(' cafe\u0301\r\nDB_PASSWORD=Sommer2026!\r\n ')
  assert.equal(learning?.stored.text, 'cafe\u0301\r\nDB_PASSWORD=[REDACTED:password]')
  assert.deepEqual(learning.stored.kinds, ['password'])
  assert.equal(learning.identity, 'caf\u00e9\nDB_PASSWORD=[REDACTED:password]')
})

test('the stored text has the same identity as the sent text, so a row can be re-redacted', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom('', '\r\nPASSWORD=Sommer2026!', '\rtoken: '), (text, more) => {
      const learning = readLearning(text + more)
      if (learning !== null) assert.equal(textForIdentity(learning.stored.text), learning.identity)
    }),
  )
})

test('counts length in code points, after trimming and before redaction', () => {
  const cases: readonly (readonly [text: string, accepted: boolean])[] = [
    ['', false],
    [' \n\t\u3000 ', false],
    ['a', true],
    [` ${'a'.repeat(MAX_CODE_POINTS)} `, true],
    ['a'.repeat(MAX_CODE_POINTS + 1), false],
    ['😀'.repeat(MAX_CODE_POINTS), true],
    ['😀'.repeat(MAX_CODE_POINTS + 1), false],
    [`${'😀'.repeat(MAX_CODE_POINTS - 1)}ab`, false],
  ]
  for (const [text, accepted] of cases) assert.equal(readLearning(text) !== null, accepted, `${text.length}`)
})

test('an id is a UUIDv5 of organization, repository and text [P7-ident-2]', () => {
  const namespace = Buffer.from('43c4a27165a34a0c9b01260d8c498c4b', 'hex')
  const name = '["6e7f5d3c-2f2a-4c0f-9a58-0d7f1c1b2a39","4711","Prefer early returns."]'
  const digest = createHash('sha1').update(namespace).update(name).digest('hex')
  const id = learningId(location, 'Prefer early returns.')
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(id.replaceAll('-', '').slice(0, 12), digest.slice(0, 12))
  assert.equal(id.slice(-12), digest.slice(20, 32))
})

test('ids never change: these were issued', () => {
  assert.equal(learningId(location, 'Prefer early returns.'), '9077114e-b51b-55c2-a762-a1147e211efb')
  assert.equal(learningId(location, 'Prefer early returns.', 1), '943449f9-7e07-563c-820e-40f212b1d112')
})

test('organization, repository, text and counter each change the id', () => {
  const other = '0b5f1a52-7a3b-4a51-8f0e-3c6a1c1d9e11' as OrganizationId
  const ids = [
    learningId(location, 'a'),
    learningId({ ...location, organization: other }, 'a'),
    learningId({ ...location, repository: '4712' }, 'a'),
    learningId({ ...location, repository: '47' }, '11a'),
    learningId({ ...location, repository: '4711","a' }, ''),
    learningId(location, 'b'),
    learningId(location, 'a', 1),
    learningId(location, 'a', 2),
  ]
  assert.equal(new Set(ids).size, ids.length)
})

test('yields ids in order of the counter', () => {
  const held = new Set([learningId(location, 'a'), learningId(location, 'a', 1)])
  assert.equal(
    learningIds(location, 'a').find((id) => !held.has(id)),
    learningId(location, 'a', 2),
  )
})

test('the hash distinguishes repository and text', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, anyText, (one, text, other, otherText) => {
      const same = one === other && text === otherText
      assert.equal(contentHash(one, text).equals(contentHash(other, otherText)), same)
    }),
  )
  assert.equal(contentHash('4711', 'a').length, 32)
})

test('a version before the first redacts nothing; a newer one redacts like the newest', () => {
  const text = 'PASSWORD=Sommer2026!'
  assert.equal(redact(text, 0).text, text)
  assert.equal(redact(text, 99).text, redact(text).text)
})
