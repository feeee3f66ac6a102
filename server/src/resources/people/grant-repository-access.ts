import type { ChangeContext } from '../../access/change-context.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import { recordPersonChange, requirePerson } from './record-change.ts'
import { upsertRepositoryAccess } from './sql.ts'

/** Stores that the provider confirmed read access at this time. */
export async function grantRepositoryAccess(
  change: ChangeContext,
  access: {
    readonly person: PersonId
    readonly organization: OrganizationId
    readonly repositories: readonly string[]
  },
): Promise<void> {
  const { person, organization, repositories } = access
  const storedPerson = await requirePerson(change, person)
  const granted = await upsertRepositoryAccess(change.scope, change.tx, access, change.at)
  if (granted !== new Set(repositories).size) {
    refuse(
      'NOT_FOUND',
      `The person is not a member of organization ${organization}, or one of the repositories does not exist in it.`,
    )
  }
  await recordPersonChange(
    change,
    storedPerson,
    'person_repository_access_granted',
    { repository_ids: repositories },
    organization,
  )
}
