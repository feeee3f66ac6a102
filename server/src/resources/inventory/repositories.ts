import type { ActionOf } from '../../access/audit/catalogue.ts'
import { newId } from '../../ids.ts'
import { type InventoryFacts, isNewer, type RepositoryFact, toMapKey } from './facts.ts'
import type { FindOrganization, ResolvedOrganization } from './organizations.ts'
import type { ChangeRecord } from './record-change.ts'
import type { StoredRepository } from './sql.ts'
import type { InventoryWrites, RepositoryRow } from './write-sql.ts'

interface RepositoryDecision {
  /** Repository ids, by organization id and the provider's repository id. */
  readonly ids: ReadonlyMap<string, string>
  readonly writes: Pick<InventoryWrites, 'newRepositories' | 'repositories'>
}

export function decideRepositories(
  { at, repositories }: InventoryFacts,
  find: FindOrganization,
  stored: readonly StoredRepository[],
  record: ChangeRecord,
): RepositoryDecision {
  const before = new Map(
    stored.map((row) => [toMapKey(row.organization_id, row.provider_repository_id), row]),
  )
  const ids = new Map([...before].map(([key, { id }]) => [key, id]))
  const added: RepositoryRow[] = []
  const changed: RepositoryRow[] = []
  for (const fact of repositories) {
    const organization = find(fact.organization)
    if (organization === null) continue
    const key = toMapKey(organization.id, fact.id)
    const row = before.get(key)
    if (row === undefined) {
      const repository = toRepositoryRow(fact, organization, newId<string>())
      ids.set(key, repository.id)
      added.push(repository)
      recordRepositoryChange(record, repository, 'repository_added')
    } else if (isNewer(at, row.event_at, row.active && !fact.active)) {
      const repository = toRepositoryRow(fact, organization, row.id)
      changed.push(repository)
      if (differs(repository, row)) recordRepositoryChange(record, repository, 'repository_changed', row)
    }
  }
  return { ids, writes: { newRepositories: added, repositories: changed } }
}

function toRepositoryRow(
  fact: RepositoryFact,
  organization: ResolvedOrganization,
  id: string,
): RepositoryRow {
  const { name, private: isPrivate, active } = fact
  return {
    organization_id: organization.id,
    id,
    provider: organization.provider,
    provider_repository_id: fact.id,
    name,
    private: isPrivate,
    active,
  }
}

function differs(after: RepositoryRow, before: StoredRepository): boolean {
  return after.name !== before.name || after.private !== before.private || after.active !== before.active
}

function recordRepositoryChange(
  record: ChangeRecord,
  repository: RepositoryRow,
  action: ActionOf<'repository'>,
  before?: StoredRepository,
): void {
  const {
    organization_id: organization,
    id,
    provider_repository_id,
    private: isPrivate,
    active,
    name,
  } = repository
  record.entries.push({
    action,
    resourceId: id,
    organization,
    metadata: { provider_repository_id, private: isPrivate, active },
    ...(before && {
      before: selectChangedFlags(before, repository),
      after: selectChangedFlags(repository, before),
    }),
    personal: {
      name,
      ...(before && before.name !== name && { 'before.name': before.name, 'after.name': name }),
    },
  })
}

type RepositoryFlags = Pick<StoredRepository, 'private' | 'active'>

function selectChangedFlags(repository: RepositoryFlags, other: RepositoryFlags) {
  return {
    ...(repository.private !== other.private && { private: repository.private }),
    ...(repository.active !== other.active && { active: repository.active }),
  }
}
