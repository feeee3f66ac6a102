import type { InstanceId, KeyId, OrganizationId, PersonId, RootId } from '../ids.ts'
import type { Permission } from './permissions.ts'

export type Plan = 'free' | 'pro' | 'enterprise'

interface PrincipalBase {
  readonly keyId: KeyId
  readonly root: RootId
  readonly plan: Plan
  readonly subscriptionActive: boolean
  /** The permissions that both the key and its owner's role have. */
  readonly permissions: ReadonlySet<Permission>
  readonly admin: boolean
  /** The epoch of the cursors that the request returns; see access/restore-point.ts. */
  readonly restoreEpoch: number
}

/** Bound to one organization; acts for the person who owns the key. */
interface OrganizationBoundPrincipal extends PrincipalBase {
  readonly owner: PersonId
  readonly organization: OrganizationId
  readonly organizationActive: boolean
}

/** The holder of a key. Read with the key at every request and never cached. */
export type Principal =
  | (OrganizationBoundPrincipal & { readonly kind: 'organization' | 'user' | 'legacy' | 'agentic' })
  | (PrincipalBase & {
      readonly kind: 'workspace'
      readonly owner: PersonId
      /** Whether the workspace still has SSO, which workspace tokens require. */
      readonly sso: boolean
    })
  | (PrincipalBase & {
      readonly kind: 'instance'
      readonly instance: InstanceId
      readonly home: OrganizationId
      readonly homeActive: boolean
      /** null = every organization of the instance. */
      readonly authorized: readonly OrganizationId[] | null
    })
