import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import { type LearningId, NIL_UUID, type OrganizationId } from '../../../ids.ts'
import type { TextFlag } from '../../../text/flags.ts'
import type { LearningSource } from '../lifecycle.ts'

export interface PendingLearningRow {
  readonly id: LearningId
  readonly learning: string
  readonly file: string | null
  readonly source_url: string | null
  readonly organization_id: string
  readonly repository_id: string
  readonly repository_name: string | null
  readonly source: LearningSource
  readonly author_id: string | null
  readonly author_username: string | null
  /** As PostgreSQL renders it, with microseconds: a page may end between two proposals of one millisecond. */
  readonly proposed_at: string
  readonly deadline: string | null
  readonly pull_request: number | null
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

/** Pending Learnings by time of proposal and id. */
export function readPendingLearnings(
  scope: Scope,
  tx: Tx,
  { organization, repositories, source, after, limit }: PendingLearningsQuery,
): Promise<PendingLearningRow[]> {
  return tx.query<PendingLearningRow & object>(selectPending, [
    scope.root,
    organization,
    repositories,
    source,
    after?.proposedAt ?? '-infinity',
    after?.id ?? NIL_UUID,
    limit,
  ])
}
