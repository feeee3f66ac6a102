import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { CallToolResult } from '@modelcontextprotocol/client'
import pg from 'pg'
import { Type } from 'typebox'
import { type CallOptions, startService, type TestResponse, type TestService } from '../../../test/call.ts'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { connectAgent } from '../../../test/engines/agent.ts'
import { createTenant, type Tenant } from '../../../test/tenant.ts'
import { organizations } from '../../resources/organizations/route.ts'
import { closed } from '../../shape.ts'
import type { Endpoint } from '../endpoint.ts'
import { ok } from '../reply.ts'
import type { Tool } from './tool.ts'

const invited = 'https://editor.example.com'

const echo: Endpoint = {
  ...organizations,
  method: 'POST',
  path: '/mcp/echo',
  operationId: 'echo',
  keys: { ...organizations.keys, instance: 'KEY_KIND_NOT_ALLOWED' },
  organization: 'required',
  limit: 'review-context',
  readOnly: true,
  query: Type.Object({}, closed),
  body: Type.Object({ said: Type.Unknown(), org_id: Type.Optional(Type.String()) }, closed),
  paging: null,
  replies: { 200: { description: 'The same', body: Type.Object({ said: Type.Unknown() }, closed) } },
  async run({ tx }, { body }) {
    const { said } = body as { said: unknown }
    if (said === 'fail') throw new Error('a defect that tells nobody the word swordfish')
    await tx.query({ name: 'test.one', text: 'select 1' }, [])
    return ok({ said })
  },
}
const tool: Tool = {
  name: 'echo',
  title: 'Echo',
  description: 'Says the same.',
  endpoint: echo,
  renderText: (answer) => `you said ${JSON.stringify((answer as { said: unknown }).said)}`,
}

let database: TestDatabase
let tenant: Tenant
let service: TestService
let base: string
let key: string

before(async () => {
  database = await createDatabase()
  tenant = await createTenant(database)
  const settings = { MCP_ORIGINS: `https://other.example.com,${invited}` }
  service = startService(database, settings, [organizations], [], [tool])
  base = await service.listen()
  key = (await tenant.createKey('agentic')).value
})
after(async () => {
  await Promise.all([service.stop(), tenant.close()])
  await database.drop()
})

const accept = { accept: 'application/json, text/event-stream' }
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const sayingOf = (said: unknown, id: unknown = 1) => ({
  ...listTools,
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { said } },
})

function post(body: unknown, options: CallOptions = {}): Promise<TestResponse> {
  const { headers, ...rest } = options
  return service.call('/mcp', { key, method: 'POST', body, headers: { ...accept, ...headers }, ...rest })
}

interface RpcError {
  readonly jsonrpc: string
  readonly id: unknown
  readonly error: { readonly code: number; readonly message: string; readonly data: { code: string } }
}
function refusal(answer: TestResponse): [number, string] {
  const { jsonrpc, id, error } = answer.body as unknown as RpcError
  assert.deepEqual([jsonrpc, id, error.code], ['2.0', null, -32000], answer.text)
  return [answer.status, error.data.code]
}
const textOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : assert.fail())

for (const revision of ['older', 'newest'] as const) {
  test(`a client of the ${revision} revision lists the tools and calls them`, async () => {
    const client = await connectAgent(base, key, revision)
    const { tools } = await client.listTools()
    const [listed] = tools
    assert.equal(tools.length, 1)
    assert.deepEqual([listed?.name, listed?.title, listed?.annotations?.readOnlyHint], ['echo', 'Echo', true])
    assert.deepEqual(listed?.inputSchema, JSON.parse(JSON.stringify(echo.body)))
    assert.match(client.getInstructions() ?? '', /when a person approves it/)
    const result = await client.callTool({ name: 'echo', arguments: { said: ['é', null] } })
    assert.deepEqual(result.structuredContent, { said: ['é', null] })
    assert.equal(textOf(result), 'you said ["é",null]')
    assert.ok(!result.isError)
    await client.close()
  })

  test(`what the pipeline of a tool refuses is an error of the call for a client of the ${revision} revision`, async () => {
    const client = await connectAgent(base, key, revision)
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args })
      assert.ok(result.isError && result.structuredContent === undefined)
      return textOf(result)
    }
    assert.match(await call('echo', {}), /^INVALID_REQUEST: .*said/)
    assert.match(await call('echo', { said: 1, more: 1 }), /^INVALID_REQUEST: .*unknown field "more"/)
    assert.match(await call('elsewhere', {}), /This tool does not exist/)
    const failure = await call('echo', { said: 'fail' })
    assert.match(failure, /^INTERNAL_ERROR: .*request id/)
    assert.ok(!failure.includes('swordfish'))
    await client.close()
  })
}

test('no key, a wrong one and a revoked one are 401 before anything else is looked at', async () => {
  const revoked = (await tenant.createKey('user', { revoked: true })).value
  for (const dead of [undefined, 'x', revoked]) {
    for (const options of [
      { body: listTools },
      { payload: '{', headers: { 'content-type': 'application/json' } },
      {
        payload: 'x'.repeat(5_000_000),
        headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
      },
    ]) {
      const answer = await service.call('/mcp?x=1', { ...options, key: dead, method: 'POST' })
      assert.deepEqual(refusal(answer), [401, 'UNAUTHORIZED'])
    }
  }
  await assert.rejects(connectAgent(base, revoked))
})

test('a page of an origin that was not invited is 403, no origin or an invited one is served', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    '',
    `${invited}.evil.example`,
    'http://editor.example.com',
  ]) {
    assert.deepEqual(
      refusal(await post(listTools, { headers: { origin } })),
      [403, 'PERMISSION_DENIED'],
      origin,
    )
  }
  for (const headers of [{}, { origin: invited }, { origin: invited.toUpperCase() }])
    assert.equal((await post(listTools, { headers })).status, 200)
})

test('MCP_ORIGINS that no browser could ever send are reported at start-up', () => {
  for (const wrong of ['editor.example.com', `${invited}/`, `${invited}/path`, '*', 'null'])
    assert.throws(() => startService(database, { MCP_ORIGINS: wrong }), /MCP_ORIGINS must be/, wrong)
})

test('the kinds of keys are checked for every message, and refusals of known callers are audited', async () => {
  const expected = {
    organization: null,
    user: null,
    workspace: null,
    agentic: null,
    instance: [403, 'KEY_KIND_NOT_ALLOWED'],
    legacy: [410, 'LEGACY_API_KEY'],
  } as const
  for (const [kind, refused] of Object.entries(expected)) {
    const { value } = await tenant.createKey(kind as keyof typeof expected)
    const answer = await post(listTools, { key: value })
    if (refused === null) assert.equal(answer.status, 200, kind)
    else assert.deepEqual(refusal(answer), refused, kind)
  }
  const demoted = await tenant.createKey('workspace', { demotedOwner: true })
  assert.deepEqual(refusal(await post(listTools, { key: demoted.value })), [403, 'OWNER_NOT_ADMIN'])
  assert.deepEqual(await audited(demoted.id), ['OWNER_NOT_ADMIN POST /mcp'])
})

async function audited(keyId: string): Promise<string[]> {
  const superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  const { rows } = await superuser.query<{ refusal: string }>(
    `select metadata->>'code' || ' ' || (metadata->>'route') as refusal from audit_log
     where actor_id = $1 and action = 'request_refused' order by 1`,
    [keyId],
  )
  await superuser.end()
  return rows.map((row) => row.refusal)
}

test('a tool is refused by its endpoint, with the audit row of its endpoint', async () => {
  const workspace = await tenant.createKey('workspace')
  const client = await connectAgent(base, workspace.value)
  const say = async (args: object) =>
    textOf(await client.callTool({ name: 'echo', arguments: { said: 1, ...args } }))
  assert.match(await say({}), /^ORG_ID_REQUIRED: /)
  assert.match(await say({ org_id: tenant.alone.organizations[0].orgId }), /^ORGANIZATION_NOT_FOUND: /)
  assert.equal(await say({ org_id: tenant.workspace.organizations[1]?.orgId }), 'you said 1')
  assert.deepEqual(await audited(workspace.id), ['ORGANIZATION_NOT_FOUND POST /mcp/echo'])
  await client.close()
})

test('a body is JSON of at most 4 MiB and 64 levels, and nothing is in the query', async () => {
  const json = { 'content-type': 'application/json' }
  const sent: [CallOptions, number, string][] = [
    [{ payload: '{}', headers: { 'content-type': 'text/plain' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ payload: '{', headers: json }, 400, 'INVALID_REQUEST'],
    [{ payload: '"x"', headers: json }, 400, 'INVALID_REQUEST'],
    [{ payload: '[]', headers: json }, 400, 'INVALID_REQUEST'],
    [{ payload: '[1]', headers: json }, 400, 'INVALID_REQUEST'],
    [{ payload: JSON.stringify(sayingOf('\0')), headers: json }, 400, 'INVALID_REQUEST'],
    [{ payload: `${'['.repeat(100_000)}${']'.repeat(100_000)}`, headers: json }, 400, 'INVALID_REQUEST'],
    [{ payload: JSON.stringify(sayingOf('x'.repeat(5_000_000))), headers: json }, 413, 'PAYLOAD_TOO_LARGE'],
    [
      {
        payload: gzipSync(JSON.stringify(sayingOf('x'.repeat(5_000_000)))),
        headers: { ...json, 'content-encoding': 'gzip' },
      },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ]
  for (const [call, ...expected] of sent) {
    const headers = { ...accept, ...call.headers }
    assert.deepEqual(refusal(await service.call('/mcp', { key, method: 'POST', ...call, headers })), expected)
  }
  assert.equal(
    (await service.call('/mcp?a=1', { key, method: 'POST', headers: accept, body: listTools })).status,
    400,
  )
})

test('methods other than POST are 405, so that a client knows there is nothing to listen to', async () => {
  for (const method of ['GET', 'DELETE', 'PUT'] as const) {
    const answer = await service.call('/mcp', { key, method })
    assert.deepEqual([answer.status, answer.headers['allow']], [405, 'POST'])
  }
})

test('a batch is answered message by message, and bounded', async () => {
  const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const answer = await post([sayingOf('one'), note, sayingOf('two'), { ...listTools, method: 'nowhere' }])
  assert.equal(answer.status, 200)
  const replies = answer.body as unknown as {
    id: number
    result?: CallToolResult
    error?: { code: number }
  }[]
  assert.deepEqual(
    replies.map(({ result, error }) => result?.structuredContent ?? error?.code),
    [{ said: 'one' }, { said: 'two' }, -32601],
  )
  const noted = await post([note, note])
  assert.deepEqual([noted.status, noted.text], [202, ''])
  assert.deepEqual(refusal(await post(Array.from({ length: 21 }, () => note))), [400, 'INVALID_REQUEST'])
})

test('nobody can listen for changes, and a revision that is not known is refused', async () => {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const listen = {
    ...listTools,
    method: 'subscriptions/listen',
    params: { notifications: {}, _meta: envelope },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const listening = await post(listen, { headers })
  assert.match(listening.text, /Subscription limit reached/)
  const unknown = await post(listTools, { headers: { 'mcp-protocol-version': '1999-01-01' } })
  assert.equal(unknown.status, 400)
})

test('calls are counted by the endpoint of their tool, what only asks for the list is not [P1-limit-14]', async () => {
  const of = await createTenant(database)
  const own = (await of.createKey('user')).value
  const narrow = startService(database, { LIMIT_REVIEW_CONTEXT: '2/60' }, [], [], [tool])
  const send = (body: unknown) => narrow.call('/mcp', { key: own, method: 'POST', headers: accept, body })
  for (let turn = 0; turn < 5; turn++) assert.equal((await send(listTools)).status, 200)
  const results = []
  for (let turn = 0; turn < 3; turn++) {
    const { result } = (await send(sayingOf(turn))).body as unknown as { result: CallToolResult }
    results.push(result.isError ? textOf(result).split(':')[0] : 'said')
  }
  assert.deepEqual(results, ['said', 'said', 'RATE_LIMIT_EXCEEDED'])
  await Promise.all([narrow.stop(), of.close()])
})
