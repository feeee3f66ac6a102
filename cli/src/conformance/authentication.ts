import assert from 'node:assert/strict'
import { comparable } from './http.ts'
import type { Rule } from './rule.ts'
import { assertRefused, organizationsPath, requireLists, type Service } from './service.ts'

export const authenticationRules: readonly Rule[] = [
  {
    id: 'key-required',
    title: 'a request without a key is 401 UNAUTHORIZED, on every endpoint that reads',
    contract: ['S-auth-1', 'S-auth-2', 'P1-code-5'],
    async check(service) {
      const reads = service.self.endpoints.filter(({ method }) => method === 'GET')
      assert.ok(reads.length > 0, 'keys/self lists no endpoint')
      for (const { path } of reads) {
        const address = path.replaceAll(/\{\w+\}/g, '00000000-0000-0000-0000-000000000000')
        const reply = await service.call(address, { key: null })
        assertRefused(address, reply, 401, 'UNAUTHORIZED', `GET ${path} without a key`)
      }
    },
  },
  {
    id: 'key-malformed',
    title: 'an empty, malformed or altered key is the same 401 as no key',
    contract: ['S-auth-1', 'P2-format-2', 'P2-format-9'],
    async check(service) {
      const { key } = service
      const malformed = [
        '',
        'x',
        key.slice(0, 8),
        key.slice(0, -1),
        `${key}0`,
        key.toUpperCase(),
        `Bearer ${key}`,
        `${key}, ${key}`,
        'x'.repeat(4000),
        '%00',
        "' or 1=1 --",
      ]
      const altered = Array.from(key, (_, position) => alter(key, position))
      await assertSameAsNoKey(service, [...malformed, ...altered])
    },
  },
  {
    id: 'key-of-another-kind',
    title: 'a key with the prefix of another kind is the same 401 as no key',
    contract: ['P2-format-1', 'P2-format-9'],
    async check(service) {
      const prefixes = ['sch_org_', 'sch_usr_', 'sch_wsp_', 'sch_ins_', 'sch_leg_', 'sch_agt_']
      const others = prefixes.filter((prefix) => !service.key.startsWith(prefix))
      await assertSameAsNoKey(
        service,
        others.map((prefix) => prefix + service.key.slice(prefix.length)),
      )
    },
  },
  {
    id: 'key-header-only',
    title: 'a key counts only in the x-service-api-key header',
    contract: ['S-auth-1', 'P1-header-1'],
    async check(service) {
      for (const { query } of requireLists(service)) {
        const headers = { authorization: `Bearer ${service.key}` }
        const bearer = await service.call(query, { key: null, headers })
        assertRefused(query, bearer, 401, 'UNAUTHORIZED', 'the key in Authorization')
        const inQuery = await service.call(`${query}x-service-api-key=${service.key}`, { key: null })
        assertRefused(query, inQuery, 401, 'UNAUTHORIZED', 'the key in the query')
      }
    },
  },
]

async function assertSameAsNoKey(service: Service, keys: readonly string[]): Promise<void> {
  const expected = comparable(await service.call(organizationsPath, { key: null }))
  assert.equal(expected.status, 401)
  for (const [index, key] of keys.entries()) {
    const reply = await service.call(organizationsPath, { key })
    assert.deepEqual(comparable(reply), expected, `case ${index}`)
  }
}

function alter(key: string, position: number): string {
  const replacement = key[position] === 'A' ? 'B' : 'A'
  return key.slice(0, position) + replacement + key.slice(position + 1)
}
