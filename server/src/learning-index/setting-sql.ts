import type { Scope } from '../access/scope.ts'
import { statement } from '../db/connect.ts'
import type { Tx } from '../db/transaction.ts'
import type { OrganizationId } from '../ids.ts'

/** knowledge_base.learnings.scope: which Learnings a review of a repository receives. */
export const learningScopes = ['auto', 'global', 'local'] as const
export type LearningScope = (typeof learningScopes)[number]

export const MAX_APPROVAL_DELAY_DAYS = 30

/** The effective setting of a repository. */
export interface LearningSetting {
  readonly scope: LearningScope
  /** knowledge_base.learnings.approval_delay, in days; 0 = Learnings from chat are shared on merge. */
  readonly approval_delay: number
}

const selectSettings = statement(
  'learnings.settings',
  `select asked.repository_id, coalesce(own.scope, whole.scope, 'auto') as scope,
     coalesce(own.approval_delay, whole.approval_delay, 0) as approval_delay
   from unnest($3::text[]) as asked (repository_id)
   left join learning_setting own
     on own.root_id = $1 and own.organization_id = $2 and own.repository_id = asked.repository_id
   left join learning_setting whole
     on whole.root_id = $1 and whole.organization_id = $2 and whole.repository_id = ''`,
)

/** Per repository: its own setting, else that of the organization, else the default. */
export async function readLearningSettings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositories: readonly string[],
): Promise<ReadonlyMap<string, LearningSetting>> {
  const rows = await tx.query<LearningSetting & { repository_id: string }>(selectSettings, [
    scope.root,
    organization,
    repositories,
  ])
  return new Map(rows.map(({ repository_id, ...setting }) => [repository_id, setting]))
}
