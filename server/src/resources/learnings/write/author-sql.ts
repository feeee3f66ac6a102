import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { InstanceId, OrganizationId, PersonId } from '../../../ids.ts'

/** Instance and author columns of a new Learning. */
export interface LearningAuthor {
  readonly instance_id: InstanceId | null
  readonly author_id: string | null
  readonly author_username: string | null
}

// Prefers the account that is a member: a workspace admin may have an account at the provider without a membership.
const selectAuthor = statement(
  'learnings.author',
  `select o.instance_id, a.account_id as author_id, a.username as author_username
   from organization o
   left join lateral (
     select a.account_id, a.username
     from account a
     left join membership m on m.root_id = $1 and m.organization_id = o.id and m.account_id = a.account_id
     where a.root_id = $1 and a.person_id = $3 and a.provider = o.provider and a.host = o.host
     order by m.account_id is null, a.account_id
     limit 1
   ) a on true
   where o.root_id = $1 and o.id = $2`,
)

const selectActiveRepositories = statement(
  'learnings.known-repositories',
  `select provider_repository_id as id from repository
   where root_id = $1 and organization_id = $2 and provider_repository_id = any ($3) and active`,
)

export async function readAuthor(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  person: PersonId | null,
): Promise<LearningAuthor> {
  const [row] = await tx.query<LearningAuthor & object>(selectAuthor, [scope.root, organization, person])
  return row ?? { instance_id: null, author_id: null, author_username: null }
}

/** Returns those of the ids that are active repositories of the organization. */
export async function findActiveRepositoryIds(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(selectActiveRepositories, [scope.root, organization, ids])
  return new Set(rows.map(({ id }) => id))
}
