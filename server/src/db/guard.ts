import type { Pool } from './connect.ts'
import type { MetricsStores } from './stores.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

interface RolePrivileges {
  readonly role: string
  readonly superuser: boolean
  readonly bypasses: boolean
  readonly owns: string[]
  readonly unprotected: string[]
}

const readRolePrivileges = `
  select r.rolname as role, r.rolsuper as superuser, r.rolbypassrls as bypasses,
    array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')) as owns,
    array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relrowsecurity
        and (c.relname = 'root' or exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'root_id' and not a.attisdropped)))
      as unprotected
  from pg_roles r where r.rolname = current_user`

/** Throws if row-level security does not apply to the role, or if a table lacks it. */
export async function refuseUnguardedRole(pool: Pool): Promise<void> {
  const { rows } = await pool.query<RolePrivileges>(readRolePrivileges)
  const privileges = rows[0]
  if (privileges === undefined) throw new Error('The connected role does not exist in pg_roles.')
  const reasons = [
    privileges.superuser && 'it is a superuser',
    privileges.bypasses && 'it can bypass row-level security',
    privileges.owns.length > 0 && `it owns tables (${privileges.owns.slice(0, 3).join(', ')} …)`,
    privileges.unprotected.length > 0 &&
      `these tables have no row-level security: ${privileges.unprotected.join(', ')}`,
  ].filter((reason) => reason !== false)
  if (reasons.length > 0) {
    throw new Error(
      `Refusing to run as database role ${privileges.role}: ${reasons.join('; ')}. ` +
        'Tenants would not be isolated. Connect as scholiast_auth, scholiast_api or scholiast_worker ' +
        '(`npm run admin -- database bootstrap` creates them) and apply all migrations.',
    )
  }
}

/** Checks every metrics store. An unavailable store is reported and skipped, so that the others can serve. */
export async function refuseUnguardedStores(
  stores: MetricsStores,
  reportUnavailable: (store: string, error: unknown) => void,
): Promise<void> {
  for (const name of stores.names) {
    try {
      await refuseUnguardedRole(stores.pool(name))
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      reportUnavailable(name, error)
    }
  }
}
