import { randomUUID } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import { insertEvent, insertEvents } from './sql.ts'

const seatPayload = '`person_id`, `organization_id` of the decision; null = the whole workspace'
const learningPayload =
  '`learning_id`, `organization_id`, `repository_id`, `state`: private, pending, shared or disapproved'

/** Every event that the server publishes, `<noun>.<past participle>`, with its description for the documentation. */
export const publishedEvents = [
  { type: 'workspace.created', description: 'A workspace was created.', payload: '`workspace_id`' },
  {
    type: 'instance.created',
    description: 'A self-hosted instance was created.',
    payload: '`instance_id`, `provider`',
  },
  {
    type: 'instance.changed',
    description: 'An instance started or stopped sending metrics.',
    payload: '`instance_id`, `sends_metrics`',
  },
  {
    type: 'organization.created',
    description: 'An organization was created.',
    payload: '`organization_id`, `instance_id` or null, `active`',
  },
  {
    type: 'organization.changed',
    description: 'The name, state, metrics or seat mode of an organization changed.',
    payload: '`organization_id`, `active`',
  },
  {
    type: 'metrics.move_requested',
    description: 'A move of the metrics to another store was requested.',
    payload: '`from`, `store`: names of metrics stores',
  },
  {
    type: 'metrics.moved',
    description: 'The metrics were moved to another store.',
    payload: '`from`, `store`: names of metrics stores',
  },
  {
    type: 'key.created',
    description: 'A key was created.',
    payload: '`key_id`, `kind`, `organization_id` or null, `expires_at` or null',
  },
  {
    type: 'key.rotated',
    description: 'A key was replaced by a new one.',
    payload: 'as `key.created`, and `replaced_key_id`, `replaced_ends_at`',
  },
  {
    type: 'key.revoked',
    description: 'A key was revoked.',
    payload: '`key_id`, `kind`, `organization_id` or null, `revoked_at`',
  },
  {
    type: 'key.expiring',
    description: 'A key expires soon. Each warning is published once.',
    payload: 'as `key.created`, and `owner_id` or null, `days`: 14 or 3',
  },
  {
    type: 'role.created',
    description: 'A custom role was created.',
    payload: '`organization_id`, `role_id`',
  },
  {
    type: 'role.changed',
    description: 'A custom role was changed.',
    payload: '`organization_id`, `role_id`',
  },
  {
    type: 'role.deleted',
    description: 'A custom role was deleted.',
    payload: '`organization_id`, `role_id`',
  },
  {
    type: 'user.roles_changed',
    description: 'A role was assigned to users.',
    payload: '`organization_id`, `role`, `users`: how many users changed',
  },
  {
    type: 'person.deprovisioned',
    description: 'The access of a person was taken away: by offboarding, or by the identity provider.',
    payload:
      '`person_id`, `organization_id` or null = the whole tenant, `sessions`, `keys`, `seats`: how many ended, ' +
      '`without_admin`: how many organizations have no active admin now',
  },
  {
    type: 'finding.judged',
    description: 'A person set or withdrew the outcome of a finding. The worker stores it as an outcome.',
    payload:
      '`provider`, `host`, `repository_id`, `number`, `finding_id`, `organization_id`, `provider_organization_id`, `instance_id` or ' +
      'null, `accepted`: null withdraws',
  },
  { type: 'seat.assigned', description: 'A person got a seat.', payload: seatPayload },
  { type: 'seat.unassigned', description: 'A person lost a seat.', payload: seatPayload },
  { type: 'seat.requested', description: 'A person requested a seat.', payload: seatPayload },
  { type: 'seat.declined', description: 'The request for a seat was declined.', payload: seatPayload },
  { type: 'learning.created', description: 'A Learning was created.', payload: learningPayload },
  { type: 'learning.updated', description: 'A Learning was updated.', payload: learningPayload },
  { type: 'learning.deleted', description: 'A Learning was deleted.', payload: learningPayload },
  { type: 'learning.approved', description: 'A pending Learning was approved.', payload: learningPayload },
  { type: 'learning.disapproved', description: 'A Learning was disapproved.', payload: learningPayload },
] as const

export type EventType = (typeof publishedEvents)[number]['type']

export interface OutboxEvent {
  readonly type: EventType
  /** Ids and states; never the value of a key, a text or personal data. */
  readonly payload: Readonly<Record<string, string | number | boolean | null>>
}

/** Writes an event to the outbox in the transaction of the change. The worker publishes it after the commit. */
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
