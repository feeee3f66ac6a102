import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Type } from 'typebox'
import { type CallOptions, startService, type TestResponse, type TestService } from '../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { createTenant, type Tenant } from '../../test/tenant.ts'
import { writeAuditEntry } from '../access/audit.ts'
import { refuse } from '../errors.ts'
import { organizations } from '../resources/organizations/route.ts'
import { closed } from '../shape.ts'
import type { Endpoint, RequestContext } from './endpoint.ts'
import { ok, type Reply } from './reply.ts'

/** How often a handler ran, and how many of its rows were committed, by the name of the test. */
const runs = new Map<string, number>()
interface Work {
  readonly name: string
  readonly note?: string
}

async function count({ tx, scope, organization, now }: RequestContext, { name }: Work): Promise<number> {
  const run = (runs.get(name) ?? 0) + 1
  runs.set(name, run)
  const entry = {
    action: 'workspace_created',
    resourceId: name,
    organization,
    actor: { kind: 'service', id: null },
    metadata: {},
  } as const
  await writeAuditEntry(tx, scope, entry, now())
  return run
}

function probe(
  name: string,
  over: Partial<Endpoint>,
  run: (context: RequestContext, work: Work) => Promise<Reply>,
): Endpoint {
  return {
    ...organizations,
    method: 'POST',
    path: `/v1/${name}`,
    operationId: name,
    organization: 'whole',
    keys: { ...organizations.keys, legacy: 'allowed' },
    query: Type.Object({ q: Type.Optional(Type.String()) }, closed),
    body: Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) }, closed),
    paging: null,
    replies: {},
    run: (context, input) => run(context, input.body as Work),
    ...over,
  }
}

const make = async (context: RequestContext, work: Work) =>
  ok({ name: work.name, run: await count(context, work), é: '😀' })
const failOnce =
  (code: 'INTERNAL_ERROR' | 'RATE_LIMIT_EXCEEDED' | 'METRICS_PREPARING') =>
  async (context: RequestContext, work: Work) => {
    const run = await count(context, work)
    return run === 1 ? refuse(code, 'not yet', { 'retry-after': '1' }) : ok({ run })
  }
const things = probe('things', {}, make)
const gate = Promise.withResolvers<void>()
const endpoints = [
  things,
  probe('others', {}, make),
  {
    ...things,
    method: 'PATCH',
    path: '/v1/things/{id}',
    operationId: 'patch',
    params: Type.Object({ id: Type.String() }, closed),
  },
  probe('limited', { limit: 'seats' }, make),
  probe('slow', {}, async (context, work) => {
    await sleep(150)
    return make(context, work)
  }),
  probe('gated', {}, async (context, work) => {
    await gate.promise
    return make(context, work)
  }),
  probe('halfway', {}, async (context, work) => {
    const run = await count(context, work)
    return run === 1 ? { status: 503, body: null } : ok({ run })
  }),
  probe(
    'secret',
    { replies: { 200: { description: 'A thing', body: null, shownOnce: ['value'] } } },
    async (context, work) => ok({ id: 7, value: 'sch_usr_shown_once', run: await count(context, work) }),
  ),
  probe('empty', {}, async (context, work) => count(context, work).then(() => ({ status: 204, body: null }))),
  probe('refused', {}, async (context, work) =>
    count(context, work).then(() => refuse('ROLE_IN_USE', 'in use')),
  ),
  probe('learnings', { errorBody: 'errors' }, async (context, work) =>
    count(context, work).then(() => refuse('LEARNING_EXISTS', 'x')),
  ),
  probe('whose', {}, async (context, work) =>
    ok({ organization: context.organization, run: await count(context, work) }),
  ),
  probe('failing', {}, failOnce('INTERNAL_ERROR')),
  probe('busy', {}, failOnce('RATE_LIMIT_EXCEEDED')),
  probe('preparing', {}, failOnce('METRICS_PREPARING')),
  probe('dying', {}, async (context, work) => {
    if ((await count(context, work)) === 1) throw new Error('a defect')
    return ok({})
  }),
] as readonly Endpoint[]

let database: TestDatabase
let superuser: pg.Client
let tenant: Tenant
let service: TestService
let key: string

before(async () => {
  database = await createDatabase()
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  tenant = await createTenant(database)
  key = (await tenant.createKey('workspace')).value
  service = startService(database, { LIMIT_ORGANIZATIONS: 'off', LIMIT_SEATS: '1/60' }, endpoints)
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), superuser.end()])
  await database.drop()
})

interface Sent extends Omit<CallOptions, 'body'> {
  readonly work: Work
  readonly id?: string | undefined
}
function send(url: string, { work, id, headers = {}, ...call }: Sent): Promise<TestResponse> {
  const keyed = id === undefined ? {} : { 'idempotency-key': id }
  return service.call(url, { key, method: 'POST', body: work, headers: { ...keyed, ...headers }, ...call })
}
const newWork = (): Work => ({ name: randomUUID() })
const codeOf = (answer: TestResponse) => answer.body.error?.code

async function committed({ name }: Work): Promise<number> {
  const { rows } = await superuser.query<{ n: number }>(
    'select count(*)::int as n from audit_log where resource_id = $1',
    [name],
  )
  return rows[0]?.n ?? -1
}

test('the same request again returns the first answer and does nothing [P1-idem-4]', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const first = await send('/v1/things', { work, id })
  const again = await send('/v1/things', { work, id })
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers['content-type'], first.headers['content-type'])
  assert.deepEqual([runs.get(work.name), await committed(work)], [1, 1])
})

test('an answer without a body is repeated without a body', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const answers = [await send('/v1/empty', { work, id }), await send('/v1/empty', { work, id })]
  assert.deepEqual(
    answers.map(({ status, text }) => [status, text]),
    [
      [204, ''],
      [204, ''],
    ],
  )
  assert.equal(runs.get(work.name), 1)
})

test('without the header, or with another key, every request is a new one', async () => {
  const work = newWork()
  for (const id of [undefined, undefined, 'a'.repeat(255), randomUUID()])
    await send('/v1/things', { work, id })
  assert.equal(await committed(work), 4)
})

test('another request under the same key is 409, whatever is different about it [P1-idem-5 P1-code-21]', async () => {
  const [work, id] = [newWork(), randomUUID()]
  await send('/v1/things', { work, id })
  for (const answer of [
    await send('/v1/things', { work: newWork(), id }),
    await send('/v1/things', { work: { ...work, note: '' }, id }),
    await send('/v1/things?q=1', { work, id }),
    await send('/v1/others', { work, id }),
    await send('/v1/things/5', { work, id, method: 'PATCH' }),
  ]) {
    assert.deepEqual([answer.status, codeOf(answer)], [409, 'IDEMPOTENCY_KEY_REUSED'])
  }
  await send('/v1/things/5', { work: newWork(), id: `${id}5`, method: 'PATCH' })
  assert.equal((await send('/v1/things/6', { work, id: `${id}5`, method: 'PATCH' })).status, 409)
  assert.equal(await committed(work), 1)
})

test('concurrent duplicates run the work once and all get its answer', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const answers = await Promise.all(Array.from({ length: 12 }, () => send('/v1/slow', { work, id })))
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.deepEqual([answers[0]?.status, runs.get(work.name), await committed(work)], [200, 1, 1])
})

test('duplicates that wait hold no connection that others could work with', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const waiting = Array.from({ length: 12 }, () => send('/v1/gated', { work, id }))
  const other = await send('/v1/things', { work: newWork(), id: randomUUID() })
  gate.resolve()
  assert.equal(other.status, 200)
  const answers = await Promise.all(waiting)
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
  assert.deepEqual([runs.get(work.name), await committed(work)], [1, 1])
})

test('of two different requests that race under one key one is done and the other is 409', async () => {
  const [one, other, id] = [newWork(), newWork(), randomUUID()]
  const answers = await Promise.all([
    send('/v1/slow', { work: one, id }),
    send('/v1/slow', { work: other, id }),
  ])
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]))
  assert.equal((await committed(one)) + (await committed(other)), 1)
})

test('the key is checked each time: a stored response is not returned to another key with the same Idempotency-Key', async () => {
  const [work, id] = [newWork(), randomUUID()]
  assert.equal((await send('/v1/things', { work, id, key: 'x' })).status, 401)
  assert.equal((await send('/v1/things', { work, id })).status, 200)
  assert.equal((await send('/v1/things', { work, id, key: 'x' })).status, 401)
})

test('it is kept per tenant root: the same key and request in another root is another request [P1-idem-3]', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const other = await tenant.createKey('user', { of: 'alone' })
  assert.equal((await send('/v1/things', { work, id })).status, 200)
  assert.equal((await send('/v1/things', { work, id, key: other.value })).status, 200)
  assert.equal(await committed(work), 2)
})

test('another key of the same root and scope gets the kept answer', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const other = await tenant.createKey('workspace')
  const answers = [
    await send('/v1/things', { work, id }),
    await send('/v1/things', { work, id, key: other.value }),
  ]
  assert.equal(answers[0]?.text, answers[1]?.text)
  assert.equal(await committed(work), 1)
})

/** Keys bound to the two organizations of the workspace. */
async function createOrganizationKeys(): Promise<[string, string]> {
  const [first, second] = tenant.workspace.organizations
  assert.ok(second)
  const keys = await Promise.all(
    [first, second].map(({ id: organization }) => tenant.createKey('user', { organization })),
  )
  return [keys[0]?.value ?? '', keys[1]?.value ?? '']
}

test('organizations of one root do not meet: the same key runs once in each, whatever the request [P1-idem-3]', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const [first, second] = await createOrganizationKeys()
  for (let round = 0; round < 2; round++) {
    for (const [index, holder] of [first, second].entries()) {
      const { status, text } = await send('/v1/whose', { work, id, key: holder })
      const own = tenant.workspace.organizations[index]?.id ?? ''
      assert.ok(status === 200 && text.includes(own), `${status} ${text}`)
    }
  }
  assert.deepEqual([runs.get(work.name), await committed(work)], [2, 2])
  const [one, other, another] = [newWork(), newWork(), randomUUID()]
  assert.equal((await send('/v1/things', { work: one, id: another, key: first })).status, 200)
  assert.equal((await send('/v1/others', { work: other, id: another, key: second })).status, 200)
  assert.equal((await send('/v1/things', { work: other, id: another, key: first })).status, 409)
})

test('a request to all organizations has keys of its own, beside those of each organization [P1-idem-3]', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const [first] = await createOrganizationKeys()
  for (const holder of [first, key, first, key])
    assert.equal((await send('/v1/things', { work, id, key: holder })).status, 200)
  assert.equal(await committed(work), 2)
})

test('a secret that is shown once is in the first answer, and neither kept nor repeated [P1-idem-6]', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const first = await send('/v1/secret', { work, id })
  const again = await send('/v1/secret', { work, id })
  assert.deepEqual(first.body, { id: 7, value: 'sch_usr_shown_once', run: 1 })
  assert.deepEqual(again.body, { id: 7, run: 1 })
  const { rows } = await superuser.query(
    `select 1 from idempotent_request i where to_jsonb(i)::text like '%shown_once%'`,
  )
  assert.deepEqual(rows, [])
})

test('neither the Idempotency-Key nor the request can be read from what is kept [P1-idem-6]', async () => {
  const [work, id] = [{ ...newWork(), note: 'a confidential note' }, `order-${randomUUID()}`]
  await send('/v1/empty?q=confidential', { work, id })
  const { rows } = await superuser.query<{ row: string }>(
    'select to_jsonb(i)::text as row from idempotent_request i',
  )
  for (const { row } of rows) {
    for (const text of [id, work.name, 'confidential']) {
      assert.ok(!row.includes(text) && !row.includes(Buffer.from(text).toString('hex')))
    }
  }
})

test('a refusal of the handler is kept, and nothing else of its work is', async () => {
  for (const url of ['/v1/refused', '/v1/learnings']) {
    const [work, id] = [newWork(), randomUUID()]
    const answers = [await send(url, { work, id }), await send(url, { work, id })]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [409, 409],
    )
    assert.equal(answers[0]?.text, answers[1]?.text)
    assert.deepEqual([runs.get(work.name), await committed(work)], [1, 0], url)
  }
})

test('5xx and 429 are not kept: the same request is tried again [P1-idem-7]', async () => {
  for (const [url, status] of Object.entries({ failing: 500, dying: 500, preparing: 503, busy: 429 })) {
    const [work, id] = [newWork(), randomUUID()]
    assert.equal((await send(`/v1/${url}`, { work, id })).status, status, url)
    assert.equal(await committed(work), 0)
    assert.equal((await send(`/v1/${url}`, { work, id })).status, 200, url)
    assert.equal((await send(`/v1/${url}`, { work, id })).status, 200, url)
    assert.deepEqual([runs.get(work.name), await committed(work)], [2, 1], url)
  }
})

test('work that is committed although its response is a 5xx is repeated once by the next request', async () => {
  const [work, id] = [newWork(), randomUUID()]
  assert.equal((await send('/v1/halfway', { work, id })).status, 503)
  assert.equal(await committed(work), 1)
  const answers = await Promise.all(Array.from({ length: 6 }, () => send('/v1/halfway', { work, id })))
  assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(['{"run":2}']))
  assert.deepEqual([runs.get(work.name), await committed(work)], [2, 2])
})

test('the key of a request that was answered with a 5xx is free for another request', async () => {
  const [work, other, id] = [newWork(), newWork(), randomUUID()]
  assert.equal((await send('/v1/halfway', { work, id })).status, 503)
  assert.equal((await send('/v1/things', { work: other, id })).status, 200)
  assert.equal((await send('/v1/halfway', { work, id })).status, 409)
})

test('refusals before the work are not kept: a request that was put right under the same key is done', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const lower = await tenant.createKey('user', { of: 'lower' })
  assert.equal((await send('/v1/things?unknown=1', { work, id })).status, 400)
  assert.equal((await send('/v1/things', { work, id, key: lower.value })).status, 403)
  assert.equal((await send('/v1/things', { work, id })).status, 200)
})

test('a key of 255 characters is taken; an empty or a longer one is 400 [P1-idem-1]', async () => {
  assert.equal((await send('/v1/things', { work: newWork(), id: 'x'.repeat(255) })).status, 200)
  for (const id of ['', 'x'.repeat(256)]) {
    assert.equal(codeOf(await send('/v1/things', { work: newWork(), id })), 'INVALID_REQUEST')
  }
})

test('a kept answer is given for 24 hours and forgotten then [P1-idem-2]', async () => {
  const [work, id] = [newWork(), randomUUID()]
  const age = (interval: string) =>
    superuser.query('update idempotent_request set created_at = now() - $1::interval', [interval])
  await send('/v1/things', { work, id })
  await age('23 hours 59 minutes')
  await send('/v1/things', { work, id })
  assert.equal(await committed(work), 1)
  await age('24 hours 1 minute')
  const other = newWork()
  assert.equal((await send('/v1/things', { work: other, id })).status, 200)
  assert.equal((await send('/v1/things', { work: other, id })).status, 200)
  assert.equal(await committed(other), 1)
  assert.equal((await send('/v1/things', { work, id })).status, 409)
})

test('a replay comes before the limit and does not count', async () => {
  const [work, id] = [newWork(), randomUUID()]
  assert.equal((await send('/v1/limited', { work, id })).status, 200)
  for (let again = 0; again < 3; again++) assert.equal((await send('/v1/limited', { work, id })).status, 200)
  assert.equal((await send('/v1/limited', { work: newWork() })).status, 429)
  assert.equal((await send('/v1/limited', { work: newWork(), id })).status, 409)
  assert.equal((await send('/v1/limited', { work, id })).status, 200)
  assert.equal(runs.get(work.name), 1)
})
