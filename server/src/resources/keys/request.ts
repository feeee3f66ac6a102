import type { KeyKind } from '../../access/key-format.ts'
import type { Permission } from '../../access/permissions.ts'
import type { KeyRing } from '../../config.ts'
import type { InstanceId, KeyId, OrganizationId, PersonId } from '../../ids.ts'

/** Kinds that act for their owner in the one organization they are bound to. */
export type BoundKind = Extract<KeyKind, 'organization' | 'user' | 'legacy' | 'agentic'>
export type AnyKeyKind = KeyKind | 'ingest'

interface CommonKeyFields {
  readonly id?: KeyId
  readonly name?: string | undefined
  readonly expiresAt?: Date | null
  /** Default: all. The owner's role still limits them on every request. */
  readonly permissions?: readonly Permission[]
}

export type KeyRequest =
  | (CommonKeyFields & {
      readonly kind: BoundKind
      readonly organization: OrganizationId
      readonly owner: PersonId
    })
  | (CommonKeyFields & { readonly kind: 'workspace'; readonly owner: PersonId })
  | (CommonKeyFields & {
      readonly kind: 'instance'
      readonly instance: InstanceId
      readonly home: OrganizationId
      /** null = every organization of the instance. */
      readonly organizations: readonly OrganizationId[] | null
    })
  | (CommonKeyFields & {
      readonly kind: 'ingest'
      /** null = every organization of the root. */
      readonly organizations: readonly OrganizationId[] | null
      readonly ring: KeyRing
    })

/** The only time the value of a key is available. */
export interface IssuedKey {
  readonly id: KeyId
  readonly kind: AnyKeyKind
  readonly value: string
  readonly expiresAt: Date | null
}
