import type { Scope } from '../../access/scope.ts'
import type { Restriction } from '../../bus/restrictions.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'

type Change = Restriction['change']

/** What takes the same away again: $1 is the root, $2 the columns. One row is returned if something changed. */
const define = (name: string, columns: string, text: string) =>
  statement(
    `restrictions.${name}`,
    `with r as (select * from jsonb_to_record($2::jsonb) as r (${columns})) ${text}`,
  )

const changed = new Map(
  Object.entries({
    api_key: define(
      'key',
      'id uuid, revoked_at timestamptz, expires_at timestamptz',
      `update api_key k set revoked_at = coalesce(k.revoked_at, r.revoked_at), expires_at = least(k.expires_at, r.expires_at)
     from r where k.root_id = $1 and k.id = r.id and ((k.revoked_at is null and r.revoked_at is not null)
       or least(k.expires_at, r.expires_at) is distinct from k.expires_at) returning 1`,
    ),
    scim_credential: define(
      'scim-credential',
      'id uuid, revoked_at timestamptz',
      `update scim_credential c set revoked_at = r.revoked_at from r
     where c.root_id = $1 and c.id = r.id and c.revoked_at is null returning 1`,
    ),
    person: define(
      'person',
      'id uuid, active boolean, workspace_admin boolean',
      `update person p set active = p.active and r.active, workspace_admin = p.workspace_admin and r.workspace_admin from r
     where p.root_id = $1 and p.id = r.id and (p.active > r.active or p.workspace_admin > r.workspace_admin) returning 1`,
    ),
    // The custom role may have been created after the point.
    membership: define(
      'membership',
      'organization_id uuid, account_id text, system_role text, custom_role_id uuid',
      `, given as (
       select r.organization_id, r.account_id, c.id as custom_role_id,
         coalesce(r.system_role, case when c.id is null then 'cr_member' end) as system_role
       from r left join custom_role c on c.root_id = $1 and c.organization_id = r.organization_id and c.id = r.custom_role_id)
     update membership m set system_role = g.system_role, custom_role_id = g.custom_role_id from given g
     where m.root_id = $1 and m.organization_id = g.organization_id and m.account_id = g.account_id
       and (m.system_role is distinct from g.system_role or m.custom_role_id is distinct from g.custom_role_id) returning 1`,
    ),
    custom_role: define(
      'role',
      'organization_id uuid, id uuid, permissions text[]',
      `update custom_role c set permissions = r.permissions from r
     where c.root_id = $1 and c.organization_id = r.organization_id and c.id = r.id and c.permissions <> r.permissions returning 1`,
    ),
    organization: define(
      'organization',
      'id uuid',
      `update organization o set active = false from r where o.root_id = $1 and o.id = r.id and o.active returning 1`,
    ),
    // It waits for nobody's approval any more.
    learning: define(
      'learning',
      'organization_id uuid, id uuid',
      `, task as (delete from learning_task t using r
       where t.root_id = $1 and t.organization_id = r.organization_id and t.learning_id = r.id)
     update learning l set state = 'disapproved', deadline = null from r
     where l.root_id = $1 and l.organization_id = r.organization_id and l.id = r.id and l.state = 'pending' returning 1`,
    ),
  }),
)

const remove = (table: string, columns: string) => {
  const names = columns.split(', ').map((column) => column.split(' ')[0] ?? '')
  const matches = names.map((name) => `t.${name} = r.${name}`).join(' and ')
  return define(
    `delete-${table}`,
    columns,
    `delete from ${table} t using r where t.root_id = $1 and ${matches} returning 1`,
  )
}

const deleted = new Map(
  Object.entries({
    membership: remove('membership', 'organization_id uuid, account_id text'),
    repository_access: remove(
      'repository_access',
      'organization_id uuid, repository_id uuid, person_id uuid',
    ),
    scim_group_member: remove('scim_group_member', 'group_id uuid, person_id uuid'),
    scim_group_role: remove('scim_group_role', 'group_id uuid, organization_id uuid'),
    identity: remove('identity', 'issuer text, subject text'),
    passkey: remove('passkey', 'id uuid'),
    connector: remove('connector', 'id uuid'),
    // Its members had another role before it was deleted, unless they joined later.
    custom_role: define(
      'delete-role',
      'organization_id uuid, id uuid',
      `, members as (update membership m set system_role = 'cr_member', custom_role_id = null from r
       where m.root_id = $1 and m.organization_id = r.organization_id and m.custom_role_id = r.id)
     delete from custom_role c using r
     where c.root_id = $1 and c.organization_id = r.organization_id and c.id = r.id returning 1`,
    ),
  }),
)

/** Takes away again what was taken away. Returns whether there was something to take away. */
export async function applyRestriction(scope: Scope, tx: Tx, change: Change): Promise<boolean> {
  const text = (change.deleted ? deleted : changed).get(change.table)
  // Nothing that was taken away may come back unnoticed.
  if (text === undefined) throw new Error(`This version cannot apply a change of the table ${change.table}.`)
  return (await tx.query(text, [scope.root, JSON.stringify(change)])).length > 0
}

const endSessions = statement(
  'restrictions.end-sessions',
  `update session set ended_at = $2 where root_id = $1 and ended_at is null and expires_at > $2 returning 1`,
)

// Used when it was created: the person did not use it, so it is no sign-in.
const voidLinks = statement(
  'restrictions.end-links',
  `update sign_in_link set used_at = created_at where root_id = $1 and used_at is null returning 1`,
)

/** Which of them had ended when the database was lost is not known. Returns their numbers. */
export async function endSessionsAndLinks(
  scope: Scope,
  tx: Tx,
  at: Date,
): Promise<Record<'sessions' | 'links', number>> {
  const [sessions, links] = await Promise.all([
    tx.query(endSessions, [scope.root, at.toISOString()]),
    tx.query(voidLinks, [scope.root]),
  ])
  return { sessions: sessions.length, links: links.length }
}
