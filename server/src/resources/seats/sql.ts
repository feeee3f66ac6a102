import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import type { SeatCandidate } from './decide.ts'
import type { TagEvent } from './payload.ts'

const candidateColumns = `p.id as person_id, p.name, p.email, p.active,
  coalesce((select true from seat s where s.root_id = $1 and s.person_id = p.id), false) as assigned,
  coalesce((select requested_at is not null from seat_request r where r.root_id = $1 and r.person_id = p.id), false)
    as pending`

const membersByAccount = statement(
  'seats.members-by-account',
  `select m.account_id as key, ${candidateColumns}
   from membership m join person p on p.root_id = m.root_id and p.id = m.person_id
   where m.root_id = $1 and m.organization_id = $2 and m.account_id = any ($3::text[])`,
)

const peopleByEmailOrId = statement(
  'seats.people-by-email-or-id',
  `select p.email as key, ${candidateColumns} from person p where p.root_id = $1 and p.email = any ($2::text[])
   union all
   select p.id::text as key, ${candidateColumns} from person p
   where p.root_id = $1 and p.id = any ($3::uuid[]) and p.erased_at is null`,
)

const assign = statement(
  'seats.assign',
  `insert into seat (root_id, person_id, assigned_at) select $1, person_id, $3 from unnest($2::uuid[]) person_id
   on conflict do nothing`,
)

const unassign = statement(
  'seats.unassign',
  'delete from seat where root_id = $1 and person_id = any ($2::uuid[])',
)

// Resolves open requests. The sender's clock may be ahead of ours, so the later decision time is stored.
const resolvePending = statement(
  'seats.resolve-requests',
  `insert into seat_request as r (root_id, person_id, decided_at)
   select $1, person_id, $3 from unnest($2::uuid[]) person_id
   on conflict (root_id, person_id) do update
     set organization_id = null, requested_at = null, decided_at = greatest(r.decided_at, excluded.decided_at)`,
)

const request = statement(
  'seats.request',
  `insert into seat_request (root_id, person_id, organization_id, requested_at)
   select $1, person_id, organization_id, $4 from unnest($2::uuid[], $3::uuid[]) as requested (person_id, organization_id)
   on conflict (root_id, person_id) do update
     set organization_id = excluded.organization_id, requested_at = excluded.requested_at`,
)

const selfHosted = `root_id = $1 and active and instance_id is not null
       and ($2::uuid[] is null or id = any ($2)) and ($3::uuid is null or instance_id = $3)`

const anySelfHosted = statement(
  'seats.any-self-hosted',
  `select exists (select from organization where ${selfHosted}) as found`,
)

const setMode = statement(
  'seats.set-mode',
  `with target as (
     select id, seat_assignment_mode <> $4 as differs from organization where ${selfHosted}
   ), changed as (
     update organization o set seat_assignment_mode = $4
     from target where o.root_id = $1 and o.id = target.id and target.differs
   )
   select id, differs from target order by id`,
)

/** Indexed by the account in the organization. */
export async function findMembers(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
  accounts: readonly string[],
): Promise<Map<string, SeatCandidate>> {
  return indexByKey(await tx.query<KeyedCandidate>(membersByAccount, [scope.root, organization, accounts]))
}

/** In the whole root, by lower-case e-mail or by id. */
export async function findPeople(
  scope: Scope,
  tx: Tx,
  emails: readonly string[],
  ids: readonly string[],
): Promise<Map<string, SeatCandidate>> {
  return indexByKey(await tx.query<KeyedCandidate>(peopleByEmailOrId, [scope.root, emails, ids]))
}

export async function insertSeats(
  scope: Scope,
  tx: Tx,
  people: readonly PersonId[],
  at: Date,
): Promise<void> {
  if (people.length > 0) await tx.query(assign, [scope.root, people, at.toISOString()])
}

export async function deleteSeats(scope: Scope, tx: Tx, people: readonly PersonId[]): Promise<void> {
  if (people.length > 0) await tx.query(unassign, [scope.root, people])
}

export async function resolveRequests(
  scope: Scope,
  tx: Tx,
  people: readonly PersonId[],
  at: Date,
): Promise<void> {
  if (people.length > 0) await tx.query(resolvePending, [scope.root, people, at.toISOString()])
}

export async function insertRequests(
  scope: Scope,
  tx: Tx,
  requests: readonly { readonly person_id: PersonId; readonly organization_id: OrganizationId }[],
  at: Date,
): Promise<void> {
  if (requests.length === 0) return
  const people = requests.map(({ person_id }) => person_id)
  const organizations = requests.map(({ organization_id }) => organization_id)
  await tx.query(request, [scope.root, people, organizations, at.toISOString()])
}

export async function hasSelfHosted(scope: Scope, tx: Tx): Promise<boolean> {
  const values = [scope.root, scope.organizations, scope.instance]
  const any = await tx.first<{ found: boolean }>(anySelfHosted, values)
  return any?.found ?? false
}

/** Returns the self-hosted organizations of the scope, and whether their mode changed. */
export function updateMode(
  scope: Scope,
  tx: Tx,
  mode: 'automatic' | 'manual',
): Promise<{ id: OrganizationId; differs: boolean }[]> {
  return tx.query(setMode, [scope.root, scope.organizations, scope.instance, mode])
}

interface KeyedCandidate extends SeatCandidate {
  readonly key: string
}

function indexByKey(rows: readonly KeyedCandidate[]): Map<string, SeatCandidate> {
  return new Map(rows.map(({ key, ...candidate }) => [key, candidate]))
}

/** Organization and author of an event, as stored. */
export interface TagAuthor {
  readonly organization_id: OrganizationId
  /** Whether both the organization and the person are active. */
  readonly active: boolean
  readonly mode: 'automatic' | 'manual'
  /** Null if the account is not a member. */
  readonly person_id: PersonId | null
  readonly name: string
  readonly email: string | null
  readonly assigned: boolean
  readonly pending: boolean
  /** Milliseconds since 1970; null if no request was ever decided. */
  readonly decided_at: number | null
}

const authors = statement(
  'seats.authors',
  `select requested.ordinal::int - 1 as ordinal, o.id as organization_id, o.active and coalesce(p.active, true) as active,
     o.seat_assignment_mode as mode, p.id as person_id, coalesce(p.name, '') as name, p.email,
     s.person_id is not null as assigned, r.requested_at is not null as pending,
     (extract(epoch from r.decided_at) * 1000)::float8 as decided_at
   from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
     as requested (provider, host, organization, account, ordinal)
   join organization o on o.root_id = $1 and o.provider_organization_id = requested.organization
     and o.provider = requested.provider and o.host = requested.host
   left join membership m on m.root_id = $1 and m.organization_id = o.id and m.account_id = requested.account
   left join person p on p.root_id = $1 and p.id = m.person_id
   left join seat s on s.root_id = $1 and s.person_id = m.person_id
   left join seat_request r on r.root_id = $1 and r.person_id = m.person_id`,
)

/** By event. Events whose organization is unknown are missing. */
export async function readTagAuthors(
  scope: Scope,
  tx: Tx,
  events: readonly TagEvent[],
): Promise<Map<TagEvent, TagAuthor>> {
  const payloads = events.map(({ payload }) => payload)
  const rows = await tx.query<TagAuthor & { ordinal: number }>(authors, [
    scope.root,
    payloads.map(({ organization }) => organization.provider),
    payloads.map(({ organization }) => organization.host),
    payloads.map(({ organization }) => organization.id),
    payloads.map(({ author }) => author.id),
  ])
  return new Map(
    rows.flatMap(({ ordinal: index, ...author }) => {
      const event = events[index]
      return event === undefined ? [] : [[event, author]]
    }),
  )
}
