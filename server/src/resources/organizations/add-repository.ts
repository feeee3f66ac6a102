import { type AuditEntry, writeAuditEntry } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { refuse } from '../../errors.ts'
import { newId, type OrganizationId } from '../../ids.ts'
import { insertRepository } from './write-sql.ts'

export interface NewRepository {
  readonly id?: string
  readonly providerRepositoryId: string
  readonly name: string
  readonly private?: boolean
  readonly active?: boolean
}

/** Returns the service's id of the repository. */
export async function addRepository(
  { tx, scope, actor, at }: ChangeContext,
  organization: OrganizationId,
  repository: NewRepository,
): Promise<string> {
  const {
    id = newId<string>(),
    providerRepositoryId,
    name,
    private: hidden = true,
    active = true,
  } = repository
  const row = { id, providerRepositoryId, name, private: hidden, active }
  if (!(await insertRepository(scope, tx, organization, row))) {
    refuse(
      'INVALID_REQUEST',
      `The organization does not exist or already has a repository with the provider id ${providerRepositoryId}.`,
    )
  }
  const entry: AuditEntry = {
    action: 'repository_added',
    resourceType: 'repository',
    resourceId: id,
    organization,
    actor,
    metadata: { provider_repository_id: providerRepositoryId, private: hidden, active },
    personal: { name },
  }
  await writeAuditEntry(tx, scope, entry, at)
  return id
}
