import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { LearningId, OrganizationId } from '../../ids.ts'

/** The columns used for ranking, and who wrote the text, how and when. */
export interface CandidateRow {
  readonly id: LearningId
  readonly repository_id: string
  readonly text: string
  readonly file: string | null
  readonly author_username: string | null
  readonly source: LearningSource
  readonly created_at: string
  /** Rises with every approval; null if the Learning is not approved. */
  readonly position: number | null
}

export type LearningSource = 'api' | 'chat' | 'review' | 'agent' | 'connector'

const selectRepository = statement(
  'review-context.repository',
  `select private from repository
   where root_id = $1 and organization_id = $2 and provider_repository_id = $3 and active`,
)

const columns = 'l.id, l.repository_id, l.text, l.file, l.author_username, l.source, l.created_at, l.position'

// Filters by repository again, so that this statement alone guarantees what a public repository may see.
const selectCandidates = statement(
  'review-context.candidates',
  `select ${columns} from learning l
   where l.root_id = $1 and l.organization_id = $2 and l.id = any ($3) and l.state = 'shared'
     and ($4::text is null or l.repository_id = $4)`,
)

// "0" is the character after "/", so the range selects a folder. The scan for direct children stops after 500 rows:
// a folder name that the whole workspace uses would cost too much, and the search finds Learnings by other means.
const selectNearFiles = statement(
  'review-context.besides',
  `(select ${columns} from learning l
    where l.root_id = $1 and l.organization_id = $2 and l.repository_id = $3 and l.state = 'shared'
      and l.file = any ($4)
    order by l.position desc limit 50)
   union all
   (select ${columns} from unnest($5::text[]) folder (path), lateral (
      select inside.* from (
        select * from learning i
        where i.root_id = $1 and i.state = 'shared' and i.file >= folder.path || '/' and i.file < folder.path || '0'
        limit 500) inside
      where inside.organization_id = $2 and inside.repository_id = $3 and inside.file <> all ($4)
        and strpos(substr(inside.file, length(folder.path) + 2), '/') = 0
      limit 20) l)`,
)

const selectPullRequestLearnings = statement(
  'review-context.of-pull-request',
  `select ${columns} from learning_origin o
   join learning l on l.root_id = o.root_id and l.organization_id = o.organization_id and l.id = o.learning_id
   where o.root_id = $1 and o.organization_id = $2 and o.repository_id = $3 and o.number = $4 and l.state = 'private'
   limit 200`,
)

const selectExplanation = statement(
  'review-context.explain',
  `select l.id, l.state, l.text, l.file, l.repository_id, r.name as repository_name, l.author_username, l.source,
     l.source_url, l.created_at, l.usage_count, l.last_used_at
   from learning l
   left join repository r on r.root_id = l.root_id and r.organization_id = l.organization_id
     and r.provider_repository_id = l.repository_id
   where l.root_id = $1 and l.organization_id = $2 and l.id = $3 and l.state <> 'private'`,
)

// Losing a usage count in a crash is cheaper than waiting for the disk on every request.
const disableSyncCommit = statement(
  'review-context.commit-lazily',
  "select set_config('synchronous_commit', 'off', true)",
)

/** A database crash may lose the changes of this transaction: use it only for usage counts. */
export async function commitAsynchronously(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(disableSyncCommit, [])
}

export function readRepository(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: string,
): Promise<{ private: boolean } | null> {
  return tx.first(selectRepository, [scope.root, organization, id])
}

/** Reads those of the ids that are shared, optionally of one repository only. */
export function readCandidates(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
  only: string | null,
): Promise<CandidateRow[]> {
  return tx.query(selectCandidates, [scope.root, organization, ids, only])
}

/** Learnings about the same files of the repository, or about files in the same folders. */
export function readLearningsNearFiles(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
  { files, folders }: { readonly files: readonly string[]; readonly folders: readonly string[] },
): Promise<CandidateRow[]> {
  return tx.query(selectNearFiles, [scope.root, organization, repositoryId, files, folders])
}

/** Private Learnings of an open pull request. */
export function readPullRequestLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
  number: number,
): Promise<CandidateRow[]> {
  return tx.query(selectPullRequestLearnings, [scope.root, organization, repositoryId, number])
}

export interface ExplanationRow {
  readonly id: LearningId
  readonly state: 'shared' | 'pending' | 'disapproved'
  readonly text: string
  readonly file: string | null
  readonly repository_id: string
  readonly repository_name: string | null
  readonly author_username: string | null
  readonly source: LearningSource
  readonly source_url: string | null
  readonly created_at: string
  readonly usage_count: number
  readonly last_used_at: string | null
}

/** Excludes private Learnings, which are visible only to their pull request. */
export function readExplanation(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: LearningId,
): Promise<ExplanationRow | null> {
  return tx.first(selectExplanation, [scope.root, organization, id])
}
