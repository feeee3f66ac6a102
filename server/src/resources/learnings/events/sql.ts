import type { Scope } from '../../../access/scope.ts'
import { statement } from '../../../db/connect.ts'
import type { Tx } from '../../../db/transaction.ts'
import type { LearningId, OrganizationId, PersonId } from '../../../ids.ts'

export interface PullRequestRef {
  readonly organization_id: OrganizationId
  readonly repository_id: string
  readonly number: number
}

const insertAppliedEvent = statement(
  'learnings.note-event',
  'insert into learning_event (root_id, event_id, at) values ($1, $2, $3) on conflict do nothing returning 1 as noted',
)

// A root without a head has no Learnings, and the sweep would never visit it to delete the event.
const insertAppliedUse = statement(
  'learnings.note-use',
  `insert into learning_event (root_id, event_id, at)
   select $1, $2, $3 where exists (select from learning_head where root_id = $1)
   on conflict do nothing returning 1 as noted`,
)

const selectPerson = statement(
  'learnings.person',
  `select a.person_id as id from account a
   join organization o on o.root_id = $1 and o.id = $2 and o.provider = a.provider and o.host = a.host
   where a.root_id = $1 and a.account_id = $3`,
)

const selectClosing = statement(
  'learnings.closing',
  `select merged from learning_closing
   where root_id = $1 and organization_id = $2 and repository_id = $3 and number = $4 and at >= $5
   order by at limit 1`,
)

const upsertClosing = statement(
  'learnings.add-closing',
  `insert into learning_closing as c (root_id, organization_id, repository_id, number, merged, at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (root_id, organization_id, repository_id, number, at)
     do update set merged = c.merged or excluded.merged`,
)

const upsertOrigin = statement(
  'learnings.add-origin',
  `insert into learning_origin as o (root_id, organization_id, learning_id, repository_id, number, at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (root_id, organization_id, learning_id, number) do update set at = greatest(o.at, excluded.at)`,
)

const selectPrivateLearnings = statement(
  'learnings.private-of-pull-request',
  `select l.id, l.text from learning_origin o
   join learning l on l.root_id = $1 and l.organization_id = $2 and l.id = o.learning_id and l.state = 'private'
   where o.root_id = $1 and o.organization_id = $2 and o.repository_id = $3 and o.number = $4 and o.at <= $5`,
)

const deletePullRequestOriginRows = statement(
  'learnings.remove-origins-of-pull-request',
  `delete from learning_origin
   where root_id = $1 and organization_id = $2 and repository_id = $3 and number = $4 and at <= $5`,
)

const selectOrphans = statement(
  'learnings.orphans',
  `select id from unnest($3::uuid[]) as asked (id)
   where not exists (
     select from learning_origin o where o.root_id = $1 and o.organization_id = $2 and o.learning_id = asked.id)`,
)

/** False if the event was applied before. */
export async function recordAppliedEvent(scope: Scope, tx: Tx, event: string, at: Date): Promise<boolean> {
  return (await tx.query(insertAppliedEvent, [scope.root, event, at])).length > 0
}

/** Like `recordAppliedEvent`; also false if the root has no Learnings. */
export async function recordAppliedUse(scope: Scope, tx: Tx, event: string, at: Date): Promise<boolean> {
  return (await tx.query(insertAppliedUse, [scope.root, event, at])).length > 0
}

/** The person who owns the account at the organization's provider. */
export async function findPerson(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  account: { readonly id: string } | null,
): Promise<PersonId | null> {
  if (account === null) return null
  const [found] = await tx.query<{ id: PersonId }>(selectPerson, [scope.root, organization, account.id])
  return found?.id ?? null
}

/** The first close event of the pull request at or after `since`; null if there is none. */
export async function readClosing(
  scope: Scope,
  tx: Tx,
  pullRequest: PullRequestRef,
  since: Date,
): Promise<'merged' | 'closed' | null> {
  const [found] = await tx.query<{ merged: boolean }>(selectClosing, [
    ...toKeyValues(scope, pullRequest),
    since,
  ])
  if (found === undefined) return null
  return found.merged ? 'merged' : 'closed'
}

export async function writeClosing(
  scope: Scope,
  tx: Tx,
  pullRequest: PullRequestRef,
  merged: boolean,
  at: Date,
): Promise<void> {
  await tx.query(upsertClosing, [...toKeyValues(scope, pullRequest), merged, at])
}

export async function writeOrigin(
  scope: Scope,
  tx: Tx,
  pullRequest: PullRequestRef,
  learning: LearningId,
  at: Date,
): Promise<void> {
  await tx.query(upsertOrigin, [
    scope.root,
    pullRequest.organization_id,
    learning,
    pullRequest.repository_id,
    pullRequest.number,
    at,
  ])
}

/** Private Learnings proposed from the pull request up to `until`. */
export function readPrivateLearnings(
  scope: Scope,
  tx: Tx,
  pullRequest: PullRequestRef,
  until: Date,
): Promise<{ id: LearningId; text: string }[]> {
  return tx.query<{ id: LearningId; text: string }>(selectPrivateLearnings, [
    ...toKeyValues(scope, pullRequest),
    until,
  ])
}

/** Deletes the origins recorded up to `until`. */
export async function deletePullRequestOrigins(
  scope: Scope,
  tx: Tx,
  pullRequest: PullRequestRef,
  until: Date,
): Promise<void> {
  await tx.query(deletePullRequestOriginRows, [...toKeyValues(scope, pullRequest), until])
}

/** Returns those of the ids without any origin. */
export async function findOrphans(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  ids: readonly LearningId[],
): Promise<LearningId[]> {
  if (ids.length === 0) return []
  const rows = await tx.query<{ id: LearningId }>(selectOrphans, [scope.root, organization, ids])
  return rows.map(({ id }) => id)
}

function toKeyValues(scope: Scope, { organization_id, repository_id, number }: PullRequestRef): unknown[] {
  return [scope.root, organization_id, repository_id, number]
}
