import type pg from 'pg'

/** Drops the indexes of a table and makes it unlogged for bulk writes; returns a function that creates the indexes again. */
export async function dropIndexes(client: pg.Client, table: string): Promise<() => Promise<void>> {
  const { rows: indexes } = await client.query<{ name: string; made: string }>(
    `select indexname as name, indexdef as made from pg_indexes
     where schemaname = 'public' and tablename = $1
       and indexname not in (select conname from pg_constraint where conrelid = $1::regclass)`,
    [table],
  )
  const { rows: keys } = await client.query<{ name: string; made: string }>(
    `select conname as name, pg_get_constraintdef(oid) as made from pg_constraint
     where conrelid = $1::regclass and contype = 'p'`,
    [table],
  )
  for (const { name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(`alter table ${table} set unlogged`)
  return async () => {
    for (const { name, made } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${made}`)
    for (const { made } of indexes) await client.query(made)
  }
}
