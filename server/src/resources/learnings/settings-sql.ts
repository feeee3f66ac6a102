import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import { type LearningId, NIL_UUID, type OrganizationId } from '../../ids.ts'
import type { LearningScope } from '../../learning-index/sql.ts'

/** The setting of one level; null = inherited from the level above. */
export interface OwnSetting {
  readonly scope: LearningScope | null
  readonly approval_delay: number | null
}

const selectOwnSettings = statement(
  'learnings.own-settings',
  `select s.repository_id, r.name as repository_name, s.scope, s.approval_delay from learning_setting s
   left join repository r on r.root_id = $1 and r.organization_id = $2 and r.provider_repository_id = s.repository_id
   where s.root_id = $1 and s.organization_id = $2 order by s.repository_id`,
)

const upsertSetting = statement(
  'learnings.set',
  `insert into learning_setting (root_id, organization_id, repository_id, scope, approval_delay)
   values ($1, $2, $3, $4, $5)
   on conflict (root_id, organization_id, repository_id)
     do update set scope = excluded.scope, approval_delay = excluded.approval_delay`,
)

const deleteSetting = statement(
  'learnings.unset',
  'delete from learning_setting where root_id = $1 and organization_id = $2 and repository_id = $3',
)

const selectRepositoryName = statement(
  'learnings.repository-of-setting',
  `select name from repository where root_id = $1 and organization_id = $2 and provider_repository_id = $3`,
)

const selectPending = statement(
  'learnings.pending',
  `select id, repository_id, source, deadline, author_username, author_id, created_at, text from learning
   where root_id = $1 and organization_id = $2 and state = 'pending' and id > $3 order by id limit $4`,
)

/** The settings of the organization (repository_id '') and of its repositories. */
export function readOwnSettings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<(OwnSetting & { repository_id: string; repository_name: string | null })[]> {
  return tx.query(selectOwnSettings, [scope.root, organization])
}

/** Deletes the row if nothing is set, so that the level above applies again. */
export async function writeSetting(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
  setting: OwnSetting,
): Promise<void> {
  const key = [scope.root, organization, repositoryId]
  const isEmpty = setting.scope === null && setting.approval_delay === null
  await (isEmpty
    ? tx.query(deleteSetting, key)
    : tx.query(upsertSetting, [...key, setting.scope, setting.approval_delay]))
}

export async function readRepositoryName(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
): Promise<string | null> {
  const [found] = await tx.query<{ name: string }>(selectRepositoryName, [
    scope.root,
    organization,
    repositoryId,
  ])
  return found?.name ?? null
}

export interface PendingLearning {
  readonly id: LearningId
  readonly repository_id: string
  readonly source: string
  readonly deadline: string | null
  readonly author_username: string | null
  readonly author_id: string | null
  readonly created_at: string
  readonly text: string
}

/** Pending Learnings in order of id, for the admin command line. */
export function readPendingLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<PendingLearning[]> {
  return tx.query<PendingLearning & object>(selectPending, [
    scope.root,
    organization,
    after ?? NIL_UUID,
    limit,
  ])
}
