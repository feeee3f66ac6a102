import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  call,
  demo,
  listPaths,
  organizationsPath,
  type Reply,
  repositoriesPath,
  requestIdPattern,
} from './service.ts'

const { workspace, legacy, lower_plan, workspace_demoted_owner } = demo.keys
const key = workspace

test('every response carries an x-request-id of 1 to 128 allowed characters', async () => {
  for (const reply of await everyKindOfReply({})) {
    assert.match(reply.headers.get('x-request-id') ?? '', requestIdPattern, `${reply.status} ${reply.text}`)
  }
})

test('an allowed x-request-id of the caller is taken over, on every response', async () => {
  const headers = { 'x-request-id': 'Caller-1.of_Many' }
  for (const reply of await everyKindOfReply(headers)) {
    assert.equal(reply.headers.get('x-request-id'), 'Caller-1.of_Many', `${reply.status} ${reply.text}`)
  }
})

test('an x-request-id of 1 to 128 of A–Z a–z 0–9 . _ - is allowed', async () => {
  const allowed = ['a', '0', '.', '_', '-', 'AZaz09._-', '-'.repeat(128), 'x'.repeat(128)]
  for (const id of allowed) {
    const reply = await call(organizationsPath, { key, headers: { 'x-request-id': id } })
    assert.equal(reply.headers.get('x-request-id'), id)
  }
})

test('any other x-request-id of the caller is replaced', async () => {
  const refused = [
    '',
    'x'.repeat(129),
    'x'.repeat(2000),
    'a b',
    'a, b',
    'a/b',
    'a+b',
    'a:b',
    'a\tb',
    'ä',
    '<b>',
  ]
  for (const id of refused) {
    const reply = await call(organizationsPath, { key, headers: { 'x-request-id': id } })
    const given = reply.headers.get('x-request-id') ?? ''
    assert.equal(reply.status, 200, `${id} does not refuse the request`)
    assert.match(given, requestIdPattern)
    assert.notEqual(given, id)
  }
})

test('two requests without an x-request-id get two different ones', async () => {
  const given = new Set<string | null>()
  for (let count = 0; count < 20; count += 1) {
    given.add((await call(organizationsPath, { key })).headers.get('x-request-id'))
  }
  assert.equal(given.size, 20)
})

async function everyKindOfReply(headers: Record<string, string>): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const path of listPaths) {
    replies.push(await call(path, { key, headers }))
    replies.push(await call(path, { headers }))
    replies.push(await call(`${path}?limit=0`, { key, headers }))
    replies.push(await call(`${path}?cursor=x`, { key, headers }))
    replies.push(await call(path, { key: legacy, headers }))
    replies.push(await call(path, { key: workspace_demoted_owner, headers }))
    replies.push(await call(path, { key: lower_plan, headers }))
    replies.push(await call(path, { key, headers, method: 'POST' }))
    replies.push(await call(path, { key, headers, method: 'HEAD' }))
  }
  for (const path of ['/v1/nothing', repositoriesPath('x'), repositoriesPath('%zz')]) {
    replies.push(await call(path, { key, headers }))
  }
  for (const path of ['/nothing', '/healthz', '/readyz', '/openapi.json', '/docs']) {
    replies.push(await call(path, { headers }))
  }
  return replies
}
