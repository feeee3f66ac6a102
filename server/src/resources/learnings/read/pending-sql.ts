import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import { type LearningId, NIL_UUID, type OrganizationId } from '../../../ids.ts'
import type { TextFlag } from '../../../text/flags.ts'
import type { RenderedPendingLearning } from './schema.ts'

/**
 * Times are as PostgreSQL renders them, with microseconds: a page may end between two proposals of one millisecond. The
 * columns are in the order of the fields of a response.
 */
export interface PendingLearningRow extends Omit<RenderedPendingLearning, 'id' | 'flags' | 'similar'> {
  readonly id: LearningId
  /** Null if the row was written by a version that does not examine texts. */
  readonly flags: readonly TextFlag[] | null
}

export interface PendingLearningsQuery {
  readonly organization: OrganizationId
  /** Provider ids; null for all. */
  readonly repositories: readonly string[] | null
  readonly source: string | null
  /** The last Learning of the previous page; null for the first page. */
  readonly after: { readonly proposedAt: string; readonly id: string } | null
  readonly limit: number
}

// The index learning_waiting leads with root, organization, state and time. Names are current.
export const selectPending = statement(
  'learnings.pending-page',
  `select l.id, l.text as learning, l.file, l.source_url, o.provider_organization_id as organization_id, l.repository_id,
     r.name as repository_name, l.source, l.author_id, l.author_username, l.created_at as proposed_at, l.deadline,
     l.pull_request, l.flags
   from (
     select * from learning
     where root_id = $1 and organization_id = $2 and state = 'pending'
       and ($3::text[] is null or repository_id = any ($3)) and ($4::text is null or source = $4)
       and (created_at, id) > ($5::timestamptz, $6::uuid)
     order by created_at, id limit $7
   ) l
   join organization o on o.root_id = $1 and o.id = l.organization_id
   left join repository r on r.root_id = $1 and r.organization_id = l.organization_id
     and r.provider_repository_id = l.repository_id
   order by l.created_at, l.id`,
)

// For the admin command line: in order of id, in all repositories.
const selectPendingById = statement(
  'learnings.pending',
  `select id, repository_id, source, deadline, author_username, author_id, created_at, text from learning
   where root_id = $1 and organization_id = $2 and state = 'pending' and id > $3 order by id limit $4`,
)

type PendingLearningById = Pick<
  PendingLearningRow,
  'id' | 'repository_id' | 'source' | 'deadline' | 'author_username' | 'author_id'
> & { readonly created_at: string; readonly text: string }

/** Pending Learnings in order of id. */
export function readPendingLearningsById(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<PendingLearningById[]> {
  return tx.query(selectPendingById, [scope.root, organization, after ?? NIL_UUID, limit])
}

/** Pending Learnings by time of proposal and id. */
export function readPendingLearnings(
  scope: Scope,
  tx: Tx,
  { organization, repositories, source, after, limit }: PendingLearningsQuery,
): Promise<PendingLearningRow[]> {
  return tx.query(selectPending, [
    scope.root,
    organization,
    repositories,
    source,
    after?.proposedAt ?? '-infinity',
    after?.id ?? NIL_UUID,
    limit,
  ])
}
