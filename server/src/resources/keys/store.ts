import type { ChangeContext } from '../../access/change-context.ts'
import { signIngestCredential } from '../../access/ingest-credential.ts'
import { describeKey, hashKey, makeKey } from '../../access/key-format.ts'
import { allPermissions } from '../../access/permissions.ts'
import { type KeyId, newId } from '../../ids.ts'
import type { IssuedKey, KeyRequest } from './request.ts'
import { checkKeyRules } from './rules.ts'
import { insertKey, type KeyRow } from './sql.ts'

/** Generates the value and stores its hash. The value is returned only here. */
export async function storeKey(
  change: ChangeContext,
  request: KeyRequest,
): Promise<{ issued: IssuedKey; row: KeyRow }> {
  await checkKeyRules(change, request)
  const { scope, tx, at } = change
  const row = toKeyRow(request)
  const expiresAt = request.expiresAt ?? null
  const value = createKeyValue(change, request, row.id)
  const stored = { ...row, ...describeKey(value), hash: hashKey(value), createdAt: at, expiresAt }
  await insertKey(scope, tx, stored)
  return { issued: { id: row.id, kind: row.kind, value, expiresAt }, row }
}

function createKeyValue({ scope }: ChangeContext, request: KeyRequest, id: KeyId): string {
  if (request.kind !== 'ingest') return makeKey(request.kind)
  const { ring, organizations, expiresAt } = request
  if (!expiresAt) throw new Error('An ingest credential requires an expiry.')
  return signIngestCredential(ring, { id, root: scope.root, organizations, expiresAt })
}

function toKeyRow(request: KeyRequest): KeyRow {
  const { kind } = request
  return {
    id: request.id ?? newId<KeyId>(),
    kind,
    name: request.name?.trim() || `${kind} key`,
    organization_id:
      kind === 'instance' ? request.home : 'organization' in request ? request.organization : null,
    instance_id: kind === 'instance' ? request.instance : null,
    organization_ids: 'organizations' in request ? request.organizations : null,
    owner_id: 'owner' in request ? request.owner : null,
    permissions: kind === 'ingest' ? [] : (request.permissions ?? allPermissions),
  }
}
