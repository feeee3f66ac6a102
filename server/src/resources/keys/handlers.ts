import { refuseKey } from '../../access/authenticate.ts'
import { toChange } from '../../access/change-context.ts'
import { allPermissions, type Permission } from '../../access/permissions.ts'
import type { Principal } from '../../access/principal.ts'
import { refuse } from '../../errors.ts'
import { type RequestContext, requireOrganization } from '../../http/endpoint.ts'
import { ok, type Reply } from '../../http/reply.ts'
import type { KeyId, PersonId } from '../../ids.ts'
import { createKey, revokeKey, rotateKey } from './manage.ts'
import type { KeyRequest } from './request.ts'
import type { NewKeyBody, RotationBody } from './schema.ts'
import {
  getKeyState,
  type KeyDetailsRow,
  type ListedKey,
  lockKeys,
  lockSession,
  readKeyDetails,
  readVisibleKeys,
} from './sql.ts'

// HTTP handlers. The operator's commands call the same functions to create, rotate and revoke keys.

interface KeyParams {
  readonly params: { readonly key_id: string }
}

export async function handleListKeys({ scope, tx, page, now }: RequestContext): Promise<Reply> {
  const after = page.after === null ? null : String(page.after[0])
  const found = await readVisibleKeys(scope, tx, after, now(), page.limit + 1)
  const entries = found.slice(0, page.limit)
  const last = found.length > page.limit ? entries.at(-1) : undefined
  return ok({ data: entries.map(renderKey), next_cursor: last ? page.cursorAfter(last.id) : null })
}

/** Checks what the schema cannot express, and which kinds of keys may create the new one. */
export function refuseInvalidNewKey({ body }: { readonly body: NewKeyBody }, principal: Principal): void {
  const { kind, org_id, name, expires_at } = body
  if (kind !== 'workspace') {
    if (principal.kind === 'workspace' && org_id === undefined)
      refuse('ORG_ID_REQUIRED', 'org_id is required. Pass the organization that the new key is bound to.')
    return
  }
  if (principal.kind !== 'workspace') {
    refuse(
      'KEY_KIND_NOT_ALLOWED',
      principal.credential.kind === 'session'
        ? 'A workspace token belongs to the whole workspace. As a workspace admin, send x-scholiast-organization: all.'
        : 'This key cannot create a workspace token. Use a workspace token, or sign in as a workspace admin.',
    )
  }
  if (org_id !== undefined)
    refuse('INVALID_REQUEST', 'A workspace token is not bound to an organization. Omit org_id.')
  if (name === undefined || expires_at === undefined)
    refuse('INVALID_REQUEST', 'A workspace token requires a name and an expires_at in 1 to 366 days.')
}

export async function handleCreateKey(
  context: RequestContext,
  { body }: { readonly body: NewKeyBody },
): Promise<Reply> {
  const change = toChange(context)
  const { own } = await lockCaller(context, null, change.at)
  const { id, value } = await createKey(change, toKeyRequest(context, own, body))
  return toCreatedReply({ ...renderKey(await readCreatedKey(context, id)), value })
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
    expiresAt: expires_at === undefined ? undefined : refuseLaterExpiry(own, new Date(expires_at)),
    notAfter: getExpiry(own),
    ring: null,
  })
  const [created, replaced] = await Promise.all([
    readCreatedKey(context, id),
    readCreatedKey(context, old.id),
  ])
  const replaces = { id: old.id, ends_at: replaced.revoked_at ?? replaced.expires_at }
  return toCreatedReply({ ...renderKey(created), value, replaces })
}

/** Idempotent: deleting a revoked key changes nothing. */
export async function handleDeleteKey(context: RequestContext, { params }: KeyParams): Promise<Reply> {
  const change = toChange(context)
  const { other } = await lockRequestedKey(context, params, change.at)
  await revokeKey(change, other.id)
  return { status: 204, body: null }
}

/** What bounds a key that the caller makes. A session has no end that matters to a key. */
type Caller = Pick<ListedKey, 'expires_at'>

/** Locks what the request was authenticated with, so that an earlier revocation or sign-out wins, and another key. */
async function lockCaller(
  { scope, tx, principal: { credential } }: RequestContext,
  other: KeyId | null,
  at: Date,
): Promise<{ readonly own: Caller; readonly other: ListedKey | null }> {
  if (credential.kind === 'key') {
    const locked = await lockKeys(scope, tx, credential.id, other)
    return { own: requireActiveKey(locked.own, at), other: locked.other }
  }
  if (!(await lockSession(scope, tx, credential.id))) refuseKey()
  const key = other === null ? null : (await lockKeys(scope, tx, null, other)).other
  return { own: { expires_at: null }, other: key }
}

async function lockRequestedKey(context: RequestContext, { key_id }: KeyParams['params'], at: Date) {
  const { own, other } = await lockCaller(context, key_id.toLowerCase() as KeyId, at)
  return {
    own,
    other: other ?? refuse('NOT_FOUND', 'No key with this id is visible to the calling key.'),
  }
}

function toKeyRequest(context: RequestContext, own: Caller, body: NewKeyBody): KeyRequest {
  const { principal } = context
  const { kind, name, expires_at } = body
  const wanted = new Set(body.permissions ?? principal.permissions)
  const permissions = allPermissions.filter((permission) => wanted.has(permission))
  const common = {
    name,
    permissions: refuseMorePermissions(principal, permissions),
    expiresAt: expires_at === undefined ? getExpiry(own) : refuseLaterExpiry(own, new Date(expires_at)),
    owner: requireOwner(principal),
  }
  return kind === 'workspace'
    ? { ...common, kind }
    : { ...common, kind, organization: requireOrganization(context) }
}

async function readCreatedKey({ scope, tx }: RequestContext, id: KeyId): Promise<KeyDetailsRow> {
  const row = await readKeyDetails(scope, tx, id)
  if (row === null) throw new Error('The key that was just written was not found.')
  return row
}

function toCreatedReply(json: object): Reply {
  return { status: 201, body: { json } }
}

function getExpiry({ expires_at }: Caller): Date | null {
  return expires_at === null ? null : new Date(expires_at)
}

function requireOwner(principal: Principal): PersonId {
  if (!('owner' in principal)) throw new Error('The calling key has no owner.')
  return principal.owner
}

// A key never creates a key with more permissions, a wider scope or a later expiry than its own. The request pipeline
// limits the scope: the new key is bound to the selected organization, and only workspace tokens create workspace tokens.

/** The key was active when the request arrived. It is locked now, so an earlier revocation wins. */
function requireActiveKey(own: ListedKey | null, at: Date): ListedKey {
  return own !== null && getKeyState(own, at) === 'active' ? own : refuseKey()
}

function refuseMorePermissions(
  { permissions }: Principal,
  wanted: readonly Permission[],
): readonly Permission[] {
  const lacking = wanted.filter((permission) => !permissions.has(permission))
  if (lacking.length === 0) return wanted
  return refuse(
    'PERMISSION_DENIED',
    `A key cannot create a key with more permissions than it has. This key lacks ${lacking.join(', ')}.`,
  )
}

function refuseLaterExpiry(own: Caller, expiresAt: Date): Date {
  if (own.expires_at === null || expiresAt <= new Date(own.expires_at)) return expiresAt
  return refuse(
    'PERMISSION_DENIED',
    `A key cannot create a key that expires later than itself. Set expires_at to ${own.expires_at} or earlier.`,
  )
}

/** Anyone who sees the value of a key can act as its owner. */
function refuseForeignOwner(owner: PersonId, { owner_id }: ListedKey): void {
  if (owner_id === owner) return
  refuse(
    'PERMISSION_DENIED',
    'Only the owner of a key can rotate it, because the new key acts as that owner. Delete it and create a new key.',
  )
}

export function renderKeyFields(key: KeyDetailsRow) {
  const { id, name, kind, prefix, last_four, org_id, owner_id, owner_name } = key
  return {
    id,
    name,
    kind,
    prefix,
    last_four,
    org_id,
    owner: owner_id && { cr_user_id: owner_id, name: owner_name ?? '' },
    created_at: key.created_at,
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
  }
}

function renderKey(key: KeyDetailsRow) {
  return { ...renderKeyFields(key), permissions: key.permissions }
}
