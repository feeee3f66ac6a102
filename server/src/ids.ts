import { randomUUIDv7 } from 'node:crypto'

// Branded types: the compiler rejects a provider's id where our UUID is required.
declare const brand: unique symbol
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }

export type RootId = Branded<string, 'RootId'>
export type OrganizationId = Branded<string, 'OrganizationId'>
export type InstanceId = Branded<string, 'InstanceId'>
export type PersonId = Branded<string, 'PersonId'>
export type KeyId = Branded<string, 'KeyId'>
export type SessionId = Branded<string, 'SessionId'>
export type ScimCredentialId = Branded<string, 'ScimCredentialId'>
export type ScimGroupId = Branded<string, 'ScimGroupId'>
export type ConnectorId = Branded<string, 'ConnectorId'>
export type LearningId = Branded<string, 'LearningId'>
/** Organization ID assigned by the Git provider: `org_id` of the contract. */
export type ProviderOrganizationId = Branded<string, 'ProviderOrganizationId'>

/** Ids increase with time, so that rows written together are stored together and new rows come last. */
export function newId<Id extends string>(): Id {
  return randomUUIDv7() as string as Id
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Sorts before every id, so a scan by id starts here. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'
