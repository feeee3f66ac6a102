import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { endpoints } from '../routes.ts'
import { closed, compileShape } from '../shape.ts'
import { explainShapeErrors } from './explain-shape.ts'

function explain(schema: TSchema, value: unknown, part = 'body'): string {
  const validate = compileShape(schema)
  assert.equal(validate(value), false, JSON.stringify(value))
  return explainShapeErrors(part, validate.errors)
}

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])

test('every kind of schema has a sentence with the field, what is allowed and an example [P11-messages-1]', () => {
  const cases: [TSchema, unknown, string][] = [
    [
      Type.String({ format: 'date-time' }),
      'now',
      'a date and time with Z or an offset, for example "2026-01-31T09:30:00Z"',
    ],
    [
      Type.String({ format: 'date' }),
      '2026-1-1',
      'a date of the years 0001 to 9999, for example "2026-01-31"',
    ],
    [Type.String({ format: 'uuid' }), '7', 'a UUID, for example "0b9e5a3c-6f0d-4c1e-9a57-2b1d0c9e8a41"'],
    [Type.String({ minLength: 1, maxLength: 20 }), '', 'a string of 1 to 20 characters'],
    [
      Type.String({ maxLength: 2, examples: ['ab'] }),
      'abc',
      'a string of at most 2 characters, for example "ab"',
    ],
    [
      Type.String({ pattern: '^[^\\p{Cc}\\p{Cs}]{1,50}$', maxLength: 50 }),
      'a\nb',
      'one line of text of 1 to 50 characters',
    ],
    [
      Type.String({ pattern: '^https?://\\S+$' }),
      'x',
      'an http or https URL, for example "https://example.com"',
    ],
    [Type.Boolean(), 'true', 'true or false'],
    [nullable(Type.Boolean()), 'true', 'one of true, false, null'],
    [
      nullable(Type.String({ format: 'date' })),
      7,
      'a date of the years 0001 to 9999 or null, for example "2026-01-31"',
    ],
    [nullable(Type.Union([Type.Literal('a'), Type.Literal('b')])), 'c', 'one of a, b, null'],
    [Type.Integer({ minimum: 1, maximum: 10 }), 11, 'an integer from 1 to 10, for example 1'],
    [Type.Integer({ minimum: 1, maximum: 10, default: 5 }), 1.5, 'an integer from 1 to 10, for example 5'],
    [Type.Number({ minimum: 0 }), -1, 'a number of at least 0, for example 0'],
    [
      Type.Array(Type.String({ examples: ['x'] }), { minItems: 1, maxItems: 3 }),
      [],
      'a list of 1 to 3 values, for example ["x"]',
    ],
    [Type.Literal('only'), 'other', 'only'],
    [Type.Object({ id: Type.Integer() }), 'x', 'an object with id, for example {"id":1}'],
  ]
  for (const [schema, value, allowed] of cases) {
    const body = Type.Object({ field: schema }, closed)
    assert.equal(explain(body, { field: value }), `The body is not valid: field must be ${allowed}.`)
    assert.equal(explain(body, {}), `The body is not valid: field is required and must be ${allowed}.`)
  }
})

test('inside of an object that may be null, or of a list, the field is named by its path', () => {
  const author = nullable(Type.Object({ id: Type.String({ maxLength: 3 }) }, closed))
  const body = Type.Object({ authors: Type.Array(author) })
  assert.match(
    explain(body, { authors: [null, { id: 'long' }] }),
    /authors\.1\.id must be a string of at most 3/,
  )
  assert.match(explain(body, { authors: [{}] }), /authors\.0\.id is required/)
  assert.match(
    explain(body, { authors: [{ id: 'x', more: 1 }] }),
    /unknown field "authors\.0\.more"\. Known fields: id\./,
  )
  assert.match(explain(body, { authors: ['x'] }), /authors\.0 must be an object with id or null/)
  const member = Type.Union([
    Type.Object({ email: Type.String() }, closed),
    Type.Object({ cr_user_id: Type.String() }, closed),
  ])
  assert.match(
    explain(Type.Object({ member }), { member: {} }),
    /member must be an object with email or an object with cr_user_id\./,
  )
})

test('a query shows its example as it is written, and lists its parameters', () => {
  const query = Type.Object(
    { ids: Type.Array(Type.String(), { maxItems: 1 }), on: Type.String({ format: 'date' }) },
    closed,
  )
  assert.match(
    explain(query, { ids: ['a', 'b'], on: '2026-01-01' }, 'query'),
    /ids must be a list of at most 1 value\./,
  )
  assert.match(explain(query, { ids: [], on: '' }, 'query'), /for example 2026-01-31\./)
  assert.equal(
    explain(query, { ids: [], on: '2026-01-01', at: 1 }, 'query'),
    'The query has an unknown parameter "at". Known parameters: ids, on.',
  )
})

test('an example has the values of an example of the whole, and none is better than an invented one', () => {
  const Item = Type.Object({ text: Type.String(), file: Type.Optional(Type.String()) })
  const body = Type.Object({ data: Type.Array(Item, { minItems: 1 }), org_id: Type.String() }, closed)
  const example = { data: [{ text: 'Close what you open.', file: 'a.ts' }], org_id: '41207731' }
  const explainWith = (value: unknown) => {
    const validate = compileShape(body)
    assert.equal(validate(value), false)
    return explainShapeErrors('body', validate.errors, example)
  }
  assert.match(explainWith({ data: [], org_id: 'x' }), /for example \[\{"text":"Close what you open\."\}\]\./)
  assert.match(explainWith({ data: [{ text: 'x' }, { text: 7 }], org_id: 'x' }), /for example "Close what/)
  assert.match(
    explainWith({ data: [{}], org_id: 'x' }),
    /data\.0\.text is required and must be a string, for/,
  )
  assert.match(
    explainWith('x'),
    /for example \{"data":\[\{"text":"Close what you open\."\}\],"org_id":"41207731"\}/,
  )
  assert.equal(
    explainWith({}),
    'The body is not valid: data, org_id are required. data must be a list of at least 1 value, for example ' +
      '[{"text":"Close what you open."}]. org_id must be a string, for example "41207731".',
  )
})

test('no message of an endpoint has an invented example', () => {
  const fields = endpoints.flatMap(({ query, body, params, example = {} }) =>
    [
      [query, example.query],
      [params, example.params],
      ...(body ? [[body, example.body] as const] : []),
    ].flatMap(([schema, values]) => {
      const { properties = {} } = schema as { properties?: Record<string, TSchema> }
      return Object.entries(properties).map(([name, field]) => {
        const validate = compileShape(Type.Object({ [name]: field }))
        validate({ [name]: () => {} })
        return explainShapeErrors('body', validate.errors, values)
      })
    }),
  )
  assert.ok(fields.length > 100)
  for (const message of fields) assert.doesNotMatch(message, /"text"|\[null\]|\[\]/)
})

test('no schema of a request has a pattern or a type without words of its own', () => {
  for (const { operationId, query, body, params } of endpoints)
    for (const schema of [query, params, ...(body ? [body] : [])]) {
      const { properties = {} } = schema as { properties?: Record<string, TSchema> }
      for (const [name, field] of Object.entries(properties)) {
        const message = explain(Type.Object({ [name]: field }), { [name]: () => {} })
        assert.match(message, new RegExp(`${name} must be (?!a value|a string that matches)`), operationId)
      }
    }
})
