import { toClaim } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { rootScope } from '../../access/scope.ts'
import type { WorkerContext } from '../../bus/context.ts'
import { type DeferredEvent, type EventBatch, getEventActor } from '../../bus/ingest-event.ts'
import { UNRESOLVED_REASON } from '../../bus/queue/organizations.ts'
import { inTransaction, readScoped } from '../../db/transaction.ts'
import type { PersonId } from '../../ids.ts'
import type { TagEvent } from './payload.ts'
import { recordSeatChanges, type SeatChange } from './record-change.ts'
import { insertRequests, insertSeats, readTagAuthors, resolveRequests, type TagAuthor } from './sql.ts'

const ACCOUNT_NOT_MEMBER = 'The account is not a known member of the organization.'

type MemberAuthor = TagAuthor & { readonly person_id: PersonId }

/**
 * A developer who tags the reviewer gets a seat in automatic mode while seats are free; otherwise a request is opened for
 * an admin. Idempotent: a redelivered event finds the seat, the open request or a later decision.
 */
export async function handleTags(
  context: WorkerContext,
  batch: EventBatch,
): Promise<readonly DeferredEvent[]> {
  const { root, organizations, events } = batch
  const scope = rootScope(root)
  const tags = events as readonly TagEvent[]
  const found = await readScoped(context.database, scope, (tx) => readTagAuthors(scope, tx, tags))
  const deferred: DeferredEvent[] = []
  const requesting: TagEvent[] = []
  for (const event of tags) {
    const author = found.get(event)
    const isAllowed = author && (organizations?.includes(author.organization_id) ?? true)
    if (!isAllowed) deferred.push({ event, reason: UNRESOLVED_REASON })
    else if (author.person_id === null) deferred.push({ event, reason: ACCOUNT_NOT_MEMBER })
    else if (isRequestingSeat(event, author)) requesting.push(event)
  }
  // Most authors already have a seat; this avoids the lock for them.
  if (requesting.length > 0) {
    await inTransaction(context.database, scope, async (tx) => {
      await decideTags({ tx, scope, actor: getEventActor(batch), at: context.now() }, requesting)
    })
  }
  return deferred
}

function isRequestingSeat({ occurred_at }: TagEvent, author: TagAuthor): author is MemberAuthor {
  const { person_id, active, assigned, pending, decided_at } = author
  if (person_id === null || !active || assigned || pending) return false
  return decided_at === null || Date.parse(occurred_at) > decided_at
}

async function decideTags(change: ChangeContext, events: readonly TagEvent[]): Promise<void> {
  const { scope, tx, at } = change
  const [seats, found] = await Promise.all([lockAndCountSeats(scope, tx), readTagAuthors(scope, tx, events)])
  let free = seats.active ? seats.purchased - seats.assigned : 0
  const changes = new Map<PersonId, SeatChange>()
  const assignedPeople: PersonId[] = []
  const waiting: MemberAuthor[] = []
  for (const event of events) {
    const author = found.get(event)
    if (author === undefined || !isRequestingSeat(event, author) || changes.has(author.person_id)) continue
    const getsSeat = author.mode === 'automatic' && free > 0
    if (getsSeat) assignedPeople.push(author.person_id)
    else waiting.push(author)
    if (getsSeat) free -= 1
    changes.set(author.person_id, toSeatChange(author, event, getsSeat ? 'seat_assigned' : 'seat_requested'))
  }
  const latest = Math.max(at.getTime(), ...events.map(({ occurred_at }) => Date.parse(occurred_at)))
  await Promise.all([
    insertSeats(scope, tx, assignedPeople, at),
    resolveRequests(scope, tx, assignedPeople, new Date(latest)),
    insertRequests(scope, tx, waiting, at),
    recordSeatChanges(change, [...changes.values()]),
  ])
}

function toSeatChange(
  { person_id, name, email, organization_id }: MemberAuthor,
  { payload: { author } }: TagEvent,
  action: SeatChange['action'],
): SeatChange {
  const claims = toClaim('author', author)
  return { action, person_id, name, email, organization: organization_id, automatic: true, claims }
}
