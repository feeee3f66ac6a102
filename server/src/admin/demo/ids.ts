import { createHash } from 'node:crypto'
import type { InstanceId, KeyId, OrganizationId, PersonId, RootId } from '../../ids.ts'

const NAMESPACE = 'scholiast demo'

/** The same name gives the same id on every machine: a UUID of version 5 form over a namespace of our own. */
function demoId(name: string): string {
  const bytes = createHash('sha1').update(`${NAMESPACE}/${name}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export const rootIdOf = (root: string) => demoId(`root/${root}`) as RootId
export const instanceIdOf = (host: string) => demoId(`instance/${host}`) as InstanceId
export const organizationIdOf = (orgId: string) => demoId(`organization/${orgId}`) as OrganizationId
export const repositoryIdOf = (repositoryId: string) => demoId(`repository/${repositoryId}`)
export const personIdOf = (email: string) => demoId(`person/${email}`) as PersonId
export const keyIdOf = (name: string, generation: number) => demoId(`key/${name}/${generation}`) as KeyId

/** The id a Git provider would have given to a person's account: eight digits. */
export function accountIdOf(provider: string, email: string): string {
  const digest = createHash('sha1').update(`${NAMESPACE}/account/${provider}/${email}`).digest()
  return String(10_000_000 + (digest.readUInt32BE(0) % 90_000_000))
}

export function usernameOf(email: string): string {
  return email.slice(0, email.indexOf('@')).replace('.', '-')
}
