import pg from 'pg'
import { hashKey, makeKey } from '../../src/access/key-format.ts'
import { allPermissions } from '../../src/access/permissions.ts'
import type { TestDatabase } from '../database.ts'

/** Many standalone organizations with one user key each, written in bulk, for proofs with many callers. */
export async function makeOrganizationsWithKeys(database: TestDatabase, size: number): Promise<string[]> {
  const keys = Array.from({ length: size }, () => makeKey('user'))
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    await client.query(
      `create temp table crowd as
       select gen_random_uuid() as root, gen_random_uuid() as organization, gen_random_uuid() as person, k.*
       from unnest($1::bytea[]) with ordinality k (hash, place)`,
      [keys.map(hashKey)],
    )
    await client.query(
      `insert into root (id, kind, name) select root, 'organization', 'crowd ' || place from crowd`,
    )
    await client.query(`insert into subscription select root, 'enterprise', true, 10 from crowd`)
    await client.query(
      `insert into organization (root_id, id, provider, host, provider_organization_id, name)
       select root, organization, 'github', 'github.com', place::text, 'crowd ' || place from crowd`,
    )
    await client.query(
      `insert into person (root_id, id, email, name)
       select root, person, 'person' || place || '@example.com', 'Person ' || place from crowd`,
    )
    await client.query(
      `insert into membership (root_id, organization_id, account_id, person_id, system_role)
       select root, organization, place::text, person, 'cr_admin' from crowd`,
    )
    await client.query(
      `insert into api_key (root_id, id, kind, name, organization_id, owner_id, permissions, hash, prefix, last_four)
       select root, gen_random_uuid(), 'user', 'crowd', organization, person, $1, hash, 'sch_usr_', '0000' from crowd`,
      [allPermissions],
    )
    await client.query('analyze')
    return keys
  } finally {
    await client.end()
  }
}

/** The given key and further ones of its owner. */
export async function addUserKeys(superuser: pg.Pool, key: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => makeKey('user'))
  await superuser.query(
    `insert into api_key (root_id, id, kind, name, organization_id, owner_id, permissions, hash, prefix, last_four)
     select root_id, gen_random_uuid(), kind, name, organization_id, owner_id, permissions, more.hash, prefix, last_four
     from api_key k, unnest($2::bytea[]) more (hash) where k.hash = $1`,
    [hashKey(key), keys.map(hashKey)],
  )
  return [key, ...keys]
}
