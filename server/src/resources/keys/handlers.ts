import { getRequestActor } from '../../access/audit.ts'
import type { ChangeContext } from '../../access/change-context.ts'
import { allPermissions } from '../../access/permissions.ts'
import type { Principal } from '../../access/principal.ts'
import { refuse } from '../../errors.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { KeyId, OrganizationId, PersonId } from '../../ids.ts'
import { refuseForeignOwner, refuseLaterExpiry, refuseMorePermissions, requireActiveKey } from './bounds.ts'
import { createKey } from './create.ts'
import { renderKey } from './render.ts'
import type { KeyRequest } from './request.ts'
import { revokeKey } from './revoke.ts'
import { rotateKey } from './rotate.ts'
import type { NewKeyBody, RotationBody } from './schema.ts'
import { type KeyDetailsRow, type ListedKey, lockKeys, readKeyDetails, readVisibleKeys } from './sql.ts'

// What requests ask of the verbs that the operator has as well.

interface KeyParams {
  readonly params: { readonly key_id: string }
}

const MAX_EXPIRY_MS = Date.parse('9999-12-31T23:59:59.999Z')

export async function handleListKeys({ scope, tx, page, now }: RequestContext): Promise<Reply> {
  const after = page.after === null ? null : String(page.after[0])
  const found = await readVisibleKeys(scope, tx, after, now(), page.limit + 1)
  const shown = found.slice(0, page.limit)
  const last = found.length > page.limit ? shown.at(-1) : undefined
  return ok({ data: shown.map(renderKey), next_cursor: last ? page.cursorAfter(last.id) : null })
}

/** What the shape cannot say of a new key, and which kinds of keys may make it. */
export function refuseInvalidNewKey({ body }: { readonly body: NewKeyBody }, principal: Principal): void {
  const { kind, org_id, name, expires_at } = body
  refuseDistantExpiry(body)
  if (kind !== 'workspace') {
    if (principal.kind === 'workspace' && org_id === undefined)
      refuse('ORG_ID_REQUIRED', 'Say which organization the key is to be bound to: pass org_id.')
    return
  }
  if (principal.kind !== 'workspace') {
    refuse(
      'KEY_KIND_NOT_ALLOWED',
      'A workspace token reaches further than this key. Make it with a workspace token of a workspace admin.',
    )
  }
  if (org_id !== undefined)
    refuse('INVALID_REQUEST', 'A workspace token is bound to no organization: leave out org_id.')
  if (name === undefined || expires_at === undefined)
    refuse('INVALID_REQUEST', 'A workspace token needs a name and expires_at, in 1 to 366 days.')
}

/** PostgreSQL knows later times, but nobody writes them in four digits. */
function refuseDistantExpiry({ expires_at }: { readonly expires_at?: string | undefined }): void {
  if (expires_at !== undefined && Date.parse(expires_at) > MAX_EXPIRY_MS)
    refuse('INVALID_REQUEST', 'expires_at is too far away: leave it out for a key without an end.')
}

export async function handleCreateKey(
  context: RequestContext,
  { body }: { readonly body: NewKeyBody },
): Promise<Reply> {
  const { scope, tx, principal } = context
  const change = toChange(context)
  const { own: row } = await lockKeys(scope, tx, principal.keyId, null)
  const own = requireActiveKey(row, change.at)
  const { id, value } = await createKey(change, toKeyRequest(context, own, body))
  return toCreatedReply({ ...renderKey(await readCreatedKey(context, id)), value })
}

export function refuseInvalidRotation({ body }: { readonly body: RotationBody }): void {
  refuseDistantExpiry(body)
}

export async function handleRotateKey(
  context: RequestContext,
  { params, body }: KeyParams & { readonly body: RotationBody },
): Promise<Reply> {
  const { principal } = context
  const change = toChange(context)
  const { own, other: old } = await lockRequestedKey(context, params, change.at)
  refuseForeignOwner(requireOwner(principal), old)
  refuseMorePermissions(principal, old.permissions)
  const { overlap_days = 0, expires_at } = body
  const { id, value } = await rotateKey(change, old.id, {
    overlapDays: overlap_days,
    ...(expires_at !== undefined && { expiresAt: refuseLaterExpiry(own, new Date(expires_at)) }),
    notAfter: getExpiry(own),
    ring: null,
  })
  const [shown, replaced] = await Promise.all([readCreatedKey(context, id), readCreatedKey(context, old.id)])
  const replaces = { id: old.id, ends_at: replaced.revoked_at ?? replaced.expires_at }
  return toCreatedReply({ ...renderKey(shown), value, replaces })
}

/** One that was ended before stays so: a repeat is harmless. */
export async function handleDeleteKey(context: RequestContext, { params }: KeyParams): Promise<Reply> {
  const change = toChange(context)
  const { other } = await lockRequestedKey(context, params, change.at)
  await revokeKey(change, other.id)
  return { status: 204, body: null }
}

async function lockRequestedKey(
  { scope, tx, principal }: RequestContext,
  { key_id }: KeyParams['params'],
  at: Date,
) {
  const { own, other } = await lockKeys(scope, tx, principal.keyId, key_id.toLowerCase() as KeyId)
  return {
    own: requireActiveKey(own, at),
    other: other ?? refuse('NOT_FOUND', 'No key that this one can see has this id.'),
  }
}

function toKeyRequest(
  { principal, organization }: RequestContext,
  own: ListedKey,
  body: NewKeyBody,
): KeyRequest {
  const { kind, name, expires_at } = body
  const wanted = new Set(body.permissions ?? principal.permissions)
  const permissions = allPermissions.filter((permission) => wanted.has(permission))
  const common = {
    ...(name !== undefined && { name }),
    permissions: refuseMorePermissions(principal, permissions),
    expiresAt: expires_at === undefined ? getExpiry(own) : refuseLaterExpiry(own, new Date(expires_at)),
    owner: requireOwner(principal),
  }
  return kind === 'workspace'
    ? { ...common, kind }
    : { ...common, kind, organization: requireOrganization(organization) }
}

async function readCreatedKey({ scope, tx }: RequestContext, id: KeyId): Promise<KeyDetailsRow> {
  const row = await readKeyDetails(scope, tx, id)
  if (row === null) throw new Error('A key that was just written is not there.')
  return row
}

function toCreatedReply(json: object): Reply {
  return { status: 201, body: { json } }
}

function toChange(context: RequestContext): ChangeContext {
  const { tx, scope } = context
  return { tx, scope, actor: getRequestActor(context), at: context.now() }
}

function getExpiry({ expires_at }: ListedKey): Date | null {
  return expires_at === null ? null : new Date(expires_at)
}

function requireOwner(principal: Principal): PersonId {
  if (!('owner' in principal)) throw new Error('Keys are made by keys that act for somebody.')
  return principal.owner
}

function requireOrganization(organization: OrganizationId | null): OrganizationId {
  if (organization === null) throw new Error('A bound key is always bound to one organization.')
  return organization
}
