import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService, type TestResponse, withEmptyQueue } from '../../test/call.ts'
import {
  createKeyCases,
  expectedErrorWhenAllowed,
  expectedRefusal,
  findTargetOrganization,
  type KeyCase,
  listTargets,
  type Target,
} from '../../test/contract/holders.ts'
import { getErrorCode, sendValidRequest } from '../../test/contract/send.ts'
import {
  allowedKinds,
  contract,
  type EndpointContract,
  findContract,
  getKeyKindRefusal,
  toEndpointName,
} from '../../test/contract/table.ts'
import { openTenant } from '../../test/fixture.ts'
import { limitsOff } from '../../test/limits-off.ts'
import { plantFindings } from '../../test/planted/findings.ts'
import { plantLearning } from '../../test/planted/learnings.ts'
import { plantPullRequest } from '../../test/planted/pull-request.ts'
import { createTestWriter } from '../../test/pull-requests.ts'
import { createTenant, type Tenant, type TestKey } from '../../test/tenant.ts'
import { type KeyKind, keyKinds } from '../access/key-format.ts'
import { allPermissions } from '../access/permissions.ts'
import { eventKinds } from '../consumers.ts'
import { type ErrorCode, getHttpStatus } from '../errors.ts'
import { endpoints as listed, tools } from '../routes.ts'
import type { Endpoint } from './endpoint.ts'

// What is offered as a tool alone is served here too, so that it is held to the table like every other.
const endpoints = [...new Set([...listed, ...tools.map((tool) => tool.endpoint)])]

const { database, superuser, tenant, use } = await openTenant()
await plantSecrets()
const service = use(startService(database, limitsOff, endpoints, eventKinds, tools, withEmptyQueue))
const holders = await createKeyCases(tenant)

/** What must not be told has to be there. */
async function plantSecrets(): Promise<void> {
  const writer = createTestWriter(database)
  for (const { organizations } of [tenant.workspace, tenant.instance, tenant.alone]) {
    for (const organization of organizations) {
      await plantPullRequest(writer, organization, { day: '2026-01-15', word: organization.orgId })
      await plantFindings(superuser, organization, [{ title: `as is usual in ${organization.name}` }])
      await plantLearning(superuser, organization, `as is usual in ${organization.name}`)
    }
  }
  await writer.close()
}

function call(endpoint: Endpoint, holder: KeyCase, target: Target): Promise<TestResponse> {
  const organization = findTargetOrganization(tenant, holder, target)
  const orgId = target === 'ALL' ? 'ALL' : (organization?.orgId ?? '0')
  const id = organization?.id ?? randomUUID()
  return sendValidRequest(service, endpoint, holder, id, target === 'nothing' ? null : orgId)
}

function check(answer: TestResponse, code: ErrorCode | null, what: string): void {
  const { status } = answer
  assert.deepEqual(
    [getErrorCode(answer), status >= 400 ? status : null],
    [code, code && getHttpStatus(code)],
    `${what}: ${status}`,
  )
}

const isAudited = (code: ErrorCode | null): code is ErrorCode =>
  code !== null && ([403, 410].includes(getHttpStatus(code)) || code === 'ORGANIZATION_NOT_FOUND')

/** Each once: two of a kind are told twice when a minute ends between them. */
async function auditedRefusals(key: TestKey): Promise<string[]> {
  const { rows } = await superuser.query<{ refusal: string }>(
    `select distinct metadata->>'code' || ' ' || (metadata->>'route') as refusal from audit_log
     where root_id = $1 and actor_id = $2 and action = 'request_refused'`,
    [key.root, key.id],
  )
  return rows.map(({ refusal }) => refusal).sort()
}

test('every route has a row in the contract’s table, and says of itself what the row says', () => {
  for (const endpoint of endpoints) {
    const row = findContract(endpoint)
    for (const kind of keyKinds) {
      assert.equal(
        endpoint.keys[kind],
        getKeyKindRefusal(row, kind) ?? 'allowed',
        `${toEndpointName(endpoint)} ${kind}`,
      )
    }
    const { plan, admin, permission } = endpoint
    assert.deepEqual(
      { plan, admin, permission },
      { plan: row.plan, admin: row.admin, permission: row.permission },
    )
  }
})

test('every row of the contract’s table has a route, and no two routes are the same', () => {
  const names = endpoints.map(toEndpointName)
  assert.deepEqual(names.toSorted(), Object.keys(contract).sort())
  assert.equal(new Set(endpoints.map(({ operationId }) => operationId)).size, endpoints.length)
})

test('every route answers every key and every organization as the contract says, and audits its refusals [P1-order-2 P2-kinds-1 P2-kinds-2 P2-kinds-3 P2-kinds-4 P2-kinds-5 P2-kinds-6 P2-kinds-7 P2-kinds-8 P2-kinds-9 P2-kinds-10 P2-kinds-11 P2-kinds-12]', async (t) => {
  let cases = 0
  for (const holder of holders) {
    const refusals = new Set<string>()
    for (const endpoint of endpoints) {
      const row = findContract(endpoint)
      for (const target of listTargets(row)) {
        const code = expectedRefusal(row, holder, target)
        check(
          await call(endpoint, holder, target),
          code,
          `${toEndpointName(endpoint)} ${holder.name} ${target}`,
        )
        if (isAudited(code)) refusals.add(`${code} ${toEndpointName(endpoint)}`)
        cases += 1
      }
    }
    if (holder.key) assert.deepEqual(await auditedRefusals(holder.key), [...refusals].sort(), holder.name)
  }
  t.diagnostic(
    `${cases} cases: ${endpoints.length} routes, ${holders.length} keys, each with its organizations`,
  )
})

test('missing, malformed, unknown, expired, revoked and foreign keys get one and the same 401 on every route [S-auth-2 P2-format-9]', async () => {
  const answers = new Set<string>()
  const bodies = new Set(endpoints.map(({ errorBody }) => errorBody))
  // The prefix of an ingest credential shows its kind, which the message names.
  const rejected = holders.filter(({ rejectedWith }) => rejectedWith === 'UNAUTHORIZED')
  for (const holder of rejected.filter(({ name }) => name !== 'ingest credential')) {
    for (const endpoint of endpoints) answers.add((await call(endpoint, holder, 'own')).text)
  }
  assert.equal(answers.size, bodies.size)
})

test('an ingest credential gets a 401 that names it on every route', async () => {
  const holder = holders.find(({ name }) => name === 'ingest credential') ?? assert.fail('no such holder')
  for (const endpoint of endpoints) {
    const { status, text } = await call(endpoint, holder, 'own')
    assert.equal(status, 401)
    assert.match(text, /This is an ingest credential.+needs an API key/)
  }
})

test('another tenant’s organization is answered exactly like one that does not exist [P1-exist-1]', async () => {
  const comparable = ({ status, text, headers }: TestResponse) => {
    const { 'x-request-id': _id, date: _date, ...rest } = headers
    return { status, text, headers: rest }
  }
  for (const endpoint of endpoints.filter((candidate) => findContract(candidate).selector !== 'none')) {
    // What is selected for a key that is bound is its own, whatever it asks for.
    const isCompared = (holder: KeyCase) =>
      !findContract(endpoint).responseVaries || holder.kind === 'workspace' || holder.rejectedWith
    for (const holder of holders.filter(isCompared)) {
      const [foreign, missing] = [
        await call(endpoint, holder, 'foreign'),
        await call(endpoint, holder, 'missing'),
      ]
      assert.deepEqual(comparable(foreign), comparable(missing), `${toEndpointName(endpoint)} ${holder.name}`)
    }
  }
})

test('an instance key sees nothing of an organization of its instance that it is not authorized for', async () => {
  const key = await tenant.createKey('instance', { authorized: [tenant.instance.organizations[0].id] })
  const holder: KeyCase = { name: 'narrow', value: key.value, key, kind: 'instance' }
  const hidden = tenant.instance.organizations[1] ?? assert.fail()
  for (const endpoint of endpoints.filter(
    (candidate) => getKeyKindRefusal(findContract(candidate), 'instance') === null,
  )) {
    const row = findContract(endpoint)
    for (const target of listTargets(row)) {
      const answer = await call(endpoint, holder, target)
      if (row.selector === 'path' && target === 'sibling')
        check(answer, 'ORGANIZATION_NOT_FOUND', toEndpointName(endpoint))
      for (const secret of [hidden.id, hidden.orgId, hidden.name])
        assert.ok(!answer.text.includes(secret), answer.text)
    }
  }
})

/** The own organization of a key, as a good request names it. */
function sendOwn(
  endpoint: Endpoint,
  kind: KeyKind,
  key: TestKey,
  of: Tenant = tenant,
): Promise<TestResponse> {
  const [organization] =
    key.root === of.instance.root ? of.instance.organizations : of.workspace.organizations
  return sendValidRequest(service, endpoint, { value: key.value, kind }, organization.id, organization.orgId)
}

test('a lower plan and a subscription that has ended are 403, on seats the latter is 402, for every kind of key [S-err-13 P1-order-6 P1-code-6 P3-users-1 P11-402-1]', async () => {
  for (const state of [`plan = 'pro'`, 'active = false']) {
    const codeOf = (endpoint: Endpoint) =>
      state === 'active = false' && findContract(endpoint).paymentRequired
        ? 'NO_ACTIVE_SUBSCRIPTION'
        : 'ENTERPRISE_REQUIRED'
    const of = await createTenant(database)
    const keys = await Promise.all(keyKinds.map(async (kind) => [kind, await of.createKey(kind)] as const))
    await superuser.query(`update subscription set ${state} where root_id = any ($1)`, [
      [of.workspace.root, of.instance.root],
    ])
    for (const [kind, key] of keys) {
      const refusing = endpoints.filter((endpoint) => {
        const row = findContract(endpoint)
        return row.plan === 'enterprise' && allowedKinds(row).includes(kind)
      })
      for (const endpoint of refusing)
        check(await sendOwn(endpoint, kind, key, of), codeOf(endpoint), `${toEndpointName(endpoint)} ${kind}`)
      const audited = refusing
        .filter((endpoint) => isAudited(codeOf(endpoint)))
        .map((endpoint) => `${codeOf(endpoint)} ${toEndpointName(endpoint)}`)
      assert.deepEqual(await auditedRefusals(key), audited.sort(), kind)
    }
    await of.close()
  }
})

/** The owner's role counts where there is an owner who is no Admin anyway. */
const byRole = (row: EndpointContract, kind: KeyKind) =>
  !row.admin && kind !== 'workspace' && kind !== 'instance'

test('a permission is needed of the key and of its owner’s role, on every route and for every kind of key [S-lpost-2 S-lpatch-2 S-org-5 S-named-8 S-auth-16 S-auth-17 S-auth-18 P1-order-7 P1-code-10 P2-perm-1 P3-roles-1 P6-1 P12-pending-1 P12-approvals-1 P12-reviews-1 P12-mcp-1 P12-security-1 P12-offboarding-1 P12-settings-1 P14-connectors-1 P14-findings-1 P14-outcome-1]', async () => {
  for (const endpoint of endpoints) {
    const row = findContract(endpoint)
    const { permission } = row
    if (permission === null) continue
    const others = allPermissions.filter((name) => name !== permission)
    for (const kind of allowedKinds(row)) {
      const lacking = [
        { permissions: others },
        ...(byRole(row, kind) ? [{ role: others }, { role: [] }] : []),
      ]
      for (const options of lacking) {
        const key = await tenant.createKey(kind, options)
        check(await sendOwn(endpoint, kind, key), 'PERMISSION_DENIED', `${toEndpointName(endpoint)} ${kind}`)
        assert.deepEqual(await auditedRefusals(key), [`PERMISSION_DENIED ${toEndpointName(endpoint)}`])
      }
      const role = byRole(row, kind) ? { role: [permission] } : {}
      const sufficient = await tenant.createKey(kind, { permissions: [permission], ...role })
      check(
        await sendOwn(endpoint, kind, sufficient),
        expectedErrorWhenAllowed(row, kind),
        `${toEndpointName(endpoint)} ${kind}`,
      )
    }
  }
})

test('who is not an Admin is 403 where the contract asks for one, whatever the permissions [S-seat-3 S-auth-19 P1-order-7 P2-kinds-6 P2-kinds-7 P2-kinds-11 P3-users-1 P3-roles-1 P7-patch-6]', async () => {
  for (const endpoint of endpoints.filter((candidate) => findContract(candidate).admin)) {
    for (const kind of allowedKinds(findContract(endpoint)).filter(
      (name) => name === 'organization' || name === 'user',
    )) {
      for (const role of ['cr_member', 'cr_billing_admin', allPermissions] as const) {
        const key = await tenant.createKey(kind, { role })
        check(await sendOwn(endpoint, kind, key), 'NOT_ADMIN', `${toEndpointName(endpoint)} ${kind}`)
        assert.deepEqual(await auditedRefusals(key), [`NOT_ADMIN ${toEndpointName(endpoint)}`])
      }
    }
  }
})
