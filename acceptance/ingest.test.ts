import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertError, comparable, type Reply } from '../cli/src/conformance/http.ts'
import {
  ask,
  calendarOf,
  eventually,
  finalized,
  mergedOn,
  outcomeOf,
  read,
  send,
  store,
  windowOf,
} from './metrics-data.ts'
import { call, demo, home, type KeyName, organizationsOf, repositoriesPath } from './service.ts'
import { strict } from './windows.ts'

const eventsPath = '/ingest/v1/events'
const json = { 'content-type': 'application/json' }
const lines = { 'content-type': 'application/x-ndjson' }
const KIB = 1024
const nextDay = calendarOf(2011)

type Receipt = {
  accepted: number
  rejected: { index: number; code: string; message: string }[]
  warnings: { index: number; path: string; message: string }[]
}
type Body = string | Uint8Array<ArrayBuffer>

/** An event that is good in every way, of a day that no test reads. */
function goodEvent(over: Record<string, unknown> = {}) {
  return { ...finalized(mergedOn('2010-06-01')), ...over }
}

function post(body: Body, headers: Record<string, string> = json, key = demo.keys.ingest): Promise<Reply> {
  return call(eventsPath, { method: 'POST', key, headers, body })
}

const postAll = (events: readonly unknown[]) => post(JSON.stringify(events))

function receiptOf(reply: Reply): Receipt {
  assert.equal(reply.status, 202, reply.text)
  const { accepted, rejected, warnings } = reply.body as Receipt
  assert.deepEqual(Object.keys(reply.body as object).toSorted(), ['accepted', 'rejected', 'warnings'])
  for (const one of rejected) {
    assert.deepEqual(Object.keys(one).toSorted(), ['code', 'index', 'message'])
    assert.ok(one.message !== '')
  }
  for (const one of warnings) {
    assert.deepEqual(Object.keys(one).toSorted(), ['index', 'message', 'path'])
    assert.ok(one.message !== '')
  }
  return { accepted, rejected, warnings }
}

/** Whether a day of the home organization has as many entries as this. */
const hasEntries = async (day: string, count: number) => (await read(windowOf(day))).data.length === count

test('an accepted event becomes readable, and one that was sent twice is there once [P2-ingest-1 P10-6]', async () => {
  const day = nextDay()
  const event = finalized(mergedOn(day))
  await send([event, event])
  await send([event])
  await store(mergedOn(day))
  assert.ok(await hasEntries(day, 2))
})

test('an event id counts once per organization, whatever the second event says [P11-ids-1]', async () => {
  const day = nextDay()
  const first = finalized(mergedOn(day))
  await store(first)
  const other = { ...finalized(mergedOn(day)), id: first.id }
  const { payload } = first as unknown as { payload: ReturnType<typeof mergedOn> }
  const outcome = { ...outcomeOf(payload, 0, true), id: first.id }
  const emptied = finalized({ ...payload, findings: [] }, new Date().toISOString())
  await store(other, outcome, { ...emptied, id: first.id })
  const { data } = await read(windowOf(day))
  assert.deepEqual(
    data.map(({ pr_url, coderabbit_comments }) => [
      pr_url,
      coderabbit_comments.map(({ accepted }) => accepted),
    ]),
    [[payload.url, [null, null]]],
  )
  const elsewhere = organizationsOf('workspace').at(1) ?? assert.fail('the demo has two organizations')
  const organization = { provider: 'github', id: elsewhere.org_id }
  const repository = { id: elsewhere.repositories[0]?.repository_id ?? '' }
  await store({ ...finalized(mergedOn(day, { organization, repository })), id: first.id })
  assert.ok(await hasEntries(day, 2))
})

test('every kind of API key is 401 on /ingest with a message that names its kind, whether it is alive or not [P2-kinds-13 P2-ingest-1 P11-401-1]', async () => {
  const nothing = await call(eventsPath, { method: 'POST', headers: json, body: '[]' })
  assertError(nothing, 401, 'UNAUTHORIZED')
  const kinds: [KeyName, string][] = [
    ['organization', 'organization key'],
    ['user', 'user key'],
    ['workspace', 'workspace token'],
    ['instance', 'instance key'],
    ['legacy', 'legacy key'],
    ['agentic', 'agentic key'],
  ]
  for (const [name, kind] of kinds) {
    const alive = await post(JSON.stringify([goodEvent()]), json, demo.keys[name])
    assertError(alive, 401, 'UNAUTHORIZED', name)
    assert.match(alive.text, new RegExp(`This is an? ${kind}; events need an ingest credential`))
    const unknown = await post('[]', json, `${demo.keys[name].slice(0, 8)}unknown`)
    assert.deepEqual(comparable(unknown), comparable(alive), name)
  }
  const dead: KeyName[] = ['expired', 'revoked', 'workspace_demoted_owner', 'lower_plan']
  for (const name of dead) assertError(await post('[]', json, demo.keys[name]), 401, 'UNAUTHORIZED', name)
})

test('an ingest credential with one altered character is the same 401 as no key [P2-ingest-2]', async () => {
  const expected = await call(eventsPath, { method: 'POST', headers: json, body: '[]' })
  const { ingest } = demo.keys
  for (let position = 0; position < ingest.length; position += 7) {
    const other = ingest[position] === 'A' ? 'B' : 'A'
    const altered = ingest.slice(0, position) + other + ingest.slice(position + 1)
    assert.deepEqual(comparable(await post('[]', json, altered)), comparable(expected), String(position))
  }
})

test('the credential is checked before the query, the content type and the body [P10-1]', async () => {
  const text = { 'content-type': 'text/plain' }
  assertError(await post('{', text, demo.keys.user), 401, 'UNAUTHORIZED')
  assertError(await call(`${eventsPath}?x=1`, { method: 'POST', body: '{' }), 401, 'UNAUTHORIZED')
})

test('events come as a JSON array or as NDJSON, plain or gzip [P10-1]', async () => {
  const events = [goodEvent(), goodEvent()]
  const array = JSON.stringify(events)
  const ndjson = events.map((event) => JSON.stringify(event)).join('\n')
  const gzip = { 'content-encoding': 'gzip' }
  const zipped = (text: string) => new Uint8Array(gzipSync(text))
  for (const reply of [
    await post(array),
    await post(ndjson, lines),
    await post(`${ndjson}\n`, lines),
    await post(zipped(array), { ...json, ...gzip }),
    await post(zipped(ndjson), { ...lines, ...gzip }),
  ]) {
    assert.deepEqual(receiptOf(reply), { accepted: 2, rejected: [], warnings: [] })
  }
})

test('another content type is 415 [P10-1]', async () => {
  for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
    const reply = await post(JSON.stringify([goodEvent()]), { 'content-type': type })
    assertError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', type)
  }
})

test('a malformed body of events is 400, an unknown query parameter too [P10-1]', async () => {
  for (const body of ['', '[', '{}', '5', 'null', '[{"id":"x"}', '"[]"']) {
    assertError(await post(body), 400, 'INVALID_REQUEST', body)
  }
  assertError(await post(`${JSON.stringify(goodEvent())}\n{"id"`, lines), 400, 'INVALID_REQUEST')
  const asked = await call(`${eventsPath}?dry_run=true`, {
    method: 'POST',
    key: demo.keys.ingest,
    headers: json,
    body: JSON.stringify([goodEvent()]),
  })
  assertError(asked, 400, 'INVALID_REQUEST')
})

test('up to 500 events are taken, more are 400 BATCH_SIZE_EXCEEDED, none is 400 [P10-1]', async () => {
  const many = Array.from({ length: 501 }, () => goodEvent({ version: 99 }))
  assert.equal(receiptOf(await postAll(many.slice(1))).rejected.length, 500)
  assertError(await postAll(many), 400, 'BATCH_SIZE_EXCEEDED')
  assertError(await postAll([]), 400, 'INVALID_REQUEST')
})

test('more than 4 MiB of events is 413, counted after inflating [P10-1]', async () => {
  const event = goodEvent({ note: 'x'.repeat(500 * KIB) })
  const array = (count: number) => JSON.stringify(Array.from({ length: count }, () => event))
  assert.equal(receiptOf(await post(array(8))).accepted, 8)
  assertError(await post(array(9)), 413, 'PAYLOAD_TOO_LARGE')
  const zipped = new Uint8Array(gzipSync(array(9)))
  assertError(await post(zipped, { ...json, 'content-encoding': 'gzip' }), 413, 'PAYLOAD_TOO_LARGE')
})

test('an event above 512 KiB is rejected alone [P10-1]', async () => {
  const size = JSON.stringify(goodEvent({ note: '' })).length
  const largest = goodEvent({ note: 'x'.repeat(512 * KIB - size) })
  const larger = goodEvent({ note: 'x'.repeat(512 * KIB) })
  const { accepted, rejected } = receiptOf(await postAll([largest, larger, goodEvent()]))
  assert.equal(accepted, 2)
  assert.deepEqual(
    rejected.map(({ index, code }) => [index, code]),
    [[1, 'PAYLOAD_TOO_LARGE']],
  )
})

test('a bad event is rejected with its index, and the others are stored [P10-2 P10-4]', async () => {
  const day = nextDay()
  const good = [finalized(mergedOn(day)), finalized(mergedOn(day))]
  const { id: _id, ...nameless } = goodEvent()
  const { payload: _payload, ...empty } = goodEvent()
  const bad = [
    null,
    'event',
    {},
    nameless,
    empty,
    goodEvent({ id: '' }),
    goodEvent({ id: 'x'.repeat(129) }),
    goodEvent({ type: 'pull_request.dreamt' }),
    goodEvent({ version: 2 }),
    goodEvent({ version: '1' }),
    goodEvent({ occurred_at: 'yesterday' }),
    goodEvent({ occurred_at: '2026-02-30T00:00:00Z' }),
    goodEvent({ payload: [] }),
    goodEvent({ payload: { ...mergedOn(day), number: '7' } }),
    goodEvent({ note: 'a\u0000b' }),
    goodEvent({ note: '\ud800' }),
    goodEvent({ note: JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as unknown }),
  ]
  const { accepted, rejected } = receiptOf(await postAll([good[0], ...bad, good[1]]))
  assert.equal(accepted, 2)
  assert.deepEqual(
    rejected.map(({ index, code }) => [index, code]),
    bad.map((_, place) => [place + 1, 'INVALID_REQUEST']),
  )
  await eventually('both good ones are stored', () => hasEntries(day, 2))
})

test('a version of another type is rejected with a message that says so [P10-4]', async () => {
  const { rejected } = receiptOf(await postAll([goodEvent({ version: '1' })]))
  assert.match(rejected[0]?.message ?? '', /version must be a number.+"version": 1/)
})

test('an event that is too large is rejected with what to leave out [P11-large-1]', async () => {
  const { rejected } = receiptOf(
    await postAll([goodEvent({ payload: { ...mergedOn('2010-06-01'), diff: 'x'.repeat(600 * KIB) } })]),
  )
  assert.equal(rejected[0]?.code, 'PAYLOAD_TOO_LARGE')
  assert.match(rejected[0]?.message ?? '', /payload\.diff.+Leave out.+cannot be sent in parts/)
})

test('warnings name an unknown severity or category, a field that resembles one of the shape, and a provider in another case [P11-warnings-1]', async () => {
  const pullRequest = mergedOn('2010-06-01')
  const [finding] = pullRequest.findings
  const { organization } = pullRequest
  const events = [
    goodEvent({
      payload: { ...pullRequest, findings: [{ ...finding, severity: 'high', category: 'style' }] },
    }),
    goodEvent({ payload: { ...pullRequest, merged_at: undefined, mergedAt: '2010-06-01T12:00:00Z' } }),
    goodEvent({ payload: { ...pullRequest, organization: { ...organization, provider: 'GitHub' } } }),
    goodEvent({ payload: { ...pullRequest, mood: 'glad', findings: [] } }),
    goodEvent(),
  ]
  const { accepted, rejected, warnings } = receiptOf(await postAll(events))
  assert.deepEqual([accepted, rejected], [5, []])
  assert.deepEqual(
    warnings.map(({ index, path }) => [index, path]),
    [
      [0, 'payload.findings.0.severity'],
      [0, 'payload.findings.0.category'],
      [1, 'payload.mergedAt'],
      [2, 'payload.organization.provider'],
    ],
  )
  const messages = warnings.map(({ message }) => message)
  assert.match(messages[0] ?? '', /severity.+null.+critical, major, minor, trivial, info/)
  assert.match(messages[1] ?? '', /category.+null.+functional_correctness/)
  assert.match(messages[2] ?? '', /Did you mean merged_at\?/)
  assert.match(messages[3] ?? '', /Did you mean github\?/)
})

type Status = {
  last_event_at: string | null
  waiting: Record<'provider' | 'organization' | 'repository' | 'type' | 'count' | 'since', unknown>[]
  dead_letters: number
  lag_seconds: number
}

async function readStatus(key: KeyName): Promise<Status> {
  const reply = await call('/ingest/v1/status', { key: demo.keys[key] })
  assert.equal(reply.status, 200, reply.text)
  const status = reply.body as Status
  assert.deepEqual(Object.keys(status).toSorted(), [
    'dead_letters',
    'lag_seconds',
    'last_event_at',
    'waiting',
  ])
  assert.ok(Number.isInteger(status.dead_letters) && Number.isInteger(status.lag_seconds))
  return status
}

test('the status names events that wait, for their own credential only [P11-status-1]', async () => {
  const id = `unknown-${randomUUID()}`
  const pullRequest = mergedOn('2010-06-01', { organization: { provider: 'github', id } })
  const startedAt = Date.now()
  await send([finalized(pullRequest), outcomeOf(pullRequest, 0, true), outcomeOf(pullRequest, 1, true)])
  const waitingFor = async (key: KeyName) =>
    (await readStatus(key)).waiting.filter(({ organization }) => organization === id)
  await eventually('both kinds wait', async () => (await waitingFor('ingest')).length === 2)
  const repository = pullRequest.repository.id
  const { waiting, last_event_at } = await readStatus('ingest')
  assert.ok(Date.parse(last_event_at ?? '') >= startedAt - 60_000)
  const groups = waiting.filter(({ organization }) => organization === id)
  for (const { since } of groups) assert.match(String(since), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(
    new Set(groups.map(({ since: _since, ...group }) => group)),
    new Set([
      { provider: 'github', organization: id, repository, type: 'pull_request.finalized', count: 1 },
      { provider: 'github', organization: id, repository, type: 'finding.outcome', count: 2 },
    ]),
  )
  for (const key of ['ingest_instance', 'ingest_other_tenant'] as const)
    assert.deepEqual(await waitingFor(key), [], key)
})

test('the status of events needs an ingest credential [P11-status-1]', async () => {
  for (const key of [undefined, demo.keys.user, demo.keys.workspace, 'sch_ing_unknown'])
    assertError(await call('/ingest/v1/status', key === undefined ? {} : { key }), 401, 'UNAUTHORIZED')
  assertError(await call('/ingest/v1/status?x=1', { key: demo.keys.ingest }), 400, 'INVALID_REQUEST')
  const posted = await call('/ingest/v1/status', { method: 'POST', key: demo.keys.ingest })
  assertError(posted, 405, 'METHOD_NOT_ALLOWED')
})

test('a request without a valid event is 202 with nothing accepted [P10-2]', async () => {
  const { accepted, rejected } = receiptOf(await postAll([{}, goodEvent({ type: 'x' })]))
  assert.deepEqual([accepted, rejected.length], [0, 2])
})

test('unknown fields of an event are ignored at every level [P10-5]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day, { mood: 'glad' })
  const findings = pullRequest.findings.map((finding) => ({ ...finding, text: 'never stored', more: [1] }))
  await store({ ...finalized({ ...pullRequest, findings }), trace: { a: 1 } })
  const page = await ask(windowOf(day))
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /never stored|glad/)
})

test('a time more than 5 minutes ahead is cut to now [P10-4]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  // Were it taken at its word, nothing could be newer for ten years.
  await store(finalized(pullRequest, new Date(Date.now() + 10 * 365 * 86_400_000).toISOString()))
  const now = new Date(Date.now() + 60_000).toISOString()
  await store(finalized({ ...pullRequest, merged_at: `${day}T13:00:00.000Z` }, now))
  const { data } = await read(windowOf(day))
  assert.deepEqual(
    data.map(({ merged_at }) => merged_at),
    [`${day}T13:00:00.000Z`],
  )
})

test('the outcome of a finding is held until its pull request is known [P10-6]', async () => {
  const day = nextDay()
  const pullRequest = mergedOn(day)
  await store(outcomeOf(pullRequest, 0, true))
  assert.ok(await hasEntries(day, 0))
  await store(pullRequest)
  const [entry] = (await read(windowOf(day))).data
  assert.deepEqual(
    entry?.coderabbit_comments.map(({ accepted }) => accepted),
    [true, null],
  )
})

test('inventory.changed makes a repository known, and takes it out again [P10-6]', async () => {
  const name = `added-${randomUUID().slice(0, 8)}`
  const repository = { organization: { provider: 'github', id: home.org_id }, id: String(Date.now()), name }
  const tell = async (active: boolean) => {
    const event = {
      id: randomUUID(),
      type: 'inventory.changed',
      version: 1,
      occurred_at: new Date().toISOString(),
      payload: { repositories: [{ ...repository, active }] },
    }
    assert.deepEqual(receiptOf(await postAll([event])), { accepted: 1, rejected: [], warnings: [] })
  }
  const isListed = async () => {
    const reply = await call(repositoriesPath(home.id), { key: demo.keys.workspace })
    return reply.text.includes(name)
  }
  await tell(true)
  await eventually('the repository is listed', isListed)
  await tell(false)
  await eventually('the repository is not listed any more', async () => !(await isListed()))
})

test('an event of another root’s organization is never stored there [P2-ingest-4]', async () => {
  const day = nextDay()
  const foreign = finalized(mergedOn(day))
  assert.deepEqual(receiptOf(await post(JSON.stringify([foreign]), json, demo.keys.ingest_other_tenant)), {
    accepted: 1,
    rejected: [],
    warnings: [],
  })
  // What is sent afterwards by the rightful sender is stored, so the other one had its turn.
  await store(mergedOn(day))
  assert.ok(await hasEntries(day, 1))
})

test('a credential is admitted 50 times in any second on a node, then 429 with Retry-After [P11-limits-1]', async () => {
  const base = strict()
  const startedAt = performance.now()
  const replies = await Promise.all(
    Array.from({ length: 300 }, () =>
      call(eventsPath, { method: 'POST', key: demo.keys.ingest, headers: json, body: '[{}]', base }),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const refused = replies.filter(({ status }) => status !== 202)
  assert.ok(
    replies.length - refused.length <= 50 * (Math.ceil(seconds) + 1),
    `${refused.length} in ${seconds} s`,
  )
  assert.ok(refused.length > 0, `all of 300 were admitted in ${seconds} s`)
  for (const reply of refused) {
    assertError(reply, 429, 'RATE_LIMIT_EXCEEDED')
    assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  }
})

test('another method on the events path is 405 [P10-1]', async () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const reply = await call(eventsPath, { method, key: demo.keys.ingest })
    assertError(reply, 405, 'METHOD_NOT_ALLOWED', method)
    assert.equal(reply.headers.get('allow'), 'POST')
  }
})

/** As the contract lists them. */
const acceptedTypes = [
  'inventory.changed',
  'reviewer.tagged',
  'pull_request.finalized',
  'pull_request.closed',
  'finding.outcome',
  'mcp.used',
  'learning.proposed',
  'learning.used',
  'security_scan.completed',
  'security_finding.dismissed',
]

test('the shape of every event is published as JSON Schema, by type and version [B-3]', async () => {
  const reply = await call('/events.schema.json')
  assert.equal(reply.status, 200)
  const schemas = JSON.parse(reply.text) as { $schema: string; $defs: Record<string, unknown> }
  assert.equal(schemas.$schema, 'https://json-schema.org/draft/2020-12/schema')
  for (const name of acceptedTypes.map((type) => `${type}.v1`)) {
    assert.ok(schemas.$defs[name], name)
  }
})
