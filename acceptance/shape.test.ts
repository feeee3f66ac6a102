import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOperations, requiredQuery } from './operations.ts'
import { assertError, call, demo, home, listPaths, repositoriesPath } from './service.ts'

const key = demo.keys.workspace

test('a limit outside 1 to 100 is 400', async () => {
  await assertInvalid(['limit=0', 'limit=101', 'limit=1000', 'limit=-1', 'limit=99999999999999999999'])
})

test('a limit that is not plain digits is 400: nothing is coerced', async () => {
  await assertInvalid([
    'limit=',
    'limit',
    'limit=1e1',
    'limit=1e3',
    'limit=%2B5',
    'limit=+5',
    'limit=05',
    'limit=00',
    'limit=5.0',
    'limit=5.',
    'limit=%205',
    'limit=5%20',
    'limit=5%0A',
    'limit=0x10',
    'limit=5n',
    'limit=1_0',
    'limit=five',
    'limit=null',
    'limit=true',
    'limit=Infinity',
    'limit=5,6',
    'limit=%D9%A5',
    'limit=%EF%BC%95',
    'limit=%22%35%22',
  ])
})

test('a repeated parameter is 400, also when its values are equal', async () => {
  await assertInvalid(['limit=5&limit=5', 'limit=5&limit=6', 'limit=5&l%69mit=5'])
  for (const path of listPaths) {
    const reply = await call(`${path}?cursor=x&cursor=x`, { key })
    assertError(reply, 400, 'INVALID_REQUEST', path)
  }
})

test('an unknown query parameter is 400 and never ignored', async () => {
  await assertInvalid([
    'unknown=1',
    'limit=5&unknown=1',
    'format=json',
    'status=all',
    'page=1',
    'offset=0',
    'Limit=5',
    'limit[]=5',
    'limit%5B%5D=5',
    'limit%00=5',
    '__proto__=1',
    'constructor=1',
    'toString=1',
    '=1',
  ])
})

test('org_id is no parameter of the inventory endpoints', async () => {
  await assertInvalid([`org_id=${home.org_id}`])
})

test('a date must be a day of the calendar, in every parameter that is one', async () => {
  const operations = await readOperations()
  const dates = operations.flatMap((operation) =>
    operation.parameters
      .filter(({ schema }) => [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === 'date'))
      .map(({ name }) => ({ operation, name })),
  )
  assert.ok(dates.length >= 10)
  for (const { operation, name } of dates) {
    for (const [day, isDay] of [
      ['2026-02-28', true],
      ['2024-02-29', true],
      ['2026-02-29', false],
      ['2026-02-30', false],
      ['2100-02-29', false],
      ['2026-04-31', false],
      ['2026-13-01', false],
      ['2026-00-10', false],
      ['2026-01-00', false],
      ['2026-01-32', false],
    ] as const) {
      const query = requiredQuery(operation)
      if (query.has('start_date')) query.set('start_date', '2000-01-01')
      query.set(name, day)
      if (name === 'start_date') query.set('end_date', '2199-01-01')
      const reply = await call(`${operation.path}?${query.toString()}`, { key })
      const about = `${operation.name} ${name}=${day}`
      if (isDay) assert.equal(reply.status, 200, `${about} ${reply.text}`)
      else assertError(reply, 400, 'INVALID_REQUEST', about)
    }
  }
})

test('NUL and lone surrogates in a parameter are 400', async () => {
  await assertInvalid(['limit=%00', 'limit=5%00', 'limit=%ED%A0%80', '%ED%A0%80=1'])
  for (const path of listPaths) {
    for (const value of ['%00', 'x%00', '%ED%A0%80', '%ED%B0%80x']) {
      const reply = await call(`${path}?cursor=${value}`, { key })
      // Refused as a text that no parameter may hold or as a cursor that is none: the contract allows both.
      const unfit = reply.text.includes('INVALID_REQUEST')
      assertError(reply, 400, unfit ? 'INVALID_REQUEST' : 'INVALID_CURSOR', path + value)
    }
  }
})

test('an organization_id that is not a UUID is 400', async () => {
  const plain = home.id.replaceAll('-', '')
  for (const id of [
    'x',
    '1',
    'null',
    plain,
    `%7B${home.id}%7D`,
    `urn:uuid:${home.id}`,
    home.id.slice(0, -1),
    `${home.id}0`,
    `${home.id.slice(0, -1)}g`,
    `${home.id}%20`,
    `${home.id}%0A`,
    `${home.id}%00`,
    '%00',
    'a'.repeat(200),
  ]) {
    assertError(await call(repositoriesPath(id), { key }), 400, 'INVALID_REQUEST', id)
  }
})

test('the id given by the Git provider does not work in the repositories path', async () => {
  assertError(await call(repositoriesPath(home.org_id), { key }), 400, 'INVALID_REQUEST')
})

async function assertInvalid(queries: string[]): Promise<void> {
  for (const path of listPaths) {
    for (const query of queries) {
      assertError(await call(`${path}?${query}`, { key }), 400, 'INVALID_REQUEST', `${path}?${query}`)
    }
  }
}
