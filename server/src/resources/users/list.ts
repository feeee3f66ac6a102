import { findEnabledPlacement } from '../../access/placement.ts'
import { countSeats } from '../../access/root.ts'
import type { MetricsStores } from '../../db/stores.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import type { Page } from '../../http/paging.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { OrganizationId } from '../../ids.ts'
import { readIfAvailable, readInStore, readUnlessMoved } from '../../metrics-store/page.ts'
import type { OrganizationUser, UsersQuery } from './schema.ts'
import {
  type FilteredUsers,
  readLastPullRequests,
  readOrganizationUsers,
  readSeatMode,
  readWorkspaceUsers,
  type UsersPageRequest,
} from './sql.ts'

/** Bounds the cost of a page whose filters match few users. */
const MAX_SCANNED_USERS = 10_000

export async function listUsers(
  context: RequestContext<MetricsStores>,
  input: { readonly query: UsersQuery },
): Promise<Reply> {
  const { scope, tx, organization, page } = context
  const request = toUsersPageRequest(page, input.query)
  if (organization === null) {
    const [seats, found] = await Promise.all([countSeats(scope, tx), readWorkspaceUsers(scope, tx, request)])
    const counts = { seats_purchased: seats.purchased, seats_assigned: seats.assigned }
    return ok({ ...counts, ...toPage(page, found, ({ cr_user_id }) => cr_user_id) })
  }
  const [seats, seat_assignment_mode, found] = await Promise.all([
    countSeats(scope, tx),
    readSeatMode(scope, tx, organization),
    readOrganizationUsers(scope, tx, organization, request),
  ])
  const counts = { seats_purchased: seats.purchased, seats_assigned: seats.assigned, seat_assignment_mode }
  const shown = toPage(page, found, ({ user_id }) => user_id)
  return ok({ ...counts, ...shown, users: await addLastPullRequests(context, organization, shown.users) })
}

/** Users keep their other times while metrics are disabled, moving or unavailable. */
async function addLastPullRequests(
  { scope, tx, prepared: stores }: RequestContext<MetricsStores>,
  organization: OrganizationId,
  users: readonly OrganizationUser[],
): Promise<readonly OrganizationUser[]> {
  if (users.length === 0) return users
  const placement = await findEnabledPlacement(scope, tx)
  if (placement === null) return users
  const ids = users.map(({ user_id }) => user_id)
  const lastPullRequests = await readIfAvailable(() =>
    readInStore({ stores, placement, scope }, (store) =>
      readUnlessMoved(scope, store, () => readLastPullRequests(scope, store, organization, ids)),
    ),
  )
  if (lastPullRequests === null) return users
  return users.map((user) => {
    const times = [user.last_active_at, lastPullRequests.get(user.user_id)].filter((at) => at != null)
    return { ...user, last_active_at: times.toSorted().at(-1) ?? null }
  })
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
