import assert from 'node:assert/strict'
import type { Reply } from './http.ts'
import type { Rule } from './rule.ts'
import { lastYear, type Service } from './service.ts'

export const keysSelfRules: readonly Rule[] = [
  {
    id: 'keys-self',
    title: 'a key may ask what it is, and the response never has its value',
    contract: ['P9-5', 'P2-kinds-12', 'P9-1'],
    async check({ self, key }) {
      const kinds = ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic']
      assert.ok(kinds.includes(self.kind), `kind ${self.kind}`)
      const fields = ['tenant_root', 'organizations', 'permissions', 'endpoints', 'expires_at']
      for (const field of fields) assert.ok(field in self, `keys/self has no ${field}`)
      assert.ok(self.organizations.count >= self.organizations.first.length)
      assert.ok(!JSON.stringify(self).includes(key), 'keys/self shows the value of the key')
      for (const { path, allowed, code } of self.endpoints)
        assert.equal(allowed, code === null, `${path} must be allowed or have the code of the refusal`)
    },
  },
  {
    id: 'keys-self-agrees',
    title: 'keys/self reports for each reading endpoint what the endpoint returns',
    contract: ['P9-5', 'P2-perm-1'],
    async check(service) {
      // Those that can be read without knowing anything else.
      const reads = service.self.endpoints.filter(
        ({ method, path }) => method === 'GET' && !path.includes('{'),
      )
      for (const { path, allowed, code } of reads) {
        const reply = await read(service, path)
        const body = reply.body as { error?: { code: string }; errors?: { code: string }[] } | null
        const found = body?.error?.code ?? body?.errors?.[0]?.code ?? null
        assert.deepEqual(
          [reply.status === 200, found],
          [allowed, code],
          `GET ${path} ${reply.text.slice(0, 300)}`,
        )
      }
    },
  },
]

/** With what the endpoint requires: a window of days, and an organization where a workspace token must say which. */
async function read({ self, call }: Service, path: string): Promise<Reply> {
  const query = new URLSearchParams()
  if (path.startsWith('/v1/metrics/') && !path.endsWith('/changes'))
    for (const [name, value] of new URLSearchParams(lastYear().query)) query.set(name, value)
  const isList =
    /^\/v1\/(?:metrics\/.*|learnings)$/.test(path) && !/\/(?:summary|reviewers(?:\/overlap)?)$/.test(path)
  if (isList) query.set('limit', '1')
  const reply = await call(`${path}?${query.toString()}`)
  const [organization] = self.organizations.first
  if (!reply.text.includes('"ORG_ID_REQUIRED"') || organization === undefined) return reply
  query.set('org_id', organization.provider_organization_id)
  return call(`${path}?${query.toString()}`)
}
