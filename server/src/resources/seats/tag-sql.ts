import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { OrganizationId, PersonId } from '../../ids.ts'
import type { TagEvent } from './payload.ts'

/** Organization and author of an event, as stored. */
export interface TagAuthor {
  readonly organization_id: OrganizationId
  /** Whether both the organization and the person are active. */
  readonly active: boolean
  readonly mode: 'automatic' | 'manual'
  /** Null if the account is not a member. */
  readonly person_id: PersonId | null
  readonly name: string
  readonly email: string
  readonly assigned: boolean
  readonly pending: boolean
  /** Milliseconds since 1970; null if no request was ever decided. */
  readonly decided_at: number | null
}

const authors = statement(
  'seats.authors',
  `select requested.ordinal::int - 1 as ordinal, o.id as organization_id, o.active and coalesce(p.active, true) as active,
     o.seat_assignment_mode as mode, p.id as person_id, coalesce(p.name, '') as name, coalesce(p.email, '') as email,
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
