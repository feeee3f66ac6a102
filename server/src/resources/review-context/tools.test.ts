import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type pg from 'pg'
import { startService, type TestService } from '../../../test/call.ts'
import { makeDatabase, type TestDatabase } from '../../../test/database.ts'
import { connectAgent } from '../../../test/engines/agent.ts'
import { type KeyOptions, makeTenant, type Tenant } from '../../../test/tenant.ts'
import type { KeyKind } from '../../access/key-format.ts'
import { tools } from '../../routes.ts'
import type { Explanation } from './schema.ts'

const money = 'Amounts of money are integers of the smallest unit.'

let database: TestDatabase
let superuser: pg.Pool
let tenant: Tenant
let service: TestService
let base: string
let repository: string
let id: string

before(async () => {
  database = await makeDatabase()
  superuser = database.superuser()
  tenant = await makeTenant(database)
  service = startService(database, { LIMIT_LEARNINGS_WRITES: 'off' })
  base = await service.listen()
  repository = tenant.workspace.organizations[0].repositories[0]?.repositoryId ?? assert.fail()
  id = await write({ learning: money, file: 'src/pay.ts', source_url: 'https://git.example.com/pull/7' })
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), superuser.end()])
  await database.drop()
})

async function write(item: object): Promise<string> {
  const { value } = await tenant.createKey('user')
  const body = { data: [{ repository_id: repository, ...item }] }
  const response = await service.call('/v1/learnings', { key: value, method: 'POST', body })
  const { results } = response.body as unknown as { results: { id?: string }[] }
  return results[0]?.id ?? assert.fail(response.text)
}

/** Calls a tool with a real MCP client. */
async function call(
  name: string,
  args: Record<string, unknown>,
  kind: KeyKind = 'agentic',
  options: KeyOptions = {},
): Promise<CallToolResult> {
  const client = await connectAgent(base, (await tenant.createKey(kind, options)).value, 'newest')
  const result = await client.callTool({ name, arguments: args })
  await client.close()
  return result
}
const textOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : assert.fail())
const setState = (of: string, state: string) =>
  superuser.query(
    `update learning set state = $2, position = case when $2 = 'shared' then 1000000 end where id = $1`,
    [of, state],
  )

test('every tool has closed input and output schemas and allows agentic keys', () => {
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['search_learnings', 'explain_learning', 'propose_learning'],
  )
  for (const { name, endpoint } of tools) {
    assert.deepEqual(
      [endpoint.keys, endpoint.limit, endpoint.organization, endpoint.plan, endpoint.method],
      [
        {
          organization: 'allowed',
          user: 'allowed',
          workspace: 'allowed',
          instance: 'KEY_KIND_NOT_ALLOWED',
          legacy: 'LEGACY_API_KEY',
          agentic: 'allowed',
        },
        'review-context',
        'required',
        'enterprise',
        'POST',
      ],
      name,
    )
    for (const shape of [endpoint.body, endpoint.replies[200]?.body])
      assert.equal((shape as { additionalProperties?: unknown }).additionalProperties, false, name)
  }
})

test('the text result of a search contains text, file, reason and id', async () => {
  const result = await call('search_learnings', { repository_id: repository, text: 'money as integers' })
  const { learnings } = result.structuredContent as { learnings: { id: string; reason: string }[] }
  const shown = textOf(result)
  for (const part of [money, 'src/pay.ts', learnings[0]?.reason ?? assert.fail(), id])
    assert.ok(shown.includes(part), shown)
  const nothing = await call('search_learnings', {
    repository_id: repository,
    text: 'a',
    pull_request: 3,
    k: 1,
  })
  assert.ok(!nothing.isError)
})

test('explains a Learning with its origin and usage', async () => {
  await superuser.query(`update learning set usage_count = 0, last_used_at = null where id = $1`, [id])
  const result = await call('explain_learning', { learning_id: id })
  const { created_at, author_username, ...shown } = result.structuredContent as Explanation
  assert.deepEqual(shown, {
    id,
    state: 'shared',
    learning: money,
    file: 'src/pay.ts',
    repository_id: repository,
    repository_name: 'repository-0',
    source: 'api',
    source_url: 'https://git.example.com/pull/7',
    usage_count: 0,
    last_used_at: null,
  })
  assert.ok(Date.now() - Date.parse(created_at ?? '') < 60_000)
  assert.match(textOf(result), new RegExp(`by ${author_username}[^]*pull/7[^]*Never used`))
  await call('search_learnings', { repository_id: repository, text: money })
  const used = (await call('explain_learning', { learning_id: id })).structuredContent as Explanation
  assert.equal(used.usage_count, 1)
  assert.ok(Date.now() - Date.parse(used.last_used_at ?? '') < 60_000)
})

test('returns only the state of a pending or disapproved Learning, and 404 for a private one', async () => {
  const secret = 'Not yet for everybody.'
  const waiting = await write({ learning: secret })
  for (const state of ['pending', 'disapproved']) {
    await setState(waiting, state)
    const result = await call('explain_learning', { learning_id: waiting })
    const { id: shown, state: is, ...rest } = result.structuredContent as Explanation
    assert.deepEqual([shown, is, new Set(Object.values(rest))], [waiting, state, new Set([null])])
    assert.ok(!JSON.stringify(result).includes(secret))
  }
  await setState(waiting, 'private')
  assert.match(textOf(await call('explain_learning', { learning_id: waiting })), /^NOT_FOUND: /)
  await setState(waiting, 'shared')
})

test('a Learning of another tenant or organization gives the same response as an unknown one', async () => {
  const args = { learning_id: id }
  const sibling = tenant.workspace.organizations[1] ?? assert.fail()
  const responses = [
    await call('explain_learning', args, 'user', { of: 'alone' }),
    await call('explain_learning', { ...args, org_id: sibling.orgId }, 'workspace'),
    await call('explain_learning', args, 'agentic', { organization: sibling.id }),
    await call('explain_learning', { learning_id: '00000000-0000-4000-8000-000000000000' }),
  ]
  for (const response of responses) assert.deepEqual(response, responses[0])
  assert.match(textOf(responses[0] ?? assert.fail()), /^NOT_FOUND: /)
})

test('a proposal is pending, is audited without its text, and requires learning:write', async () => {
  const learning = 'Queues are drained before a worker stops.'
  const args = { repository_id: repository, learning, file: 'src/worker.ts' }
  const denied = await call('propose_learning', args, 'agentic', { permissions: ['learning:read'] })
  assert.match(textOf(denied), /^PERMISSION_DENIED: /)
  const result = await call('propose_learning', args)
  const { id: proposed, state } = result.structuredContent as { id: string; state: string }
  assert.equal(state, 'pending')
  assert.match(textOf(result), /is pending until a person approves it/)
  const { rows } = await superuser.query<{ deadline: Date | null; source: string; state: string }>(
    'select deadline, source, state from learning where id = $1',
    [proposed],
  )
  assert.deepEqual(rows, [{ deadline: null, source: 'agent', state: 'pending' }])
  const { rows: audited } = await superuser.query<{ action: string; row: string }>(
    'select action, audit_log::text as row from audit_log where resource_id = $1',
    [proposed],
  )
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['learning_proposed'],
  )
  assert.ok(!audited[0]?.row.includes('drained'))
  const found = await call('search_learnings', {
    repository_id: repository,
    text: learning,
    files: ['src/worker.ts'],
  })
  assert.ok(!textOf(found).includes(learning))
  const again = await call('propose_learning', args)
  assert.deepEqual(again.structuredContent, { id: proposed, state: 'pending' })
  assert.match(
    textOf(await call('propose_learning', { ...args, learning: money })),
    /already shares this Learning/,
  )
})
