import type { InstanceId, KeyId, OrganizationId, PersonId, RootId } from '../ids.ts'
import type { Permission } from './permissions.ts'

export type Plan = 'free' | 'pro' | 'enterprise'

interface PrincipalBase {
  readonly keyId: KeyId
  readonly root: RootId
  readonly plan: Plan
  readonly subscriptionActive: boolean
  /** What the key was given and what its owner's role allows, both. */
  readonly permissions: ReadonlySet<Permission>
  readonly admin: boolean
}

/** Bound to one organization and acting for the person who made it. */
interface OrganizationBoundPrincipal extends PrincipalBase {
  readonly owner: PersonId
  readonly organization: OrganizationId
  readonly organizationActive: boolean
}

/** Who asks. Facts are read with the key at every request and never kept. */
export type Principal =
  | (OrganizationBoundPrincipal & { readonly kind: 'organization' | 'user' | 'legacy' | 'agentic' })
  | (PrincipalBase & { readonly kind: 'workspace'; readonly owner: PersonId })
  | (PrincipalBase & {
      readonly kind: 'instance'
      readonly instance: InstanceId
      readonly home: OrganizationId
      readonly homeActive: boolean
      /** null = every organization of the instance. */
      readonly authorized: readonly OrganizationId[] | null
    })
