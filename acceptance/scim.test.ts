import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Reply } from '../cli/src/conformance/http.ts'
import { call, demo, uuidPattern } from './service.ts'
import { strict } from './windows.ts'

type Credentials = { credential: string; other: string; leaver: string; token: string; admin: string }
type User = {
  id: string
  userName: string
  externalId?: string
  active: boolean
  title?: string
  emails?: { value: string }[]
}
type Config = {
  patch: { supported: boolean }
  etag: { supported: boolean }
  documentationUri: string
  meta: { location: string }
}
type Described = { id: string; meta: { location: string } }
type ScimError = { schemas: string[]; status: string; scimType?: string; detail: string }
type List<Item> = { totalResults: number; startIndex: number; itemsPerPage: number; Resources: Item[] }

const { credential, other, leaver, token, admin } = readCredentials()
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'
const createName = () => `${randomUUID().slice(0, 12)}@example.com`

function readCredentials(): Credentials {
  const text = process.env['SCHOLIAST_SCIM']
  assert.ok(text, 'SCHOLIAST_SCIM has the credentials of this file: run npm run acceptance')
  return JSON.parse(text) as Credentials
}

async function send<Body>(
  method: string,
  path: string,
  body?: unknown,
  options: { bearer?: string; base?: string; type?: string; ifMatch?: string } = {},
): Promise<Reply & { json: Body }> {
  const { bearer = credential, base, type = 'application/scim+json', ifMatch } = options
  const reply = await call(`/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': type,
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(base !== undefined && { base }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { ...reply, json: (reply.text === '' ? {} : JSON.parse(reply.text)) as Body }
}

const patch = (...operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

async function createUser(fields: object = {}): Promise<User> {
  const { status, text, json } = await send<User>('POST', '/Users', { userName: createName(), ...fields })
  assert.equal(status, 201, text)
  return json
}

function assertScimError(reply: Reply, status: number, scimType?: string): void {
  const { schemas, detail, ...rest } = JSON.parse(reply.text) as ScimError
  assert.equal(reply.status, status, reply.text)
  assert.deepEqual(schemas, [errorSchema])
  assert.deepEqual(rest, { status: String(status), ...(scimType && { scimType }) })
  assert.ok(detail.length > 10)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/scim\+json\b/)
}

test('SCIM takes credentials of its own: API keys are 401 there, and its credentials are 401 on /v1 [P13-scim-1]', async () => {
  assert.match(credential, /^sch_scm_/)
  assert.equal((await send('GET', '/Users')).status, 200)
  for (const bearer of [
    '',
    demo.keys.workspace,
    demo.keys.user,
    demo.keys.ingest,
    `${credential.slice(0, -1)}!`,
  ])
    assertScimError(await send('GET', '/Users', undefined, { bearer }), 401)
  assert.equal((await call('/v1/organizations', { key: credential })).status, 401)
})

test('a SCIM credential is bound to its root: users and groups of another are 404 and in no list [P13-scim-1]', async () => {
  const externalId = randomUUID()
  const user = await createUser({ externalId })
  const { json: group } = await send<{ id: string }>('POST', '/Groups', { displayName: createName() })
  for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
    for (const method of ['GET', 'DELETE'])
      assertScimError(await send(method, path, undefined, { bearer: other }), 404)
    const change = patch({ op: 'replace', value: { active: false, displayName: 'taken' } })
    assertScimError(await send('PATCH', path, change, { bearer: other }), 404)
  }
  const filter = encodeURIComponent(`externalId eq "${externalId}"`)
  const { json } = await send<List<User>>('GET', `/Users?filter=${filter}`, undefined, { bearer: other })
  assert.equal(json.totalResults, 0)
  assert.equal((await send<User>('GET', `/Users/${user.id}`)).json.active, true)
})

test('ServiceProviderConfig, Schemas and ResourceTypes describe what is there [P13-scim-2]', async () => {
  const { json } = await send<Config>('GET', '/ServiceProviderConfig')
  assert.deepEqual([json.patch, json.etag], [{ supported: true }, { supported: false }])
  const own = new URL(json.meta.location)
  assert.equal(own.pathname, '/scim/v2/ServiceProviderConfig')
  assert.equal(json.documentationUri, `${own.origin}/docs/scim`)
  for (const [path, count] of [
    ['/Schemas', 2],
    ['/ResourceTypes', 2],
  ] as const)
    assert.equal((await send<List<object>>('GET', path)).json.totalResults, count)
  for (const path of ['/Schemas', '/ResourceTypes']) {
    for (const { id, meta } of (await send<List<Described>>('GET', path)).json.Resources)
      assert.equal(meta.location, `${own.origin}/scim/v2${path}/${id}`)
  }
})

test('a path that names a read-only attribute is 400 mutability; in a value it is ignored [P13-scim-5]', async () => {
  const { id } = await createUser()
  for (const path of ['id', 'ID', 'urn:ietf:params:scim:schemas:core:2.0:User:id', 'meta.created', 'groups'])
    assertScimError(
      await send('PATCH', `/Users/${id}`, patch({ op: 'replace', path, value: 'x' })),
      400,
      'mutability',
    )
  const { json: group } = await send<{ id: string }>('POST', '/Groups', { displayName: createName() })
  const byPath = patch({ op: 'remove', path: 'id' })
  assertScimError(await send('PATCH', `/Groups/${group.id}`, byPath), 400, 'mutability')
  const whole = patch({ op: 'replace', value: { id: randomUUID(), title: 'Analyst' } })
  const { status, json } = await send<User>('PATCH', `/Users/${id}`, whole)
  assert.deepEqual([status, json.id, json.title], [200, id, 'Analyst'])
})

test('resources have no versions: If-Match with one is 412 and changes nothing [P13-scim-5]', async () => {
  const { id } = await createUser({ title: 'Analyst' })
  const change = patch({ op: 'replace', path: 'title', value: 'Auditor' })
  const matched = (ifMatch: string) => send('PATCH', `/Users/${id}`, change, { ifMatch })
  assertScimError(await matched('W/"1"'), 412)
  assert.equal((await send<User>('GET', `/Users/${id}`)).json.title, 'Analyst')
  assert.equal((await matched('*')).status, 200)
})

test('users are found by userName, externalId and emails.value [P13-scim-3]', async () => {
  const externalId = randomUUID()
  const email = createName()
  const { id, userName } = await createUser({ externalId, emails: [{ type: 'work', value: email }] })
  for (const filter of [
    `userName eq "${userName.toUpperCase()}"`,
    `externalId eq "${externalId}"`,
    `emails.value eq "${email}"`,
    `emails[type eq "work"].value eq "${email}"`,
  ]) {
    const { json } = await send<List<User>>('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    assert.deepEqual(
      json.Resources.map((user) => user.id),
      [id],
      filter,
    )
  }
  for (const filter of ['userName%20sw%20%22a%22', '', '%20'])
    for (const path of ['/Users', '/Groups'])
      assertScimError(await send('GET', `${path}?filter=${filter}`), 400, 'invalidFilter')
})

test('PATCH works with and without value paths, and booleans may be texts [P13-scim-4]', async () => {
  const { id } = await createUser({ emails: [{ type: 'work', value: createName() }] })
  const email = createName()
  const { status, json } = await send<User>(
    'PATCH',
    `/Users/${id}`,
    patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
      { op: 'Add', value: { title: 'Analyst', 'name.givenName': 'Noor' } },
      { op: 'Replace', path: 'active', value: 'False' },
    ),
  )
  assert.equal(status, 200)
  assert.deepEqual(
    [json.emails?.map(({ value }) => value), json.title, json.active],
    [[email], 'Analyst', false],
  )
})

test('unknown attributes are ignored, and errors and paging are those of RFC 7644 [P13-scim-5]', async () => {
  const user = await createUser({ shoeSize: 42, password: 'secret', 'urn:example:2.0:User': { a: 1 } })
  assert.ok(!('shoeSize' in user) && !('password' in user))
  assert.match(user.id, uuidPattern)
  assertScimError(await send('POST', '/Users', { userName: user.userName }), 409, 'uniqueness')
  assertScimError(await send('POST', '/Users', {}), 400, 'invalidValue')
  assertScimError(await send('GET', '/Nothing'), 404)
  assertScimError(await send('POST', '/Users', 'text', { type: 'text/plain' }), 415)
  const { json } = await send<List<User>>('GET', '/Users?startIndex=2&count=1')
  assert.deepEqual([json.startIndex, json.itemsPerPage, json.Resources.length], [2, 1, 1])
})

test('groups are created, changed by PATCH and listed without members [P13-scim-2]', async () => {
  const user = await createUser()
  const displayName = createName()
  const { json: group } = await send<{ id: string }>('POST', '/Groups', { displayName })
  const path = `/Groups/${group.id}`
  const member = [{ value: user.id }]
  assert.equal((await send('PATCH', path, patch({ op: 'Add', path: 'members', value: member }))).status, 204)
  const { json } = await send<{ members: { value: string }[] }>('GET', path)
  assert.deepEqual(
    json.members.map(({ value }) => value),
    [user.id],
  )
  const filter = encodeURIComponent(`displayName eq "${displayName}"`)
  const list = await send<List<object>>('GET', `/Groups?excludedAttributes=members&filter=${filter}`)
  assert.ok(list.json.totalResults === 1 && !list.text.includes(user.id))
  const remove = patch({ op: 'Remove', path: `members[value eq "${user.id}"]` })
  assert.equal((await send('PATCH', path, remove)).status, 204)
  assert.equal((await send('DELETE', path)).status, 204)
})

test('email may be null: a user without one is a person of its own [P13-scim-7]', async () => {
  const { id } = await createUser({ displayName: 'Without Address' })
  const { body } = await call('/v1/users', { key: token })
  const { users } = body as { users: { cr_user_id: string; email: string | null }[] }
  assert.deepEqual(users.find(({ cr_user_id }) => cr_user_id === id)?.email, null)
})

interface AuditRow {
  readonly action: string
  readonly actor: { readonly name: string; readonly subtitle: string | null }
  readonly resourceSummary: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly personalValues: Readonly<Record<string, { readonly value: string | null }>>
}

async function readAudit(action: string): Promise<AuditRow[]> {
  const { status, text, body } = await call(`/v1/audit-logs?actions=${action}&page_size=100`, { key: token })
  assert.equal(status, 200, text)
  return (body as { data: AuditRow[] }).data
}

test('an active workspace admin is not linked by SCIM: 409, and the refusal is audited [P13-scim-10]', async () => {
  const { owner } = (await call('/v1/keys/self', { key: token })).body as { owner: { cr_user_id: string } }
  const { users } = (await call('/v1/users', { key: token })).body as {
    users: { cr_user_id: string; email: string }[]
  }
  const email = users.find(({ cr_user_id }) => cr_user_id === owner.cr_user_id)?.email.toUpperCase()
  for (const active of [true, false]) {
    const user = { userName: createName(), externalId: randomUUID(), emails: [{ value: email }], active }
    assertScimError(await send('POST', '/Users', user), 409, 'uniqueness')
  }
  assertScimError(await send('GET', `/Users/${owner.cr_user_id}`), 404)
  assert.equal((await call('/v1/keys/self', { key: token })).status, 200)
  const refused = await readAudit('request_refused')
  const row = refused.find(({ metadata }) => metadata['route'] === 'POST /scim/v2/Users')
  assert.equal(row?.actor.name, 'Test', 'the name of the credential')
})

test('the audit log names the SCIM credential, and search finds its changes by that name [P11-audit-3]', async () => {
  const displayName = createName()
  const { json: group } = await send<{ id: string }>('POST', '/Groups', { displayName })
  assert.equal((await send('DELETE', `/Groups/${group.id}`)).status, 204)
  const rows = (await readAudit('scim_group_deleted&search=test')).filter(
    ({ metadata }) => metadata['resource_id'] === group.id,
  )
  assert.deepEqual(
    rows.map(({ actor: { name, subtitle } }) => [name, subtitle]),
    [['Test', `SCIM credential sch_scm_…${credential.slice(-4)}`]],
  )
})

test('SCIM rebinds no active workspace admin, renames and deactivates one [P13-scim-10]', async () => {
  const path = `/Users/${admin}`
  const { json: before } = await send<User>('GET', path)
  for (const change of [
    { externalId: randomUUID() },
    { externalId: null },
    { emails: [{ value: createName(), primary: true }] },
  ])
    assertScimError(await send('PATCH', path, patch({ op: 'replace', value: change })), 400, 'mutability')
  assertScimError(await send('PUT', path, { ...before, externalId: randomUUID() }), 400, 'mutability')
  assert.deepEqual((await send<User>('GET', path)).json, before)
  const userName = createName()
  const renamed = await send<User>('PUT', path, { ...before, userName, title: 'Head of review' })
  assert.deepEqual(
    [renamed.status, renamed.json.userName, renamed.json.title],
    [200, userName, 'Head of review'],
  )
  const { json } = await send<User>('PATCH', path, patch({ op: 'replace', value: { active: false } }))
  assert.equal(json.active, false)
})

test('a changed externalId, userName or e-mail is audited with the values before and after [P13-scim-9]', async () => {
  const externalId = randomUUID()
  const { id, userName } = await createUser({ externalId, emails: [{ value: createName() }] })
  const next = { externalId: randomUUID(), userName: createName(), emails: [{ value: createName() }] }
  const { status } = await send('PATCH', `/Users/${id}`, patch({ op: 'replace', value: next }))
  assert.equal(status, 200)
  const find = async (action: string, field: string, value: string) =>
    (await readAudit(action)).find(({ personalValues }) => personalValues[field]?.value === value)
  const changed = await find('person_scim_changed', 'after.external_id', next.externalId)
  assert.deepEqual(
    ['before.external_id', 'before.user_name', 'after.user_name'].map(
      (field) => changed?.personalValues[field]?.value,
    ),
    [externalId, userName, next.userName],
  )
  assert.ok(await find('person_changed', 'after.email', next.emails[0]?.value ?? ''))
  assert.ok(await find('person_scim_linked', 'after.external_id', externalId))
})

test('texts that cannot be stored are 400 in filters and paths too [P13-scim-5]', async () => {
  const { id } = await createUser()
  for (const escape of ['\\u0000', '\\ud800', 'a\\udfffb']) {
    for (const path of ['/Users?filter=userName', '/Users?filter=externalId', '/Groups?filter=displayName'])
      assertScimError(
        await send('GET', `${path}${encodeURIComponent(` eq "${escape}"`)}`),
        400,
        'invalidFilter',
      )
    const operation = { op: 'add', path: `emails[type eq "${escape}"].value`, value: createName() }
    assertScimError(await send('PATCH', `/Users/${id}`, patch(operation)), 400, 'invalidPath')
  }
  const displayName = `${'a'.repeat(199)}🚲`
  assert.equal((await send('POST', '/Users', { userName: createName(), displayName })).status, 201)
})

// Last of those that read with the token, whose owner is the same admin.
test('active: false revokes keys for good on the next request, of admins too, and active: true restores none [P13-scim-6]', async () => {
  const self = await call('/v1/keys/self', { key: leaver })
  assert.equal(self.status, 200, self.text)
  const { owner } = self.body as { owner: { cr_user_id: string } }
  const listed = await call('/v1/users', { key: token })
  assert.equal(listed.status, 200, listed.text)
  const { users } = listed.body as { users: { cr_user_id: string; email: string }[] }
  const email = users.find(({ cr_user_id }) => cr_user_id === owner.cr_user_id)?.email
  const { id } = await createUser({ emails: [{ value: email, primary: true }] })
  assert.equal(id, owner.cr_user_id, 'a person of the root with this address is linked')
  for (const active of [false, true]) {
    const { json } = await send<User>('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active } }))
    assert.equal(json.active, active)
    assert.equal((await call('/v1/keys/self', { key: leaver })).status, 401)
  }
})

test('requests of a SCIM credential are limited to 600 in 60 s, and say so [P13-scim-1]', async () => {
  const { headers } = await send('GET', '/Users?count=0', undefined, { base: strict() })
  assert.equal(headers.get('ratelimit-policy'), '"scim";q=600;w=60')
})

test('a name or address with a control or bidirectional character is 400 invalidValue [P11-names-2]', async () => {
  const user = await createUser()
  for (const character of ['\u001b', '\n', '\u009b', '\u2028', '\u200e', '\u202e', '\u2066']) {
    const text = `Eve${character}l`
    const bodies = [
      { userName: text },
      { userName: createName(), displayName: text },
      { userName: createName(), name: { givenName: text } },
      { userName: createName(), emails: [{ value: `${text}@example.com` }] },
    ]
    for (const body of bodies) assertScimError(await send('POST', '/Users', body), 400, 'invalidValue')
    assertScimError(await send('POST', '/Groups', { displayName: text }), 400, 'invalidValue')
    const change = patch({ op: 'replace', path: 'displayName', value: text })
    const refused = await send('PATCH', `/Users/${user.id}`, change)
    assertScimError(refused, 400, 'invalidValue')
    assert.match(refused.text, /displayName must not contain .* at position 4\b/)
  }
})
