import type { Scope } from '../../access/scope.ts'
import { statement } from '../../db/connect.ts'
import type { Tx } from '../../db/transaction.ts'
import type { NamedOrganization } from '../../http/ingest/tenant-status.ts'
import type { KeyId, OrganizationId } from '../../ids.ts'

const selectName = statement(
  'ingest.organization-name',
  `select provider, host, provider_organization_id as id from organization where root_id = $1 and id = $2`,
)

const selectCredentialScopes = statement(
  'ingest.credential-scopes',
  `select id, organization_ids from api_key where root_id = $1 and kind = 'ingest' and id = any ($2::uuid[])`,
)

export interface CredentialScope {
  readonly id: KeyId
  /** Null = every organization of the root. */
  readonly organization_ids: readonly OrganizationId[] | null
}

/** How events name the organization. */
export function readOrganizationName(
  scope: Scope,
  tx: Tx,
  organization: OrganizationId,
): Promise<NamedOrganization | null> {
  return tx.first(selectName, [scope.root, organization])
}

/** The organizations for which ingest credentials of the root may send. */
export function readCredentialScopes(
  scope: Scope,
  tx: Tx,
  ids: readonly KeyId[],
): Promise<CredentialScope[]> {
  return tx.query(selectCredentialScopes, [scope.root, ids])
}

// A credential carries its expiry time, at most 366 days after its creation, but a rotation shortens the lifetime only in
// the row. So a revoked or expired credential is listed for as long as it could verify, even after its root is deleted.
export const readRevokedOrExpiredUnscoped = statement(
  'ingest.read-ended',
  `select id from api_key
   where kind = 'ingest' and created_at > $1::timestamptz - interval '367 days'
     and (revoked_at is not null or expires_at <= $1::timestamptz)
   union
   select unnest(revoked_credentials) from root_tombstone where started_at > $1::timestamptz - interval '367 days'`,
)
