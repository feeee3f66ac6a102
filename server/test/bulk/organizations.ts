import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createKeyValue, hashKey } from '../../src/access/key-format.ts'
import { allPermissions } from '../../src/access/permissions.ts'
import type { TestDatabase } from '../database.ts'

export interface BulkWorkspace {
  readonly root: string
  readonly key: string
  readonly keyHash: Buffer
}

// Ids grow with the creation time and tenants are created alternately, so the rows of a workspace are scattered.
const insertOrganizations = `
  insert into organization (root_id, id, provider, host, provider_organization_id, name)
  select r.id,
    (lpad(to_hex(1760000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    'github', 'github.com', n::text, 'Organization ' || n
  from generate_series(1, $1::int) n
  join lateral (select id from bulk_root where place = case when n % $2 = 0 then 0 else 1 + n % 900 end) r on true`

/** Many organizations, a share of them in one large workspace, like years of growth. */
export async function growOrganizations(
  database: TestDatabase,
  { total, largest }: { readonly total: number; readonly largest: number },
): Promise<BulkWorkspace> {
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    await client.query(
      `create temp table bulk_root as select n as place, gen_random_uuid() as id from generate_series(0, 900) n`,
    )
    await client.query(
      `insert into root (id, kind, name, sso) select id, 'workspace', 'Workspace ' || place, true from bulk_root`,
    )
    await client.query(`insert into subscription select id, 'enterprise', true, 100 from bulk_root`)
    await client.query('create unique index on bulk_root (place)')
    await client.query(insertOrganizations, [total, Math.round(total / largest)])
    const { rows } = await client.query<{ id: string }>('select id from bulk_root where place = 0')
    const workspace = await addToken(client, rows[0]?.id ?? '')
    await client.query('vacuum analyze')
    return workspace
  } finally {
    await client.end()
  }
}

async function addToken(client: pg.Client, root: string): Promise<BulkWorkspace> {
  const owner = randomUUID()
  const key = createKeyValue('workspace')
  const keyHash = hashKey(key)
  await client.query(
    `insert into person (root_id, id, email, name, workspace_admin) values ($1, $2, 'owner@example.com', 'Owner', true)`,
    [root, owner],
  )
  await client.query(
    `insert into api_key (root_id, id, kind, name, owner_id, permissions, hash, prefix, last_four, expires_at)
     values ($1, $2, 'workspace', 'bench', $3, $4, $5, 'sch_wsp_', $6, now() + interval '1 day')`,
    [root, randomUUID(), owner, allPermissions, keyHash, key.slice(-4)],
  )
  return { root, key, keyHash }
}
