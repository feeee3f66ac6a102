import type { ChangeContext } from '../../../access/change-context.ts'
import { type RoleChange, recordRoleChanges } from '../../../bus/record-role-changes.ts'
import type { PersonId } from '../../../ids.ts'
import type { Log } from '../../../observe/log.ts'
import { lockMemberships, type MappedRole, type MembershipRow, updateRoles } from './group-sql.ts'

const DEFAULT_ROLE = 'cr_member'

/** Why a role stays, although the groups of the person give another one. */
type Obstacle = 'PROTECTED_ROLE' | 'LAST_ADMIN' | 'USER_INACTIVE'

interface RoleOfMember {
  readonly member: MembershipRow
  readonly role: string
}

/**
 * Gives people the roles that their groups give, in organizations of which they are members. `left` are roles of groups that
 * they have left: who still has such a role, and no other group that gives one, becomes a member. Writes audit rows, so it
 * must come after all other changes.
 */
export async function applyGroupRoles(
  context: ChangeContext & { readonly log?: Log },
  people: readonly PersonId[],
  left: readonly MappedRole[],
): Promise<void> {
  if (people.length === 0) return
  const { scope, tx } = context
  const organizations = left.map(({ organization_id }) => organization_id)
  const members = await lockMemberships(scope, tx, people, organizations)
  const changes: RoleOfMember[] = []
  const admins = new Map(members.map(({ organization_id, admins: count }) => [organization_id, count]))
  for (const member of members) {
    const role = member.given ?? (wasGiven(member, left) ? DEFAULT_ROLE : member.role)
    if (role === member.role) continue
    const active = admins.get(member.organization_id) ?? 0
    const obstacle = findObstacle(member, role, active)
    if (obstacle === null) {
      if (member.role === 'cr_admin' && member.active) admins.set(member.organization_id, active - 1)
      changes.push({ member, role })
    } else {
      const { organization_id: organization, person_id: person } = member
      context.log?.warn(
        { organization, person, code: obstacle },
        'the role that a SCIM group gives was not set',
      )
    }
  }
  if (changes.length === 0) return
  await updateRoles(scope, tx, changes)
  await recordRoleChanges(context, toRoleChanges(changes), { automatic: true })
}

function wasGiven({ organization_id, role }: MembershipRow, left: readonly MappedRole[]): boolean {
  return left.some((given) => given.organization_id === organization_id && given.role === role)
}

/** The rules of every other change of roles: billing admins, inactive people and the last admin. */
function findObstacle(
  { role: before, active }: MembershipRow,
  role: string,
  admins: number,
): Obstacle | null {
  if (before === 'cr_billing_admin') return 'PROTECTED_ROLE'
  if (role === 'cr_admin') return active ? null : 'USER_INACTIVE'
  return before === 'cr_admin' && active && admins <= 1 ? 'LAST_ADMIN' : null
}

function toRoleChanges(changes: readonly RoleOfMember[]): RoleChange[] {
  const grouped = Map.groupBy(changes, ({ member, role }) => `${member.organization_id} ${role}`)
  return [...grouped.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const people = group.map(({ member: { person_id: id, role, name } }) => ({ id, role, name }))
    return [{ organization: first.member.organization_id, role: first.role, people }]
  })
}
