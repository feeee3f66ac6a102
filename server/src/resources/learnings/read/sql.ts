import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { LearningId, OrganizationId, PersonId } from '../../../ids.ts'
import type { LearningRecordRow } from './schema.ts'

/** Ids are unique within an organization. */
export interface LearningKey {
  readonly organization_id: OrganizationId
  readonly id: LearningId
}

// Current names; Learnings of inactive organizations are never returned.
const selectRecords = statement(
  'learnings.records',
  `select l.id, l.text as learning, l.repository_id, r.name as repository_name,
     o.provider_organization_id as organization_id, o.name as organization_name, l.author_id, l.author_username, l.file,
     l.source_url, l.created_at, l.updated_at, l.last_used_at, l.usage_count, l.flags, l.state = 'shared' as shared
   from unnest($2::uuid[], $3::uuid[]) asked (organization_id, id)
   join learning l on l.root_id = $1 and l.organization_id = asked.organization_id and l.id = asked.id
   join organization o on o.root_id = $1 and o.id = l.organization_id and o.active
   left join repository r on r.root_id = $1 and r.organization_id = l.organization_id
     and r.provider_repository_id = l.repository_id`,
)

/** Reads records in any state, in no particular order. Unknown ids are omitted. */
export function readLearningRecords(
  scope: Scope,
  tx: Tx,
  keys: readonly LearningKey[],
): Promise<(LearningRecordRow & { readonly shared: boolean })[]> {
  return tx.query(selectRecords, [
    scope.root,
    keys.map((key) => key.organization_id),
    keys.map((key) => key.id),
  ])
}

// Matches the current name. Access counts only for members and only if recently verified.
const selectReadableRepositories = statement(
  'learnings.readable-repositories',
  `select r.provider_repository_id as id
   from repository r
   join repository_access a on a.root_id = $1 and a.organization_id = r.organization_id and a.repository_id = r.id
   join membership m on m.root_id = $1 and m.organization_id = r.organization_id and m.person_id = a.person_id
   where r.root_id = $1 and r.organization_id = $2 and r.name = $3 and r.active and a.person_id = $4
     and a.verified_at >= $5`,
)

export interface ReadableRepositoryQuery {
  readonly organization: OrganizationId
  readonly name: string
  readonly person: PersonId
  /** Access verified before this time does not count. */
  readonly since: Date
}

/** Provider ids of the active repositories with that name that the person has verified read access to. */
export async function findReadableRepositories(
  scope: Scope,
  tx: Tx,
  { organization, name, person, since }: ReadableRepositoryQuery,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(selectReadableRepositories, [
    scope.root,
    organization,
    name,
    person,
    since,
  ])
  return rows.map(({ id }) => id)
}
