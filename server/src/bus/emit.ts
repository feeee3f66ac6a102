import { randomUUID } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import type { Scope } from '../access/scope.ts'
import type { Tx } from '../db/transaction.ts'
import { insertEvent, insertEvents } from './sql.ts'

const seatPayload = '`person_id`, `organization_id` of the decision; null = the whole workspace'
const learningPayload =
  '`learning_id`, `organization_id`, `repository_id`, `state`: private, pending, shared or disapproved'

const describe = (description: string, payload: string) => ({ description, payload })

/** Every event that the server publishes, `<noun>.<past participle>`, with its description for the documentation. */
export const publishedEvents = {
  'workspace.created': describe('A workspace was created.', '`workspace_id`'),
  'instance.created': describe('A self-hosted instance was created.', '`instance_id`, `provider`'),
  'instance.changed': describe(
    'An instance started or stopped sending metrics.',
    '`instance_id`, `sends_metrics`',
  ),
  'organization.created': describe(
    'An organization was created.',
    '`organization_id`, `instance_id` or null, `active`',
  ),
  'organization.changed': describe(
    'The name, state, metrics or seat mode of an organization changed.',
    '`organization_id`, `active`',
  ),
  'metrics.move_requested': describe(
    'A move of the metrics to another store was requested.',
    '`from`, `store`: names of metrics stores',
  ),
  'metrics.moved': describe(
    'The metrics were moved to another store.',
    '`from`, `store`: names of metrics stores',
  ),
  'key.created': describe(
    'A key was created.',
    '`key_id`, `kind`, `organization_id` or null, `expires_at` or null',
  ),
  'key.rotated': describe(
    'A key was replaced by a new one.',
    'as `key.created`, and `replaced_key_id`, `replaced_ends_at`',
  ),
  'key.revoked': describe('A key was revoked.', '`key_id`, `kind`, `organization_id` or null, `revoked_at`'),
  'key.expiring': describe(
    'A key expires soon. Each warning is published once.',
    'as `key.created`, and `owner_id` or null, `days`: 14 or 3',
  ),
  'role.created': describe('A custom role was created.', '`organization_id`, `role_id`'),
  'role.changed': describe('A custom role was changed.', '`organization_id`, `role_id`'),
  'role.deleted': describe('A custom role was deleted.', '`organization_id`, `role_id`'),
  'user.roles_changed': describe(
    'A role was assigned to users.',
    '`organization_id`, `role`, `users`: how many users changed',
  ),
  'person.deprovisioned': describe(
    'The access of a person was taken away: by offboarding, or by the identity provider.',
    '`person_id`, `organization_id` or null = the whole tenant, `sessions`, `keys`, `seats`: how many ended, ' +
      '`without_admin`: how many organizations have no active admin now',
  ),
  'finding.judged': describe(
    'A person set or withdrew the outcome of a finding. The worker stores it as an outcome.',
    '`provider`, `host`, `repository_id`, `number`, `finding_id`, `organization_id`, `provider_organization_id`, `instance_id` or ' +
      'null, `accepted`: null withdraws',
  ),
  'seat.assigned': describe('A person got a seat.', seatPayload),
  'seat.unassigned': describe('A person lost a seat.', seatPayload),
  'seat.requested': describe('A person requested a seat.', seatPayload),
  'seat.declined': describe('The request for a seat was declined.', seatPayload),
  'learning.created': describe('A Learning was created.', learningPayload),
  'learning.updated': describe('A Learning was updated.', learningPayload),
  'learning.deleted': describe('A Learning was deleted.', learningPayload),
  'learning.approved': describe('A pending Learning was approved.', learningPayload),
  'learning.disapproved': describe('A Learning was disapproved.', learningPayload),
}

export type EventType = keyof typeof publishedEvents

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
