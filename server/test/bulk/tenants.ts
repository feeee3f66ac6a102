import pg from 'pg'
import { createKeyValue, hashKey } from '../../src/access/key-format.ts'
import { allPermissions } from '../../src/access/permissions.ts'
import type { RootId } from '../../src/ids.ts'
import type { TestDatabase } from '../database.ts'

/** A standalone organization with user keys of its admin. */
export interface BulkRoot {
  readonly root: RootId
  /** ID of the organization, assigned by the Git provider. */
  readonly orgId: string
  readonly keys: readonly string[]
}

/** Many standalone organizations with one user key each, written in bulk, for proofs with many callers. */
export async function createOrganizationsWithKeys(database: TestDatabase, size: number): Promise<string[]> {
  return (await createBulkRoots(database, size)).flatMap(({ keys }) => keys)
}

export async function createBulkRoots(
  database: TestDatabase,
  size: number,
  keysPerRoot = 1,
): Promise<BulkRoot[]> {
  const keys = Array.from({ length: size }, () =>
    Array.from({ length: keysPerRoot }, () => createKeyValue('user')),
  )
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    await client.query(
      `create temp table crowd as
       select gen_random_uuid() as root, gen_random_uuid() as organization, gen_random_uuid() as person, number
       from generate_series(1, $1::int) number`,
      [size],
    )
    await client.query(
      `insert into root (id, kind, name) select root, 'organization', 'crowd ' || number from crowd`,
    )
    await client.query(`insert into subscription select root, 'enterprise', true, 10 from crowd`)
    await client.query(
      `insert into organization (root_id, id, provider, host, provider_organization_id, name)
       select root, organization, 'github', 'github.com', number::text, 'crowd ' || number from crowd`,
    )
    await client.query(
      `insert into person (root_id, id, email, name)
       select root, person, 'person' || number || '@example.com', 'Person ' || number from crowd`,
    )
    await client.query(
      `insert into membership (root_id, organization_id, account_id, person_id, system_role)
       select root, organization, number::text, person, 'cr_admin' from crowd`,
    )
    await client.query(
      `insert into api_key (root_id, id, kind, name, organization_id, owner_id, permissions, hash, prefix, last_four)
       select root, gen_random_uuid(), 'user', 'crowd', organization, person, $1, hash, 'sch_usr_', '0000'
       from crowd join unnest($2::int[], $3::bytea[]) given (number, hash) using (number)`,
      [
        allPermissions,
        keys.flatMap((own, index) => own.map(() => index + 1)),
        keys.flat().map((key) => hashKey(key)),
      ],
    )
    const { rows } = await client.query<{ root: RootId; number: number }>(
      'select root, number from crowd order by number',
    )
    await client.query('analyze')
    return rows.map(({ root, number }) => ({ root, orgId: String(number), keys: keys[number - 1] ?? [] }))
  } finally {
    await client.end()
  }
}

/** The given key and further ones of its owner. */
export async function addUserKeys(superuser: pg.Pool, key: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => createKeyValue('user'))
  await superuser.query(
    `insert into api_key (root_id, id, kind, name, organization_id, owner_id, permissions, hash, prefix, last_four)
     select root_id, gen_random_uuid(), kind, name, organization_id, owner_id, permissions, more.hash, prefix, last_four
     from api_key k, unnest($2::bytea[]) more (hash) where k.hash = $1`,
    [hashKey(key), keys.map(hashKey)],
  )
  return [key, ...keys]
}
