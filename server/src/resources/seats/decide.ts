import { toBatchResult } from '../../http/named-users.ts'
import type { PersonId } from '../../ids.ts'

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

const messages = {
  USER_NOT_FOUND: 'No user with this ID was found. List users with GET /v1/users.',
  USER_INACTIVE: 'This person is deactivated and cannot get a seat. The operator can reactivate the person.',
  NO_SEATS_AVAILABLE: 'All seats are assigned. Unassign a seat or purchase more.',
} as const

/** Assigns free seats in the order of the request. A person named twice takes one seat. */
export function decideSeats(
  action: 'assign' | 'unassign',
  users: readonly UserReference[],
  candidates: ReadonlyMap<string, SeatCandidate>,
  free: number,
) {
  const changed = new Map<PersonId, SeatCandidate>()
  const declined = new Map<PersonId, SeatCandidate>()
  const resolved = new Set<PersonId>()
  const decide = (person: SeatCandidate | undefined): keyof typeof messages | null => {
    if (person === undefined) return 'USER_NOT_FOUND'
    const { person_id, active, assigned, pending } = person
    if (action === 'assign' && !active) return 'USER_INACTIVE'
    const needsSeat = action === 'assign' && !assigned && !changed.has(person_id)
    if (needsSeat && changed.size >= free) return 'NO_SEATS_AVAILABLE'
    if (needsSeat || (action === 'unassign' && assigned)) changed.set(person_id, person)
    else if (action === 'unassign' && pending) declined.set(person_id, person)
    resolved.add(person_id)
    return null
  }
  const outcomes = users.map(({ input, key }) => [input, decide(candidates.get(key))] as const)
  return {
    result: toBatchResult(outcomes, messages),
    /** People whose seat is assigned or unassigned. */
    changed: [...changed.values()],
    /** People whose request for a seat is declined. */
    declined: [...declined.values()],
    /** People whose requests are resolved, whether or not their seat changes. */
    resolved: [...resolved],
  }
}
