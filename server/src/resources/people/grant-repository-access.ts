import type { ChangeContext } from '../../access/change-context.ts'
import { refuse } from '../../errors.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import { recordPersonChange, requirePerson } from './record-change.ts'
import { upsertRepositoryAccess } from './sql.ts'

/** Records that the provider confirmed read access, as of now. */
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
      `The person is no member of organization ${organization}, or it lacks one of the repositories.`,
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
