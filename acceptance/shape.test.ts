import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { readOperations, requiredQuery } from './operations.ts'
import { call, demo, home, listPaths } from './service.ts'

const key = demo.keys.workspace

test('the inventory endpoints have no org_id parameter [S-what-15 P1-shape-1]', async () => {
  await assertInvalid([`org_id=${home.org_id}`])
})

test('every date parameter must be a day of the calendar [P1-shape-9]', async () => {
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

async function assertInvalid(queries: string[]): Promise<void> {
  for (const path of listPaths) {
    for (const query of queries) {
      assertError(await call(`${path}?${query}`, { key }), 400, 'INVALID_REQUEST', `${path}?${query}`)
    }
  }
}
