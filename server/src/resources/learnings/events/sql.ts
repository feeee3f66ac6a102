import type { Scope } from '../../../access/scope.ts'
import { type Pool, statement } from '../../../db/connect.ts'
import { runUnscoped, type Tx } from '../../../db/transaction.ts'
import { type LearningId, NIL_UUID, type OrganizationId, type RootId } from '../../../ids.ts'

export interface PullRequestRef {
  readonly organization_id: OrganizationId
  readonly repository_id: string
  readonly number: number
}

// A root without a head has no Learnings, and the sweep would never visit it to delete the event.
const insertAppliedEvent = statement(
  'learnings.record-event',
  `insert into applied_learning_event (root_id, organization_id, event_id, at)
   select $1, $2, $3, $4 where not $5 or exists (select from learning_head where root_id = $1)
   on conflict do nothing returning 1 as recorded`,
)

const selectClosing = statement(
  'learnings.closing',
  `select merged from closed_pull_request
   where root_id = $1 and organization_id = $2 and repository_id = $3 and number = $4 and at >= $5
   order by at limit 1`,
)

const upsertClosing = statement(
  'learnings.add-closing',
  `insert into closed_pull_request as c (root_id, organization_id, repository_id, number, merged, at)
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

/** False if the organization's event was applied before; with `ifLearnings`, also if the root has no Learnings. */
export async function recordAppliedEvent(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  event: string,
  { at, ifLearnings = false }: { readonly at: Date; readonly ifLearnings?: boolean },
): Promise<boolean> {
  const values = [scope.root, organization, event, at, ifLearnings]
  return (await tx.query(insertAppliedEvent, values)).length > 0
}

/** The first close event of the pull request at or after `since`; null if there is none. */
export async function readClosing(
  scope: Scope,
  tx: Tx,
  pullRequest: PullRequestRef,
  since: Date,
): Promise<'merged' | 'closed' | null> {
  const found = await tx.first<{ merged: boolean }>(selectClosing, [
    ...toKeyValues(scope, pullRequest),
    since,
  ])
  if (found === null) return null
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
  return tx.query(selectPrivateLearnings, [...toKeyValues(scope, pullRequest), until])
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

const selectRoots = statement(
  'learnings.roots',
  'select root_id from learning_head where root_id > $1 and redactor_version < $2 order by root_id limit $3',
)

const deleteEvents = statement(
  'learnings.delete-events',
  `delete from applied_learning_event where root_id = $1 and ctid = any (array(
     select ctid from applied_learning_event where root_id = $1 and at < $2 limit $3)) returning 1 as deleted`,
)

const deleteClosings = statement(
  'learnings.delete-old-closes',
  'delete from closed_pull_request where root_id = $1 and at < $2',
)

const selectOutdated = statement(
  'learnings.outdated',
  `select organization_id, id from learning where root_id = $1 and redactor_version < $2
   order by redactor_version, id limit $3`,
)

// The rows are locked, so that no use is counted between this statement and their deletion.
const transferUses = statement(
  'learnings.add-uses',
  `update learning l set usage_count = l.usage_count + gone.uses,
     last_used_at = greatest(l.last_used_at, gone.last_used_at)
   from (
     select given.survivor, sum(g.usage_count) as uses, max(g.last_used_at) as last_used_at
     from json_to_recordset($3) as given (id uuid, survivor uuid)
     join learning g on g.root_id = $1 and g.organization_id = $2 and g.id = given.id
     group by 1
   ) gone
   where l.root_id = $1 and l.organization_id = $2 and l.id = gone.survivor`,
)

const transferOrigins = statement(
  'learnings.take-origins',
  `insert into learning_origin as o (root_id, organization_id, learning_id, repository_id, number, at)
   select $1, $2, given.survivor, g.repository_id, g.number, max(g.at)
   from json_to_recordset($3) as given (id uuid, survivor uuid)
   join learning_origin g on g.root_id = $1 and g.organization_id = $2 and g.learning_id = given.id
   group by given.survivor, g.repository_id, g.number
   on conflict (root_id, organization_id, learning_id, number) do update set at = greatest(o.at, excluded.at)`,
)

const updateFileAndUrl = statement(
  'learnings.details',
  `update learning l set file = given.file, source_url = given.source_url
   from json_to_recordset($3) as given (id uuid, file text, source_url text)
   where l.root_id = $1 and l.organization_id = $2 and l.id = given.id`,
)

const updateRedactorVersion = statement(
  'learnings.raise-redactor',
  `update learning_head set redactor_version = $2 where root_id = $1 and redactor_version < $2
     and not exists (select from learning where root_id = $1 and redactor_version < $2)`,
)

/** Iterates over the roots with texts of a redactor version older than `version`. */
export async function* findLearningRootsUnscoped(
  pool: Pool,
  version: number,
  page = 1000,
): AsyncGenerator<RootId> {
  let after: RootId | undefined = NIL_UUID as RootId
  while (after !== undefined) {
    const rows: { root_id: RootId }[] = await runUnscoped<{ root_id: RootId }>(pool, selectRoots, [
      after,
      version,
      page,
    ])
    for (const { root_id } of rows) yield root_id
    after = rows.length === page ? rows.at(-1)?.root_id : undefined
  }
}

/** Deletes at most `limit` events; true if more may remain. */
export async function deleteEventsBefore(scope: Scope, tx: Tx, at: Date, limit: number): Promise<boolean> {
  return (await tx.query(deleteEvents, [scope.root, at, limit])).length === limit
}

export async function deleteClosingsBefore(scope: Scope, tx: Tx, at: Date): Promise<void> {
  await tx.query(deleteClosings, [scope.root, at])
}

/** The next Learnings that an older redactor version redacted. */
export function readOutdated(
  scope: Scope,
  tx: Tx,
  version: number,
  limit: number,
): Promise<{ organization_id: OrganizationId; id: LearningId }[]> {
  return tx.query(selectOutdated, [scope.root, version, limit])
}

/** A Learning that is deleted because its text now equals that of the survivor. */
export interface LearningMerge {
  readonly id: LearningId
  readonly survivor: LearningId
}

/** Moves usage counts and origins to the survivors. */
export async function transferUsesAndOrigins(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  merges: readonly LearningMerge[],
): Promise<void> {
  if (merges.length === 0) return
  const values = [scope.root, organization, JSON.stringify(merges)]
  await Promise.all([tx.query(transferUses, values), tx.query(transferOrigins, values)])
}

export async function updateDetails(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  rows: readonly { id: LearningId; file: string | null; source_url: string | null }[],
): Promise<void> {
  if (rows.length === 0) return
  const details = rows.map(({ id, file, source_url }) => ({ id, file, source_url }))
  await tx.query(updateFileAndUrl, [scope.root, organization, JSON.stringify(details)])
}

/** Does nothing while a text remains that an older redactor has read. */
export async function raiseRedactorVersion(scope: Scope, tx: Tx, version: number): Promise<void> {
  await tx.query(updateRedactorVersion, [scope.root, version])
}
