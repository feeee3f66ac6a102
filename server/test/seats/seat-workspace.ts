import { randomUUID } from 'node:crypto'
import { createKeyValue, hashKey } from '../../src/access/key-format.ts'
import type { TestDatabase } from '../database.ts'

/** A person who can get a seat. */
export interface SeatCandidate {
  readonly id: string
  readonly account: string
  /** Key of an organization that the person is a member of. */
  readonly key: string
}

export interface SeatWorkspace {
  readonly root: string
  readonly people: readonly SeatCandidate[]
}

// Three requests of an organization run at a time, so this many organizations run all of them.
const REQUESTS_PER_ORGANIZATION = 3

/** Inserts a workspace whose organizations share its seats. */
export async function createSeatWorkspace(
  database: TestDatabase,
  count: number,
  seats: number,
): Promise<SeatWorkspace> {
  const superuser = database.superuser()
  const root = randomUUID()
  const keys = Array.from({ length: Math.ceil(count / REQUESTS_PER_ORGANIZATION) }, () =>
    createKeyValue('organization'),
  )
  const people = Array.from({ length: count }, () => randomUUID())
  await superuser.query(
    `with root as (insert into root (id, kind, name, sso) values ($1, 'workspace', 'seats', true) returning id)
     insert into subscription select id, 'enterprise', true, $2 from root`,
    [root, seats],
  )
  await insertPeople(superuser, root, people)
  await insertOrganizations(superuser, root, keys.map(hashKey))
  await superuser.query(
    `insert into membership (root_id, organization_id, account_id, person_id, system_role)
     select p.root_id, o.id, p.name, p.id, 'cr_member' from person p
     join organization o on o.root_id = p.root_id and o.name = (p.name::int % $2)::text
     where p.root_id = $1 and not p.workspace_admin`,
    [root, keys.length],
  )
  await superuser.query('analyze')
  await superuser.end()
  return {
    root,
    people: people.map((id, index) => ({ id, account: String(index), key: keys[index % keys.length] ?? '' })),
  }
}

type Superuser = ReturnType<TestDatabase['superuser']>

/** Named by their number. The last one is the admin who owns the keys. */
async function insertPeople(superuser: Superuser, root: string, people: readonly string[]): Promise<void> {
  await superuser.query(
    `insert into person (root_id, id, email, name, workspace_admin)
     select $1, id, id || '@example.com', (ordinal - 1)::text, ordinal > $3
     from unnest($2::uuid[]) with ordinality as p (id, ordinal)`,
    [root, [...people, randomUUID()], people.length],
  )
}

async function insertOrganizations(
  superuser: Superuser,
  root: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await superuser.query(
    `with o as (
       insert into organization (root_id, id, provider, host, provider_organization_id, name)
       select $1, gen_random_uuid(), 'github', 'github.com', ordinal::text, (ordinal - 1)::text
       from unnest($2::bytea[]) with ordinality as k (hash, ordinal)
       returning id, name
     )
     insert into api_key (root_id, id, kind, name, organization_id, owner_id, permissions, hash, prefix, last_four)
     select $1, gen_random_uuid(), 'organization', 'seats', o.id, p.id, '{user_management:write}', k.hash, 'sch', '0000'
     from unnest($2::bytea[]) with ordinality as k (hash, ordinal)
     join o on o.name = (k.ordinal - 1)::text
     join person p on p.root_id = $1 and p.workspace_admin`,
    [root, hashes],
  )
}
