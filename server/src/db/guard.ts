import type { ClientBase } from 'pg'
import { runBatch } from './batch.ts'
import { type Pool, statement } from './connect.ts'
import { runUnscoped } from './transaction.ts'

export interface RolePrivileges {
  readonly role: string
  readonly superuser: boolean
  readonly bypasses: boolean
  readonly owns: string[]
  readonly unprotected: string[]
  readonly reads_reports: boolean
  readonly has_time_limit: boolean
}

const readRolePrivileges = statement(
  'db.role-privileges',
  `
  select r.rolname as role, r.rolsuper as superuser, r.rolbypassrls as bypasses,
    current_setting('statement_timeout') <> '0' as has_time_limit,
    array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')) as owns,
    array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relrowsecurity
        and (c.relname = 'root' or exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'root_id' and not a.attisdropped)))
      as unprotected,
    -- Its views run as the owner of the tables.
    exists (select from pg_namespace n where n.nspname = 'report' and has_schema_privilege(n.oid, 'usage')) as reads_reports
  from pg_roles r where r.rolname = current_user`,
)

/** Row-level security does not apply to the role, a table lacks it, or the role lacks its settings. */
export class UnguardedRoleError extends Error {
  override readonly name = 'UnguardedRoleError'
}

/** Throws if row-level security does not apply to the role, if a table lacks it, or if the role lacks its settings. */
export async function refuseUnguardedRole(pool: Pool): Promise<void> {
  refuseUnguarded(await readPrivileges(pool))
}

/** Those of the connected role. */
export async function readPrivileges(pool: Pool): Promise<RolePrivileges | undefined> {
  const [privileges] = await runUnscoped<RolePrivileges>(pool, readRolePrivileges, [])
  return privileges
}

/**
 * A check of `connect`: refuses the connections of a pool until its role has passed, whenever its server first responds.
 * Each pool needs a check of its own.
 */
export function createRoleCheck(
  reportUnguarded: (error: UnguardedRoleError) => void,
): (connection: ClientBase) => Promise<void> {
  let passed = false
  return async (connection) => {
    if (passed) return
    const [rows] = await runBatch(connection, [{ statement: readRolePrivileges, values: [] }])
    try {
      refuseUnguarded(rows?.[0] as unknown as RolePrivileges | undefined)
    } catch (error) {
      if (error instanceof UnguardedRoleError) reportUnguarded(error)
      throw error
    }
    passed = true
  }
}

function refuseUnguarded(privileges: RolePrivileges | undefined): void {
  if (privileges === undefined) throw new Error('The connected role does not exist in pg_roles.')
  const reasons = [
    privileges.superuser && 'it is a superuser',
    privileges.bypasses && 'it can bypass row-level security',
    privileges.owns.length > 0 && `it owns tables (${privileges.owns.slice(0, 3).join(', ')} …)`,
    privileges.unprotected.length > 0 &&
      `these tables have no row-level security: ${privileges.unprotected.join(', ')}`,
    privileges.reads_reports && 'it can read the views of the schema report',
  ].filter((reason) => reason !== false)
  if (reasons.length > 0) {
    throw new UnguardedRoleError(
      `Refusing to run as database role ${privileges.role}: ${reasons.join('; ')}. ` +
        'Tenants would not be isolated. Connect as scholiast_auth, scholiast_api or scholiast_worker ' +
        '(`npm run admin -- database bootstrap` creates them) and apply all migrations.',
    )
  }
  if (!privileges.has_time_limit) {
    throw new UnguardedRoleError(
      `Refusing to run as database role ${privileges.role}: it lacks its settings, so that a statement could run without end. ` +
        'Run `npm run admin -- database bootstrap`, which stores them with the role.',
    )
  }
}
