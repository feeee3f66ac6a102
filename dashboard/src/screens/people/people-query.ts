import type { Get } from '@scholiast/sdk'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client, organizationHeaders } from '../../api/client.ts'

export const USERS = '/v1/users'
const PAGE_SIZE = 100
/** Pages that are read at once, so that figures about people include most organizations completely. */
const PAGES_AT_ONCE = 3

type Page = Get<typeof USERS>
type OrganizationUser = Extract<Page, { seat_assignment_mode: string }>['users'][number]
type WorkspaceUser = Exclude<Page, { seat_assignment_mode: string }>['users'][number]

/** A user of one organization, or a person of the whole workspace. */
export interface Person {
  /** The account in one organization, `cr_user_id` in the whole workspace. */
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly username: string | null
  readonly active: boolean
  readonly seat: boolean
  readonly role: string
  readonly roleName: string
  /** By organization. Only in the whole workspace. */
  readonly accounts: WorkspaceUser['accounts']
  /** Not known for the whole workspace: undefined. Never: null. */
  readonly lastActiveAt: string | null | undefined
  readonly requestedAt: string | null | undefined
}

export interface PeopleFilters {
  readonly seat_filter: 'all' | 'assigned' | 'unassigned'
  readonly role_filter: 'all' | 'member' | 'admin'
}

export interface People {
  readonly purchased: number
  readonly assigned: number
  /** Null for the whole workspace, whose organizations differ. */
  readonly mode: 'automatic' | 'manual' | null
  readonly people: readonly Person[]
}

interface Chunk extends People {
  readonly next: string | null
}

const seatFilters = ['assigned', 'unassigned'] as const
const roleFilters = ['member', 'admin'] as const

export function readPeopleFilters(search: URLSearchParams): PeopleFilters {
  const seat = search.get('seat_filter')
  const role = search.get('role_filter')
  return {
    seat_filter: seatFilters.find((one) => one === seat) ?? 'all',
    role_filter: roleFilters.find((one) => one === role) ?? 'all',
  }
}

export function peopleQuery(organization: string, filters: PeopleFilters) {
  return infiniteQueryOptions({
    queryKey: [organization, USERS, filters],
    queryFn: ({ signal, pageParam }) => readChunk(organization, filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Chunk) => next,
    select: ({ pages }): People | undefined => joinChunks(pages),
  })
}

/** People with a seat, for a list of which nothing may be missing; at most `max` of them. */
export function readSeatHolders(organization: string, max: number, signal: AbortSignal) {
  return readPeople(organization, { seat_filter: 'assigned', role_filter: 'all' }, { max, signal })
}

/** Everybody who matches, or at most `max`. */
export async function readPeople(
  organization: string,
  filters: PeopleFilters,
  { max = Number.POSITIVE_INFINITY, signal }: { readonly max?: number; readonly signal?: AbortSignal } = {},
) {
  const people: Person[] = []
  let cursor: string | null = null
  do {
    const chunk: Chunk = await readChunk(organization, filters, cursor, signal)
    people.push(...chunk.people)
    cursor = chunk.next
  } while (cursor !== null && people.length < max)
  return { people, isComplete: cursor === null }
}

async function readChunk(
  organization: string,
  filters: PeopleFilters,
  start: string | null,
  signal: AbortSignal | undefined,
): Promise<Chunk> {
  const people: Person[] = []
  let cursor = start
  for (let count = 1; ; count += 1) {
    const query = { ...filters, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }
    const page = await client.get(USERS, { query, signal, headers: organizationHeaders(organization) })
    people.push(...page.users.map(toPerson))
    cursor = page.next_cursor
    if (cursor !== null && count < PAGES_AT_ONCE) continue
    return {
      purchased: page.seats_purchased,
      assigned: page.seats_assigned,
      mode: 'seat_assignment_mode' in page ? page.seat_assignment_mode : null,
      people,
      next: cursor,
    }
  }
}

/** The chunks that were read so far, as one list. The latest has the current number of seats. */
function joinChunks(chunks: readonly Chunk[]): People | undefined {
  const last = chunks.at(-1)
  return last === undefined ? undefined : { ...last, people: chunks.flatMap(({ people }) => people) }
}

function toPerson(user: OrganizationUser | WorkspaceUser): Person {
  const { name, email, active, seat_assigned: seat } = user
  if ('user_id' in user)
    return {
      id: user.user_id,
      name,
      email,
      active,
      seat,
      username: user.username,
      role: user.role,
      roleName: user.role_name,
      accounts: [],
      lastActiveAt: user.last_active_at,
      requestedAt: user.seat_requested_at,
    }
  const { accounts } = user
  const isAdmin = accounts.some(({ role }) => role === 'cr_admin')
  return {
    id: user.cr_user_id,
    name,
    email,
    active,
    seat,
    username: null,
    role: isAdmin ? 'cr_admin' : (accounts[0]?.role ?? ''),
    roleName: [...new Set(accounts.map(({ role_name }) => role_name))].join(', '),
    accounts,
    lastActiveAt: undefined,
    requestedAt: undefined,
  }
}
