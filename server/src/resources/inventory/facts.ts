import { cloudHostOf } from '../../access/provider-host.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'
import type { InventoryPayload } from './schema.ts'

/** What the Git provider knows an organization or an account by. */
export interface Place {
  readonly provider: string
  readonly host: string
  readonly id: string
}

export interface OrganizationFact extends Place {
  readonly name: string
  readonly active: boolean
}

export interface RepositoryFact {
  readonly organization: Place
  readonly id: string
  readonly name: string
  readonly private: boolean
  readonly active: boolean
}

export interface AccountFact extends Place {
  readonly username: string
  readonly email: string
  readonly name: string
}

export interface MembershipFact {
  readonly organization: Place
  readonly accountId: string
  readonly active: boolean
}

export interface AccessFact {
  readonly organization: Place
  readonly repositoryId: string
  readonly accountId: string
  readonly granted: boolean
}

/** What an event tells, each object once. */
export interface Facts {
  /** When it was so, in milliseconds since 1970. */
  readonly at: number
  readonly organizations: readonly OrganizationFact[]
  readonly repositories: readonly RepositoryFact[]
  readonly accounts: readonly AccountFact[]
  readonly memberships: readonly MembershipFact[]
  readonly access: readonly AccessFact[]
}

interface ProviderRefPayload {
  readonly provider: string
  readonly host?: string
  readonly id: string
}

export function factsOf(event: IngestEvent): Facts {
  const payload = event.payload as InventoryPayload
  const { organizations = [], repositories = [], accounts = [], memberships = [] } = payload
  const { repository_access: access = [] } = payload
  return {
    at: Date.parse(event.occurred_at),
    organizations: lastOfEach(
      organizations.map((item) => ({ ...placeOf(item), name: item.name, active: item.active ?? true })),
      keyOfPlace,
    ),
    repositories: lastOfEach(
      repositories.map(({ organization, id, name, private: hidden = true, active = true }) => {
        return { organization: placeOf(organization), id, name, private: hidden, active }
      }),
      ({ organization, id }) => keyOf(keyOfPlace(organization), id),
    ),
    accounts: lastOfEach(
      accounts.map(({ username, email, name, ...item }) => ({ ...placeOf(item), username, email, name })),
      keyOfPlace,
    ),
    memberships: lastOfEach(
      memberships.map(({ organization, account_id: accountId, active = true }) => {
        return { organization: placeOf(organization), accountId, active }
      }),
      ({ organization, accountId }) => keyOf(keyOfPlace(organization), accountId),
    ),
    access: lastOfEach(
      access.map(({ organization, repository_id: repositoryId, account_id: accountId, granted }) => {
        return { organization: placeOf(organization), repositoryId, accountId, granted }
      }),
      ({ organization, ...item }) => keyOf(keyOfPlace(organization), item.repositoryId, item.accountId),
    ),
  }
}

/**
 * Whether an event may overwrite what was told at `renderEpochMs`. Of two at the same moment the one that takes away is
 * believed, in whichever order they come.
 */
export function isNewer(at: number, storedAt: number | null | undefined, takesAway = false): boolean {
  if (storedAt === null || storedAt === undefined) return true
  return takesAway ? at >= storedAt : at > storedAt
}

/** A key for maps, whatever characters the parts hold. */
export function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

export function keyOfPlace({ provider, host, id }: Place): string {
  return keyOf(provider, host, id)
}

function placeOf({ provider, host = cloudHostOf(provider), id }: ProviderRefPayload): Place {
  return { provider, host, id }
}

function lastOfEach<Fact>(facts: readonly Fact[], keyOfFact: (fact: Fact) => string): Fact[] {
  return [...new Map(facts.map((fact) => [keyOfFact(fact), fact])).values()]
}
