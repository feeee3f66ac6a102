import { toChange } from '../../access/change-context.ts'
import type { Principal } from '../../access/principal.ts'
import { lockAndCountSeats } from '../../access/root.ts'
import { refuse } from '../../errors.ts'
import { type RequestContext, requireOrganization } from '../../http/endpoint.ts'
import { refuseTooManyUsers } from '../../http/named-users.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { decideSeats, type SeatCandidate, type UserReference } from './decide.ts'
import { recordSeatChanges } from './record-change.ts'
import type { SeatRequest } from './schema.ts'
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
  refuseTooManyUsers(users)
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
  return ok(decision.result)
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
  context: RequestContext,
  { members }: SeatRequest,
  users: readonly UserReference[],
): Promise<ReadonlyMap<string, SeatCandidate>> {
  const { scope, tx } = context
  if (members === undefined) {
    const keys = users.map(({ key }) => key)
    return findMembers(scope, tx, requireOrganization(context), keys)
  }
  const ids = members.flatMap((member) => ('email' in member ? [] : [member.cr_user_id.toLowerCase()]))
  const emails = members.flatMap((member) => ('email' in member ? [member.email.toLowerCase()] : []))
  return findPeople(scope, tx, emails, ids)
}

async function applyDecision(
  context: RequestContext,
  action: SeatRequest['action'],
  { changed, declined, resolved }: ReturnType<typeof decideSeats>,
): Promise<void> {
  const { scope, tx, organization } = context
  const change = toChange(context)
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
    action === 'assign' ? insertSeats(scope, tx, people, change.at) : deleteSeats(scope, tx, people),
    resolveRequests(scope, tx, resolved, change.at),
    recordSeatChanges(change, changes),
  ])
}
