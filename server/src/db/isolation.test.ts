import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openTenant } from '../../test/fixture.ts'
import {
  connectorTables,
  insertsForEveryTable,
  learningTables,
  metricsTables,
  organizationOrRootTables,
  securityTables,
} from '../../test/planted/tenant-rows.ts'
import { connect, statement } from './connect.ts'
import { inTransaction, readScoped, runUnscoped, type TransactionScope } from './transaction.ts'

type Role = 'api' | 'worker'
const roles: readonly Role[] = ['api', 'worker']

// What the worker's timers and relay walk through from root to root; everything else is closed to it too.
const openToWorker = new Set([
  'root',
  'refusal_count',
  'received_event_count',
  'counted_event_id',
  'event_status',
  'idempotent_request',
  'limit_window',
  'outbox',
  'restriction',
  'metrics_placement',
  'metrics_day',
  'role_job',
  'root_tombstone',
  'learning_head',
  'learning_task',
  'learning_count',
  'learning_vector_index',
  'sarif_upload',
  'sarif_upload_usage',
  'session',
  'connector',
])
// Kept apart by organization and by instance as well as by root.
const byOrganization = [
  'organization',
  'repository',
  'custom_role',
  'membership',
  'repository_access',
  'scim_group_role',
  'inventory_removal',
  'audit_log',
  'audit_count',
  'audit_actor',
  ...metricsTables,
  ...learningTables,
  ...securityTables,
  ...organizationOrRootTables,
  ...connectorTables,
  'audit_clear',
  'received_event_count',
  'counted_event_id',
]
// The instance's organization has one row in each of these tables, or as many as given.
const instanceTables: ReadonlyMap<string, number> = new Map([
  ...[
    'organization',
    'repository',
    ...metricsTables,
    ...learningTables,
    ...securityTables,
    ...connectorTables,
  ].map(one),
  ['learning_count', 2],
  ['idempotent_request', 1],
  ['received_event_count', 1],
  ['counted_event_id', 1],
  ['sarif_upload', 1],
  // One of the whole root, which a scope of an instance sees too.
  ['sarif_upload_part', 2],
])

/** All that the role that looks up keys may read. */
const authColumns: Record<string, string> = {
  api_key:
    'expires_at hash id instance_id kind last_used_at organization_id organization_ids owner_id permissions revoked_at root_id',
  connector: 'hook_secret id key_id organization_id provider root_id',
  custom_role: 'id organization_id permissions root_id',
  membership: 'custom_role_id organization_id person_id root_id system_role',
  migration: 'applied_at checksum contract name',
  organization: 'active id root_id',
  passkey: 'counter credential_id id person_id public_key root_id',
  person: 'active id root_id workspace_admin',
  restore_point: 'epoch',
  root: 'id kind sso',
  scim_credential: 'expires_at hash id revoked_at root_id',
  session:
    'authenticated_at ended_at expires_at hash id issuer last_used_at person_id provider_session root_id subject',
  sign_in_link: 'expires_at hash person_id purpose root_id used_at',
  subscription: 'active plan root_id',
}

function one(table: string): [string, number] {
  return [table, 1]
}

let instanceScope: TransactionScope
/** The organization of the instance. */
let member: string

const { database, superuser, tenant, use } = await openTenant()
const pool = (role: Role | 'auth') => use(connect({ url: database.urls[role], name: 'test', connections: 1 }))
const pools = { api: pool('api'), worker: pool('worker'), auth: pool('auth') }
const own = { root: tenant.workspace.root, organizations: null, instance: null }
const foreign = { root: tenant.alone.root, organizations: null, instance: null }
const tables = await tenantTables()
await fillTables()

async function tenantTables(): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and (c.relname = 'root'
       or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'root_id'))
     order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Rows that no verb of the operator leaves behind, and an instance inside the workspace. */
async function fillTables(): Promise<void> {
  const { root, organizations } = tenant.workspace
  await tenant.createKey('user', { role: ['learning:read'] })
  const instance = randomUUID()
  member = randomUUID()
  instanceScope = { root, organizations: null, instance }
  const inserts = insertsForEveryTable(tenant.workspace, instance, member)
  for (const [text, values] of inserts) await superuser.query(text, values)
  assert.ok(organizations[1], 'the workspace has a second organization')
}

const rootColumn = (table: string) => (table === 'root' ? 'id' : 'root_id')
/** A statement is known by its name, and PostgreSQL looks at the first 63 characters of it. */
const adHocStatement = (text: string) =>
  statement(createHash('sha256').update(text).digest('hex').slice(0, 32), text)
const count = (table: string, where = 'true') =>
  adHocStatement(`select count(*)::int as n from ${table} where ${where}`)

async function grants(role: string, privilege: string): Promise<string[]> {
  const { rows } = await superuser.query<{ table: string }>(
    'select t as table from unnest($1::text[]) t where has_table_privilege($2, t, $3)',
    [tables, `scholiast_${role}`, privilege],
  )
  return rows.map(({ table }) => table)
}

async function visible(
  role: Role,
  scope: TransactionScope | null,
  table: string,
  where = 'true',
): Promise<number> {
  const query = count(table, where)
  const [row] =
    scope === null
      ? await runUnscoped<{ n: number }>(pools[role], query, [])
      : await readScoped(pools[role], scope, (tx) => tx.query<{ n: number }>(query, []))
  return row?.n ?? -1
}

const whereOwnRoot = (table: string) => `${rootColumn(table)} = '${own.root}'`

/** A stored row once more, with whatever makes it new left out of account: security is asked before uniqueness. */
async function copyRow(role: Role, scope: TransactionScope, table: string, where: string): Promise<void> {
  const { rows: columns } = await superuser.query<{ name: string }>(
    `select attname::text as name from pg_attribute where attrelid = $1::regclass and attnum > 0
       and not attisdropped and attgenerated = '' and attidentity = ''`,
    [table],
  )
  const list = columns.map(({ name }) => name).join(', ')
  const { rows } = await superuser.query<{ row: unknown }>(
    `select to_jsonb(t) as row from ${table} t where ${where} limit 1`,
  )
  assert.equal(rows.length, 1, `${table} has a row to copy`)
  const text = `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1)`
  await inTransaction(pools[role], scope, (tx) => tx.query(adHocStatement(text), [rows[0]?.row]))
}

test('every tenant table has a row to look for, so that an empty answer means something', async () => {
  for (const table of tables) {
    const { rows } = await superuser.query<{ n: number }>(count(table, whereOwnRoot(table)).text)
    assert.ok((rows[0]?.n ?? 0) > 0, table)
  }
})

test('with no reach every tenant table is empty', async () => {
  for (const role of roles) {
    for (const table of await grants(role, 'select')) {
      if (role === 'worker' && openToWorker.has(table)) continue
      assert.equal(await visible(role, null, table), 0, `${role} ${table}`)
    }
  }
})

test('with its own reach a root sees its rows, and only its own', async () => {
  for (const role of roles) {
    for (const table of await grants(role, 'select')) {
      assert.ok((await visible(role, own, table, whereOwnRoot(table))) > 0, `${role} ${table}`)
      if (role === 'worker' && openToWorker.has(table)) continue
      assert.equal(await visible(role, own, table, `not ${whereOwnRoot(table)}`), 0, `${role} ${table}`)
    }
  }
})

test('the scope of another root sees no row of this one', async () => {
  for (const role of roles) {
    for (const table of await grants(role, 'select')) {
      if (role === 'worker' && openToWorker.has(table)) continue
      assert.equal(await visible(role, foreign, table, whereOwnRoot(table)), 0, `${role} ${table}`)
    }
  }
})

test('the scope of another root cannot change a row of this one', async () => {
  for (const role of roles) {
    for (const table of await grants(role, 'update')) {
      const column = rootColumn(table)
      const text = `update ${table} set ${column} = ${column} where ${whereOwnRoot(table)} returning 1 as changed`
      const rows = await inTransaction(pools[role], foreign, (tx) => tx.query(adHocStatement(text), []))
      assert.deepEqual(rows, [], `${role} ${table}`)
    }
  }
})

test('the scope of another root cannot delete a row of this one, except what the worker sweeps', async () => {
  const deletedByApi = await grants('api', 'delete')
  assert.deepEqual(deletedByApi, [
    'connector',
    'custom_role',
    'identity',
    'learning',
    'learning_index',
    'learning_origin',
    'learning_setting',
    'learning_task',
    'learning_tombstone',
    'membership',
    'passkey',
    'repository_access',
    'reviewer_price',
    'scim_group',
    'scim_group_member',
    'scim_group_role',
    'scim_user',
    'seat',
  ])
  for (const table of deletedByApi) {
    const text = `delete from ${table} where ${whereOwnRoot(table)} returning 1 as deleted`
    const rows = await inTransaction(pools.api, foreign, (tx) => tx.query(adHocStatement(text), []))
    assert.deepEqual(rows, [], table)
  }
  for (const table of await grants('worker', 'delete')) {
    if (openToWorker.has(table) && table !== 'root') continue
    const text = `delete from ${table} where ${whereOwnRoot(table)} returning 1 as deleted`
    const rows = await inTransaction(pools.worker, foreign, (tx) => tx.query(adHocStatement(text), []))
    assert.deepEqual(rows, [], table)
  }
})

test('the scope of another root cannot insert a row into this one', async () => {
  for (const role of roles) {
    for (const table of await grants(role, 'insert')) {
      await assert.rejects(
        copyRow(role, foreign, table, whereOwnRoot(table)),
        { code: '42501' },
        `${role} ${table}`,
      )
    }
  }
})

test('a root cannot move a row of its own to another root', async () => {
  for (const role of roles) {
    for (const table of await grants(role, 'update')) {
      const text = `update ${table} set ${rootColumn(table)} = '${foreign.root}' where ${whereOwnRoot(table)}`
      const moved = inTransaction(pools[role], own, (tx) => tx.query(adHocStatement(text), []))
      await assert.rejects(moved, { code: '42501' }, `${role} ${table}`)
    }
  }
})

test('the scope of one organization hides the rows of its siblings', async () => {
  const [first, second] = tenant.workspace.organizations
  const narrow: TransactionScope = { ...own, organizations: [first.id] }
  for (const role of roles) {
    const readable = await grants(role, 'select')
    for (const table of byOrganization.filter((name) => readable.includes(name))) {
      const column = table === 'organization' ? 'id' : 'organization_id'
      assert.ok((await visible(role, narrow, table, `${column} = '${first.id}'`)) > 0, `${role} ${table}`)
      if (role === 'worker' && openToWorker.has(table)) continue
      assert.equal(
        await visible(role, narrow, table, `${column} is distinct from '${first.id}'`),
        0,
        `${role} ${table}`,
      )
    }
    for (const table of (await grants(role, 'insert')).filter((name) => byOrganization.includes(name))) {
      const column = table === 'organization' ? 'id' : 'organization_id'
      const copy = copyRow(role, narrow, table, `${column} = '${second?.id}'`)
      await assert.rejects(copy, { code: '42501' }, `${role} ${table}`)
    }
  }
})

test('the scope of an instance hides the organizations beside it', async () => {
  for (const role of roles) {
    const readable = await grants(role, 'select')
    for (const table of byOrganization.filter((name) => readable.includes(name))) {
      // What is open to the worker is counted among the rows of the instance.
      const where = openToWorker.has(table) ? `organization_id = '${member}'` : 'true'
      assert.equal(
        await visible(role, instanceScope, table, where),
        instanceTables.get(table) ?? 0,
        `${role} ${table}`,
      )
    }
    const both = { ...instanceScope, organizations: [tenant.workspace.organizations[0].id] }
    assert.equal(await visible(role, both, 'organization'), 0, role)
  }
})

test('tables that name an organization are kept apart by it, but for keys, refusals and what a table here says', async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `select distinct table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  )
  const found = rows.map(({ name }) => name).filter((name) => tables.includes(name))
  // A seat is a person's, wherever it was asked for.
  const rootOnly = ['api_key', 'refusal_count', 'seat_request']
  assert.deepEqual(found, [...byOrganization.slice(1), ...rootOnly].sort())
})

test('the role that looks up keys reads its columns of fourteen tables, and nothing else of any', async () => {
  const { rows } = await superuser.query<{ name: string; columns: string }>(
    `select c.relname::text as name, string_agg(a.attname, ' ' order by a.attname) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
       and has_column_privilege('scholiast_auth', c.oid, a.attnum, 'select')
     group by 1`,
  )
  assert.deepEqual(Object.fromEntries(rows.map(({ name, columns }) => [name, columns])), authColumns)
  for (const text of [
    'select name from person',
    'select email from person',
    'select entry from organization',
    'select name from api_key',
  ]) {
    await assert.rejects(pools.auth.query(text), { code: '42501' }, text)
  }
})

test('the role that looks up keys writes nothing', async () => {
  const { rows } = await superuser.query(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p')
       and (has_table_privilege('scholiast_auth', c.oid, 'insert, update, delete, truncate')
         or has_any_column_privilege('scholiast_auth', c.oid, 'insert, update'))`,
  )
  assert.deepEqual(rows, [])
})

test('the API writes only its own tables: requests, keys, audit rows, the outbox, Learnings, roles, seats, sessions, passkeys, people, groups, connectors and prices', async () => {
  const kept = [
    'api_key',
    'audit_clear',
    'audit_head',
    'audit_log',
    'connector',
    'connector_code_scanning',
    'connector_delivery',
    'connector_pull_request',
    'custom_role',
    'idempotent_request',
    'identity',
    'learning',
    'learning_count',
    'learning_head',
    'learning_index',
    'learning_setting',
    'learning_task',
    'learning_tombstone',
    'limit_window',
    'outbox',
    'passkey',
    'person',
    'refusal_count',
    'reviewer_price',
    'role_job',
    'sarif_upload',
    'sarif_upload_part',
    'sarif_upload_usage',
    'scim_group',
    'scim_group_member',
    'scim_user',
    'seat',
    'seat_head',
    'seat_request',
    'session',
  ]
  assert.deepEqual(await grants('api', 'insert'), kept)
  const onlyAdded =
    /^(?:api_key|audit_clear|audit_log|connector(?:_code_scanning|_delivery|_pull_request)?|learning_tombstone|outbox|passkey|person|role_job|sarif_upload(?:_part)?|scim_group_member|seat|session)$/
  assert.deepEqual(
    await grants('api', 'update'),
    kept.filter((name) => !onlyAdded.test(name)),
  )
  const { rows } = await superuser.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'api_key'::regclass and has_column_privilege('scholiast_api', attrelid, attnum, 'update')
       and attnum > 0 order by 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['expires_at', 'revoked_at'],
    'of a key that is there the API sets when it ends',
  )
  assert.deepEqual(
    await grants('worker', 'update'),
    (await grants('worker', 'update')).filter((name) => name !== 'audit_log'),
  )
})
