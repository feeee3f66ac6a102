import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listTerms, MAX_TERMS, tokenize } from './tokenize.ts'

function namesOf(text: string): string[] {
  return tokenize(text).flatMap(({ term, kind }) => (kind === 'name' ? [term] : []))
}

test('one name in three ways of writing gives the same terms', () => {
  const expected = ['user', 'id', 'userid']
  assert.deepEqual(listTerms('userId'), expected)
  assert.deepEqual(listTerms('user_id'), expected)
  assert.deepEqual(listTerms('USER_ID'), expected)
  assert.deepEqual(listTerms('user-id'), expected)
})

test('parts, whole names, dotted names and file names are terms', () => {
  assert.deepEqual(listTerms('parseHTTPHeaders'), ['parse', 'http', 'header', 'parsehttpheader'])
  assert.deepEqual(listTerms('React.useMemo'), ['react', 'use', 'memo', 'usememo', 'react.usememo'])
  assert.deepEqual(listTerms('src/app/user-list.ts'), [
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
  assert.deepEqual(listTerms('JavaScript on GitHub'), ['javascript', 'github'])
  assert.deepEqual(listTerms('IDs, URLs and OAuth2'), ['id', 'url', 'oauth'])
  assert.deepEqual(listTerms('sha256 of utf8, i18n, k8s: 404 but not 7'), [
    'sha256',
    'utf8',
    'i18n',
    'k8s',
    '404',
  ])
})

test('stop words and endings behind an apostrophe are no terms', () => {
  assert.deepEqual(listTerms("Don't use the user’s token"), ['use', 'user', 'token'])
  assert.deepEqual(listTerms('of the and … !?'), [])
})

test('scripts without spaces are read by pairs of characters', () => {
  assert.deepEqual(listTerms('数据库'), ['数据', '据库'])
  assert.deepEqual(listTerms('Проверка данных'), ['проверка', 'данных'])
})

test('terms are distinct and bounded, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const terms = listTerms(text)
      assert.equal(new Set(terms).size, terms.length)
      assert.ok(terms.every((term) => term.length > 0 && term.length <= 48))
    }),
  )
  const many = Array.from({ length: 2_000 }, (_, number) => `word${number}x`).join(' ')
  assert.equal(listTerms(many).length, MAX_TERMS)
})

test('a text without any gap is read in time that grows with its length', () => {
  // Time of the processor, which a busy machine does not change.
  const started = process.cpuUsage()
  for (const unit of ['a', 'aB', '_', 'a-', 'a.', "a'", '数']) tokenize(unit.repeat(100_000))
  const { user, system } = process.cpuUsage(started)
  assert.ok(user + system < 2_000_000)
})
