import { countSeats } from '../../access/root.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import type { Page } from '../../http/paging.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { UsersQuery } from './schema.ts'
import {
  type FilteredUsers,
  type OrganizationUser,
  readOrganizationUsers,
  readSeatMode,
  readWorkspaceUsers,
  type UsersPageRequest,
  type WorkspaceUser,
} from './sql.ts'

/** Bounds the cost of a page whose filters match few users. */
const MAX_SCANNED_USERS = 10_000

export async function listUsers(
  context: RequestContext,
  input: { readonly query: UsersQuery },
): Promise<Reply> {
  const { scope, tx, organization, page } = context
  const request = toUsersPageRequest(page, input.query)
  if (organization === null) {
    const [seats, found] = await Promise.all([countSeats(scope, tx), readWorkspaceUsers(scope, tx, request)])
    const counts = { seats_purchased: seats.purchased, seats_assigned: seats.assigned }
    return ok({ ...counts, ...toPage(page, found, (person: WorkspaceUser) => person.cr_user_id) })
  }
  const [seats, seat_assignment_mode, found] = await Promise.all([
    countSeats(scope, tx),
    readSeatMode(scope, tx, organization),
    readOrganizationUsers(scope, tx, organization, request),
  ])
  const counts = { seats_purchased: seats.purchased, seats_assigned: seats.assigned, seat_assignment_mode }
  return ok({ ...counts, ...toPage(page, found, (member: OrganizationUser) => member.user_id) })
}

function toUsersPageRequest(
  { after, limit }: Page,
  { seat_filter = 'all', role_filter = 'all' }: UsersQuery,
): UsersPageRequest {
  const filtered = seat_filter !== 'all' || role_filter !== 'all'
  return {
    after: after === null ? null : String(after[0]),
    limit,
    scanLimit: filtered ? MAX_SCANNED_USERS : limit + 1,
    seat: seat_filter === 'all' ? null : seat_filter === 'assigned',
    admin: role_filter === 'all' ? null : role_filter === 'admin',
  }
}

function toPage<User>(page: Page, { users, lastScanned }: FilteredUsers<User>, idOf: (user: User) => string) {
  const shown = users.slice(0, page.limit)
  const last = shown.at(-1)
  const position = users.length > page.limit && last !== undefined ? idOf(last) : lastScanned
  return { users: shown, next_cursor: position === null ? null : page.cursorAfter(position) }
}
