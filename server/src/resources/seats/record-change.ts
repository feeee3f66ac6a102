import { type Claim, toPersonalValues } from '../../access/audit.ts'
import { auditChanges, type ChangeContext } from '../../access/change-context.ts'
import { emit } from '../../bus/emit.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'

const events = {
  seat_assigned: 'seat.assigned',
  seat_unassigned: 'seat.unassigned',
  seat_requested: 'seat.requested',
  seat_declined: 'seat.declined',
} as const

const changedFields = {
  seat_assigned: { before: { seat_assigned: false }, after: { seat_assigned: true } },
  seat_unassigned: { before: { seat_assigned: true }, after: { seat_assigned: false } },
  seat_requested: { before: { seat_requested: false }, after: { seat_requested: true } },
  seat_declined: { before: { seat_requested: true }, after: { seat_requested: false } },
} as const

export interface SeatChange {
  readonly action: keyof typeof events
  readonly person_id: PersonId
  readonly name: string
  readonly email: string | null
  /** Null if the change was requested for the whole workspace. */
  readonly organization: OrganizationId | null
  /** True if an event caused the change, false if a request did. */
  readonly automatic: boolean
  /** Who, according to the sender of an event, asked for the seat. */
  readonly claims?: Claim
}

/** Must run last in the transaction. Writes one event and one audit row for each change. */
export async function recordSeatChanges(
  change: ChangeContext,
  changes: readonly SeatChange[],
): Promise<void> {
  const emitted = changes.map(({ action, person_id, organization }) => {
    const payload = { person_id, organization_id: organization }
    return emit(change.tx, change.scope, { type: events[action], payload })
  })
  const entries = changes.map(({ action, person_id, name, email, organization, automatic, claims }) => {
    return {
      action,
      resourceId: person_id,
      organization,
      metadata: { automatic, ...claims?.metadata },
      ...changedFields[action],
      personal: { ...toPersonalValues({ name, email }), ...claims?.personal },
      person: person_id,
    } as const
  })
  await Promise.all([...emitted, auditChanges(change, entries)])
}
