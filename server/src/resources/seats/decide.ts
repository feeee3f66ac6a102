import type { PersonId } from '../../ids.ts'
import type { failureCodes } from './schema.ts'

/** A person named in the request, as stored. */
export interface SeatCandidate {
  readonly person_id: PersonId
  readonly name: string
  readonly email: string | null
  readonly active: boolean
  readonly assigned: boolean
  /** Has an open request for a seat. */
  readonly pending: boolean
}

/** A user as passed in the request, and the key for the lookup. */
export interface UserReference {
  readonly input: string
  readonly key: string
}

interface SeatFailure {
  readonly user_id: string
  readonly id: string
  readonly code: (typeof failureCodes)[number]
  readonly message: string
}

export interface SeatDecision {
  readonly succeeded: readonly string[]
  readonly failed: readonly SeatFailure[]
  /** People whose seat is assigned or unassigned. */
  readonly changed: readonly SeatCandidate[]
  /** People whose request for a seat is declined. */
  readonly declined: readonly SeatCandidate[]
  /** People whose requests are resolved, whether or not their seat changes. */
  readonly resolved: readonly PersonId[]
}

/** Assigns free seats in the order of the request. A person named twice takes one seat. */
export function decideSeats(
  action: 'assign' | 'unassign',
  users: readonly UserReference[],
  candidates: ReadonlyMap<string, SeatCandidate>,
  free: number,
): SeatDecision {
  const succeeded: string[] = []
  const failed: SeatFailure[] = []
  const changed = new Map<PersonId, SeatCandidate>()
  const declined = new Map<PersonId, SeatCandidate>()
  const resolved = new Set<PersonId>()
  for (const { input, key } of users) {
    const person = candidates.get(key)
    if (person === undefined) {
      failed.push(
        toFailure(input, 'USER_NOT_FOUND', 'No user with this ID was found. List users with GET /v1/users.'),
      )
      continue
    }
    const { person_id, active, assigned, pending } = person
    if (action === 'assign' && !active) {
      failed.push(
        toFailure(
          input,
          'USER_INACTIVE',
          'This person is deactivated and cannot get a seat. The operator can reactivate the person.',
        ),
      )
      continue
    }
    const needsSeat = action === 'assign' && !assigned && !changed.has(person_id)
    if (needsSeat && changed.size >= free) {
      failed.push(
        toFailure(input, 'NO_SEATS_AVAILABLE', 'All seats are assigned. Unassign a seat or purchase more.'),
      )
      continue
    }
    if (needsSeat || (action === 'unassign' && assigned)) changed.set(person_id, person)
    else if (action === 'unassign' && pending) declined.set(person_id, person)
    succeeded.push(input)
    resolved.add(person_id)
  }
  return {
    succeeded,
    failed,
    changed: [...changed.values()],
    declined: [...declined.values()],
    resolved: [...resolved],
  }
}

export function getStatus({ succeeded, failed }: SeatDecision): 'success' | 'partial_success' | 'failure' {
  if (failed.length === 0) return 'success'
  return succeeded.length === 0 ? 'failure' : 'partial_success'
}

function toFailure(id: string, code: SeatFailure['code'], message: string): SeatFailure {
  return { user_id: id, id, code, message }
}
