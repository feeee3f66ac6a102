import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type AuditEntry, read } from './audit-data.ts'
import { firstRepository } from './learnings-data.ts'
import { patch, postBatch, remove } from './learnings-writes.ts'
import { call, demo } from './service.ts'

type Role = { id: string; name: string }

async function send(method: string, path: string, body?: object): Promise<Role> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const reply = await call(path, {
    method,
    key: demo.keys.user,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(reply.status < 300, reply.text)
  return reply.body as Role
}

const hashOf = (text: string) => `sha256:${hash('sha256', text)}`
const permission = (name: string) => {
  const [resource_id, access_type] = name.split(':')
  return { resource_id, access_type }
}

async function rowsOf(id: string, query: string): Promise<AuditEntry[]> {
  const { data } = await read(`${query}&page_size=100`, 'organization')
  return data.filter(({ metadata }) => metadata['resource_id'] === id)
}

test('a changed description and a changed permission look different, each with its values before and after [P11-audit-1]', async () => {
  const permissions = [permission('metrics:read')]
  const name = randomUUID()
  const { id } = await send('POST', '/v1/roles', { name, description: 'Reads metrics', permissions })
  await send('PATCH', `/v1/roles/${id}`, { description: 'Reads the metrics' })
  await send('PATCH', `/v1/roles/${id}`, { permissions: [...permissions, permission('audit_log:read')] })
  await send('PATCH', `/v1/roles/${id}`, { name: `${name} 2` })
  await send('DELETE', `/v1/roles/${id}`)
  const [deleted, renamed, granted, described, created] = await rowsOf(id, 'resource_types=role')
  const description = hashOf('Reads the metrics')
  assert.deepEqual(created?.metadata['before'], undefined)
  assert.deepEqual(created?.metadata['after'], {
    description: hashOf('Reads metrics'),
    is_default: false,
    permissions: ['metrics:read'],
  })
  assert.deepEqual(described?.metadata['before'], { description: hashOf('Reads metrics') })
  assert.deepEqual(described?.metadata['after'], { description })
  assert.deepEqual(granted?.metadata['before'], { permissions: ['metrics:read'] })
  assert.deepEqual(granted?.metadata['after'], { permissions: ['metrics:read', 'audit_log:read'] })
  assert.deepEqual(renamed?.metadata['before'], { name })
  assert.deepEqual(renamed?.metadata['after'], { name: `${name} 2` })
  assert.deepEqual(deleted?.metadata['after'], undefined)
  const summaries = [described, granted, renamed].map((row) => row?.resourceSummary)
  assert.deepEqual(summaries, [
    `Role ${name} was changed (description)`,
    `Role ${name} was changed (permissions)`,
    `Role ${name} 2 was changed (name)`,
  ])
})

test('the hashed content of a row has no name and no text; personal values are beside it and match their digests [P11-audit-2 P11-audit-6]', async () => {
  const name = randomUUID()
  const { id } = await send('POST', '/v1/roles', { name, description: `Secret ${name}` })
  await send('PATCH', `/v1/roles/${id}`, { name: `${name} 2` })
  await send('DELETE', `/v1/roles/${id}`)
  const learning = `Prefer the lock ${randomUUID()} to a queue.`
  const { results } = await postBatch([{ repository_id: firstRepository.repository_id, learning }])
  const created = results[0]?.id ?? assert.fail(JSON.stringify(results))
  const changed = learning.replace('Prefer', 'Always prefer')
  assert.equal((await patch(created, changed)).status, 200)
  assert.equal((await remove(created)).status, 204)
  const rows = [
    ...(await rowsOf(id, 'resource_types=role')),
    ...(await rowsOf(created, 'resource_types=learning')),
  ]
  assert.equal(rows.length, 6)
  for (const row of rows) {
    assert.ok(![name, learning, changed, '127.0.0.1'].some((text) => row.content.includes(text)), row.content)
    const content = JSON.parse(row.content) as { id: string; sealed: Record<string, string> }
    assert.equal(content.id, row.id)
    for (const [field, { salt, value }] of Object.entries(row.personalValues))
      assert.equal(content.sealed[field], hash('sha256', salt + value), field)
    assert.deepEqual(Object.keys(content.sealed).sort(), Object.keys(row.personalValues).sort())
  }
  const updated = rows.find(({ action }) => action === 'learning_updated')
  assert.deepEqual(updated?.metadata['before'], { learning: hashOf(learning) })
  assert.deepEqual(updated?.metadata['after'], { learning: hashOf(changed) })
})

test('the person behind a key is named as its owner, and search finds the rows by that name [P11-audit-3]', async () => {
  const { id } = await send('POST', '/v1/roles', { name: randomUUID() })
  await send('DELETE', `/v1/roles/${id}`)
  const [deleted] = await rowsOf(id, 'resource_types=role')
  if (!deleted?.actor.owner) return assert.fail('the row names the owner of the key')
  const { owner, subtitle } = deleted.actor
  assert.ok(subtitle?.endsWith(` of ${owner.name}`), subtitle ?? '')
  const content = JSON.parse(deleted.content) as { metadata: Record<string, unknown> }
  assert.equal(content.metadata['actor_owner_id'], owner.id)
  const query = `resource_types=role&search=${encodeURIComponent(owner.name.toUpperCase())}`
  assert.ok((await rowsOf(id, query)).length === 2)
  const { data } = await read(`${query}&page_size=100`, 'organization')
  for (const { actor } of data) assert.ok([actor.name, actor.owner?.name].includes(owner.name))
  const { data: others } = await read('search=operator&page_size=100')
  for (const { actor } of others) assert.equal(actor.owner, null)
})

test('unknown values of actions and resource_types match nothing and are named in warnings [P11-audit-4]', async () => {
  assert.deepEqual((await read('actions=role_created,role_deleted')).warnings, [])
  for (const mode of ['', '&cursor=start']) {
    const page = await read(`actions=role_crated,role_created&resource_types=roles,role${mode}`)
    assert.deepEqual(
      page.warnings.map(({ parameter, value }) => [parameter, value]),
      [
        ['actions', 'role_crated'],
        ['resource_types', 'roles'],
      ],
    )
    for (const { value, message } of page.warnings) assert.ok(message.includes(`"${value}"`), message)
    assert.ok(page.data.every(({ action }) => action === 'role_created'))
    const nothing = await read(`actions=role_crated${mode}`)
    assert.deepEqual([nothing.data, nothing.warnings.length], [[], 1])
    const noType = await read(`resource_types=__proto__${mode}`)
    assert.deepEqual([noType.data, noType.warnings.length], [[], 1])
  }
})

test('role changes have one action, by the API and by the operator [P11-audit-7]', async () => {
  const { filter_options } = await read('', 'instance')
  const values = filter_options.actions.map(({ value }) => value)
  assert.deepEqual(
    values.filter((value) => /role_changed/.test(value) && value !== 'role_changed'),
    ['person_role_changed'],
  )
})
