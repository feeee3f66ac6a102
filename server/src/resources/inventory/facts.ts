import { getCloudHost } from '../../access/provider-host.ts'
import type { IngestEvent } from '../../bus/ingest-event.ts'
import type { InventoryPayload } from './schema.ts'

/** Identifies an organization or an account at its Git provider. */
export interface ProviderRef {
  readonly provider: string
  readonly host: string
  readonly id: string
}

export interface OrganizationFact extends ProviderRef {
  readonly name: string
  readonly active: boolean
}

export interface RepositoryFact {
  readonly organization: ProviderRef
  readonly id: string
  readonly name: string
  readonly private: boolean
  readonly active: boolean
}

export interface AccountFact extends ProviderRef {
  readonly username: string
  /** Null if the sender does not know it. */
  readonly email: string | null
  readonly name: string
}

export interface MembershipFact {
  readonly organization: ProviderRef
  readonly accountId: string
  readonly active: boolean
}

export interface AccessFact {
  readonly organization: ProviderRef
  readonly repositoryId: string
  readonly accountId: string
  readonly granted: boolean
}

/** The contents of an event, with each object once. */
export interface InventoryFacts {
  /** Time of the event in milliseconds since 1970. */
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

export function parseInventoryFacts(event: IngestEvent): InventoryFacts {
  const payload = event.payload as InventoryPayload
  const { organizations = [], repositories = [], accounts = [], memberships = [] } = payload
  const { repository_access: access = [] } = payload
  return {
    at: Date.parse(event.occurred_at),
    organizations: pickLastPerKey(
      organizations.map((item) => ({ ...toProviderRef(item), name: item.name, active: item.active ?? true })),
      toProviderRefKey,
    ),
    repositories: pickLastPerKey(
      repositories.map(({ organization, id, name, private: isPrivate = true, active = true }) => {
        return { organization: toProviderRef(organization), id, name, private: isPrivate, active }
      }),
      ({ organization, id }) => toMapKey(toProviderRefKey(organization), id),
    ),
    accounts: pickLastPerKey(
      accounts.map(({ username, email, name, ...item }) => ({
        ...toProviderRef(item),
        username,
        email: email ?? null,
        name,
      })),
      toProviderRefKey,
    ),
    memberships: pickLastPerKey(
      memberships.map(({ organization, account_id: accountId, active = true }) => {
        return { organization: toProviderRef(organization), accountId, active }
      }),
      ({ organization, accountId }) => toMapKey(toProviderRefKey(organization), accountId),
    ),
    access: pickLastPerKey(
      access.map(({ organization, repository_id: repositoryId, account_id: accountId, granted }) => {
        return { organization: toProviderRef(organization), repositoryId, accountId, granted }
      }),
      ({ organization, ...item }) =>
        toMapKey(toProviderRefKey(organization), item.repositoryId, item.accountId),
    ),
  }
}

/**
 * Whether an event may overwrite what an event at `storedAt` wrote. Of two events at the same time the removal wins, in
 * any order of arrival.
 */
export function isNewer(at: number, storedAt: number | null | undefined, isRemoval = false): boolean {
  if (storedAt === null || storedAt === undefined) return true
  return isRemoval ? at >= storedAt : at > storedAt
}

/** A map key that is unambiguous for any characters in its parts. */
export function toMapKey(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

export function toProviderRefKey({ provider, host, id }: ProviderRef): string {
  return toMapKey(provider, host, id)
}

function toProviderRef({ provider, host = getCloudHost(provider), id }: ProviderRefPayload): ProviderRef {
  return { provider, host, id }
}

function pickLastPerKey<Fact>(facts: readonly Fact[], toKey: (fact: Fact) => string): Fact[] {
  return [...new Map(facts.map((fact) => [toKey(fact), fact])).values()]
}
