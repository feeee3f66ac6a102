import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MOST_TERMS, termsOf, tokensOf } from './tokenize.ts'

function namesOf(text: string): string[] {
  return tokensOf(text).flatMap(({ term, kind }) => (kind === 'name' ? [term] : []))
}

test('one name in three ways of writing gives the same terms', () => {
  const expected = ['user', 'id', 'userid']
  assert.deepEqual(termsOf('userId'), expected)
  assert.deepEqual(termsOf('user_id'), expected)
  assert.deepEqual(termsOf('USER_ID'), expected)
  assert.deepEqual(termsOf('user-id'), expected)
})

test('parts, whole names, dotted names and file names are terms', () => {
  assert.deepEqual(termsOf('parseHTTPHeaders'), ['parse', 'http', 'header', 'parsehttpheader'])
  assert.deepEqual(termsOf('React.useMemo'), ['react', 'use', 'memo', 'usememo', 'react.usememo'])
  assert.deepEqual(termsOf('src/app/user-list.ts'), [
    'src',
    'app',
    'user',
    'list',
    'userlist',
    'ts',
    'userlist.ts',
  ])
  assert.deepEqual(namesOf('std::vector in C++ and C#'), ['std::vector', 'cpp', 'csharp'])
})

test('known names of one word, plurals of abbreviations and numbers in words are not split', () => {
  assert.deepEqual(termsOf('JavaScript on GitHub'), ['javascript', 'github'])
  assert.deepEqual(termsOf('IDs, URLs and OAuth2'), ['id', 'url', 'oauth'])
  assert.deepEqual(termsOf('sha256 of utf8, i18n, k8s: 404 but not 7'), [
    'sha256',
    'utf8',
    'i18n',
    'k8s',
    '404',
  ])
})

test('stop words and endings behind an apostrophe are no terms', () => {
  assert.deepEqual(termsOf("Don't use the user’s token"), ['use', 'user', 'token'])
  assert.deepEqual(termsOf('of the and … !?'), [])
})

test('scripts without spaces are read by pairs of characters', () => {
  assert.deepEqual(termsOf('数据库'), ['数据', '据库'])
  assert.deepEqual(termsOf('Проверка данных'), ['проверка', 'данных'])
})

test('terms are distinct and bounded, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const terms = termsOf(text)
      assert.equal(new Set(terms).size, terms.length)
      assert.ok(terms.every((term) => term.length > 0 && term.length <= 48))
    }),
  )
  const many = Array.from({ length: 2_000 }, (_, number) => `word${number}x`).join(' ')
  assert.equal(termsOf(many).length, MOST_TERMS)
})

test('a text without any gap is read in time that grows with its length', () => {
  // Time of the processor, which a busy machine does not change.
  const started = process.cpuUsage()
  for (const unit of ['a', 'aB', '_', 'a-', 'a.', "a'", '数']) tokensOf(unit.repeat(100_000))
  const { user, system } = process.cpuUsage(started)
  assert.ok(user + system < 2_000_000)
})
