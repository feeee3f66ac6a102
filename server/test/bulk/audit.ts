import pg from 'pg'
import type { TestDatabase } from '../database.ts'
import { growOrganizations } from './organizations.ts'

export interface BulkAudit {
  /** A workspace token. */
  readonly key: string
  /** The provider's id of one of the thousand organizations. */
  readonly orgId: string
  /** The day in the middle of the year. */
  readonly middle: string
}

const ORGANIZATIONS = 1_000
/** Keys that are actors, two per organization. */
const ACTORS = 2_000
const FIRST_DAY = '2025-01-01'
const DAYS = 365
const ROWS_PER_INSERT = 500_000

// One row in ten thousand has the rarest action; the others are distributed evenly.
const actions = `array['role_created', 'role_changed', 'role_deleted', 'seat_assigned', 'seat_unassigned', 'api_key_created',
  'api_key_revoked', 'learning_created', 'learning_updated', 'learning_deleted', 'repository_added', 'repository_changed',
  'person_joined', 'person_left', 'person_changed', 'request_refused']`
const types = `array['role', 'role', 'role', 'seat', 'seat', 'api_key', 'api_key', 'learning', 'learning', 'learning', 'repository',
  'repository', 'person', 'person', 'person', 'request']`

const insertRows = `
  insert into audit_log (root_id, position, id, organization_id, at, action, resource_type, resource_id, actor_kind, actor_id,
    metadata, sealed, digest, previous_hash, hash)
  select $1, n, gen_random_uuid(), ($2::uuid[])[organization], $4::timestamptz + (n - 1) * ($5::interval / $6::float8),
    case when n % 10000 = 5000 then 'organization_renamed' else (${actions})[kind] end,
    case when n % 10000 = 5000 then 'organization' else (${types})[kind] end,
    n::text, 'key', ($3::uuid[])[organization * 2 - n % 2], '{"active": true}', '{}', ''::bytea, ''::bytea, int8send(n)
  from generate_series($7::bigint, $8::bigint) n
  cross join lateral (select 1 + abs(hashint8(n)) % ${ORGANIZATIONS} as organization,
    1 + abs(hashint8(n + 1000000000)) % 16 as kind offset 0) drawn`

const countRows = (organization: string, day: string) => `
  insert into audit_count select root_id, ${organization}, null::uuid, ${day}, action, resource_type, count(*), min(position),
    max(position) from audit_log group by 1, 2, 3, 4, 5, 6`

/** A workspace of a thousand organizations with an audit log of a year, written as superuser and without indexes. */
export async function growAuditLog(
  database: TestDatabase,
  rows: number,
  onProgress: (written: number) => void,
): Promise<BulkAudit> {
  const { root, key } = await growOrganizations(database, { total: ORGANIZATIONS, largest: ORGANIZATIONS })
  const client = new pg.Client({ connectionString: database.superuserUrl })
  await client.connect()
  try {
    await client.query(
      `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set timezone = UTC; set work_mem = '256MB'`,
    )
    const organizations = await readIds(
      client,
      'select id from organization where root_id = $1 order by provider_organization_id::int',
      [root],
    )
    const actors = await addActors(client, root)
    await createMonthPartitions(client)
    const restoreIndexes = await dropIndexes(client)
    await client.query('alter table audit_log disable trigger audit_log_count')
    for (let written = 0; written < rows; written += ROWS_PER_INSERT) {
      const last = Math.min(written + ROWS_PER_INSERT, rows)
      const values = [root, organizations, actors, FIRST_DAY, `${DAYS} days`, rows, written + 1, last]
      await client.query(insertRows, values)
      onProgress(last)
    }
    await client.query(countRows('null::uuid', `(at at time zone 'UTC')::date`))
    await client.query(countRows('organization_id', `(at at time zone 'UTC')::date`))
    await client.query(`insert into audit_count select root_id, organization_id, null::uuid, date '-infinity', action, resource_type,
      sum(rows), min(first_position), max(last_position) from audit_count group by 1, 2, 5, 6`)
    await client.query(
      `insert into audit_actor select distinct root_id, organization_id, actor_kind, actor_id from audit_log where position <= 500000`,
    )
    await restoreIndexes()
    await client.query('alter table audit_log enable trigger audit_log_count')
    await client.query(
      'insert into audit_head select root_id, position, previous_hash, hash from audit_log where position = $1',
      [rows],
    )
    await client.query('vacuum analyze audit_log, audit_count, audit_actor, api_key')
    return { key, orgId: '7', middle: '2025-07-02' }
  } finally {
    await client.end()
  }
}

async function readIds(client: pg.Client, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(text, [...values])
  return rows.map(({ id }) => id)
}

/** Names of which a part matches exactly one. */
function addActors(client: pg.Client, root: string): Promise<string[]> {
  return readIds(
    client,
    `insert into api_key (root_id, id, kind, name, owner_id, permissions, hash, prefix, last_four, expires_at)
     select $1, gen_random_uuid(), 'workspace', 'Robot ' || n || '.', (select id from person where root_id = $1 limit 1), '{}',
       sha256(int4send(n)), 'sch_wsp_', '0000', now() + interval '1 day' from generate_series(1, ${ACTORS}) n returning id`,
    [root],
  )
}

async function createMonthPartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select 'audit_log_' || to_char(month, 'YYYY_MM') as name, audit_log_create_month(month::date)
     from generate_series(date '2025-01-01', date '2025-12-01', interval '1 month') month`,
  )
  for (const { name } of rows) await client.query(`alter table ${name} set unlogged`)
}

/** Creates the indexes again after the rows are written. */
async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `select indexname as name, indexdef as made from pg_indexes
     where schemaname = 'public' and tablename = 'audit_log' and indexname <> 'audit_log_pkey'`,
  )
  await client.query('alter table audit_log drop constraint audit_log_pkey')
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    await client.query('alter table audit_log add primary key (root_id, position, at)')
    for (const { made } of indexes) await client.query(made.replace(' ON ONLY ', ' ON '))
  }
}
