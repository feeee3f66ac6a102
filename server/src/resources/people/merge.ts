import {
  auditChanges,
  type ChangeContext,
  type ChangeEntry,
  toPersonEntry,
} from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { refuseOperation } from '../../errors.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import { lockMemberships } from './deprovision-sql.ts'
import {
  lockMergedPeople,
  type Merge,
  type MergedMembership,
  type MergedPerson,
  type MergedRows,
  moveEverything,
  readMergedMemberships,
  replaceDuplicate,
} from './merge-sql.ts'

/** An organization of which both were members. */
export interface MembershipConflict {
  readonly organization: OrganizationId
  readonly kept: string
  readonly duplicate: string
  /** The role that the person has afterwards. */
  readonly role: string
}

export interface MergeResult {
  readonly rows: MergedRows
  readonly conflicts: readonly MembershipConflict[]
  /** Whether the kept person becomes a workspace admin. */
  readonly promoted: boolean
  /** The e-mail that the kept person takes over; null if they have one. */
  readonly email: string | null
}

/**
 * One human with two records becomes one: what the duplicate has moves to the kept person, and the duplicate is deleted.
 * Sessions, passkeys and links of the duplicate end. In an organization of which both are members, the stronger role stays.
 */
export async function mergePeople(change: ChangeContext, merge: Merge): Promise<MergeResult> {
  const { scope, tx, at } = change
  const { keep, duplicate } = merge
  if (keep === duplicate) refuseOperation('Both are the same person. Name two people.')
  await Promise.all([lockMemberships(scope, tx, keep, null), lockMemberships(scope, tx, duplicate, null)])
  const [, people] = await Promise.all([
    lockAndCountSeats(scope, tx),
    lockMergedPeople(scope, tx, [keep, duplicate]),
  ])
  const [kept, other] = [keep, duplicate].map((id) => people.find((person) => person.id === id))
  if (kept === undefined || other === undefined)
    return refuseOperation('The tenant root does not have both people, or one of them is erased.')
  refuseUnmergeable(kept, other)
  const memberships = await readMergedMemberships(scope, tx, merge)
  const conflicts = memberships.flatMap(toConflict)
  const stronger = conflicts.filter(({ kept: before, role }) => before !== role)
  const rows = await moveEverything(
    scope,
    tx,
    merge,
    stronger.map(({ organization }) => organization),
    at,
  )
  await replaceDuplicate(scope, tx, merge, other)
  const result = {
    rows,
    conflicts,
    promoted: other.workspace_admin && !kept.workspace_admin,
    email: kept.email === null ? other.email : null,
  }
  await auditChanges(change, toEntries(duplicate, kept, memberships, result))
  return result
}

function refuseUnmergeable(kept: MergedPerson, duplicate: MergedPerson): void {
  // Keys of somebody who is deactivated would work again, or keys in use would end without a word.
  if (kept.active !== duplicate.active) {
    const inactive = kept.active ? duplicate : kept
    refuseOperation(
      `${inactive.name} (${inactive.id}) is deactivated and the other is not. Deactivate or reactivate one of them first.`,
    )
  }
  if (duplicate.provisioned) {
    refuseOperation(
      kept.provisioned
        ? 'The identity provider provisions both people by SCIM. Remove one of them there first.'
        : 'The identity provider knows the duplicate by its id (SCIM). Name the people the other way round.',
    )
  }
}

const roleRanks: ReadonlyMap<string, number> = new Map([
  ['cr_admin', 3],
  ['cr_billing_admin', 2],
  ['cr_member', 0],
])

/** A custom role is more than cr_member and less than the other system roles; between two custom ones the kept stays. */
function rank(role: string): number {
  return roleRanks.get(role) ?? 1
}

function toConflict({ organization_id, kept, duplicate }: MergedMembership): MembershipConflict[] {
  if (kept === null || duplicate === null) return []
  const role = rank(duplicate) > rank(kept) ? duplicate : kept
  return [{ organization: organization_id, kept, duplicate, role }]
}

/** A row in the log of each organization of the person, or one without an organization. */
function toEntries(
  duplicate: PersonId,
  kept: MergedPerson,
  memberships: readonly MergedMembership[],
  { rows, conflicts, promoted }: MergeResult,
): ChangeEntry[] {
  const logs = memberships.length > 0 ? memberships.map(({ organization_id }) => organization_id) : [null]
  const metadata = { duplicate_id: duplicate, workspace_admin_added: promoted, ...rows }
  return logs.map((organization) => {
    const conflict = conflicts.find((one) => one.organization === organization)
    const changed = conflict && {
      before: { role: conflict.kept, duplicate_role: conflict.duplicate },
      after: { role: conflict.role },
    }
    return toPersonEntry('person_merged', kept, metadata, { organization, ...changed })
  })
}
