import { getRequestActor } from '../../access/audit.ts'
import type { Principal } from '../../access/principal.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { refuse } from '../../errors.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import {
  decideSeats,
  getStatus,
  type SeatCandidate,
  type SeatDecision,
  type UserReference,
} from './decide.ts'
import { recordSeatChanges } from './record-change.ts'
import { MAX_USERS, type SeatRequest } from './schema.ts'
import { deleteSeats, findMembers, findPeople, insertSeats, resolveRequests } from './sql.ts'

/** A workspace token names people of the workspace; every other key names accounts of its organization. */
export function refuseInvalidUsers({ body }: { readonly body: SeatRequest }, { kind }: Principal): void {
  const { user_ids, members, org_id } = body
  const [users, other, name] =
    kind === 'workspace' ? [members, user_ids, 'members'] : [user_ids, members, 'user_ids']
  if (kind === 'workspace' && org_id !== undefined) {
    refuse('INVALID_REQUEST', 'A workspace token manages the seats of the whole workspace. Omit org_id.')
  }
  if (users === undefined || other !== undefined) {
    refuse(
      'INVALID_REQUEST',
      `A key of the kind "${kind}" requires ${name} and does not accept other fields for users.`,
    )
  }
  if (users.length > MAX_USERS) {
    refuse(
      'BATCH_SIZE_EXCEEDED',
      `A request can name at most ${MAX_USERS} users. Split it into several requests.`,
    )
  }
}

export async function manageSeats(
  context: RequestContext,
  { body }: { readonly body: SeatRequest },
): Promise<Reply> {
  const { scope, tx } = context
  const users = toUserReferences(body)
  // Both are sent at once and run in this order: people are read under the lock on the seats.
  const [{ purchased, assigned }, candidates] = await Promise.all([
    lockAndCountSeats(scope, tx),
    readSeatCandidates(context, body, users),
  ])
  const decision = decideSeats(body.action, users, candidates, Math.max(purchased - assigned, 0))
  await applyDecision(context, body.action, decision)
  const { succeeded, failed } = decision
  return ok({ status: getStatus(decision), succeeded, failed })
}

function toUserReferences({ user_ids = [], members = [] }: SeatRequest): UserReference[] {
  const references = [
    ...user_ids.map((id) => ({ input: id, key: id })),
    ...members.map((member) => {
      const id = 'email' in member ? member.email : member.cr_user_id
      return { input: id, key: id.toLowerCase() }
    }),
  ]
  return [...new Map(references.map((name) => [name.input, name])).values()]
}

function readSeatCandidates(
  { scope, tx, organization }: RequestContext,
  { members }: SeatRequest,
  users: readonly UserReference[],
): Promise<ReadonlyMap<string, SeatCandidate>> {
  const keys = users.map(({ key }) => key)
  if (members === undefined) {
    if (organization === null) throw new Error('No organization is selected for user_ids.')
    return findMembers(scope, tx, organization, keys)
  }
  const ids = members.flatMap((member) => ('email' in member ? [] : [member.cr_user_id.toLowerCase()]))
  const emails = members.flatMap((member) => ('email' in member ? [member.email.toLowerCase()] : []))
  return findPeople(scope, tx, emails, ids)
}

async function applyDecision(
  context: RequestContext,
  action: SeatRequest['action'],
  { changed, declined, resolved }: SeatDecision,
): Promise<void> {
  const { scope, tx, organization } = context
  const at = context.now()
  const people = changed.map(({ person_id }) => person_id)
  const toSeatChange = (changeAction: 'seat_assigned' | 'seat_unassigned' | 'seat_declined') => {
    return ({ person_id, name, email }: SeatCandidate) =>
      ({ action: changeAction, person_id, name, email, organization, automatic: false }) as const
  }
  const changes = [
    ...changed.map(toSeatChange(action === 'assign' ? 'seat_assigned' : 'seat_unassigned')),
    ...declined.map(toSeatChange('seat_declined')),
  ]
  await Promise.all([
    action === 'assign' ? insertSeats(scope, tx, people, at) : deleteSeats(scope, tx, people),
    resolveRequests(scope, tx, resolved, at),
    recordSeatChanges({ tx, scope, actor: getRequestActor(context), at }, changes),
  ])
}
