import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Reply } from '../cli/src/conformance/http.ts'
import { call, demo, uuidPattern } from './service.ts'
import { strict } from './windows.ts'

type Credentials = { credential: string; other: string; leaver: string; token: string }
type User = { id: string; userName: string; active: boolean; title?: string; emails?: { value: string }[] }
type ScimError = { schemas: string[]; status: string; scimType?: string; detail: string }
type List<Item> = { totalResults: number; startIndex: number; itemsPerPage: number; Resources: Item[] }

const { credential, other, leaver, token } = readCredentials()
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'
const makeName = () => `${randomUUID().slice(0, 12)}@example.com`

function readCredentials(): Credentials {
  const text = process.env['SCHOLIAST_SCIM']
  assert.ok(text, 'SCHOLIAST_SCIM has the credentials of this file: run npm run acceptance')
  return JSON.parse(text) as Credentials
}

async function send<Body>(
  method: string,
  path: string,
  body?: unknown,
  options: { bearer?: string; base?: string; type?: string } = {},
): Promise<Reply & { json: Body }> {
  const { bearer = credential, base, type = 'application/scim+json' } = options
  const reply = await call(`/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': type },
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
  const { status, text, json } = await send<User>('POST', '/Users', { userName: makeName(), ...fields })
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

test('SCIM takes credentials of its own: API keys are 401 there, and its credentials are 401 on /v1', async () => {
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

test('a SCIM credential is bound to its root: users and groups of another are 404 and in no list', async () => {
  const externalId = randomUUID()
  const user = await createUser({ externalId })
  const { json: group } = await send<{ id: string }>('POST', '/Groups', { displayName: makeName() })
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

test('ServiceProviderConfig, Schemas and ResourceTypes describe what is there', async () => {
  const { json } = await send<{ patch: { supported: boolean } }>('GET', '/ServiceProviderConfig')
  assert.deepEqual(json.patch, { supported: true })
  for (const [path, count] of [
    ['/Schemas', 2],
    ['/ResourceTypes', 2],
  ] as const)
    assert.equal((await send<List<object>>('GET', path)).json.totalResults, count)
})

test('users are found by userName, externalId and emails.value', async () => {
  const externalId = randomUUID()
  const email = makeName()
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
  assertScimError(await send('GET', '/Users?filter=userName%20sw%20%22a%22'), 400, 'invalidFilter')
})

test('PATCH works with and without value paths, and booleans may be texts', async () => {
  const { id } = await createUser({ emails: [{ type: 'work', value: makeName() }] })
  const email = makeName()
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

test('unknown attributes are ignored, and errors and paging are those of RFC 7644', async () => {
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

test('groups are created, changed by PATCH and listed without members', async () => {
  const user = await createUser()
  const displayName = makeName()
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

test('email may be null: a user without one is a person of its own', async () => {
  const { id } = await createUser({ displayName: 'Without Address' })
  const { body } = await call('/v1/users', { key: token })
  const { users } = body as { users: { cr_user_id: string; email: string | null }[] }
  assert.deepEqual(users.find(({ cr_user_id }) => cr_user_id === id)?.email, null)
})

// Last of those that read with the token, whose owner is the same admin.
test('active: false revokes keys for good on the next request, of admins too, and active: true restores none', async () => {
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

test('requests of a SCIM credential are limited to 600 in 60 s, and say so', async () => {
  const { headers } = await send('GET', '/Users?count=0', undefined, { base: strict() })
  assert.equal(headers.get('ratelimit-policy'), '"scim";q=600;w=60')
})
