import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startService } from '../../../test/call.ts'
import { openTenant } from '../../../test/fixture.ts'
import { plantSession } from '../../../test/planted/sessions.ts'
import type { SystemRole } from '../../access/permissions.ts'
import { runChange } from '../../admin/operator.ts'
import type { PersonId } from '../../ids.ts'
import { createKey } from '../keys/manage.ts'
import { addPerson, deactivatePerson, grantRepositoryAccess } from './manage.ts'
import { mergePeople } from './merge.ts'

const { database, superuser, tenant, use } = await openTenant()
const service = use(startService(database))
const { root } = tenant.workspace
const [one, two] = tenant.workspace.organizations
assert.ok(two)
const [first, second] = [one, two]

interface Traits {
  readonly roles: readonly (SystemRole | null)[]
  readonly seat?: boolean
  readonly request?: boolean
  readonly workspaceAdmin?: boolean
  readonly repositories?: number
}

interface Made {
  readonly id: PersonId
  readonly key: string
}

/** A person with a key, a session, an identity, a passkey, a link and a Learning. */
async function createPerson({
  roles,
  seat,
  request,
  workspaceAdmin = false,
  repositories = 0,
}: Traits): Promise<Made> {
  const accountId = randomUUID()
  const made = await tenant.change(root, async (change) => {
    const id = await addPerson(change, {
      email: `${accountId}@example.com`,
      name: 'Ruth Adeyemi',
      workspaceAdmin,
      accounts: [{ provider: 'github', host: 'github.com', accountId, username: accountId }],
      memberships: [first, second].flatMap((organization, index) => {
        const system = roles[index]
        return system ? [{ organization: organization.id, role: { system } }] : []
      }),
    })
    const organization = roles[0] ? first : second
    const granted = organization.repositories.slice(0, repositories).map((repository) => repository.id)
    if (granted.length > 0)
      await grantRepositoryAccess(change, {
        person: id,
        organization: organization.id,
        repositories: granted,
      })
    const { value } = await createKey(change, { kind: 'user', organization: organization.id, owner: id })
    return { id, key: value }
  })
  if (seat === true)
    await superuser.query(`insert into seat (root_id, person_id) values ($1, $2)`, [root, made.id])
  if (request === true)
    await superuser.query(
      `insert into seat_request (root_id, person_id, organization_id, requested_at) values ($1, $2, $3, now())`,
      [root, made.id, first.id],
    )
  await plantSession(superuser, root, made.id)
  await superuser.query(`insert into identity values ($1, 'https://issuer.example', $2, $3, now(), now())`, [
    root,
    accountId,
    made.id,
  ])
  await superuser.query(
    `insert into passkey (root_id, id, person_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, gen_random_uuid(), $2, $3, '\\x00', 0, '{}', 'laptop', now())`,
    [root, made.id, randomBytes(16)],
  )
  await superuser.query(
    `insert into sign_in_link values ($1, gen_random_uuid(), $2, 'sign_in', $3, now(), now() + interval '10 minutes')`,
    [root, made.id, randomBytes(32)],
  )
  await superuser.query(
    `insert into learning (root_id, organization_id, id, repository_id, state, text, content_hash, redactor_version,
       source, person_id, created_at, updated_at)
     values ($1, $2, gen_random_uuid(), '1', 'pending', 'Close what you open.', $3, 1, 'agent', $4, now(), now())`,
    [root, first.id, randomBytes(32), made.id],
  )
  return made
}

/** Every row of a table with a person that names this one. */
async function countRows(person: PersonId): Promise<Record<string, number>> {
  const { rows: columns } = await superuser.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and table_name in (
       select relname from pg_class where relkind in ('r', 'p') and not relispartition)
       and (column_name = 'person_id' or (table_name, column_name) in (('api_key', 'owner_id'), ('person', 'id')))`,
  )
  const counts: Record<string, number> = {}
  for (const { table, column } of columns) {
    const { rows } = await superuser.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${column} = $1`,
      [person],
    )
    if (rows[0]?.n) counts[table] = rows[0].n
  }
  return counts
}

const merge = (keep: PersonId, duplicate: PersonId) =>
  tenant.change(root, (change) => mergePeople(change, { keep, duplicate }))

test('everything of the duplicate belongs to the kept person, and no table names the duplicate', async () => {
  const keep = await createPerson({ roles: ['cr_member', null], request: true, repositories: 1 })
  const duplicate = await createPerson({ roles: ['cr_admin', 'cr_member'], seat: true, repositories: 2 })
  const owned = await countRows(duplicate.id)
  const preview = await runChange(
    tenant.operator,
    root,
    (change) => mergePeople(change, { keep: keep.id, duplicate: duplicate.id }),
    { dryRun: true },
  )
  assert.deepEqual(await countRows(duplicate.id), owned, 'a dry run changes nothing')
  const result = await merge(keep.id, duplicate.id)
  assert.deepEqual(result, preview)
  assert.deepEqual(result.conflicts, [
    { organization: first.id, kept: 'cr_member', duplicate: 'cr_admin', role: 'cr_admin' },
  ])
  assert.deepEqual(await countRows(duplicate.id), {})
  const { audit_clear: values, ...counts } = await countRows(keep.id)
  assert.ok((values ?? 0) > 0)
  assert.deepEqual(counts, {
    person: 1,
    account: 2,
    membership: 2,
    api_key: 2,
    identity: 2,
    repository_access: 2,
    seat: 1,
    seat_request: 1,
    learning: 2,
    session: 1,
    passkey: 1,
    sign_in_link: 1,
  })
  const { rows } = await superuser.query(
    `select (select array_agg(system_role order by system_role) from membership where person_id = $1) as roles,
       (select requested_at from seat_request where person_id = $1) as requested,
       (select assigned from seat_head where root_id = $2) as assigned,
       (select count(*)::int from seat where root_id = $2) as seats`,
    [keep.id, root],
  )
  const [state] = rows as { roles: string[]; requested: Date | null; assigned: number; seats: number }[]
  assert.deepEqual(state?.roles, ['cr_admin', 'cr_member'])
  assert.deepEqual([state.requested, state.assigned], [null, state.seats])
  for (const key of [keep.key, duplicate.key])
    assert.equal((await service.call('/v1/keys/self', { key })).status, 200)
  const audit = await superuser.query<{ organization_id: string; duplicate: string }>(
    `select organization_id, metadata ->> 'duplicate_id' as duplicate from audit_log
     where action = 'person_merged' and resource_id = $1 order by position`,
    [keep.id],
  )
  assert.deepEqual(
    new Map(audit.rows.map(({ organization_id, duplicate: id }) => [organization_id, id])),
    new Map<string, string>([first.id, second.id].map((id) => [id, duplicate.id])),
  )
})

test('the kept role stays if it is the stronger one, and two seats become one', async () => {
  const keep = await createPerson({ roles: ['cr_admin'], seat: true })
  const duplicate = await createPerson({ roles: ['cr_member'], seat: true, workspaceAdmin: true })
  const { conflicts, promoted, rows } = await merge(keep.id, duplicate.id)
  assert.deepEqual(
    conflicts.map(({ role }) => role),
    ['cr_admin'],
  )
  assert.deepEqual([promoted, rows.seat, rows.double_memberships], [true, 0, 1])
  assert.equal((await countRows(keep.id))['seat'], 1)
})

test('a person without an e-mail takes that of the duplicate', async () => {
  const keep = await createPerson({ roles: ['cr_member'] })
  const duplicate = await createPerson({ roles: [null, 'cr_member'] })
  await superuser.query(`update person set email = null where id = $1`, [keep.id])
  const { email } = await merge(keep.id, duplicate.id)
  const { rows } = await superuser.query<{ email: string }>(`select email from person where id = $1`, [
    keep.id,
  ])
  assert.equal(rows[0]?.email, email)
  assert.match(email ?? '', /@example\.com$/)
})

test('people who differ in being active, or whom SCIM provisions, are not merged', async () => {
  const keep = await createPerson({ roles: ['cr_member'] })
  const duplicate = await createPerson({ roles: ['cr_member'] })
  await assert.rejects(merge(keep.id, keep.id), /same person/)
  await assert.rejects(merge(keep.id, randomUUID() as PersonId), /does not have both people/)
  await superuser.query(
    `insert into scim_user (root_id, person_id, user_name, attributes, created_at, updated_at)
     values ($1, $2, 'ruth', '{}', now(), now())`,
    [root, duplicate.id],
  )
  await assert.rejects(merge(keep.id, duplicate.id), /the other way round/)
  await tenant.change(root, (change) => deactivatePerson(change, duplicate.id))
  await assert.rejects(merge(keep.id, duplicate.id), /is deactivated and the other is not/)
})

test('every table that refers to a person is known to the merge', async () => {
  const { rows } = await superuser.query<{ name: string }>(
    `select distinct conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid = 'person'::regclass order by 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      'account',
      'api_key',
      'identity',
      'membership',
      'passkey',
      'repository_access',
      'scim_user',
      'seat',
      'seat_request',
      'session',
      'sign_in_link',
    ],
  )
})
