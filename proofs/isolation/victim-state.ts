import type { TestDatabase } from '../../server/test/database.ts'
import type { Victims } from '../../server/test/planted/canaries.ts'

/** A digest of the victims' rows by table. */
export type VictimState = ReadonlyMap<string, string>

const listTables = `
  select c.relname as name,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id') as by_organization
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'root_id')
  order by c.relname`

/** Reads every table that holds tenants' rows: all rows of the victims' roots, and the rows of the victims' organizations. */
export async function readVictimState(
  superuser: ReturnType<TestDatabase['superuser']>,
  { roots, organizations }: Victims,
): Promise<VictimState> {
  const { rows: tables } = await superuser.query<{ name: string; by_organization: boolean }>(listTables)
  const state = new Map<string, string>()
  for (const { name, by_organization } of tables) {
    const { rows } = await superuser.query<{ digest: string }>(
      `select coalesce(md5(string_agg(t::text, '|' order by t::text)), 'empty') as digest from ${name} t
       where t.root_id = any ($1) ${by_organization ? 'or t.organization_id = any ($2)' : 'and $2::uuid[] is not null'}`,
      [roots, organizations],
    )
    state.set(name, rows[0]?.digest ?? '')
  }
  return state
}

export function listChangedTables(before: VictimState, after: VictimState): string[] {
  return [...after.keys()].filter((table) => before.get(table) !== after.get(table))
}
