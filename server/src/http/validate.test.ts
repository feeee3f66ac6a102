import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Refusal } from '../errors.ts'
import { closed, ITEMS_VALIDATED_BY_HANDLER } from '../shape.ts'
import { createBodyCheck, createShapeCheck } from './input.ts'

const Item = Type.Object({ id: Type.String(), count: Type.Optional(Type.Integer()) }, closed)
const check = createShapeCheck(
  'body',
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 10 }),
      mode: Type.Optional(Type.Union([Type.Literal('automatic'), Type.Literal('manual')])),
      items: Type.Optional(Type.Array(Item, { maxItems: 2 })),
      flag: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
)
const anything = createShapeCheck('body', Type.Unknown())
const invalid = { name: 'Refusal', code: 'INVALID_REQUEST' }

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'innermost'
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

test('a value of the right shape passes and is not changed', () => {
  const value = { name: ' a ', mode: 'manual', items: [{ id: '', count: 1 }], flag: false }
  const copy = structuredClone(value)
  check(value)
  assert.deepEqual(value, copy)
})

test('unknown fields are refused at every level and none is stripped', () => {
  const value = { name: 'a', other: 1 }
  assert.throws(() => check(value), invalid)
  assert.deepEqual(value, { name: 'a', other: 1 })
  assert.throws(() => check({ name: 'a', items: [{ id: '1', other: 1 }] }), invalid)
})

test('nothing is coerced: a value of another type is refused', () => {
  const wrong = [
    { name: 5 },
    { name: null },
    { name: ['a'] },
    { name: 'a', flag: 'true' },
    { name: 'a', flag: 1 },
    { name: 'a', items: { id: '1' } },
    { name: 'a', items: [{ id: '1', count: '1' }] },
    { name: 'a', items: [{ id: '1', count: 1.5 }] },
    { name: 'a', mode: 'AUTOMATIC' },
    [],
    'name',
    null,
    undefined,
  ]
  for (const value of wrong) assert.throws(() => check(value), invalid, JSON.stringify(value))
})

test('nothing is filled in: a missing field is refused', () => {
  assert.throws(() => check({}), invalid)
  assert.throws(() => check({ name: 'a', items: [{}] }), invalid)
})

test('lengths count code points, not UTF-16 units', () => {
  check({ name: '😀'.repeat(10) })
  assert.throws(() => check({ name: '😀'.repeat(11) }), invalid)
})

test('NUL and half a surrogate pair are refused in values and in names, at every level', () => {
  for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800']) {
    assert.throws(() => anything(text), invalid, JSON.stringify(text))
    assert.throws(() => anything([[text]]), invalid)
    assert.throws(() => anything({ a: { b: text } }), invalid)
    assert.throws(() => anything({ a: { [text]: 1 } }), invalid)
  }
  anything({ 'a 😀': ['\u0001', '\uffff'] })
})

test('64 levels are taken and 65 are refused, of objects and of arrays', () => {
  const wraps = [(inner: unknown) => [inner], (inner: unknown) => ({ inner })]
  for (const wrap of wraps) {
    anything(nested(64, wrap))
    assert.throws(() => anything(nested(65, wrap)), invalid)
    assert.throws(() => anything(nested(10_000, wrap)), invalid)
  }
})

test('__proto__ and constructor are unknown fields and change no object', () => {
  for (const text of [
    '{"name":"a","__proto__":{"admin":true}}',
    '{"name":"a","constructor":{"prototype":{"admin":true}}}',
    '{"name":"a","items":[{"id":"1","__proto__":null}]}',
  ]) {
    assert.throws(() => check(JSON.parse(text)), invalid, text)
  }
  assert.equal(({} as { admin?: unknown }).admin, undefined)
})

test('items that are judged later may be anything, but their envelope may not', () => {
  const createShape = (options: object) => {
    const data = Type.Array(Item, { minItems: 1, maxItems: 2, ...options })
    return Type.Object({ data, name: Type.Optional(Type.String()) }, closed)
  }
  const checkBody = createBodyCheck(createShape({ [ITEMS_VALIDATED_BY_HANDLER]: true }))
  for (const item of [null, 5, 'a\0', { id: '\ud800' }, { other: 1 }, [], nested(62, (inner) => [inner])]) {
    const body = { data: [item, { id: 'x' }] }
    const copy = structuredClone(body)
    checkBody(body)
    assert.deepEqual(body, copy)
    assert.throws(() => createBodyCheck(createShape({}))(body), invalid)
  }
  for (const levels of [63, 10_000, 1_000_000]) {
    const body = { data: [{ id: 'x' }, nested(levels, (inner) => [inner])] }
    checkBody(body)
    assert.deepEqual(body, { data: [{ id: 'x' }, null] })
  }
  for (const body of [
    {},
    { data: [] },
    { data: [1, 2, 3] },
    { data: {} },
    { data: [1], more: 1 },
    [1],
    null,
    'data',
  ])
    assert.throws(() => checkBody(body), invalid)
  for (const text of ['a\0', '\ud800']) assert.throws(() => checkBody({ data: [1], name: text }), invalid)
  assert.throws(() => checkBody(JSON.parse('{"data":[1],"__proto__":{"data":[]}}')), invalid)
})

test('a calendar date is a day that exists', () => {
  const date = createShapeCheck('query', Type.String({ format: 'date' }))
  for (const text of ['2026-02-28', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31'])
    date(text)
  for (const text of [
    '0000-01-01',
    '0000-12-31',
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-01-00',
  ]) {
    assert.throws(() => date(text), invalid, text)
  }
  for (const text of [
    '',
    '2026-1-1',
    '26-01-01',
    '2026-01-01 ',
    ' 2026-01-01',
    '2026/01/01',
    '2026-01-01\n',
  ]) {
    assert.throws(() => date(text), invalid, JSON.stringify(text))
  }
})

test('a date-time is an ISO 8601 one of a day that exists', () => {
  const time = createShapeCheck('query', Type.String({ format: 'date-time' }))
  for (const text of [
    '2026-02-28T23:59:59Z',
    '2026-02-28T23:59:59.123Z',
    '2026-02-28T23:59:59+02:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ])
    time(text)
  const wrong = [
    '',
    '5',
    'Jan 5 2026',
    '2026',
    '2026-02-28',
    'now',
    '2026-02-28T25:00:00Z',
    '2026-02-30T00:00:00Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '9999-12-31T24:00:00Z',
  ]
  for (const text of wrong) assert.throws(() => time(text), invalid, JSON.stringify(text))
})

test('a UUID is 36 characters of the usual form', () => {
  const uuid = createShapeCheck('path', Type.String({ format: 'uuid' }))
  const good = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  uuid(good)
  for (const text of [
    '',
    '42',
    good.slice(1),
    `${good} `,
    `{${good}}`,
    good.replaceAll('-', ''),
    `${good}\n`,
  ]) {
    assert.throws(() => uuid(text), invalid, JSON.stringify(text))
  }
})

test('a refusal says where and why, and repeats no value that it refused', () => {
  const secret = 'hunter2-hunter2'
  const messages = [{ name: secret }, { name: 'a', mode: secret }, { name: 'a', items: secret }].map(
    (value) => {
      try {
        check(value)
        return assert.fail('was not refused')
      } catch (error) {
        assert.ok(error instanceof Refusal)
        return error.message
      }
    },
  )
  assert.match(messages[0] ?? '', /name/)
  for (const message of messages) assert.ok(!message.includes(secret), message)
})

test('a refusal of a value outside a list names the list', () => {
  const choices = [Type.Literal('json'), Type.Literal('csv')]
  for (const format of [Type.Enum(['json', 'csv']), Type.Union(choices), Type.Optional(Type.Union(choices))])
    assert.throws(() => createShapeCheck('query', Type.Object({ format }))({ format: 'xml' }), {
      message: 'The query is not valid: format must be one of json, csv.',
    })
  // What may be something else as well has no list to tell.
  const role = Type.Object({ role: Type.Union([Type.String({ format: 'uuid' }), ...choices]) })
  assert.throws(() => createShapeCheck('query', role)({ role: 'xml' }), {
    message: /role must be a UUID or json or csv, for example/,
  })
})
