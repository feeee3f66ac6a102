import { hash } from 'node:crypto'
import type { InstanceId, OrganizationId, RootId } from '../../ids.ts'
import type { ColumnTypes } from './rows-sql.ts'

/** The key of a pull request within a root. */
export interface PullRequestKey {
  readonly pull_request_key: string
}

/** The organization and instance whose readers see a row. */
export interface RowOwner {
  readonly organization_id: OrganizationId
  readonly instance_id: InstanceId | null
}

export const keyColumns: ColumnTypes<PullRequestKey> = { pull_request_key: 'uuid' }

export const ownerColumns: ColumnTypes<RowOwner> = { organization_id: 'uuid', instance_id: 'uuid' }

// Statements combine this with `limit 1` or `distinct`, which forces one index lookup per input row.
/** Matches the pull request that an input row names. */
export const keyCondition = 'root_id = $1 and pull_request_key = given.pull_request_key'

/** Behind `keyCondition`: only the primary key has this order. A plan that was made for an empty table could take any index. */
export const firstByKey = 'order by root_id, pull_request_key limit 1'

const HEX_DIGITS_OF_UUID = 32

/** A UUID (version 8) over what identifies a pull request at its Git provider. */
export function toPullRequestKey(
  root: RootId,
  {
    organization: { provider, host },
    repository,
    number,
  }: {
    readonly organization: { readonly provider: string; readonly host: string }
    readonly repository: { readonly id: string }
    readonly number: number
  },
): string {
  const digest = hash('sha256', [root, provider, host, repository.id, number].join('\n')).slice(
    0,
    HEX_DIGITS_OF_UUID,
  )
  const part = (from: number, to: number) => digest.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-8${part(17, 20)}-${part(20, HEX_DIGITS_OF_UUID)}`
}
