import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { comparable } from './http.ts'
import type { Rule } from './rule.ts'
import {
  assertRefused,
  isAllowed,
  NotApplicableError,
  readableLists,
  repositoriesPath,
  requireAccess,
  requireLists,
} from './service.ts'

const repositoriesTemplate = '/v1/organizations/{organization_id}/repositories'

export const orderRules: readonly Rule[] = [
  {
    id: 'order-key-first',
    title: 'the key is checked first: no key or a bad one is 401 whatever else is wrong',
    contract: ['P1-order-1'],
    async check(service) {
      const wrong = [
        ...requireLists(service).flatMap(({ query }) => [
          `${query}limit=0`,
          `${query}unknown=1`,
          `${query}cursor=x`,
        ]),
        repositoriesPath('not-a-uuid'),
        repositoriesPath(randomUUID()),
      ]
      for (const path of wrong)
        for (const key of [null, '', 'x', `${service.key}0`])
          assertRefused(path, await service.call(path, { key }), 401, 'UNAUTHORIZED')
    },
  },
  {
    id: 'order-kind-before-shape',
    title: 'the kind of key is checked before the shape: a refused kind stays refused whatever else is wrong',
    contract: ['P1-order-2', 'P1-order-4'],
    async check(service) {
      const statuses = new Map([
        ['KEY_KIND_NOT_ALLOWED', 403],
        ['LEGACY_API_KEY', 410],
      ])
      const refused = service.self.endpoints.flatMap(({ method, path, code }) => {
        const status = statuses.get(code ?? '')
        const address = path.replaceAll(/\{\w+\}/g, 'not-a-uuid')
        return method === 'GET' && code !== null && status !== undefined
          ? [{ path: address, code, status }]
          : []
      })
      if (refused.length === 0)
        throw new NotApplicableError('every reading endpoint accepts this kind of key')
      for (const { path, code, status } of refused)
        for (const query of ['?limit=0', '?unknown=1', '?cursor=x'])
          assertRefused(path, await service.call(path + query), status, code, path + query)
    },
  },
  {
    id: 'order-shape-before-organization',
    title: 'the shape is checked before the organization: a bad limit on an unknown UUID is 400',
    contract: ['P1-order-4', 'P1-order-5'],
    async check(service) {
      requireAccess(service, 'GET', repositoriesTemplate)
      const unknown = repositoriesPath(randomUUID())
      for (const path of [`${unknown}?limit=0`, `${unknown}?unknown=1`])
        assertRefused(path, await service.call(path), 400, 'INVALID_REQUEST')
    },
  },
  {
    id: 'order-shape-before-plan',
    title: 'the shape is checked before plan and permission: a bad query is 400, not 402 or 403',
    contract: ['P1-order-4', 'P1-order-6', 'P1-order-7'],
    async check(service) {
      const codes = new Set(['ENTERPRISE_REQUIRED', 'PERMISSION_DENIED', 'NOT_ADMIN', 'METRICS_UNAVAILABLE'])
      const refused = service.self.endpoints.filter(
        ({ method, path, code }) =>
          method === 'GET' && !path.includes('{') && code !== null && codes.has(code),
      )
      if (refused.length === 0)
        throw new NotApplicableError('plan and permissions of the key refuse no reading endpoint')
      for (const { path } of refused)
        assertRefused(path, await service.call(`${path}?unknown=1`), 400, 'INVALID_REQUEST', path)
    },
  },
  {
    id: 'existence-organization',
    title: 'an organization that the key cannot see is 404 ORGANIZATION_NOT_FOUND, the same for every UUID',
    contract: ['P8-4', 'P1-exist-1', 'P1-code-17'],
    async check(service) {
      requireAccess(service, 'GET', repositoriesTemplate)
      const ids = [randomUUID(), randomUUID(), '00000000-0000-0000-0000-000000000000']
      const replies = await Promise.all(ids.map((id) => service.call(repositoriesPath(id))))
      for (const reply of replies)
        assertRefused(repositoriesPath('x'), reply, 404, 'ORGANIZATION_NOT_FOUND', 'an unknown organization')
      const [first, ...others] = replies.map(comparable)
      for (const other of others) assert.deepEqual(other, first)
    },
  },
  {
    id: 'existence-org-id',
    title:
      'an org_id that a workspace token does not know is 404 ORGANIZATION_NOT_FOUND; other keys ignore it',
    contract: ['S-auth-21', 'S-rc-8', 'P11-orgid-1'],
    async check(service) {
      const lists = readableLists(service).filter(
        ({ path }) => !path.startsWith('/v1/organizations') && isAllowed(service, 'GET', path),
      )
      if (lists.length === 0) throw new NotApplicableError('the key may read no list that has org_id')
      for (const { query } of lists) {
        const path = `${query}limit=1&org_id=no-organization`
        const reply = await service.call(path)
        if (service.self.kind === 'workspace') assertRefused(path, reply, 404, 'ORGANIZATION_NOT_FOUND')
        else assert.equal(reply.status, 200, `${path} ${reply.text.slice(0, 300)}`)
      }
    },
  },
]
