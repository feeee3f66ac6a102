import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { LearningId, OrganizationId } from '../../ids.ts'

/** What a Learning is compared by. */
export interface CandidateRow {
  readonly id: LearningId
  readonly repository_id: string
  readonly text: string
  readonly file: string | null
}

const selectRepository = statement(
  'review-context.repository',
  `select private from repository
   where root_id = $1 and organization_id = $2 and provider_repository_id = $3 and active`,
)

const columns = 'l.id, l.repository_id, l.text, l.file'

// The repository is asked for once more: what decides what a public repository may see is said in one statement.
const selectCandidates = statement(
  'review-context.candidates',
  `select ${columns} from learning l
   where l.root_id = $1 and l.organization_id = $2 and l.id = any ($3) and l.state = 'shared'
     and ($4::text is null or l.repository_id = $4)`,
)

// "0" follows "/", so that a range is what lies in a folder. Looking for what lies in it directly ends after some
// hundred: a folder that a whole workspace has would cost more than it tells, and search finds by other ways too.
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

// A count that is lost with a crash of the database is not worth a wait for its disk at every question.
const disableSyncCommit = statement(
  'review-context.commit-lazily',
  "select set_config('synchronous_commit', 'off', true)",
)

/** What the transaction changes may be lost in a crash of the database: for counts alone. */
export async function commitAsynchronously(_scope: Scope, tx: Tx): Promise<void> {
  await tx.query(disableSyncCommit, [])
}

export async function readRepository(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: string,
): Promise<{ private: boolean } | undefined> {
  const [row] = await tx.query<{ private: boolean }>(selectRepository, [scope.root, organization, id])
  return row
}

/** Those of the ids that are shared; of one repository only, where one is given. */
export function readCandidates(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
  only: string | null,
): Promise<CandidateRow[]> {
  return tx.query<CandidateRow & object>(selectCandidates, [scope.root, organization, ids, only])
}

/** Those about the same files of the repository, or about others in the same folders. */
export function readLearningsNearFiles(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
  { files, folders }: { readonly files: readonly string[]; readonly folders: readonly string[] },
): Promise<CandidateRow[]> {
  return tx.query<CandidateRow & object>(selectNearFiles, [
    scope.root,
    organization,
    repositoryId,
    files,
    folders,
  ])
}

/** The private ones that came from an open pull request. */
export function readPullRequestLearnings(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  repositoryId: string,
  number: number,
): Promise<CandidateRow[]> {
  return tx.query<CandidateRow & object>(selectPullRequestLearnings, [
    scope.root,
    organization,
    repositoryId,
    number,
  ])
}

export interface ExplanationRow {
  readonly id: LearningId
  readonly state: 'shared' | 'pending' | 'disapproved'
  readonly text: string
  readonly file: string | null
  readonly repository_id: string
  readonly repository_name: string | null
  readonly author_username: string | null
  readonly source: string
  readonly source_url: string | null
  readonly created_at: string
  readonly usage_count: number
  readonly last_used_at: string | null
}

/** One that is not private; those belong to their pull requests alone. */
export async function readExplanation(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  id: LearningId,
): Promise<ExplanationRow | undefined> {
  const [row] = await tx.query<ExplanationRow & object>(selectExplanation, [scope.root, organization, id])
  return row
}
