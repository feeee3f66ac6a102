import { test } from 'node:test'
import { assertError } from '../cli/src/conformance/http.ts'
import { ask, asLines, read, windowOf } from './metrics-data.ts'
import { at, home, organizationsOf } from './service.ts'

const window = windowOf('2026-01-01', '2026-01-31')
const dates = ['start_date', 'end_date'] as const
const filters = ['repository_ids', 'user_ids'] as const

async function assertInvalid(queries: string[], key: 'workspace' | 'instance' = 'workspace'): Promise<void> {
  for (const query of queries) assertError(await ask(query, key), 400, 'INVALID_REQUEST', query)
}

/** With the date in question replaced, the other one good. */
function withDate(name: (typeof dates)[number], value: string): string {
  return name === 'start_date' ? windowOf(value, '2026-12-31') : windowOf('2026-01-01', value)
}

test('start_date and end_date are required [S-rc-9 S-rc-10 S-err-1]', async () => {
  await assertInvalid([
    '',
    'start_date=2026-01-01',
    'end_date=2026-01-31',
    'limit=5',
    'start_date=&end_date=',
  ])
})

test('a date is YYYY-MM-DD and nothing else [S-rc-9 S-rc-10 S-err-1]', async () => {
  const wrong = [
    '',
    '2026-1-5',
    '2026-01-5',
    '20260105',
    '2026/01/05',
    '05-01-2026',
    '26-01-05',
    '2026-01',
    '2026',
    '2026-W02-1',
    '2026-005',
    '2026-01-05T00:00:00Z',
    '2026-01-05T00:00:00.000Z',
    '2026-01-05Z',
    '%2B2026-01-05',
    '-2026-01-05',
    '02026-01-05',
    '%202026-01-05',
    '2026-01-05%20',
    '2026-01-05%0A',
    '2026-01-05%00',
    '1767571200',
    'today',
    'null',
    '%D9%A2%D9%A0%D9%A2%D9%A6-01-05',
  ]
  for (const name of dates) await assertInvalid(wrong.map((value) => withDate(name, value)))
})

test('end_date must not precede start_date, and may equal it [S-rc-10 S-err-1]', async () => {
  await assertInvalid([windowOf('2026-01-02', '2026-01-01'), windowOf('2026-01-01', '2025-12-31')])
  await read(windowOf('2026-01-01', '2026-01-01'))
})

test('a window may be of any length [S-rc-1]', async () => {
  for (const [start, end] of [
    ['2026-01-01', '2026-12-31'],
    ['2015-01-01', '2030-12-31'],
    ['0001-01-01', '9999-12-31'],
  ] as const) {
    await read(`${windowOf(start, end)}&limit=1`)
  }
})

test('a repeated parameter is 400, also when its values are equal or it is a list [S-err-1 P1-shape-6]', async () => {
  await assertInvalid([
    `${window}&start_date=2026-01-01`,
    `${window}&end_date=2026-01-31`,
    `${window}&limit=5&limit=5`,
    `${window}&repository_ids=1&repository_ids=2`,
    `${window}&user_ids=1&user_ids=1`,
    `${window}&org_id=${home.org_id}&org_id=${home.org_id}`,
    `${window}&cursor=x&cursor=x`,
  ])
})

test('an empty element of a list is 400 [S-err-1 P1-shape-7]', async () => {
  for (const name of [...filters, 'organization_ids']) {
    await assertInvalid(
      ['', '1,', ',1', '1,,2', ','].map((list) => `${window}&${name}=${list}`),
      'instance',
    )
    await assertInvalid([`${window}&${name}`], 'instance')
  }
})

test('organization_ids take at most ten values, counted before duplicates are removed [S-rc-13 S-limit-2 P1-shape-8]', async () => {
  const own = at(organizationsOf('instance'), 0).org_id
  const list = (count: number) => Array.from({ length: count }, () => own).join()
  await read(`${window}&organization_ids=${list(10)}`, 'instance')
  await assertInvalid([`${window}&organization_ids=${list(11)}`], 'instance')
})

test('NUL and lone surrogates in a filter are 400 [S-err-1 P1-shape-11]', async () => {
  for (const name of [...filters, 'org_id']) {
    await assertInvalid(
      ['%00', '1%00', '1,%00', '%ED%A0%80', '1%ED%B0%80'].map((value) => `${window}&${name}=${value}`),
    )
  }
})

test('shapes are checked for lines of NDJSON too, with a limit of up to 100,000 [P5-ndjson-1]', async () => {
  for (const query of [
    '',
    `${window}&format=json`,
    windowOf('2026-01-02', '2026-01-01'),
    `${window}&user_ids=,`,
  ]) {
    assertError(await ask(query, 'workspace', asLines), 400, 'INVALID_REQUEST', query)
  }
  for (const limit of ['0', '100001', '1e5', '0100']) {
    assertError(await ask(`${window}&limit=${limit}`, 'workspace', asLines), 400, 'INVALID_REQUEST', limit)
  }
})
