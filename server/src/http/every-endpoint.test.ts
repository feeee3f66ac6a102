import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Answer, startService, type TestService } from '../../test/call.ts'
import { makeDatabase, type TestDatabase } from '../../test/database.ts'
import { makeTenant, type Tenant, type TestKey, type TestOrganization } from '../../test/tenant.ts'
import { type KeyKind, keyKinds, makeKey } from '../access/key-format.ts'
import { allPermissions, type Permission } from '../access/permissions.ts'
import { defaultLimits } from '../config.ts'
import { type ErrorCode, statusOf } from '../errors.ts'
import { endpoints } from '../routes.ts'
import type { Endpoint } from './endpoint.ts'
import { propertiesOf } from './query.ts'

/** The contract's table of key kinds, by hand: ● allowed, else the status of the refusal. Not made from the routes. */
interface Row {
  /** organization · user · workspace · instance · legacy · agentic. */
  readonly kinds: string
  readonly plan: 'any' | 'enterprise'
  readonly admin: boolean
  readonly permission: Permission | null
  /** Where a workspace token must, may or cannot say which organization is meant. */
  readonly selector: 'path' | 'org_id required' | 'org_id optional' | 'none'
  /** What a request needs besides, to be a good one. */
  readonly query?: string
  readonly body?: Record<string, unknown>
}

const contract: Readonly<Record<string, Row>> = {
  'GET /v1/organizations': {
    kinds: '● ● ● ● 410 ●',
    plan: 'enterprise',
    admin: false,
    permission: 'organization_management:read',
    selector: 'none',
  },
  'GET /v1/organizations/{organization_id}/repositories': {
    kinds: '● ● ● ● 410 ●',
    plan: 'enterprise',
    admin: false,
    permission: 'repository_management:read',
    selector: 'path',
  },
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const rowOf = (endpoint: Endpoint): Row =>
  contract[nameOf(endpoint)] ?? assert.fail(`${nameOf(endpoint)} has no row in the contract's table`)

/** The refusal that the table says for a kind of key; null = allowed. */
function refusalOf(row: Row, kind: KeyKind): ErrorCode | null {
  const verdict = row.kinds.split(' ')[keyKinds.indexOf(kind)]
  if (verdict === '●') return null
  if (verdict === '410') return 'LEGACY_API_KEY'
  return verdict === '403' ? 'KEY_KIND_NOT_ALLOWED' : assert.fail(`what does ${verdict} mean?`)
}

/** A key under the name of its row in the matrix. What it opens is said by its kind, unless it is dead. */
interface Holder {
  readonly name: string
  readonly value: string | undefined
  readonly key?: TestKey
  readonly kind?: KeyKind
  readonly dead?: ErrorCode
}

const targets = ['own', 'sibling', 'foreign', 'missing', 'ALL', 'nothing'] as const
type Target = (typeof targets)[number]

let database: TestDatabase
let superuser: pg.Client
let tenant: Tenant
let service: TestService
let holders: Holder[]

before(async () => {
  database = await makeDatabase()
  superuser = new pg.Client({ connectionString: database.superuserUrl })
  await superuser.connect()
  tenant = await makeTenant(database)
  const off = Object.keys(defaultLimits).map((name) => [
    `LIMIT_${name.toUpperCase().replaceAll('-', '_')}`,
    'off',
  ])
  service = startService(database, Object.fromEntries(off), endpoints)
  holders = await makeHolders()
})
after(async () => {
  await Promise.all([service.stop(), tenant.close(), superuser.end()])
  await database.drop()
})

async function makeHolders(): Promise<Holder[]> {
  const unknown = makeKey('user')
  const dead = 'UNAUTHORIZED'
  const living: Holder[] = []
  for (const kind of keyKinds) {
    const key = await tenant.keyOf(kind)
    living.push({ name: kind, value: key.value, key, kind })
  }
  const made = async (name: string, ...of: Parameters<Tenant['keyOf']>) => {
    const key = await tenant.keyOf(...of)
    return { name, key, value: key.value }
  }
  const deadOfKinds: Holder[] = []
  for (const kind of keyKinds) {
    deadOfKinds.push({ ...(await made(`expired ${kind}`, kind, { expired: true })), dead })
    deadOfKinds.push({ ...(await made(`revoked ${kind}`, kind, { revoked: true })), dead })
    if (kind !== 'instance')
      deadOfKinds.push({
        ...(await made(`${kind} of an inactive owner`, kind, { inactiveOwner: true })),
        dead,
      })
  }
  const demoted = await made('workspace with demoted owner', 'workspace', { demotedOwner: true })
  return [
    { name: 'no key', value: undefined, dead },
    { name: 'empty key', value: '', dead },
    { name: 'malformed', value: 'not-a-key', dead },
    { name: 'bad check digits', value: unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0'), dead },
    { name: 'unknown', value: unknown, dead },
    { ...(await made('ingest credential', 'ingest')), dead },
    ...deadOfKinds,
    ...living,
    { ...demoted, kind: 'workspace', dead: 'OWNER_NOT_ADMIN' },
  ]
}

/** The organization a target means for a holder: its own first one, the one beside it, somebody else's, nobody's. */
function organizationOf(holder: Holder, target: Target): TestOrganization | null {
  const own = holder.kind === 'instance' ? tenant.instance : tenant.workspace
  if (target === 'own') return own.organizations[0]
  if (target === 'sibling') return own.organizations[1] ?? assert.fail('there is no sibling')
  return target === 'foreign' ? tenant.alone.organizations[0] : null
}

/** The targets that make a difference to a route. */
function targetsOf({ selector }: Row): readonly Target[] {
  if (selector === 'none') return ['nothing']
  return selector === 'path' ? targets.slice(0, 4) : targets
}

function call(
  endpoint: Endpoint,
  holder: Pick<Holder, 'value'>,
  target: Target,
  as: Holder,
): Promise<Answer> {
  const row = rowOf(endpoint)
  const organization = organizationOf(as, target)
  const path = endpoint.path.replace('{organization_id}', organization?.id ?? randomUUID())
  const orgId = target === 'ALL' ? 'ALL' : (organization?.orgId ?? '0')
  const selects = row.selector.startsWith('org_id') && target !== 'nothing'
  const inBody = endpoint.body !== null && 'org_id' in propertiesOf(endpoint.body)
  const query = [row.query ?? '', selects && !inBody ? `org_id=${orgId}` : ''].filter(Boolean).join('&')
  const body = { ...row.body, ...(selects && inBody && { org_id: orgId }) }
  return service.call(query === '' ? path : `${path}?${query}`, {
    key: holder.value,
    method: endpoint.method,
    ...(endpoint.body !== null && { body }),
  })
}

/** What the contract says: null = the request is served. */
function expected(row: Row, holder: Holder, target: Target): ErrorCode | null {
  if (holder.dead === 'UNAUTHORIZED' || holder.kind === undefined) return 'UNAUTHORIZED'
  const byKind = refusalOf(row, holder.kind)
  if (byKind !== null) return byKind
  if (holder.dead !== undefined) return holder.dead
  const seesSibling = holder.kind === 'workspace' || holder.kind === 'instance'
  if (row.selector === 'path') {
    return target === 'own' || (target === 'sibling' && seesSibling) ? null : 'ORGANIZATION_NOT_FOUND'
  }
  if (holder.kind !== 'workspace' || row.selector === 'none') return null
  if (target === 'nothing') return row.selector === 'org_id required' ? 'ORG_ID_REQUIRED' : null
  return target === 'own' || target === 'sibling' ? null : 'ORGANIZATION_NOT_FOUND'
}

function check(answer: Answer, code: ErrorCode | null, what: string): void {
  const { status, body } = answer
  const found = (body as { errors?: { code: string }[] }).errors?.[0]?.code ?? body.error?.code ?? null
  assert.deepEqual(
    [found, status >= 400 ? status : null],
    [code, code && statusOf(code)],
    `${what}: ${status}`,
  )
}

const isAudited = (code: ErrorCode | null): code is ErrorCode =>
  code !== null && ([403, 410].includes(statusOf(code)) || code === 'ORGANIZATION_NOT_FOUND')

async function auditedRefusals(key: TestKey): Promise<string[]> {
  const { rows } = await superuser.query<{ refusal: string }>(
    `select metadata->>'code' || ' ' || (metadata->>'route') as refusal from audit_log
     where root_id = $1 and actor_id = $2 and action = 'request_refused'`,
    [key.root, key.id],
  )
  return rows.map(({ refusal }) => refusal).sort()
}

test('every route has a row in the contract’s table, and says of itself what the row says', () => {
  for (const endpoint of endpoints) {
    const row = rowOf(endpoint)
    for (const kind of keyKinds) {
      assert.equal(endpoint.keys[kind], refusalOf(row, kind) ?? 'allowed', `${nameOf(endpoint)} ${kind}`)
    }
    const { plan, admin, permission } = endpoint
    assert.deepEqual(
      { plan, admin, permission },
      { plan: row.plan, admin: row.admin, permission: row.permission },
    )
  }
})

test('no row of the contract’s table speaks of a route that is not there, and no two routes are one', () => {
  const names = endpoints.map(nameOf)
  assert.deepEqual(names.toSorted(), Object.keys(contract).sort())
  assert.equal(new Set(endpoints.map(({ operationId }) => operationId)).size, endpoints.length)
})

test('every route answers every key and every organization as the contract says, and audits its refusals', async (t) => {
  let cases = 0
  for (const holder of holders) {
    const refusals = new Set<string>()
    for (const endpoint of endpoints) {
      const row = rowOf(endpoint)
      for (const target of targetsOf(row)) {
        const code = expected(row, holder, target)
        check(
          await call(endpoint, holder, target, holder),
          code,
          `${nameOf(endpoint)} ${holder.name} ${target}`,
        )
        if (isAudited(code)) refusals.add(`${code} ${nameOf(endpoint)}`)
        cases += 1
      }
    }
    if (holder.key) assert.deepEqual(await auditedRefusals(holder.key), [...refusals].sort(), holder.name)
  }
  t.diagnostic(
    `${cases} cases: ${endpoints.length} routes, ${holders.length} keys, each with its organizations`,
  )
})

test('another tenant’s organization is answered exactly like one that does not exist', async () => {
  const comparable = ({ status, text, headers }: Answer) => {
    const { 'x-request-id': _id, date: _date, ...rest } = headers
    return { status, text, headers: rest }
  }
  for (const endpoint of endpoints.filter((candidate) => rowOf(candidate).selector !== 'none')) {
    for (const holder of holders) {
      const [foreign, missing] = [
        await call(endpoint, holder, 'foreign', holder),
        await call(endpoint, holder, 'missing', holder),
      ]
      assert.deepEqual(comparable(foreign), comparable(missing), `${nameOf(endpoint)} ${holder.name}`)
    }
  }
})

test('an instance key sees nothing of an organization of its instance that it is not authorized for', async () => {
  const key = await tenant.keyOf('instance', { authorized: [tenant.instance.organizations[0].id] })
  const holder: Holder = { name: 'narrow', value: key.value, key, kind: 'instance' }
  const hidden = tenant.instance.organizations[1] ?? assert.fail()
  for (const endpoint of endpoints.filter((candidate) => refusalOf(rowOf(candidate), 'instance') === null)) {
    const row = rowOf(endpoint)
    for (const target of targetsOf(row)) {
      const answer = await call(endpoint, holder, target, holder)
      if (row.selector === 'path' && target === 'sibling')
        check(answer, 'ORGANIZATION_NOT_FOUND', nameOf(endpoint))
      for (const secret of [hidden.id, hidden.orgId, hidden.name])
        assert.ok(!answer.text.includes(secret), answer.text)
    }
  }
})

const allowedKinds = (row: Row) => keyKinds.filter((kind) => refusalOf(row, kind) === null)

test('a lower plan is 403 and a subscription that has ended is 402, on every route and for every kind of key', async () => {
  const plain = await makeTenant(database)
  const unpaid = await makeTenant(database, { subscriptionActive: false })
  await superuser.query(`update subscription set plan = 'pro' where root_id = any ($1)`, [
    [plain.workspace.root, plain.instance.root],
  ])
  for (const [of, code] of [
    [plain, 'ENTERPRISE_REQUIRED'],
    [unpaid, 'NO_ACTIVE_SUBSCRIPTION'],
  ] as const) {
    for (const kind of keyKinds) {
      // A workspace token is made while the workspace may have one.
      await superuser.query(`update subscription set plan = 'enterprise' where root_id = $1`, [
        of.workspace.root,
      ])
      const key = await of.keyOf(kind)
      if (of === plain)
        await superuser.query(`update subscription set plan = 'pro' where root_id = $1`, [of.workspace.root])
      const [organization] = kind === 'instance' ? of.instance.organizations : of.workspace.organizations
      const holder: Holder = { name: kind, value: key.value, key, kind }
      for (const endpoint of endpoints) {
        const row = rowOf(endpoint)
        if (row.plan === 'any' || !allowedKinds(row).includes(kind)) continue
        check(await callAt(endpoint, holder, organization), code, `${nameOf(endpoint)} ${kind}`)
      }
      const audited =
        code === 'ENTERPRISE_REQUIRED'
          ? endpoints.filter(
              (endpoint) => rowOf(endpoint).plan !== 'any' && allowedKinds(rowOf(endpoint)).includes(kind),
            )
          : []
      assert.deepEqual(
        await auditedRefusals(key),
        audited.map((endpoint) => `${code} ${nameOf(endpoint)}`).sort(),
      )
    }
  }
  await Promise.all([plain.close(), unpaid.close()])
})

/** A good request, but for who asks. */
function callAt(endpoint: Endpoint, holder: Holder, organization: TestOrganization): Promise<Answer> {
  const row = rowOf(endpoint)
  const path = endpoint.path.replace('{organization_id}', organization.id)
  const selects = row.selector.startsWith('org_id')
  const query = [row.query ?? '', selects && endpoint.body === null ? `org_id=${organization.orgId}` : '']
  return service.call(`${path}?${query.filter(Boolean).join('&')}`, {
    key: holder.value,
    method: endpoint.method,
    ...(endpoint.body !== null && { body: { ...row.body, ...(selects && { org_id: organization.orgId }) } }),
  })
}

test('a permission is needed of the key and of its owner’s role, on every route and for every kind of key', async () => {
  for (const endpoint of endpoints) {
    const row = rowOf(endpoint)
    const { permission } = row
    if (permission === null) continue
    const others = allPermissions.filter((name) => name !== permission)
    for (const kind of allowedKinds(row)) {
      const bound = kind !== 'workspace' && kind !== 'instance'
      const makings = [
        { permissions: others },
        ...(bound && !row.admin ? [{ role: others }, { role: [] }] : []),
      ]
      for (const making of makings) {
        const key = await tenant.keyOf(kind, making)
        const holder: Holder = { name: kind, value: key.value, key, kind }
        const [organization] =
          kind === 'instance' ? tenant.instance.organizations : tenant.workspace.organizations
        check(
          await callAt(endpoint, holder, organization),
          'PERMISSION_DENIED',
          `${nameOf(endpoint)} ${kind}`,
        )
        assert.deepEqual(await auditedRefusals(key), [`PERMISSION_DENIED ${nameOf(endpoint)}`])
      }
      const key = await tenant.keyOf(kind, {
        permissions: [permission],
        ...(bound && !row.admin && { role: [permission] }),
      })
      const holder: Holder = { name: kind, value: key.value, key, kind }
      const [organization] =
        kind === 'instance' ? tenant.instance.organizations : tenant.workspace.organizations
      check(await callAt(endpoint, holder, organization), null, `${nameOf(endpoint)} ${kind}`)
    }
  }
})

test('who is not an Admin is 403 where the contract asks for one, whatever the permissions', async () => {
  for (const endpoint of endpoints.filter((candidate) => rowOf(candidate).admin)) {
    for (const kind of allowedKinds(rowOf(endpoint)).filter(
      (name) => name === 'organization' || name === 'user',
    )) {
      for (const role of ['cr_member', 'cr_billing_admin', allPermissions] as const) {
        const key = await tenant.keyOf(kind, { role })
        const holder: Holder = { name: kind, value: key.value, key, kind }
        const answer = await callAt(endpoint, holder, tenant.workspace.organizations[0])
        check(answer, 'NOT_ADMIN', `${nameOf(endpoint)} ${kind}`)
        assert.deepEqual(await auditedRefusals(key), [`NOT_ADMIN ${nameOf(endpoint)}`])
      }
    }
  }
})
