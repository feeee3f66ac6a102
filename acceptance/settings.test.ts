import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertError, type Reply } from '../cli/src/conformance/http.ts'
import { read as readAudit } from './audit-data.ts'
import {
  assertPage,
  at,
  boundOrganization,
  call,
  demo,
  type KeyName,
  listRepositories,
  organizationsOf,
} from './service.ts'
import { strict } from './windows.ts'

const path = '/v1/settings'
const scopeName = 'knowledge_base.learnings.scope'
const delayName = 'knowledge_base.learnings.approval_delay'
let other: string
let providerId: string
let repository: string

before(async () => {
  const bound = await boundOrganization('other_tenant')
  other = bound.id
  providerId = bound.provider_organization_id
  repository = at((await listRepositories('other_tenant', other)).repositories, 0).provider_repository_id
})

type Settings = {
  organization_id: string
  repository_id: string | null
  settings: {
    knowledge_base: { learnings: { scope: string; approval_delay: number } }
    metrics: { enabled: boolean }
  }
  inherited: string[]
  /** Of a change only. */
  warnings?: unknown[]
}

function ask(key: KeyName, query = '', base?: string): Promise<Reply> {
  return call(path + query, { key: demo.keys[key], ...(base && { base }) })
}

async function read(query = '', key: KeyName = 'other_tenant'): Promise<Settings> {
  const reply = await ask(key, query)
  assertPage(reply)
  return reply.body as Settings
}

function patch(body: unknown, key: KeyName = 'other_tenant'): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  return call(path, { method: 'PATCH', key: demo.keys[key], headers, body: JSON.stringify(body) })
}

async function change(learnings: object, repository_id?: string): Promise<Settings> {
  const reply = await patch({
    settings: { knowledge_base: { learnings } },
    ...(repository_id && { repository_id }),
  })
  assertPage(reply)
  return reply.body as Settings
}

test('settings have exactly organization_id, repository_id, settings and inherited [P12-settings-1]', async () => {
  const whole = await read()
  assert.deepEqual(Object.keys(whole), ['organization_id', 'repository_id', 'settings', 'inherited'])
  assert.deepEqual([whole.organization_id, whole.repository_id], [providerId, null])
  assert.deepEqual(Object.keys(whole.settings), ['knowledge_base', 'metrics', 'currency', 'reviewers'])
  assert.deepEqual(Object.keys(whole.settings.knowledge_base.learnings), ['scope', 'approval_delay'])
  assert.equal(whole.settings.metrics.enabled, true)
  assert.equal((await read('', 'metrics_off')).settings.metrics.enabled, false)
})

test('a repository inherits from the organization, and null removes its own value [P12-settings-1]', async () => {
  try {
    const whole = await change({ scope: 'global', approval_delay: 7 })
    assert.deepEqual(whole.inherited, ['currency', 'reviewers'])
    const inheriting = await read(`?repository_id=${repository}`)
    assert.deepEqual(inheriting.settings.knowledge_base.learnings, { scope: 'global', approval_delay: 7 })
    assert.deepEqual(inheriting.inherited, [scopeName, delayName, 'metrics.enabled', 'currency', 'reviewers'])
    const own = await change({ scope: 'local' }, repository)
    assert.deepEqual(own.settings.knowledge_base.learnings, { scope: 'local', approval_delay: 7 })
    assert.deepEqual(own.inherited, [delayName, 'metrics.enabled', 'currency', 'reviewers'])
    const { warnings, ...stored } = own
    assert.deepEqual(warnings, [])
    assert.deepEqual(await read(`?repository_id=${repository}`), stored)
    const [row] = (await readAudit('actions=learning_setting_changed', 'other_tenant')).data
    assert.ok(row, 'the change is audited')
  } finally {
    const removed = await change({ scope: null }, repository)
    assert.deepEqual(removed.inherited, [scopeName, delayName, 'metrics.enabled', 'currency', 'reviewers'])
    const unset = await change({ scope: null, approval_delay: null })
    assert.deepEqual(unset.settings.knowledge_base.learnings, { scope: 'auto', approval_delay: 0 })
    assert.deepEqual(unset.inherited, [scopeName, delayName, 'currency', 'reviewers'])
  }
})

test('metrics.enabled is read-only, and other values are 400; an unknown repository is 404 [P12-settings-2]', async () => {
  for (const settings of [
    { metrics: { enabled: false } },
    { knowledge_base: { learnings: { scope: 'all' } } },
    { knowledge_base: { learnings: { approval_delay: 31 } } },
    { knowledge_base: { learnings: { delay: 1 } } },
  ])
    assertError(await patch({ settings }), 400, 'INVALID_REQUEST', JSON.stringify(settings))
  assertError(await patch({}), 400, 'INVALID_REQUEST')
  assertError(await ask('other_tenant', '?repository_id=nobody'), 404, 'NOT_FOUND')
  assertError(await patch({ repository_id: 'nobody', settings: {} }), 404, 'NOT_FOUND')
})

test('settings are for all plans and an Admin’s key; a workspace token names an organization [P12-settings-1]', async () => {
  assertPage(await ask('lower_plan'))
  assertError(await ask('legacy'), 410, 'LEGACY_API_KEY')
  assertError(await ask('agentic'), 403, 'KEY_KIND_NOT_ALLOWED')
  assertError(await ask('workspace'), 400, 'ORG_ID_REQUIRED')
  const home = at(organizationsOf('workspace'), 0)
  assert.equal((await read(`?org_id=${home.org_id}`, 'workspace')).organization_id, home.org_id)
})

test('settings allow 60 requests in 60 s [P12-settings-2]', async () => {
  const reply = await ask('metrics_off', '', strict())
  assert.equal(reply.headers.get('ratelimit-policy'), '"settings";q=60;w=60')
})
