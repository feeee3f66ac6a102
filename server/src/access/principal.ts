import type {
  InstanceId,
  KeyId,
  OrganizationId,
  PersonId,
  RootId,
  ScimCredentialId,
  SessionId,
} from '../ids.ts'
import type { Permission } from './permissions.ts'

export type Plan = 'free' | 'pro' | 'enterprise'

/** What the caller authenticated with. */
export type Credential =
  /** `recentlyUsed`: whether a use of the last day is stored. */
  | { readonly kind: 'key'; readonly id: KeyId; readonly recentlyUsed: boolean }
  /** `authenticatedAt`: when the person last proved who they are; null if nothing says so. */
  | { readonly kind: 'session'; readonly id: SessionId; readonly authenticatedAt: Date | null }

interface PrincipalBase {
  readonly credential: Credential
  readonly root: RootId
  readonly plan: Plan
  readonly subscriptionActive: boolean
  /** The permissions that both the key and its owner's role have; of a session, those of the role. */
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

/**
 * The holder of a key or of a session. Read at every request and never cached. A session acts as a user key of the
 * organization that the request names, or as a workspace token; without an organization it is the person alone.
 */
export type Principal =
  | (OrganizationBoundPrincipal & { readonly kind: 'organization' | 'user' | 'legacy' | 'agentic' })
  | (PrincipalBase & {
      readonly kind: 'workspace'
      readonly owner: PersonId
      /** Whether the workspace still has SSO, which workspace tokens require. */
      readonly sso: boolean
    })
  | (PrincipalBase & { readonly kind: 'person'; readonly owner: PersonId })
  | (PrincipalBase & {
      readonly kind: 'instance'
      readonly instance: InstanceId
      readonly home: OrganizationId
      readonly homeActive: boolean
      /** null = every organization of the instance. */
      readonly authorized: readonly OrganizationId[] | null
    })

/** A principal, or an identity provider with its SCIM credential, which the audit log names like a key. */
export type Caller =
  | Principal
  | { readonly root: RootId; readonly credential: { readonly kind: 'key'; readonly id: ScimCredentialId } }
