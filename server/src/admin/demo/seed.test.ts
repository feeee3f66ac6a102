import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { makeDatabase, type TestDatabase } from '../../../test/database.ts'
import { createAuthenticator } from '../../access/authenticate.ts'
import { verifyIngestCredential } from '../../access/ingest-credential.ts'
import { allPermissions } from '../../access/permissions.ts'
import type { KeyRing } from '../../config.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { connectMetricsStores, type MetricsStores } from '../../db/stores.ts'
import { Refusal } from '../../errors.ts'
import type { Operator } from '../operator.ts'
import { rootIdOf } from './ids.ts'
import { type DemoKeyName, type DemoKeys, demoKeyNames } from './keys.ts'
import { seedDemo } from './seed.ts'

interface Demo {
  readonly base_url: string
  readonly keys: DemoKeys
  readonly organizations: {
    id: string
    org_id: string
    name: string
    root: string
    repositories: { repository_id: string; name: string }[]
  }[]
}

const ring: KeyRing = [{ id: 'a', secret: createSecretKey(Buffer.alloc(32, 1)) }]
const ingestNames = ['ingest', 'ingest_instance', 'ingest_other_tenant'] as const
// A day that ends while the tests run would be another history.
const startedAt = new Date()
const baseUrl = 'http://127.0.0.1:8420'
let database: TestDatabase
let operator: Operator
let stores: MetricsStores
let door: Pool
let folder: string
let file: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'))
})
after(() => rm(folder, { recursive: true }))

beforeEach(async (context) => {
  const made = await makeDatabase()
  database = made
  const pool = connect({ url: made.urls.worker, name: 'test', connections: 2 })
  const keys = connect({ url: made.urls.door, name: 'test-door', connections: 1 })
  const metrics = storesOf(made)
  operator = { pool, now: () => startedAt }
  stores = metrics
  door = keys
  file = join(folder, `${made.name}.json`)
  assert.ok('after' in context)
  context.after(async () => {
    await Promise.all([pool.end(), keys.end(), metrics.close()])
    await made.drop()
  })
})

// A whole year is written in history/seed.test.ts.
const days = 3
const storesOf = ({ urls }: TestDatabase) =>
  connectMetricsStores(new Map([['shared', urls.worker]]), 'test', 1)
const seed = (with_: KeyRing = ring) =>
  seedDemo(operator, { ring: with_, file, baseUrl, stores, days, say: () => {} })
/** How many pull requests were written is for the tests of the history. */
async function seedAndTell(with_: KeyRing = ring) {
  const { pull_requests_written: pulls, mcp_usage_written: uses, ...rest } = await seed(with_)
  const { learnings_written: learnings, security_scans_written: scans, ...seeding } = rest
  return { ...seeding, wrote: pulls + uses + learnings + scans > 0 }
}
const read = async () => JSON.parse(await readFile(file, 'utf8')) as Demo
const opens = (value: string) =>
  createAuthenticator(door)(value).catch((error: unknown) => {
    assert.ok(error instanceof Refusal)
    return error.code
  })

async function rowsOf(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const tables =
  'root subscription instance organization repository person account membership ' +
  'metrics_head pull_request outcome review_comment_change learning learning_origin learning_setting security_finding security_scan'

const everything = () =>
  Promise.all(
    tables
      .split(' ')
      // When a scan came is no part of what it says.
      .map((table) => `select to_jsonb(rows) - 'noted_at' as row from ${table} rows order by rows::text`)
      .concat(
        'select root_id, organization_id, repository_id, person_id, verified_at from repository_access order by 1, 2, 3, 4',
      )
      .concat(
        "select kind, name, owner_id, permissions, case kind when 'ingest' then null else id end as id from api_key order by 2",
      )
      .map(rowsOf),
  )

test('the file has exactly the promised fields and is its owner’s alone', async () => {
  assert.deepEqual(await seedAndTell(), { tenants_made: 5, keys_minted: 16, keys_kept: 0, wrote: true })
  const demo = await read()
  assert.deepEqual(Object.keys(demo), ['base_url', 'keys', 'organizations'])
  assert.equal(demo.base_url, baseUrl)
  assert.deepEqual(Object.keys(demo.keys), [...demoKeyNames])
  for (const organization of demo.organizations) {
    assert.deepEqual(Object.keys(organization), ['id', 'org_id', 'name', 'root', 'repositories'])
    assert.ok(organization.repositories.length >= 2)
    for (const repository of organization.repositories) {
      assert.deepEqual(Object.keys(repository), ['repository_id', 'name'])
      assert.doesNotMatch(repository.name, /-archived$/)
    }
    assert.notEqual(organization.name, 'Dormant')
  }
  assert.deepEqual(
    demo.organizations.map(({ root }) => root),
    [
      ...Array.from({ length: 3 }, () => 'workspace'),
      ...Array.from({ length: 2 }, () => 'instance'),
      ...Array.from({ length: 3 }, () => 'organization'),
    ],
  )
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('every key is what its name says', async () => {
  await seed()
  const { keys, organizations } = await read()
  const [home] = organizations
  for (const kind of ['organization', 'user', 'legacy', 'agentic'] as const) {
    const principal = await opens(keys[kind])
    assert.ok(typeof principal === 'object' && 'organization' in principal, kind)
    assert.equal(principal.kind, kind)
    assert.equal(principal.organization, home?.id)
    assert.equal(principal.admin, true)
    assert.equal(principal.permissions.size, allPermissions.length)
  }
  const facts = async (name: DemoKeyName) => {
    const principal = await opens(keys[name])
    return typeof principal === 'string' ? principal : [principal.kind, principal.plan, principal.admin]
  }
  assert.deepEqual(await facts('workspace'), ['workspace', 'enterprise', true])
  assert.deepEqual(await facts('workspace_demoted_owner'), ['workspace', 'enterprise', false])
  assert.deepEqual(await facts('instance'), ['instance', 'enterprise', true])
  assert.deepEqual(await facts('other_tenant'), ['user', 'enterprise', true])
  assert.deepEqual(await facts('lower_plan'), ['user', 'pro', true])
  const narrow = await opens(keys.instance_narrow)
  assert.ok(typeof narrow === 'object' && narrow.kind === 'instance')
  assert.deepEqual(narrow.authorized, [organizations.find(({ root }) => root === 'instance')?.id])
  assert.deepEqual(await facts('metrics_off'), ['user', 'enterprise', true])
  assert.deepEqual(await facts('instance_narrow'), ['instance', 'enterprise', true])
  for (const name of ['expired', 'revoked', ...ingestNames] as const)
    assert.equal(await facts(name), 'UNAUTHORIZED')
  const roots = ingestNames.map((name) => verifyIngestCredential(ring, keys[name], new Date())?.root)
  assert.deepEqual(roots, ['Meridian Freight', 'Halden Robotics', 'Copperfield Health'].map(rootIdOf))
})

test('the inactive organization and repository are there, and the key owners’ verified access', async () => {
  await seed()
  assert.deepEqual(
    await rowsOf(`select name, provider_organization_id as id from organization where not active`),
    [{ name: 'Dormant', id: '9000009' }],
  )
  const archived = await rowsOf(`select r.name, o.name as organization from repository r
    join organization o on o.id = r.organization_id where not r.active`)
  assert.deepEqual(archived, [{ name: 'tariff-import-archived', organization: 'Meridian Platform' }])
  const unread =
    await rowsOf(`select r.name from api_key k join repository r on r.organization_id = k.organization_id
    left join repository_access a on a.repository_id = r.id and a.person_id = k.owner_id
    where k.kind = 'user' and k.name in ('Demo: user', 'Demo: other tenant') and r.active and a.person_id is null`)
  assert.deepEqual(unread, [])
  const [{ sends_metrics }] = (await rowsOf('select sends_metrics from instance')) as [
    { sends_metrics: boolean },
  ]
  assert.equal(sends_metrics, true)
})

test('seeding again keeps data and keys', async () => {
  await seed()
  const [text, rows] = [await readFile(file, 'utf8'), await everything()]
  assert.deepEqual(await seedAndTell(), { tenants_made: 0, keys_minted: 0, keys_kept: 16, wrote: false })
  assert.equal(await readFile(file, 'utf8'), text)
  assert.deepEqual(await everything(), rows)
})

test('another database gets the same data and other keys', async () => {
  await seed()
  const [rows, demo, firstFile] = [await everything(), await read(), file]
  const second = await makeDatabase()
  const pool = connect({ url: second.urls.worker, name: 'test', connections: 2 })
  const others = storesOf(second)
  const original = database
  try {
    file = `${firstFile}.second`
    await writeFile(file, JSON.stringify(demo))
    const options = { ring, file, baseUrl, stores: others, days, say: () => {} }
    assert.equal((await seedDemo({ ...operator, pool }, options)).keys_minted, 16)
    database = second
    assert.deepEqual(await everything(), rows)
    const again = await read()
    assert.deepEqual(again.organizations, demo.organizations)
    for (const name of demoKeyNames) assert.notEqual(again.keys[name], demo.keys[name], name)
  } finally {
    database = original
    await Promise.all([pool.end(), others.close()])
    await second.drop()
  }
})

test('without the file new keys are minted and the old ones end', async () => {
  await seed()
  const old = (await read()).keys
  await writeFile(file, 'not JSON')
  assert.deepEqual(await seedAndTell(), { tenants_made: 0, keys_minted: 16, keys_kept: 0, wrote: false })
  const { keys } = await read()
  for (const name of demoKeyNames) assert.equal(await opens(old[name]), 'UNAUTHORIZED', name)
  assert.equal(typeof (await opens(keys.workspace)), 'object')
  const demoted = await opens(keys.workspace_demoted_owner)
  assert.ok(typeof demoted === 'object' && !demoted.admin)
})

test('only what is no longer good is minted anew: one that was revoked, a credential of a lost signing key', async () => {
  await seed()
  const old = (await read()).keys
  await rowsOf(`update api_key set revoked_at = now() where name = 'Demo: agentic'`)
  const turned: KeyRing = [{ id: 'b', secret: createSecretKey(Buffer.alloc(32, 2)) }]
  assert.deepEqual(await seedAndTell(turned), {
    tenants_made: 0,
    keys_minted: 4,
    keys_kept: 12,
    wrote: false,
  })
  const { keys } = await read()
  const changed = demoKeyNames.filter((name) => keys[name] !== old[name])
  assert.deepEqual(changed, ['agentic', ...ingestNames])
})
