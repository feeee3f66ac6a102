import type { PersonId } from '../../ids.ts'
import type { failureCodes } from './schema.ts'

/** Somebody who was named, as the database knows them. */
export interface SeatCandidate {
  readonly person_id: PersonId
  readonly name: string
  readonly email: string
  readonly assigned: boolean
  /** Asks for a seat. */
  readonly pending: boolean
}

/** Whom a request names: as it was passed, and as it is looked up. */
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
  /** Whose seat is given or taken back. */
  readonly changed: readonly SeatCandidate[]
  /** Who asked for a seat and is told no. */
  readonly declined: readonly SeatCandidate[]
  /** On whom the last word is spoken, whether or not it changed anything. */
  readonly resolved: readonly PersonId[]
}

/** Who gets a seat while there are free ones, in the order of the request; nobody is counted twice. */
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
        toFailure(input, 'USER_NOT_FOUND', 'Nobody here is known by this id. List them with GET /v1/users.'),
      )
      continue
    }
    const { person_id, assigned, pending } = person
    const needsSeat = action === 'assign' && !assigned && !changed.has(person_id)
    if (needsSeat && changed.size >= free) {
      failed.push(
        toFailure(input, 'NO_SEATS_AVAILABLE', 'Every seat is assigned. Unassign one, or buy more.'),
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
