import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { auditLogsPath } from './audit-data.ts'
import { asLines, changesPath, reviewCommentsPath, windowOf } from './metrics-data.ts'
import { at, call, demo, home, type KeyName } from './service.ts'
import { askInNewWindow, remainingOf, strict } from './windows.ts'

// A window lasts a minute, so one story is played once and each test reads its part of it.
type Story = Awaited<ReturnType<typeof tell>>

const page = `${reviewCommentsPath}?${windowOf('2026-01-01', '2026-12-31')}&limit=1`
let told: Promise<Story> | undefined

test('metrics admit ten requests in 60 seconds, pages and changes together [P1-limit-12]', async () => {
  const { admitted } = await story()
  assert.deepEqual(
    admitted.map(({ status }) => status),
    Array.from({ length: 10 }, () => 200),
  )
  assert.deepEqual(admitted.map(remainingOf), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
})

test('an exceeded metrics limit is 429 RATE_LIMIT_EXCEEDED on the page, on NDJSON and on the changes [S-err-6 P1-limit-12]', async () => {
  for (const reply of (await story()).refused) assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
})

test('a metrics 429 carries Retry-After in whole seconds [S-err-6]', async () => {
  for (const reply of (await story()).refused) {
    const header = reply.headers.get('retry-after') ?? ''
    assert.match(header, /^[1-9]\d*$/)
    assert.ok(Number(header) <= 60)
  }
})

test('RateLimit-Policy names the metrics window [P1-limit-6]', async () => {
  const { admitted, refused } = await story()
  for (const reply of [...admitted, ...refused]) {
    assert.equal(reply.headers.get('ratelimit-policy'), '"metrics";q=10;w=60')
  }
})

test('an exceeded metrics limit still answers what is wrong with a request [P1-order-9]', async () => {
  const { bad, noKey, agentic } = (await story()).wrong
  assertError(bad, 400, 'INVALID_REQUEST')
  assertError(noKey, 401, 'UNAUTHORIZED')
  assertError(agentic, 403, 'KEY_KIND_NOT_ALLOWED')
})

test('a refused shape is not counted against the metrics limit [P1-limit-3]', async () => {
  assertError((await story()).uncounted, 400, 'INVALID_REQUEST')
})

test('no other endpoint shares the metrics rate limit [P1-limit-12]', async () => {
  const { audit } = await story()
  assert.equal(audit.headers.get('ratelimit-policy'), '"audit";q=60;w=60')
  assert.equal(audit.status, 200)
})

test('the metrics window of an organization is shared by its keys and by a token that selects it [P1-limit-4]', async () => {
  const { selected, whole } = (await story()).others
  for (const reply of selected) assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal(whole.status, 200)
})

function story(): Promise<Story> {
  told ??= tell()
  return told
}

async function tell() {
  const first = await askInNewWindow(() => ask('organization', page))
  const uncounted = await ask('organization', `${page}&format=csv`)
  const lines = () => ask('user', page, asLines)
  const ways = [() => ask('organization', changesPath), lines, () => ask('legacy', page)]
  const admitted = [first]
  while (admitted.length < 10) admitted.push(await at(ways, admitted.length % 3)())
  const refused = [await ask('organization', page), await ask('user', changesPath), await lines()]
  return {
    admitted,
    uncounted,
    refused,
    wrong: {
      bad: await ask('organization', `${page}&format=csv`),
      noKey: await ask(undefined, page),
      agentic: await ask('agentic', page),
    },
    audit: await ask('organization', auditLogsPath),
    others: {
      selected: [
        await ask('workspace', `${page}&org_id=${home.org_id}`),
        await ask('workspace', `${changesPath}?org_id=${home.org_id}`),
      ],
      whole: await ask('workspace', page),
    },
  }
}

function ask(key: KeyName | undefined, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const base = strict()
  return call(path, key === undefined ? { base, headers } : { base, headers, key: demo.keys[key] })
}
