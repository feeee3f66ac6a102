import assert from 'node:assert/strict'
import type { Reply } from './http.ts'
import { requestIdPattern } from './http.ts'
import type { Rule } from './rule.ts'
import {
  assertRefused,
  learningsPath,
  organizationsPath,
  readableLists,
  repositoriesPath,
  requireAccess,
  requireLists,
  type Service,
} from './service.ts'

const noOrganization = repositoriesPath('00000000-0000-0000-0000-000000000000')

export const errorRules: readonly Rule[] = [
  {
    id: 'error-body',
    title: 'an error is a JSON object error with exactly code and message',
    contract: ['P1-errors-1', 'P1-code-1', 'P1-code-5', 'P1-code-16'],
    async check(service) {
      for (const { query } of requireLists(service)) {
        if (query.startsWith(learningsPath)) continue
        assertRefused(query, await service.call(`${query}limit=0`), 400, 'INVALID_REQUEST')
        assertRefused(query, await service.call(`${query}cursor=x`), 400, 'INVALID_CURSOR')
        assertRefused(query, await service.call(query, { key: null }), 401, 'UNAUTHORIZED')
      }
      assertRefused('/v1/nothing', await service.call('/v1/nothing'), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'error-body-learnings',
    title: 'an error of a Learnings endpoint is a JSON array errors of objects with exactly code and message',
    contract: ['P1-errors-2'],
    async check(service) {
      const unauthorized = await service.call(learningsPath, { key: null })
      assertRefused(learningsPath, unauthorized, 401, 'UNAUTHORIZED')
      if (!readableLists(service).some(({ path }) => path === learningsPath)) return
      const invalid = await service.call(`${learningsPath}?limit=0`)
      assertRefused(learningsPath, invalid, 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'unknown-path',
    title: 'an unknown path is 404 NOT_FOUND, with a key and without, for every method',
    contract: ['P1-code-16'],
    async check({ call }) {
      const paths = [
        '/v1',
        '/v1/',
        '/v1/nothing',
        '/v2/organizations',
        '/V1/organizations',
        '/v1/organization',
      ]
      for (const path of paths) {
        assertRefused(path, await call(path), 404, 'NOT_FOUND', path)
        assertRefused(path, await call(path, { key: null }), 404, 'NOT_FOUND', path)
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        assertRefused('/v1/nothing', await call('/v1/nothing', { method }), 404, 'NOT_FOUND', method)
    },
  },
  {
    id: 'method-not-allowed',
    title: 'a method that a path does not serve is 405 METHOD_NOT_ALLOWED with the allowed ones',
    contract: ['P1-code-18'],
    async check({ call }) {
      for (const path of [organizationsPath, noOrganization, '/v1/metrics/reviews']) {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          const reply = await call(path, { method })
          assertRefused(path, reply, 405, 'METHOD_NOT_ALLOWED', `${method} ${path}`)
          assert.equal(reply.headers.get('allow'), 'GET, HEAD', `${method} ${path}`)
        }
      }
    },
  },
  {
    id: 'method-before-body',
    title: 'a body does not turn a 405 into another refusal',
    contract: ['P1-code-18'],
    async check({ call }) {
      for (const [type, body] of [
        ['application/json', '{}'],
        ['application/json', '{'],
        ['text/plain', 'x'],
      ] as const) {
        const headers = { 'content-type': type }
        const reply = await call(organizationsPath, { method: 'POST', headers, body })
        assertRefused(organizationsPath, reply, 405, 'METHOD_NOT_ALLOWED', type)
      }
    },
  },
  {
    id: 'path-encoding',
    title: 'a path that cannot be decoded is 400 in the same error shape',
    contract: ['P1-shape-3'],
    async check(service) {
      requireAccess(service, 'GET', '/v1/organizations/{organization_id}/repositories')
      for (const id of ['%zz', '%', '%E0%A4%A']) {
        const path = repositoriesPath(id)
        assertRefused(path, await service.call(path), 400, 'INVALID_REQUEST')
      }
    },
  },
  {
    id: 'trailing-slash',
    title: 'a trailing slash is 404 with the right path in the message',
    contract: ['P11-slash-1'],
    async check({ call }) {
      for (const path of [organizationsPath, '/v1/users', learningsPath, '/v1/metrics/reviews'])
        for (const wrong of [`${path}/`, `${path}//`, `${path}/?limit=1`]) {
          const reply = await call(wrong)
          assertRefused(path, reply, 404, 'NOT_FOUND', wrong)
          assert.ok(reply.text.includes(`Use ${path}.`), `${wrong} ${reply.text}`)
        }
    },
  },
  {
    id: 'request-id-present',
    title: 'every response carries an x-request-id of 1 to 128 allowed characters',
    contract: ['P1-reqid-1'],
    async check(service) {
      for (const reply of await everyKindOfReply(service, {}))
        assert.match(reply.headers.get('x-request-id') ?? '', requestIdPattern, describe(reply))
    },
  },
  {
    id: 'request-id-of-caller',
    title: 'an allowed x-request-id of the caller is taken over, on every response',
    contract: ['P1-reqid-2'],
    async check(service) {
      const id = 'Caller-1.of_Many'
      for (const reply of await everyKindOfReply(service, { 'x-request-id': id }))
        assert.equal(reply.headers.get('x-request-id'), id, describe(reply))
      for (const allowed of ['a', '0', '.', '_', '-', 'AZaz09._-', '-'.repeat(128), 'x'.repeat(128)]) {
        const reply = await service.call('/v1/nothing', { headers: { 'x-request-id': allowed } })
        assert.equal(reply.headers.get('x-request-id'), allowed)
      }
    },
  },
  {
    id: 'request-id-replaced',
    title: 'any other x-request-id of the caller is replaced, and no two requests get the same one',
    contract: ['P1-reqid-2'],
    async check({ call }) {
      const refused = ['', 'x'.repeat(129), 'x'.repeat(2000), 'a b', 'a, b', 'a/b', 'a+b', 'a:b', 'ä', '<b>']
      const given = new Set<string>()
      for (const id of [...refused, ...refused]) {
        const reply = await call('/v1/nothing', { headers: { 'x-request-id': id } })
        const replaced = reply.headers.get('x-request-id') ?? ''
        assert.equal(reply.status, 404, `x-request-id "${id}" must not refuse the request`)
        assert.match(replaced, requestIdPattern)
        assert.notEqual(replaced, id)
        given.add(replaced)
      }
      assert.equal(given.size, refused.length * 2, 'two requests got the same x-request-id')
    },
  },
]

async function everyKindOfReply(service: Service, headers: Record<string, string>): Promise<Reply[]> {
  const [list] = requireLists(service)
  const query = list?.query ?? ''
  return [
    await service.call(query, { headers }),
    await service.call(query, { headers, method: 'HEAD' }),
    await service.call(query, { headers, key: null }),
    await service.call(`${query}limit=0`, { headers }),
    await service.call(`${query}cursor=x`, { headers }),
    await service.call(organizationsPath, { headers, method: 'POST' }),
    await service.call('/v1/nothing', { headers }),
    await service.call(repositoriesPath('%zz'), { headers }),
    await service.call('/openapi.json', { headers }),
  ]
}

function describe({ status, text }: Reply): string {
  return `${status} ${text.slice(0, 200)}`
}
