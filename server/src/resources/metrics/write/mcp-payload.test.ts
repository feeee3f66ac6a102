import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { findMcpUsageFault, McpUsedPayload, normalizeMcpUsage } from './mcp-payload.ts'

const pullRequest = { organization: { provider: 'github', id: '1' }, repository: { id: '2' }, number: 3 }
const withTools = (...tools: object[]) => ({ ...pullRequest, servers: [{ name: 'linear', tools }] })
const search = { name: 'search' }

test('calls default to 1 and errors to 0', () => {
  const payload = withTools(search, { ...search, calls: 7, errors: 2, note: 'new' })
  assert.ok(Value.Check(McpUsedPayload, payload))
  assert.deepEqual(normalizeMcpUsage(payload).servers, [
    {
      name: 'linear',
      tools: [
        { name: 'search', calls: 1, errors: 0 },
        { name: 'search', calls: 7, errors: 2 },
      ],
    },
  ])
})

test('names, counts and lists have limits', () => {
  const wrong = [
    pullRequest,
    { ...pullRequest, servers: [] },
    withTools(),
    withTools({}),
    withTools({ name: '' }),
    withTools({ name: 'two\nlines' }),
    withTools({ name: 'x'.repeat(129) }),
    withTools({ ...search, calls: 0 }),
    withTools({ ...search, calls: 1.5 }),
    withTools({ ...search, calls: 1_000_001 }),
    withTools({ ...search, errors: -1 }),
    withTools(...Array.from({ length: 201 }, () => search)),
    { ...pullRequest, servers: Array.from({ length: 51 }, () => ({ name: 'a', tools: [search] })) },
  ]
  for (const payload of wrong) assert.ok(!Value.Check(McpUsedPayload, payload), JSON.stringify(payload))
  const large = withTools({ name: '…'.repeat(128), calls: 1_000_000, errors: 1_000_000 })
  assert.ok(Value.Check(McpUsedPayload, large))
  assert.equal(findMcpUsageFault(large), null)
})

test('more errors than calls are rejected; the message has the path but not the value', () => {
  const payload = withTools(search, { ...search, calls: 2, errors: 3 })
  assert.ok(Value.Check(McpUsedPayload, payload))
  assert.equal(findMcpUsageFault(payload), 'servers.0.tools.1.errors must not exceed calls.')
  const alone = withTools({ ...search, errors: 2 })
  assert.ok(Value.Check(McpUsedPayload, alone))
  assert.equal(findMcpUsageFault(alone), 'servers.0.tools.0.errors must not exceed calls.')
})

test('credentials in names are redacted; ordinary names are unchanged', () => {
  const normalizeName = (name: string) =>
    normalizeMcpUsage({ ...pullRequest, servers: [{ name, tools: [{ name }] }] }).servers
  const usual = [
    'linear',
    'mcp__github__create_pull_request_review',
    'com.atlassian/jira-cloud',
    'https://mcp.sentry.dev/mcp',
    'read_secret_names',
    'aws-secrets-manager.list',
    'get-token-usage',
    'playwright:browser_click',
    '@modelcontextprotocol/server-filesystem',
  ]
  for (const name of usual)
    assert.deepEqual(normalizeName(name), [{ name, tools: [{ name, calls: 1, errors: 0 }] }])
  const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
  for (const name of [`https://mcp.example.com/?token=${secret}`, `server ${secret}`]) {
    const [server] = normalizeName(name)
    assert.ok(!JSON.stringify(server).includes(secret))
    assert.match(server?.tools[0]?.name ?? '', /\[REDACTED:/)
  }
})
