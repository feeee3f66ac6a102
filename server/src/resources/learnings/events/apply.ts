import type { ChangeContext } from '../../../access/change-context.ts'
import { rootScope } from '../../../access/scope.ts'
import type { WorkerContext } from '../../../bus/context.ts'
import { type DeferredEvent, type EventBatch, getEventActor } from '../../../bus/ingest-event.ts'
import { findOrganizations, UNRESOLVED_REASON } from '../../../bus/queue/organizations.ts'
import { countReceivedEvents } from '../../../bus/queue/received-sql.ts'
import type { ResolvedOrganization } from '../../../bus/queue/sql.ts'
import { inTransaction, readScoped } from '../../../db/transaction.ts'
import { Refusal } from '../../../errors.ts'
import { recordUse } from '../../../learning-index/sql.ts'
import { needsApproval } from '../lifecycle.ts'
import type { EmbeddedTexts } from '../write/embed.ts'
import { applyPullRequestClosed } from './close.ts'
import {
  type ClosedEvent,
  getEventTime,
  type LearningEvent,
  type ProposedEvent,
  toEventKey,
  type UsedEvent,
} from './payload.ts'
import { applyProposal } from './propose.ts'
import { readClosing, readPrivateLearnings, recordAppliedEvent } from './sql.ts'
import { embedBeforeTransaction } from './transition.ts'

/** An event and the organization it belongs to. */
interface ResolvedLearningEvent {
  readonly event: LearningEvent
  readonly organization: ResolvedOrganization
}

/** Applies each event in its own transaction, oldest first. Returns events of unknown organizations or repositories. */
export async function applyLearningEvents(
  context: WorkerContext,
  batch: EventBatch,
): Promise<readonly DeferredEvent[]> {
  const deferred: DeferredEvent[] = []
  const resolved = await resolveOrganizations(context, batch, deferred)
  const embedded = await embedTextsToShare(context, batch, resolved)
  for (const one of resolved) {
    const reason = await applyEvent(context, batch, one, embedded)
    if (reason !== null) deferred.push({ event: one.event, reason })
  }
  return deferred
}

async function resolveOrganizations(
  context: WorkerContext,
  batch: EventBatch,
  deferred: DeferredEvent[],
): Promise<readonly ResolvedLearningEvent[]> {
  const events = (batch.events as readonly LearningEvent[]).toSorted(
    (a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at),
  )
  const names = events.map(({ payload }) => payload.organization)
  const find = await readScoped(context.database, rootScope(batch.root), (tx) =>
    findOrganizations(context, tx, batch, names),
  )
  return events.flatMap((event) => {
    const organization = find(event.payload.organization)
    if (organization !== null) return [{ event, organization }]
    deferred.push({ event, reason: UNRESOLVED_REASON })
    return []
  })
}

/** Embeds texts that will probably be shared in one call: a model is too slow to call inside a transaction. */
async function embedTextsToShare(
  context: WorkerContext,
  { root }: EventBatch,
  resolved: readonly ResolvedLearningEvent[],
): Promise<EmbeddedTexts> {
  const scope = rootScope(root)
  const merged = new Set(
    resolved.flatMap((one) => (isMergeEvent(one.event) ? [toPullRequestKey(one, one.event)] : [])),
  )
  const texts = await readScoped(context.database, scope, (tx) =>
    Promise.all(
      resolved.map(async (one) => {
        const { event, organization } = one
        const at = new Date(event.occurred_at)
        const organizationKey = { organization_id: organization.organization_id }
        if (isMergeEvent(event)) {
          const { repository_id, number } = event.payload
          const found = await readPrivateLearnings(
            scope,
            tx,
            { ...organizationKey, repository_id, number },
            at,
          )
          return found.map(({ text }) => text)
        }
        if (event.type !== 'learning.proposed' || needsApproval(event.payload.source)) return []
        const { repository_id, number, learning } = event.payload
        if (number === null || merged.has(toPullRequestKey(one, event))) return [learning]
        const closing = await readClosing(scope, tx, { ...organizationKey, repository_id, number }, at)
        return closing === 'merged' ? [learning] : []
      }),
    ),
  )
  return embedBeforeTransaction(scope, context, texts.flat())
}

function isMergeEvent(event: LearningEvent): event is ClosedEvent {
  return event.type === 'pull_request.closed' && event.payload.merged
}

function toPullRequestKey(
  { organization }: ResolvedLearningEvent,
  { payload }: ClosedEvent | ProposedEvent,
): string {
  return `${organization.organization_id} ${payload.number} ${payload.repository_id}`
}

function applyEvent(
  context: WorkerContext,
  batch: EventBatch,
  { event, organization }: ResolvedLearningEvent,
  embedded: EmbeddedTexts,
): Promise<string | null> {
  const scope = rootScope(batch.root)
  const at = context.now()
  return inTransaction(context.database, scope, (tx) => {
    const change: ChangeContext = { scope, tx, actor: getEventActor(batch), at }
    switch (event.type) {
      case 'learning.proposed':
        return applyProposal(change, organization, event, {
          embedded,
          maxPending: context.maxPendingLearnings,
        })
      case 'pull_request.closed':
        return applyPullRequestClosed(change, organization, event, embedded)
      case 'learning.used':
        return applyUse(change, batch, organization, event)
    }
  }).catch(toDeferralReason)
}

/** A refusal is rolled back: the event waits for a person to decide, and becomes a dead letter otherwise. */
function toDeferralReason(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}

/** Counts each Learning once per event. Ignores deleted Learnings. */
async function applyUse(
  { scope, tx, at }: ChangeContext,
  batch: EventBatch,
  { organization_id }: ResolvedOrganization,
  event: UsedEvent,
): Promise<null> {
  const { learning_ids, used_at } = event.payload
  const isNew = await recordAppliedEvent(scope, tx, organization_id, toEventKey(event), {
    at,
    ifLearnings: true,
  })
  if (isNew) {
    await recordUse(scope, tx, organization_id, learning_ids, getEventTime(event, used_at))
    await countReceivedEvents(scope, tx, batch, [event], at)
  }
  return null
}
