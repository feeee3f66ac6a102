import type { ChangeContext } from '../../../access/change-context.ts'
import type { ResolvedOrganization } from '../../../bus/queue/sql.ts'
import type { LearningId } from '../../../ids.ts'
import { findTextFlags } from '../../../text/flags.ts'
import { REDACTOR_VERSION } from '../../../text/redact.ts'
import { getStatusAfterMerge } from '../lifecycle.ts'
import type { EmbeddedTexts } from '../write/embed.ts'
import { recordLearningChanges } from '../write/record-change.ts'
import { byAge, lockLearnings, removeLearnings, reserveLearningPositions } from '../write/sql.ts'
import { type ClosedEvent, getEventTime, toEventKey } from './payload.ts'
import {
  deletePullRequestOrigins,
  findOrphans,
  type PullRequestRef,
  readPrivateLearnings,
  recordAppliedEvent,
  writeClosing,
} from './sql.ts'
import { type LearningTransition, writeTransitions } from './transition.ts'

/** Resolves proposals made before the close. The close is stored for proposals that arrive late. */
export async function applyPullRequestClosed(
  change: ChangeContext,
  { organization_id }: ResolvedOrganization,
  event: ClosedEvent,
  embedded: EmbeddedTexts,
): Promise<null> {
  const { scope, tx, at } = change
  const { repository_id, number, merged, closed_at } = event.payload
  const pullRequest: PullRequestRef = { organization_id, repository_id, number }
  const closedAt = getEventTime(event, closed_at)
  const [, isNew, concerned] = await Promise.all([
    reserveLearningPositions(scope, tx, 0, REDACTOR_VERSION),
    recordAppliedEvent(scope, tx, organization_id, toEventKey(event), { at }),
    readPrivateLearnings(scope, tx, pullRequest, closedAt),
  ])
  if (!isNew) return null
  const ids = concerned.map(({ id }) => id)
  const closing = writeClosing(scope, tx, pullRequest, merged, closedAt)
  const resolution = merged
    ? promoteMerged(change, pullRequest, ids, closedAt, embedded)
    : expireUnmerged(change, pullRequest, ids, closedAt)
  await Promise.all([closing, resolution])
  return null
}

async function promoteMerged(
  change: ChangeContext,
  { organization_id, number }: PullRequestRef,
  ids: readonly LearningId[],
  closedAt: Date,
  embedded: EmbeddedTexts,
): Promise<void> {
  if (ids.length === 0) return
  const { scope, tx } = change
  const [head, rows] = await Promise.all([
    reserveLearningPositions(scope, tx, ids.length, REDACTOR_VERSION),
    lockLearnings(scope, tx, organization_id, { ids }),
  ])
  const transitions = rows.toSorted(byAge).map((was, index): LearningTransition => {
    const status = getStatusAfterMerge(was, findTextFlags(was.text, was.file).length > 0, change.at)
    const position = status.state === 'shared' ? head.position - rows.length + index + 1 : null
    const updated_at = maxDate(was.updated_at, closedAt)
    const is = { ...was, ...status, position, pull_request: number, updated_at }
    return { was, is, what: 'promoted', metadata: { pull_request: number } }
  })
  await writeTransitions(change, transitions, embedded)
}

/** A Learning that another open pull request also proposed stays private there. */
async function expireUnmerged(
  change: ChangeContext,
  pullRequest: PullRequestRef,
  ids: readonly LearningId[],
  closedAt: Date,
): Promise<void> {
  if (ids.length === 0) return
  const { scope, tx } = change
  const { organization_id, number } = pullRequest
  const [, orphans, rows] = await Promise.all([
    deletePullRequestOrigins(scope, tx, pullRequest, closedAt),
    findOrphans(scope, tx, organization_id, ids),
    lockLearnings(scope, tx, organization_id, { ids }),
  ])
  if (orphans.length === 0) return
  await removeLearnings(scope, tx, organization_id, orphans)
  const expired = rows.filter(({ id }) => orphans.includes(id))
  await recordLearningChanges(
    change,
    expired.map((learning) => ({ what: 'expired', learning, metadata: { pull_request: number } })),
  )
}

function maxDate(one: Date, other: Date): Date {
  return one < other ? other : one
}
