import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedStatement } from './named-statement.ts'

const scope = { root: 'r', organizations: ['o'], instance: null }

test('names become numbers: the root is $1, the others follow as they occur', () => {
  const find = namedStatement('test.find', 'select :b::int, :a from thing where root_id = :root and a = :b')
  assert.equal(find.text, 'select $2::int, $3 from thing where root_id = $1 and a = $2')
  assert.deepEqual(find.bind(scope, { a: 'first', b: 2, unused: true }), ['r', 2, 'first'])
})

test('colons of casts, of quoted text and of slices are no names', () => {
  const text = `select 'it''s :a', to_char(at, 'HH24:mi'), x::text, y[1:2], "z" from thing where root_id = $1`
  assert.equal(namedStatement('test.colons', text).text, text)
})

test('the values of the scope have their names, and a value of the same name replaces them', () => {
  const list = namedStatement(
    'test.list',
    'select :organizations::uuid[], :instance::uuid where :root is not null',
  )
  assert.deepEqual(list.bind(scope, {}), ['r', ['o'], null])
  assert.deepEqual(list.bind(scope, { organizations: null }), ['r', null, null])
})

test('a value that is missing is an error that names it; null is a value', () => {
  const one = namedStatement('test.one', 'select :given::int where :root is not null')
  assert.throws(() => one.bind(scope, {}), { message: 'The statement test.one has no value for :given.' })
  assert.deepEqual(one.bind(scope, { given: null }), ['r', null])
})
