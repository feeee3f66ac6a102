import { randomUUID } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import { insertEvent, insertEvents } from './sql.ts'

/** Events that the server publishes: `<noun>.<past verb>`. */
export type EventType =
  | 'workspace.created'
  | 'instance.created'
  | 'instance.changed'
  | 'organization.created'
  | 'organization.changed'
  | 'metrics.move_requested'
  | 'metrics.moved'
  | 'key.created'
  | 'key.rotated'
  | 'key.revoked'
  | 'key.expiring'
  | 'role.created'
  | 'role.changed'
  | 'role.deleted'
  | 'user.roles_changed'
  | 'seat.assigned'
  | 'seat.unassigned'
  | 'seat.requested'
  | 'seat.declined'
  | 'learning.created'
  | 'learning.updated'
  | 'learning.deleted'
  | 'learning.approved'
  | 'learning.disapproved'

export interface OutboxEvent {
  readonly type: EventType
  /** Ids and states; never a key's value, a text or personal data. */
  readonly payload: Readonly<Record<string, string | number | boolean | null>>
}

/** Writes an event in the transaction of its change. The worker's relay publishes it after the commit. */
export async function emit(tx: Tx, scope: Scope, event: OutboxEvent): Promise<void> {
  await tx.query(insertEvent, [scope.root, randomUUID(), event.type, JSON.stringify(event.payload)])
}

/** Writes several events in one round trip. They are published in this order. */
export async function emitAll(tx: Tx, scope: Scope, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ type, payload }) => ({ event_id: randomUUID(), type, payload }))
  await tx.query(insertEvents, [scope.root, JSON.stringify(rows)])
}

/** The body of a message on `<prefix>.events.<type>`, as JSON. */
export interface EventBody {
  readonly id: string
  readonly type: EventType
  readonly version: 1
  readonly root: string
  readonly occurred_at: string
  readonly payload: OutboxEvent['payload']
}

/** The schema of a published event, for its consumers. Open, so that newer versions can add fields. */
export function eventShape<Payload extends TSchema>(type: EventType, payload: Payload) {
  return Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: Type.Literal(type),
    version: Type.Literal(1),
    root: Type.String({ format: 'uuid' }),
    occurred_at: Type.String({ format: 'date-time' }),
    payload,
  })
}
