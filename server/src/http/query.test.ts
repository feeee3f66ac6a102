import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { ESCAPED_LIST } from '../shape.ts'
import { createShapeCheck, parseQuery } from './input.ts'

const schema = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    all: Type.Optional(Type.Boolean()),
    search: Type.Optional(Type.String({ maxLength: 20 })),
    ids: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 3 })),
    files: Type.Optional(Type.Array(Type.String(), { [ESCAPED_LIST]: true })),
    start_date: Type.Optional(Type.String({ format: 'date' })),
  },
  { additionalProperties: false },
)
const check = createShapeCheck('query', schema)
const invalid = { name: 'Refusal', code: 'INVALID_REQUEST' }

/** As the pipeline does it: parsed by the schema, then validated against it. */
function read(search: string): Record<string, unknown> {
  const query = parseQuery(search, schema)
  check(query)
  return { ...query }
}

function refuses(...searches: string[]): void {
  for (const search of searches) assert.throws(() => read(search), invalid, search)
}

test('a query is read by the types of its endpoint', () => {
  assert.deepEqual(read('limit=5&all=true&search=a+b%20c&ids=1,2&start_date=2026-02-28'), {
    limit: 5,
    all: true,
    search: 'a b c',
    ids: ['1', '2'],
    start_date: '2026-02-28',
  })
  assert.deepEqual(read(''), {})
  assert.deepEqual(read('&limit=1000&'), { limit: 1000 })
})

test('an unknown parameter is refused, whatever its name', () => {
  refuses(
    'other=1',
    'Limit=5',
    'limit%20=5',
    'ids[]=1',
    '=1',
    'toString=1',
    'constructor=1',
    'hasOwnProperty',
  )
})

test('__proto__ is an unknown parameter like any other and changes no object', () => {
  refuses('__proto__=1', '__proto__[limit]=5', '__proto__.limit=5', 'prototype=1')
  assert.equal(({} as { limit?: unknown }).limit, undefined)
})

test('a whole number is plain digits: 1e3, +5, 05, 5.0, a space and 0x10 are refused', () => {
  const numbers = [
    '1e3',
    '%2B5',
    '+5',
    '05',
    '5.0',
    '%205',
    '5%20',
    '0x10',
    '-5',
    '5,6',
    '٥',
    '５',
    '1_0',
    '',
  ]
  refuses(...numbers.map((number) => `limit=${number}`), 'limit')
})

test('a whole number is refused outside its bounds, however long it is', () => {
  refuses(
    'limit=0',
    'limit=1001',
    'limit=9007199254740993',
    `limit=${'9'.repeat(400)}`,
    'limit=NaN',
    'limit=null',
  )
})

test('any number that is in bounds and written plainly is that number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), (limit) => read(`limit=${limit}`)['limit'] === limit),
  )
})

test('a boolean is true or false in these letters', () => {
  assert.deepEqual([read('all=true'), read('all=false')], [{ all: true }, { all: false }])
  refuses('all=1', 'all=0', 'all=TRUE', 'all=yes', 'all=', 'all', 'all=%20true')
})

test('a repeated parameter is refused, also when the values are equal or the name is written otherwise', () => {
  refuses('limit=5&limit=5', 'limit=5&limit=6', 'search=a&search=b', 'limit=5&l%69mit=5', 'ids=1&ids=2')
})

test('a list is comma separated in one parameter and keeps its order', () => {
  assert.deepEqual(read('ids=b,a')['ids'], ['b', 'a'])
  assert.deepEqual(read('ids=a%2Cb')['ids'], ['a', 'b'])
})

test('an empty element of a list is refused', () => {
  refuses('ids=', 'ids', 'ids=,', 'ids=1,', 'ids=,1', 'ids=1,,2')
})

test('spaces around a value of a list are refused, inside of one they are kept', () => {
  refuses('ids=a,+b', 'ids=%20a', 'ids=a%20,b', 'ids=a,b%0A', 'ids=%C2%A0a', 'ids=+', 'files=a,+b')
  assert.deepEqual(read('ids=a+b,c')['ids'], ['a b', 'c'])
})

test('a list of paths escapes commas and backslashes: any list of paths can be written', () => {
  const path = fc.string({ unit: fc.constantFrom('a', ',', '\\', 'é'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), (files) => {
      const written = files.map((file) => file.replaceAll(/[\\,]/g, '\\$&')).join(',')
      assert.deepEqual(read(`files=${encodeURIComponent(written)}`)['files'], files)
    }),
  )
  for (const wrong of ['\\', 'a\\', 'a\\b', '\\\\\\', ',a', 'a,', 'a\\,,'])
    refuses(`files=${encodeURIComponent(wrong)}`)
  assert.deepEqual(read('ids=a%5Cb')['ids'], ['a\\b'], 'other lists have no escapes')
})

test('the maximum of a list counts what was given, before repeated values are dropped', () => {
  assert.deepEqual(read('ids=1,1,1')['ids'], ['1', '1', '1'])
  refuses('ids=1,1,1,1')
})

test('a calendar date is checked', () => {
  assert.equal(read('start_date=2024-02-29')['start_date'], '2024-02-29')
  refuses(
    'start_date=2026-02-30',
    'start_date=2026-02-29',
    'start_date=2026-13-01',
    'start_date=2026-00-10',
    'start_date=2026-1-1',
    'start_date=2026-01-01T00:00:00Z',
    'start_date=20260101',
    'start_date=%2B002026-01-01',
    'start_date=',
  )
})

test('NUL, half a surrogate pair and bytes that are not UTF-8 are refused', () => {
  refuses(
    'search=a%00b',
    'search=%ED%A0%80',
    'search=%ff',
    'search=%C0%80',
    'search=%',
    'search=%zz',
    '%00=1',
  )
})

test('text is taken as it is: nothing is trimmed, folded or decoded twice', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 5 }).filter((value) => !value.includes('\0'))
  fc.assert(
    fc.property(text, (value) => {
      if (value.length > 20 || !value.isWellFormed()) return
      assert.equal(read(`search=${encodeURIComponent(value)}`)['search'], value)
    }),
  )
  assert.equal(read('search=%2541')['search'], '%41')
  assert.equal(read('search=a=b')['search'], 'a=b')
})
