import assert from 'node:assert/strict'
import { createSecretKey, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Scope } from '../access/scope.ts'
import type { RootId } from '../ids.ts'
import { endpoints } from '../routes.ts'
import { compileShape } from '../shape.ts'
import type { Endpoint } from './endpoint.ts'
import { createPage } from './paging.ts'

/** The contract's page sizes: the parameter, its maximum and its default. The smallest is always 1. */
const pageSizes: Readonly<Record<string, readonly [parameter: string, max: number, ifOmitted: number]>> = {
  '/v1/organizations': ['limit', 100, 100],
  '/v1/organizations/{organization_id}/repositories': ['limit', 100, 100],
  '/v1/users': ['limit', 100, 100],
  '/v1/keys': ['limit', 100, 100],
  '/v1/metrics/review-comments': ['limit', 1000, 1000],
  '/v1/metrics/review-comments/changes': ['limit', 1000, 1000],
  '/v1/metrics/reviews': ['limit', 1000, 1000],
  '/v1/metrics/mcp': ['limit', 1000, 1000],
  '/v1/metrics/findings': ['limit', 1000, 1000],
  '/v1/security/scans/code': ['limit', 1000, 100],
  '/v1/learnings': ['limit', 1000, 1000],
  '/v1/learnings/pending': ['limit', 200, 100],
  '/v1/connectors': ['limit', 100, 100],
  '/v1/audit-logs': ['page_size', 100, 10],
}

const ring = [{ id: 'key', secret: createSecretKey(Buffer.alloc(32)) }]
const scope: Scope = { root: randomUUID() as RootId, organizations: null, instance: null }

function getParameters({ query }: Endpoint) {
  return (query as unknown as { properties: Record<string, Record<string, unknown>> }).properties
}

function getParameter(endpoint: Endpoint, name: string) {
  return getParameters(endpoint)[name] ?? assert.fail(name)
}

test('every list has the page sizes of the contract, in its documentation, its checks and its pages [S-limit-1 S-limit-8 P3-users-2 P4-2 P5-reviews-1 P5-mcp-1 P5-changes-1 P6-2 P7-get-6 P8-1 P8-2]', () => {
  const lists = endpoints.filter(({ paging }) => paging !== null)
  assert.deepEqual(lists.map(({ path }) => path).sort(), Object.keys(pageSizes).sort())
  for (const endpoint of lists) {
    const [name, max, ifOmitted] = pageSizes[endpoint.path] ?? assert.fail(endpoint.path)
    const { minimum, maximum, default: documented } = getParameter(endpoint, name)
    assert.deepEqual([minimum, maximum, documented], [1, max, ifOmitted], endpoint.path)
    assert.equal(createPage(ring, endpoint, scope, {}).limit, ifOmitted, endpoint.path)
    const isValid = compileShape(endpoint.query)
    const takesWindow = 'start_date' in (endpoint.query as unknown as { properties: object }).properties
    const rest = takesWindow ? { start_date: '2026-01-01', end_date: '2026-01-01' } : {}
    for (const size of [1, max]) assert.ok(isValid({ ...rest, [name]: size }), `${endpoint.path} ${size}`)
    for (const size of [0, max + 1])
      assert.ok(!isValid({ ...rest, [name]: size }), `${endpoint.path} ${size}`)
  }
})

test('a cursor is bound by every query parameter but selectors of organizations, the format and the size of a page', () => {
  const unbound = new Set(['cursor', 'limit', 'org_id', 'organization_ids', 'format', 'page', 'page_size'])
  for (const endpoint of endpoints) {
    if (endpoint.paging === null) continue
    const parameters = Object.keys(getParameters(endpoint))
    const expected = parameters.filter((name) => !unbound.has(name))
    assert.deepEqual(endpoint.paging.boundBy.toSorted(), expected.toSorted(), endpoint.path)
  }
})
