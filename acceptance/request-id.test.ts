import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, requestIdPattern } from '../cli/src/conformance/http.ts'
import { call, demo, listPaths, repositoriesPath } from './service.ts'

const { workspace, legacy, lower_plan, workspace_demoted_owner } = demo.keys
const key = workspace

test('every response carries an x-request-id of 1 to 128 allowed characters [P1-reqid-1]', async () => {
  for (const reply of await everyKindOfReply({})) {
    assert.match(reply.headers.get('x-request-id') ?? '', requestIdPattern, `${reply.status} ${reply.text}`)
  }
})

test('an allowed x-request-id of the caller is taken over, on every response [P1-reqid-2]', async () => {
  const headers = { 'x-request-id': 'Caller-1.of_Many' }
  for (const reply of await everyKindOfReply(headers)) {
    assert.equal(reply.headers.get('x-request-id'), 'Caller-1.of_Many', `${reply.status} ${reply.text}`)
  }
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
