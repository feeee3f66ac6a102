import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import { type LearningId, NIL_UUID, type OrganizationId } from '../../ids.ts'

const selectPending = statement(
  'learnings.pending',
  `select id, repository_id, source, deadline, author_username, author_id, created_at, text from learning
   where root_id = $1 and organization_id = $2 and state = 'pending' and id > $3 order by id limit $4`,
)

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
