import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { createBus, createWorkerContext, type TestBus } from '../../../test/bus.ts'
import { copyDatabase, createDatabase, type TestDatabase } from '../../../test/database.ts'
import { insertsForEveryTable } from '../../../test/planted/tenant-rows.ts'
import { createTenant, type Tenant } from '../../../test/tenant.ts'
import { waitFor } from '../../../test/wait.ts'
import { startRelay } from '../../bus/outbox.ts'
import { type KnownRestrictions, readRestrictions } from '../../bus/restrictions.ts'
import { connect, type Pool } from '../../db/connect.ts'
import { connectMetricsStores } from '../../db/stores.ts'
import type { RootId } from '../../ids.ts'
import { readDueConnectorsUnscoped } from '../connectors/sync/connector-sql.ts'
import { removeLearning } from '../learnings/write/delete.ts'
import { applyRestrictions } from './apply-restrictions.ts'
import { declareRestorePoint } from './declare.ts'
import { confirmRestorePointsUnscoped } from './sql.ts'

/** What is taken away after the backup: the statement, and one that finds what works until then. */
const changes: Readonly<Record<string, readonly [change: string, works: string]>> = {
  'a revoked key': [
    `update api_key set revoked_at = now() where root_id = $1 and name = 'revoked'`,
    `select from api_key where root_id = $1 and name = 'revoked' and revoked_at is null`,
  ],
  'the end of a rotated key': [
    `update api_key set expires_at = now() where root_id = $1 and name = 'rotated'`,
    `select from api_key where root_id = $1 and name = 'rotated' and expires_at > now()`,
  ],
  'a revoked SCIM credential': [
    'update scim_credential set revoked_at = now() where root_id = $1',
    'select from scim_credential where root_id = $1 and revoked_at is null',
  ],
  'a deactivated person': [
    `update person set active = false where root_id = $1 and name = 'leaver'`,
    `select from person where root_id = $1 and name = 'leaver' and active`,
  ],
  'a workspace admin': [
    `update person set workspace_admin = false where root_id = $1 and name = 'workspace admin'`,
    `select from person where root_id = $1 and workspace_admin and name = 'workspace admin'`,
  ],
  'a removed membership': [
    `delete from membership where root_id = $1 and account_id = 'left'`,
    `select from membership where root_id = $1 and account_id = 'left'`,
  ],
  'an admin': [
    `update membership set system_role = 'cr_member' where root_id = $1 and account_id = 'demoted'`,
    `select from membership where root_id = $1 and account_id = 'demoted' and system_role = 'cr_admin'`,
  ],
  'an admin who got a role that was created later': [
    `with created as (insert into custom_role (root_id, organization_id, id, name, permissions)
       select root_id, organization_id, gen_random_uuid(), 'later', '{}' from membership where root_id = $1 and account_id = 'custom'
       returning id)
     select id from created`,
    `select from membership where root_id = $1 and account_id = 'custom' and system_role = 'cr_admin'`,
  ],
  'a permission of a role': [
    `update custom_role set permissions = '{learning:read}' where root_id = $1 and name = 'smaller'`,
    `select from custom_role where root_id = $1 and name = 'smaller' and cardinality(permissions) = 2`,
  ],
  'a deleted role': [
    `delete from custom_role where root_id = $1 and name = 'deleted'`,
    `select from custom_role where root_id = $1 and name = 'deleted'`,
  ],
  'read access to a repository': [
    'delete from repository_access where root_id = $1',
    'select from repository_access where root_id = $1',
  ],
  'a member of a group': [
    'delete from scim_group_member where root_id = $1',
    'select from scim_group_member where root_id = $1',
  ],
  'the role of a group': [
    'delete from scim_group_role where root_id = $1',
    'select from scim_group_role where root_id = $1',
  ],
  'an identity': ['delete from identity where root_id = $1', 'select from identity where root_id = $1'],
  'a passkey': ['delete from passkey where root_id = $1', 'select from passkey where root_id = $1'],
  'a deleted Learning': [
    `delete from learning where root_id = $1 and state = 'shared'`,
    `select from learning where root_id = $1 and state = 'shared'`,
  ],
  'a disapproved Learning': [
    `update learning set state = 'disapproved', deadline = null where root_id = $1 and state = 'pending'`,
    `select from learning where root_id = $1 and state = 'pending'`,
  ],
  'a connector': ['delete from connector where root_id = $1', 'select from connector where root_id = $1'],
  'an organization': [
    `update organization set active = false where root_id = $1 and name = 'of the instance'`,
    `select from organization where root_id = $1 and active and name = 'of the instance'`,
  ],
  'a session': [
    'update session set ended_at = now() where root_id = $1',
    `select from session where root_id = $1 and ended_at is null and expires_at > now()`,
  ],
  'a link': [
    'update sign_in_link set used_at = now() where root_id = $1',
    'select from sign_in_link where root_id = $1 and used_at is null',
  ],
}

let original: TestDatabase
let restored: TestDatabase
let testBus: TestBus
let tenant: Tenant
let root: RootId
let superuser: pg.Pool
let pool: Pool
let known: KnownRestrictions
const restoredTo = new Date()

before(async () => {
  ;[original, testBus] = await Promise.all([createDatabase(), createBus()])
  tenant = await createTenant(original)
  root = tenant.workspace.root
  superuser = original.superuser()
  await plant()
  await tenant.close()
  await superuser.end()
  restored = await copyDatabase(original)
  superuser = original.superuser()
  for (const [what, [change, works]] of Object.entries(changes)) {
    assert.ok((await find(works)) > 0, `${what} works`)
    await superuser.query(change, [root])
  }
  await superuser.query(
    `update membership m set system_role = null, custom_role_id = c.id from custom_role c
     where m.root_id = $1 and m.account_id = 'custom' and c.root_id = $1 and c.name = 'later'`,
    [root],
  )
  for (const [what, [, works]] of Object.entries(changes)) assert.equal(await find(works), 0, what)
  await superuser.query(
    `update person set erased_at = now(), email = null where root_id = $1 and name = 'leaver'`,
    [root],
  )
  await relay()
  known = await readRestrictions(testBus.bus, restoredTo)
  await superuser.end()
  superuser = restored.superuser()
  pool = connect({ url: restored.urls.worker, name: 'admin', connections: 2 })
})
after(async () => {
  await Promise.all([superuser.end(), pool?.end(), testBus.drop()])
  await Promise.all([original.drop(), restored?.drop()])
})

async function find(works: string): Promise<number> {
  return (await superuser.query(works, [root])).rowCount ?? 0
}

/** A row of everything that can be taken away. */
async function plant(): Promise<void> {
  const [organization] = tenant.workspace.organizations
  const rows = insertsForEveryTable(tenant.workspace, randomUUID(), randomUUID())
  for (const [text, values] of rows) if (!text.includes('root_tombstone')) await superuser.query(text, values)
  await superuser.query(`delete from restore_position where root_id = $1`, [root])
  await superuser.query(`update session set expires_at = now() + interval '1 day' where root_id = $1`, [root])
  const keys = await Promise.all([tenant.createKey('workspace'), tenant.createKey('workspace')])
  for (const [index, name] of ['revoked', 'rotated'].entries())
    await superuser.query('update api_key set name = $2 where id = $1', [keys[index]?.id, name])
  for (const name of ['smaller', 'deleted'])
    await superuser.query(
      `insert into custom_role (root_id, organization_id, id, name, permissions)
       values ($1, $2, gen_random_uuid(), $3, '{learning:read,learning:write}')`,
      [root, organization.id, name],
    )
  for (const [name, account, admin] of [
    ['leaver', 'left', false],
    ['workspace admin', 'demoted', true],
    ['third', 'custom', false],
  ])
    await superuser.query(
      `with person as (insert into person (root_id, id, email, name, workspace_admin)
         values ($1, gen_random_uuid(), $4, $3, $6) returning id)
       insert into membership (root_id, organization_id, account_id, person_id, system_role)
       select $1, $2, $5, id, 'cr_admin' from person`,
      [root, organization.id, name, `${String(account)}@example.com`, account, admin],
    )
  await superuser.query(
    `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version, source,
       deadline, created_at, updated_at)
     values ($1, $2, gen_random_uuid(), '1', 'pending', 'p', sha256('p'), 1, 'api', now(), now(), now())`,
    [root, organization.id],
  )
}

/** As the worker of the original did, until it was lost. */
async function relay(): Promise<void> {
  const worker = connect({ url: original.urls.worker, name: 'worker', connections: 2 })
  const relaying = startRelay(createWorkerContext(worker, testBus.bus))
  await waitFor('all is published', async () => {
    const { rows } = await superuser.query('select from restriction union all select from outbox')
    const messages = await testBus.messages('RESTRICTIONS')
    return rows.length === 0 && messages.some(({ subject }) => subject.endsWith('heartbeat'))
  })
  await relaying.stop()
  await worker.end()
}

test('a restore brings back everything that was taken away, before the restore point is declared', async () => {
  for (const [what, [, works]] of Object.entries(changes)) assert.ok((await find(works)) > 0, what)
})

test('every table whose changes are recorded is tried here', async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     join pg_proc p on p.oid = t.tgfoid where p.proname = 'record_restriction' and c.relname <> 'root_tombstone'`,
  )
  const tried = new Set(known.restrictions.map(({ change }) => change.table))
  assert.deepEqual(new Set(rows.map(({ name }) => name)), tried)
})

test('the stream says until when it is complete', () => {
  const { until } = known
  assert.ok(until !== null && until >= restoredTo && until <= new Date())
})

test('what was taken away after the point is taken away again, of its own root only, and in one audit row', async () => {
  const declaration = { pool, restoredTo, now: new Date(), dryRun: false, attest: () => Promise.resolve() }
  const stores = connectMetricsStores(new Map(), 'test', 1)
  const { roots } = await declareRestorePoint({ ...declaration, stores })
  assert.ok(roots.length > 1)
  const at = new Date()
  const applied = await applyRestrictions(pool, roots, known, { restoredTo, at, removeLearning })
  for (const [what, [, works]] of Object.entries(changes)) assert.equal(await find(works), 0, what)
  assert.ok(applied.restrictions >= Object.keys(changes).length - 2)
  const [person] = applied.commands
  assert.match(person ?? '', new RegExp(`^person erase --root ${root} --person [0-9a-f-]{36}$`))
  const { rows } = await superuser.query<{ metadata: unknown }>(
    `select metadata from audit_log where action = 'root_restored' and root_id = $1`,
    [root],
  )
  const { restrictions, sessions, links } = applied
  assert.deepEqual(rows, [
    { metadata: { restored_to: restoredTo.toISOString(), restrictions, sessions, links } },
  ])
  const again = await applyRestrictions(pool, roots, known, { restoredTo, at, removeLearning })
  assert.deepEqual([again.restrictions, again.sessions, again.links], [0, 0, 0])
})

test('connectors rest until the restore is confirmed', async () => {
  const [{ id }] = tenant.workspace.organizations
  await superuser.query(
    `insert into connector (root_id, organization_id, id, provider, host, mode, account, credential, key_id, created_at,
       inventory_due_at) values ($1, $2, gen_random_uuid(), 'github', 'github.com', 'polling', 'new', '\\x01', 'k', now(), now())`,
    [root, id],
  )
  assert.deepEqual(await readDueConnectorsUnscoped(pool, new Date()), [])
  assert.equal(await confirmRestorePointsUnscoped(pool, new Date()), true)
  assert.equal((await readDueConnectorsUnscoped(pool, new Date())).length, 1)
  assert.equal(await confirmRestorePointsUnscoped(pool, new Date()), false)
})
