import { randomUUID } from 'node:crypto'
import { createKeyValue, hashKey } from '../../src/access/key-format.ts'
import { createBus } from '../bus.ts'
import { createDatabase } from '../database.ts'
import { ingestSettings } from '../ingest.ts'

const host = 'git.roles.example.com'

export interface RolesFixture {
  readonly database: Awaited<ReturnType<typeof createDatabase>>
  readonly superuser: ReturnType<Awaited<ReturnType<typeof createDatabase>>['superuser']>
  readonly settings: ReturnType<typeof ingestSettings> & Record<string, string>
  readonly root: string
  readonly instanceKey: string
  close(): Promise<void>
}

/** A self-hosted instance with a separate admin in each organization; users 0 … are members of all of them. */
export async function createRolesFixture(size: {
  readonly organizations: number
  readonly users: number
}): Promise<RolesFixture> {
  const [database, bus] = await Promise.all([createDatabase(), createBus()])
  const superuser = database.superuser()
  const [root, instance, instanceKey] = [randomUUID(), randomUUID(), createKeyValue('instance')]
  await superuser.query(
    `with made as (insert into root (id, kind, name) values ($1, 'instance', 'roles') returning id),
       paid as (insert into subscription select id, 'enterprise', true, 10 from made)
     insert into instance (root_id, id, provider, host, name) select id, $2, 'gitlab', $3, 'roles' from made`,
    [root, instance, host],
  )
  await superuser.query(
    `insert into organization (root_id, id, instance_id, provider, host, provider_organization_id, name)
     select $1, gen_random_uuid(), $2, 'gitlab', $3, n::text, n::text from generate_series(1, $4::int) n`,
    [root, instance, host, size.organizations],
  )
  await superuser.query(
    `insert into person (root_id, id, email, name)
     select $1, gen_random_uuid(), n || '@example.com', n::text from generate_series(-1, $2::int - 1) n`,
    [root, size.users],
  )
  await superuser.query(
    `insert into membership (root_id, organization_id, account_id, person_id, system_role)
     select o.root_id, o.id, p.name, p.id, case p.name when '-1' then 'cr_admin' else 'cr_member' end
     from organization o join person p on p.root_id = o.root_id where o.root_id = $1`,
    [root],
  )
  await superuser.query(
    `insert into api_key (root_id, id, kind, name, organization_id, instance_id, permissions, hash, prefix, last_four)
     select $1, gen_random_uuid(), 'instance', 'roles', o.id, $2, '{user_management:write}', $3, 'sch', '0000'
     from organization o where o.root_id = $1 limit 1`,
    [root, instance, hashKey(instanceKey)],
  )
  await superuser.query('vacuum analyze')
  const settings = { ...ingestSettings(bus), LIMIT_ROLES: 'off' }
  return {
    database,
    superuser,
    settings,
    root,
    instanceKey,
    async close() {
      await superuser.end()
      await Promise.all([database.drop(), bus.drop()])
    },
  }
}

/** An organization and the keys of two of its members. */
export interface OrganizationAdmins {
  readonly organization: string
  /** The keys of user -1, who demotes 0, and of user 0, who demotes -1. */
  readonly keys: readonly string[]
}

export async function createOrganizationAdmins({
  superuser,
  root,
}: RolesFixture): Promise<OrganizationAdmins[]> {
  const { rows } = await superuser.query<{ id: string }>('select id from organization where root_id = $1', [
    root,
  ])
  return Promise.all(
    rows.map(async ({ id }) => {
      const keys = [createKeyValue('user'), createKeyValue('user')]
      await superuser.query(
        `insert into api_key (root_id, id, kind, name, organization_id, owner_id, permissions, hash, prefix, last_four)
         select $1, gen_random_uuid(), 'user', 'roles', $2, p.id, '{user_management:write}', k.hash, 'sch', '0000'
         from unnest($3::bytea[], array['-1', '0']) as k (hash, name)
         join person p on p.root_id = $1 and p.name = k.name`,
        [root, id, keys.map(hashKey)],
      )
      return { organization: id, keys }
    }),
  )
}
