import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, comparable } from '../cli/src/conformance/http.ts'
import {
  ask,
  calendarOf,
  createEvent,
  type Entry,
  eventually,
  mergedOn,
  type PullRequest,
  read,
  readWhole,
  reviewCommentsPath,
  send,
  store,
  urlsOf,
  windowOf,
} from './metrics-data.ts'
import { at, call, demo, home, type KeyName, listOrganizations, organizationsOf } from './service.ts'

const nextDay = calendarOf(2023)
const day = nextDay()
const window = windowOf(day)
const [, sibling, mobile] = organizationsOf('workspace').map(({ org_id }) => org_id)
const [firmware, fleet] = organizationsOf('instance').map(({ org_id }) => org_id)
const atInstance = { provider: 'gitlab', host: 'git.halden.example.com' }

// One pull request of each organization that the demo's credentials speak for.
const own = mergedOn(day)
const ofSibling = mergedOn(day, { organization: { provider: 'github', id: sibling } })
const ofMobile = mergedOn(day, { organization: { provider: 'gitlab', id: mobile } })
const ofFirmware = mergedOn(day, { organization: { ...atInstance, id: firmware } })
const ofFleet = mergedOn(day, { organization: { ...atInstance, id: fleet } })
const ofOther = mergedOn(day, { organization: { provider: 'github', id: otherOrganization() } })

before(async () => {
  await store(own, ofSibling, ofMobile)
  await store(ofFirmware, ofFleet)
  await store(ofOther)
})

async function told(query: string, key: KeyName): Promise<string[]> {
  return urlsOf((await read(query, key)).data)
}

const urls = (...pullRequests: PullRequest[]) => pullRequests.map(({ url }) => url)

test('without a selector all organizations that the key is authorized for are included, and no other [S-entry-3 S-rc-6 S-rc-7 S-rc-8 S-rc-13 S-auth-7 S-auth-23 P2-kinds-2]', async () => {
  const expected: [KeyName, string[]][] = [
    ['workspace', urls(own, ofSibling, ofMobile)],
    ['organization', urls(own)],
    ['user', urls(own)],
    ['legacy', urls(own)],
    ['instance', urls(ofFirmware, ofFleet)],
    ['instance_narrow', urls(ofFirmware)],
    ['other_tenant', urls(ofOther)],
  ]
  for (const [key, entries] of expected) assert.deepEqual(await told(window, key), entries, key)
})

test('an agentic key is 403 KEY_KIND_NOT_ALLOWED [S-auth-11 S-err-3 P1-code-8 P2-kinds-2]', async () => {
  for (const query of [window, '', `${window}&unknown=1`, `${window}&org_id=nobody`]) {
    assertError(await ask(query, 'agentic'), 403, 'KEY_KIND_NOT_ALLOWED', query)
  }
})

test('a missing or invalid key is 401 UNAUTHORIZED, whatever else is wrong [S-err-2]', async () => {
  const { expired, revoked, ingest } = demo.keys
  for (const query of [window, '', `${window}&format=csv`]) {
    assertError(await call(`${reviewCommentsPath}?${query}`), 401, 'UNAUTHORIZED', query)
    for (const key of ['', 'x', expired, revoked, ingest]) {
      assertError(await call(`${reviewCommentsPath}?${query}`, { key }), 401, 'UNAUTHORIZED', query)
    }
  }
})

test('a workspace token whose owner is no longer a workspace admin is 403 on metrics too [S-err-3]', async () => {
  assertError(await ask(window, 'workspace_demoted_owner'), 403, 'OWNER_NOT_ADMIN')
})

test('the Enterprise plan is required: a lower one is 403 ENTERPRISE_REQUIRED [S-what-3 S-rc-5 S-err-3]', async () => {
  assertError(await ask(window, 'lower_plan'), 403, 'ENTERPRISE_REQUIRED')
  assertError(await ask(`${window}&format=csv`, 'lower_plan'), 400, 'INVALID_REQUEST')
})

test('metrics that are unavailable for an organization in the requested scope are 403 METRICS_UNAVAILABLE [S-err-3 P1-code-14 P5-place-7 P5-place-8]', async () => {
  assertError(await ask(window, 'metrics_off'), 403, 'METRICS_UNAVAILABLE')
  assertError(await ask(`${window}&format=csv`, 'metrics_off'), 400, 'INVALID_REQUEST')
})

test('org_id selects one organization of a workspace token [S-what-12 S-what-13 S-rc-8 S-auth-7]', async () => {
  for (const [orgId, pullRequest] of [
    [home.org_id, own],
    [sibling, ofSibling],
    [mobile, ofMobile],
  ] as const) {
    assert.deepEqual(await told(`${window}&org_id=${orgId}`, 'workspace'), urls(pullRequest), orgId)
  }
})

test('an org_id may name its provider in front [P2-provider-3]', async () => {
  assert.deepEqual(await told(`${window}&org_id=github:${home.org_id}`, 'workspace'), urls(own))
  assert.deepEqual(await told(`${window}&org_id=gitlab:${mobile}`, 'workspace'), urls(ofMobile))
  assertError(await ask(`${window}&org_id=gitlab:${home.org_id}`), 404, 'ORGANIZATION_NOT_FOUND')
})

test('an org_id that is no active organization of the workspace is 404 ORGANIZATION_NOT_FOUND [S-what-13 S-err-4]', async () => {
  const dormant = '9000009'
  for (const orgId of ['nobody', '0', home.id, dormant, firmware, otherOrganization()]) {
    assertError(await ask(`${window}&org_id=${orgId}`), 404, 'ORGANIZATION_NOT_FOUND', orgId)
  }
  for (const orgId of ['', '%00']) {
    assertError(await ask(`${window}&org_id=${orgId}`), 400, 'INVALID_REQUEST', orgId)
  }
})

test('an org_id of two organizations of the workspace is 400 ORG_ID_AMBIGUOUS, and provider:id tells them apart [P1-code-3 P2-provider-1 P2-provider-2 P2-provider-3]', async () => {
  const twin = { provider: 'gitlab', id: sibling, name: 'A namesake of Terminals' }
  const tell = (active: boolean) =>
    createEvent('inventory.changed', new Date().toISOString(), { organizations: [{ ...twin, active }] })
  const listed = async () => (await listOrganizations('workspace')).organizations.length
  const known = await listed()
  await send([tell(true)])
  await eventually('the namesake is listed', async () => (await listed()) === known + 1)
  try {
    const ofTwin = mergedOn(day, { organization: { provider: 'gitlab', id: sibling } })
    await store(ofTwin)
    assertError(await ask(`${window}&org_id=${sibling}`), 400, 'ORG_ID_AMBIGUOUS')
    assert.deepEqual(await told(`${window}&org_id=gitlab:${sibling}`, 'workspace'), urls(ofTwin))
    assert.deepEqual(await told(`${window}&org_id=github:${sibling}`, 'workspace'), urls(ofSibling))
  } finally {
    await send([tell(false)])
    await eventually('the namesake is not listed any more', async () => (await listed()) === known)
  }
  assert.deepEqual(await told(`${window}&org_id=${sibling}`, 'workspace'), urls(ofSibling))
})

test('pull requests of an inactive organization are returned to nobody [S-rc-7]', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const entries = await readWhole(windowOf('2000-01-01', today))
  const active = organizationsOf('workspace').map(({ org_id }) => org_id)
  assert.deepEqual(new Set(entries.map(({ organization_id }) => organization_id)), new Set(active))
})

test('another tenant’s org_id is answered exactly like one that does not exist [S-err-4]', async () => {
  const missing = comparable(await ask(`${window}&org_id=1`))
  for (const orgId of [firmware, otherOrganization()]) {
    assert.deepEqual(comparable(await ask(`${window}&org_id=${orgId}`)), missing)
  }
})

test('org_id is ignored for organization, user, legacy and instance keys [S-rc-8 S-auth-3 S-auth-9 P2-instance-4]', async () => {
  for (const orgId of [sibling, 'nobody', 'ALL', otherOrganization()]) {
    for (const key of ['organization', 'user', 'legacy'] as const) {
      assert.deepEqual(await told(`${window}&org_id=${orgId}`, key), urls(own), `${key} ${orgId}`)
    }
    assert.deepEqual(await told(`${window}&org_id=${orgId}`, 'instance'), urls(ofFirmware, ofFleet), orgId)
  }
})

test('organization_ids select organizations of an instance key [S-what-13 S-rc-13]', async () => {
  const selected = (list: string) => told(`${window}&organization_ids=${list}`, 'instance')
  assert.deepEqual(await selected(`${firmware}`), urls(ofFirmware))
  assert.deepEqual(await selected(`${fleet}`), urls(ofFleet))
  assert.deepEqual(await selected(`${fleet},${firmware},${fleet}`), urls(ofFirmware, ofFleet))
  assert.deepEqual(await selected(`gitlab:${fleet}`), urls(ofFleet))
})

test('organization_ids outside of the instance count as no match [P2-instance-5]', async () => {
  const selected = (list: string) => told(`${window}&organization_ids=${list}`, 'instance')
  for (const other of ['nobody', home.org_id, otherOrganization()]) {
    assert.deepEqual(await selected(`${other},${firmware}`), urls(ofFirmware))
  }
})

test('organization_ids of which none matches are 404 ORGANIZATION_NOT_FOUND [S-err-4 P2-instance-5]', async () => {
  for (const list of ['nobody', home.org_id, `nobody,${otherOrganization()},${home.org_id}`, 'github:12']) {
    const reply = await ask(`${window}&organization_ids=${list}`, 'instance')
    assertError(reply, 404, 'ORGANIZATION_NOT_FOUND', list)
  }
})

test('organization_ids of the instance that the key is not authorized for are 403 ORGANIZATION_OUT_OF_SCOPE [S-rc-14 S-err-3 P1-code-13 P2-instance-6]', async () => {
  for (const list of [`${fleet}`, `${firmware},${fleet}`]) {
    const reply = await ask(`${window}&organization_ids=${list}`, 'instance_narrow')
    assertError(reply, 403, 'ORGANIZATION_OUT_OF_SCOPE', list)
  }
  assert.deepEqual(await told(`${window}&organization_ids=${firmware}`, 'instance_narrow'), urls(ofFirmware))
})

test('organization_ids are 400 for organization and workspace keys, also with their own organization [S-rc-14 S-err-1]', async () => {
  for (const key of ['organization', 'user', 'legacy', 'workspace', 'other_tenant'] as const) {
    for (const list of [home.org_id, firmware]) {
      const reply = await ask(`${window}&organization_ids=${list}`, key)
      assertError(reply, 400, 'INVALID_REQUEST', `${key} ${list}`)
    }
  }
})

test('repository_ids select pull requests of these repositories [S-rc-11 P1-shape-6]', async () => {
  const on = nextDay()
  await store(...['one', 'two', 'three'].map((id) => mergedOn(on, { repository: { id } })))
  const selected = async (list: string, key: KeyName = 'workspace') =>
    repositories(await readWhole(`${windowOf(on)}&repository_ids=${list}`, key))
  assert.deepEqual(await selected('two'), ['two'])
  assert.deepEqual(await selected('three,one,none'), ['one', 'three'])
  assert.deepEqual(await selected('two,two', 'organization'), ['two'])
  assert.deepEqual(await selected('none'), [])
  assert.deepEqual(await selected('one', 'other_tenant'), [])
})

test('user_ids select pull requests of these authors, and none whose author is not known [S-rc-12 P1-shape-6]', async () => {
  const on = nextDay()
  const authors = ['ann', 'bob', null]
  await store(...authors.map((id) => mergedOn(on, { repository: { id: `of ${id}` }, author: id && { id } })))
  const selected = async (list: string, key: KeyName = 'workspace') =>
    repositories(await readWhole(`${windowOf(on)}&user_ids=${list}`, key))
  assert.deepEqual(await selected('bob'), ['of bob'])
  assert.deepEqual(await selected('bob,ann,bob'), ['of ann', 'of bob'])
  assert.deepEqual(await selected('ann', 'organization'), ['of ann'])
  for (const nobody of ['null', 'a-developer', 'an']) assert.deepEqual(await selected(nobody), [])
})

test('repository_ids and user_ids together select what fits both [S-rc-11 S-rc-12]', async () => {
  const on = nextDay()
  const pairs = ['a1', 'a2', 'b1', 'b2'].map(([repository, author]) =>
    mergedOn(on, { repository: { id: repository }, author: { id: author } }),
  )
  await store(...pairs)
  const selected = (filters: string) => told(`${windowOf(on)}&${filters}`, 'workspace')
  assert.deepEqual(await selected('repository_ids=a&user_ids=2'), urls(at(pairs, 1)))
  assert.deepEqual(await selected('repository_ids=a,b&user_ids=1'), urls(at(pairs, 0), at(pairs, 2)))
  assert.deepEqual(await selected('repository_ids=c&user_ids=1,2'), [])
})

test('filters select within the scope and never widen it [S-rc-11]', async () => {
  const repository = at(home.repositories, 0).repository_id
  for (const key of ['other_tenant', 'instance'] as const) {
    const theirs = new Set((await readWhole(window, key)).map(({ pr_url }) => pr_url))
    for (const filter of [`repository_ids=${repository}`, 'user_ids=90001']) {
      for (const url of await told(`${window}&${filter}`, key)) assert.ok(theirs.has(url), `${key} ${url}`)
    }
  }
  assert.deepEqual(await told(`${window}&user_ids=90001&org_id=${sibling}`, 'workspace'), urls(ofSibling))
})

function repositories(entries: Entry[]): string[] {
  return entries.map(({ repository_id }) => repository_id)
}

/** The demo's lone organizations are the other tenant's and those whose keys are refused. */
function otherOrganization(): string {
  return at(organizationsOf('organization'), 0).org_id
}
