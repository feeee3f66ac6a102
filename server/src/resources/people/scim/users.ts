import {
  auditChange,
  auditChanges,
  type ChangeContext,
  type ChangeEntry,
  toPersonEntry,
} from '../../../access/change-context.ts'
import { Refusal } from '../../../errors.ts'
import type { Reply } from '../../../http/reply.ts'
import type { ScimContext, ScimInput } from '../../../http/scim/endpoint.ts'
import { refuseScim, ScimRefusal } from '../../../http/scim/refusal.ts'
import { isUuid, newId, type PersonId } from '../../../ids.ts'
import { deprovisionPerson, endSignIns, lockForDeprovisioning } from '../deprovision.ts'
import { insertPerson, readOrganizations, updateActive } from '../sql.ts'
import { applyGroupRoles } from './group-roles.ts'
import { readMappedRoles } from './group-sql.ts'
import {
  listReply,
  noContent,
  type Representation,
  readComparisons,
  readProjection,
  readSlice,
  scimReply,
} from './list.ts'
import { applyOperations, type Element, type Resource, readOperations, readResource } from './patch.ts'
import { USER_SCHEMA, userAttributes } from './schema.ts'
import {
  deleteOtherIdentities,
  deleteUser,
  findPersonByEmail,
  findTakenAttribute,
  hasIdentity,
  lockScim,
  type PersonState,
  readUser,
  readUsers,
  storeUser,
  type UserRow,
  updatePerson,
} from './sql.ts'

const MAX_NAME_LENGTH = 200
const MAX_EMAIL_LENGTH = 320

const filterNames = {
  username: 'userName',
  externalid: 'externalId',
  'emails.value': 'email',
  emails: 'email',
  'emails.type': 'emailType',
  id: 'id',
} as const

export async function listUsers({ scope, tx, baseUrl }: ScimContext, { query }: ScimInput): Promise<Reply> {
  const slice = readSlice(query)
  const project = readProjection(query)
  const wanted = readComparisons(query, filterNames)
  const lower = (values: readonly string[] | undefined) => values?.map((value) => value.toLowerCase()) ?? null
  const ids = wanted.get('id') ?? null
  if (ids?.some((id) => !isUuid(id))) return listReply(slice, 0, [])
  const filter = {
    ids,
    userNames: lower(wanted.get('userName')),
    externalIds: wanted.get('externalId') ?? null,
    emails: lower(wanted.get('email')),
    emailTypes: lower(wanted.get('emailType')),
  }
  const { total, users } = await readUsers(scope, tx, filter, slice)
  return listReply(
    slice,
    total,
    users.map((user) => project(renderUser(baseUrl, user))),
  )
}

export async function getUser(context: ScimContext, { params, query }: ScimInput): Promise<Reply> {
  const user = await requireUser(context, params)
  return scimReply(200, readProjection(query)(renderUser(context.baseUrl, user)))
}

/** Creates a person, or links the person of the root who has this e-mail and is not provisioned yet. */
export async function createUser(context: ScimContext, { body, query }: ScimInput): Promise<Reply> {
  const { scope, tx } = context
  await lockScim(scope, tx)
  const next = toUser(readResource(userAttributes, body))
  await refuseTaken(context, next, null)
  const found = next.email === null ? null : await findPersonByEmail(scope, tx, next.email)
  if (found?.provisioned) refuseUniqueness('emails')
  const id = found?.id ?? newId<PersonId>()
  await saveUser(context, { id, linked: found, stored: null }, next)
  const user = await requireUser(context, { id })
  const representation = renderUser(context.baseUrl, user)
  return scimReply(201, readProjection(query)(representation), { location: toLocation(context.baseUrl, id) })
}

/** Attributes that the request leaves out are removed, except the external id and the state. */
export async function replaceUser(context: ScimContext, { params, body, query }: ScimInput): Promise<Reply> {
  await lockScim(context.scope, context.tx)
  const user = await requireUser(context, params)
  const { externalId, active } = toResource(user)
  const kept: Resource = {
    ...(externalId !== undefined && { externalId }),
    ...(active !== undefined && { active }),
  }
  return changeUser(context, user, { ...kept, ...readResource(userAttributes, body) }, query)
}

export async function patchUser(context: ScimContext, { params, body, query }: ScimInput): Promise<Reply> {
  await lockScim(context.scope, context.tx)
  const user = await requireUser(context, params)
  return changeUser(
    context,
    user,
    applyOperations(userAttributes, toResource(user), readOperations(body)),
    query,
  )
}

/** Ends the access of the person, who stays: findings and audit rows name people by id. */
export async function removeUser(context: ScimContext, { params }: ScimInput): Promise<Reply> {
  const { scope, tx } = context
  await lockScim(scope, tx)
  const user = await requireUser(context, params)
  const roles = await readMappedRoles(
    scope,
    tx,
    user.groups.map(({ value }) => value),
  )
  await lockForDeprovisioning(context, user.id, null)
  await deleteUser(scope, tx, user.id)
  await deprovision(context, user.id, 'keep')
  await applyGroupRoles(context, [user.id], roles)
  await auditChange(context, toPersonEntry('person_scim_unlinked', user, {}))
  return noContent
}

async function changeUser(
  context: ScimContext,
  user: UserRow,
  resource: Resource,
  query: URLSearchParams,
): Promise<Reply> {
  const { scope, tx } = context
  const next = toUser(resource)
  await refuseTaken(context, next, user.id)
  const holder = next.email === null ? null : await findPersonByEmail(scope, tx, next.email)
  if (holder !== null && holder.id !== user.id) refuseUniqueness('emails')
  await saveUser(context, { id: user.id, linked: user, stored: user }, next)
  const changed = await requireUser(context, { id: user.id })
  return scimReply(200, readProjection(query)(renderUser(context.baseUrl, changed)))
}

/** The columns and attributes of a user. */
export interface NextUser {
  readonly externalId: string | null
  readonly userName: string
  readonly attributes: Resource
  readonly active: boolean
  readonly name: string
  readonly email: string | null
}

export interface SavedUser {
  readonly id: PersonId
  /** The person before; null if there is none yet. */
  readonly linked: PersonState | null
  /** The user before; null if the provider creates it. */
  readonly stored: UserRow | null
}

type SaveContext = ChangeContext & Pick<ScimContext, 'reportLostAdmins'>

/** Rows first, audit rows last: those lock the chain of the root until the commit. */
export async function saveUser(
  context: SaveContext,
  user: SavedUser,
  next: NextUser,
  { byOperator = false } = {},
): Promise<void> {
  const { id } = user
  const isSame = await checkAccount(context, user, next, byOperator)
  await writeRows(context, user, next)
  await endFormerAccess(context, user, next, { isSame, byOperator })
  if (isRestored(user, next)) {
    await updateActive(context.scope, context.tx, id, true)
    await applyGroupRoles(context, [id], [])
  }
  await recordUser(context, user, { id, ...next })
}

/** Returns whether the account at the provider is the one that the person has. */
async function checkAccount(
  context: SaveContext,
  user: SavedUser,
  next: NextUser,
  byOperator: boolean,
): Promise<boolean> {
  const { id, linked, stored } = user
  if (linked === null || isProfileChange(user, next)) return true
  const locked = await lockForDeprovisioning(context, id, null)
  const isAdmin = locked?.workspace_admin ?? false
  const isSame = await isSameAccount(context, { ...user, linked }, next, isAdmin)
  // A provider may end the access of an active admin whom it manages, and never give it to another account.
  const isTakeover = isAdmin && linked.active && !isSame && (next.active || stored === null)
  if (isTakeover && !byOperator) refuseAdmin(stored)
  return isSame
}

function staysActive({ linked }: SavedUser, { active }: NextUser): boolean {
  return active && linked?.active === true
}

/** Neither who signs in as the person nor the access changes. */
function isProfileChange(user: SavedUser, next: NextUser): boolean {
  const { linked, stored } = user
  const isSameName = stored?.external_id === next.externalId && linked?.email === next.email
  return isSameName && staysActive(user, next)
}

async function endFormerAccess(
  context: SaveContext,
  user: SavedUser,
  next: NextUser,
  { isSame, byOperator }: { readonly isSame: boolean; readonly byOperator: boolean },
): Promise<void> {
  const { id, linked, stored } = user
  if (staysActive(user, next)) {
    // With the usual mapping of Entra, externalId is not the account that signs in: a first link unlinks nothing, unless the
    // operator names the account.
    if (!byOperator && (stored === null || stored.external_id === next.externalId)) return
    await endSignIns(context, { id, ...next }, await unlinkIdentities(context, id, next.externalId))
  } else if (linked !== null || !next.active) {
    const former = isSame ? [] : await unlinkIdentities(context, id, null)
    await deprovision(context, id, isSame ? 'keep' : 'remove', former)
  }
}

/**
 * Whether the user is the account at the provider that the person has: the external id is the same, or the person has signed
 * in with it. The first link of an active person counts too, except of a workspace admin, whose address must stay as well,
 * because a sign-in can find a person by the address.
 */
async function isSameAccount(
  { scope, tx }: SaveContext,
  { id, linked, stored }: SavedUser & { readonly linked: PersonState },
  { externalId, email }: NextUser,
  isAdmin: boolean,
): Promise<boolean> {
  if (isAdmin && linked.email !== email) return false
  if (stored === null ? linked.active && !isAdmin : stored.external_id === externalId) return true
  return externalId !== null && hasIdentity(scope, tx, id, externalId)
}

function refuseAdmin(stored: UserRow | null): never {
  const [scimType, what] =
    stored === null
      ? ([
          'uniqueness',
          'The address belongs to an active workspace admin, whom SCIM does not link.',
        ] as const)
      : ([
          'mutability',
          'SCIM does not change externalId or the e-mail of an active workspace admin.',
        ] as const)
  const message = `${what} Ask the operator to run scim-user link, or accept an invitation with this account first.`
  throw new ScimRefusal(scimType, message, 'PERMISSION_DENIED')
}

/** Otherwise the former holder could still sign in as the person. Returns the audit rows. */
async function unlinkIdentities(
  { scope, tx }: SaveContext,
  id: PersonId,
  except: string | null,
): Promise<ChangeEntry[]> {
  const unlinked = await deleteOtherIdentities(scope, tx, id, except)
  return unlinked.map(({ issuer, subject }) => ({
    action: 'person_identity_unlinked',
    resourceId: id,
    organization: null,
    metadata: { issuer },
    personal: { subject },
    person: id,
  }))
}

async function writeRows({ scope, tx, at }: SaveContext, user: SavedUser, next: NextUser): Promise<void> {
  const { id, linked, stored } = user
  if (linked === null) {
    const { name, email } = next
    const inserted = await insertPerson(scope, tx, { id, name, email, workspace_admin: false })
    if (!inserted) refuseUniqueness('emails')
  } else if (isRenamed(linked, next)) {
    await updatePerson(scope, tx, id, next)
  }
  await storeUser(scope, tx, id, next, { isNew: stored === null, at })
}

function isRestored({ linked }: SavedUser, { active }: NextUser): boolean {
  return active && linked?.active === false
}

function isRenamed(before: PersonState, after: Pick<PersonState, 'name' | 'email'>): boolean {
  return before.name !== after.name || before.email !== after.email
}

async function recordUser(context: SaveContext, user: SavedUser, next: NextUser & Named): Promise<void> {
  const { linked, stored } = user
  if (linked === null)
    await auditChange(context, toPersonEntry('person_added', next, { workspace_admin: false }))
  await recordAccount(context, stored, next)
  if (linked !== null && isRenamed(linked, next)) await recordRename(context, linked, next)
  if (isRestored(user, next)) await recordRestored(context, next)
}

/**
 * Also of a person who becomes active: keys and sessions that the operator's deactivation left end before. The roles end if
 * the account at the provider is another one, because addresses are given to new people.
 */
async function deprovision(
  context: SaveContext,
  person: PersonId,
  roles: 'keep' | 'remove',
  more: readonly ChangeEntry[] = [],
): Promise<void> {
  const taken = await deprovisionPerson(context, person, { organization: null, roles }, more)
  context.reportLostAdmins(taken.withoutAdmin)
}

type Named = Pick<PersonState, 'id' | 'name' | 'email'>

/** Names by which the provider knows the person are personal values: the chain holds salted digests of them. */
async function recordAccount(
  context: ChangeContext,
  stored: UserRow | null,
  next: NextUser & Named,
): Promise<void> {
  const pairs = [
    ['external_id', stored?.external_id ?? null, next.externalId],
    ['user_name', stored?.user_name ?? null, next.userName],
  ] as const
  const changed = pairs.filter(([, before, after]) => before !== after)
  if (stored !== null && changed.length === 0) return
  const personal: Record<string, string> = {}
  for (const [field, before, after] of changed) {
    if (before !== null) personal[`before.${field}`] = before
    if (after !== null) personal[`after.${field}`] = after
  }
  const fields = Object.fromEntries(changed.map(([field]) => [field, true]))
  const action = stored === null ? 'person_scim_linked' : 'person_scim_changed'
  await auditChange(context, toPersonEntry(action, next, stored === null ? {} : fields, { personal }))
}

function recordRename(context: ChangeContext, before: PersonState, after: Named): Promise<void> {
  const fields = { name: before.name !== after.name, email: before.email !== after.email }
  const personal = {
    ...(fields.name && { 'before.name': before.name, 'after.name': after.name }),
    ...(fields.email && before.email !== null && { 'before.email': before.email }),
    ...(fields.email && after.email !== null && { 'after.email': after.email }),
  }
  return auditChange(context, toPersonEntry('person_changed', after, fields, { personal }))
}

/** In the log of each organization of the person, because its admins read that one. */
async function recordRestored(context: ChangeContext, person: Named): Promise<void> {
  const organizations = await readOrganizations(context.scope, context.tx, person.id)
  const changed = { before: { active: false }, after: { active: true } }
  const logs = organizations.length > 0 ? organizations : [null]
  const entries = logs.map((organization) =>
    toPersonEntry('person_reactivated', person, { active: true }, { organization, ...changed }),
  )
  await auditChanges(context, entries)
}

async function requireUser(
  { scope, tx }: ScimContext,
  { id = '' }: Readonly<Record<string, string>>,
): Promise<UserRow> {
  const user = isUuid(id) ? await readUser(scope, tx, id) : null
  if (user === null)
    throw new Refusal('NOT_FOUND', 'There is no user with this id. List users with GET /scim/v2/Users.')
  return user
}

async function refuseTaken(
  { scope, tx }: ScimContext,
  next: NextUser,
  except: PersonId | null,
): Promise<void> {
  const taken = await findTakenAttribute(scope, tx, next, except)
  if (taken !== null) refuseUniqueness(taken)
}

function refuseUniqueness(attribute: string): never {
  return refuseScim(
    'uniqueness',
    `Another user has this value of ${attribute}. Change that user, or send another value.`,
  )
}

function toUser(resource: Resource): NextUser {
  const { externalId = null, userName, active = true, ...attributes } = resource
  if (typeof userName !== 'string') return refuseScim('invalidValue', 'userName is required.')
  const emails = (attributes['emails'] ?? []) as readonly Element[]
  const email = toEmail(emails)
  return {
    externalId: externalId as string | null,
    userName,
    attributes,
    active: active as boolean,
    // By characters: half of a surrogate pair cannot be stored.
    name: Array.from(toName(resource, userName)).slice(0, MAX_NAME_LENGTH).join(''),
    email,
  }
}

function toName({ displayName, name = {} }: Resource, userName: string): string {
  const { formatted, givenName, familyName } = name as Element
  const parts = [givenName, familyName].filter((part) => typeof part === 'string').join(' ')
  const found = [displayName, formatted, parts].find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof found === 'string' ? found : userName
}

/** The primary address, else the first one. A person may have none. */
function toEmail(emails: readonly Element[]): string | null {
  const chosen = emails.find(({ primary }) => primary === true) ?? emails[0]
  const { value } = chosen ?? {}
  if (typeof value !== 'string') return null
  if (value.length > MAX_EMAIL_LENGTH || !/^[^\s@,]+@[^\s@,]+$/.test(value))
    return refuseScim('invalidValue', 'emails must contain valid addresses, such as name@example.com.')
  return value.toLowerCase()
}

/** The attributes that a PATCH changes. */
function toResource({ external_id, user_name, active, attributes }: UserRow): Resource {
  return {
    ...attributes,
    ...(external_id !== null && { externalId: external_id }),
    userName: user_name,
    active,
  }
}

function toLocation(baseUrl: string, id: string): string {
  return `${baseUrl}/Users/${id}`
}

function renderUser(baseUrl: string, user: UserRow): Representation {
  const { id, created_at: created, updated_at: lastModified, groups } = user
  const meta = { resourceType: 'User', created, lastModified, location: toLocation(baseUrl, id) }
  return { schemas: [USER_SCHEMA], id, ...toResource(user), groups, meta }
}
