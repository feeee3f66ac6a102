import type { InstanceId, OrganizationId } from '../../ids.ts'
import type { ColumnTypes } from './rows-sql.ts'

/** The key of a pull request within a root. */
export interface PullRequestKey {
  readonly provider: string
  readonly host: string
  readonly repository_id: string
  readonly number: number
}

/** The organization and instance whose readers see a row. */
export interface RowOwner {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
}

export const keyColumns: ColumnTypes<PullRequestKey> = {
  provider: 'text',
  host: 'text',
  repository_id: 'text',
  number: 'bigint',
}

export const ownerColumns: ColumnTypes<RowOwner> = { organization_id: 'uuid', instance_id: 'uuid' }

// Statements combine this with `limit 1` or `distinct`, which forces one index lookup per input row.
/** Matches the pull request that an input row names. */
export const keyCondition = `root_id = $1 and provider = given.provider and host = given.host
  and repository_id = given.repository_id and number = given.number`

export function toPullRequestKey(payload: {
  readonly organization: { readonly provider: string; readonly host: string }
  readonly repository: { readonly id: string }
  readonly number: number
}): PullRequestKey {
  const { organization, repository, number } = payload
  return { provider: organization.provider, host: organization.host, repository_id: repository.id, number }
}

export function toKeyString({ provider, host, repository_id, number }: PullRequestKey): string {
  return `${provider}\n${host}\n${repository_id}\n${number}`
}
