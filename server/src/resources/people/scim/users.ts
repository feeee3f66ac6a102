import { type AuditEntry, writeAuditEntries } from '../../../access/audit.ts'
import { Refusal } from '../../../errors.ts'
import type { Reply } from '../../../http/reply.ts'
import type { ScimContext, ScimInput } from '../../../http/scim/endpoint.ts'
import { refuseScim } from '../../../http/scim/refusal.ts'
import { newId, type OrganizationId, type PersonId } from '../../../ids.ts'
import { deprovisionPerson, lockForDeprovisioning } from '../deprovision.ts'
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
  deleteIdentities,
  deleteUser,
  findPersonByEmail,
  findTakenAttribute,
  hasIdentity,
  insertUser,
  lockScim,
  type PersonState,
  readUser,
  readUsers,
  type UserRow,
  updatePerson,
  updateUser,
} from './sql.ts'

const MAX_NAME_LENGTH = 200
const MAX_EMAIL_LENGTH = 320
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

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
  if (ids?.some((id) => !uuid.test(id))) return listReply(slice, 0, [])
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
  await deprovision(context, user.id)
  await applyGroupRoles(context, [user.id], roles)
  await recordChange(context, user, 'person_scim_unlinked', {})
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
interface NextUser {
  readonly externalId: string | null
  readonly userName: string
  readonly attributes: Resource
  readonly active: boolean
  readonly name: string
  readonly email: string | null
}

interface SavedUser {
  readonly id: PersonId
  /** The person before; null if there is none yet. */
  readonly linked: PersonState | null
  /** The user before; null if the provider creates it. */
  readonly stored: UserRow | null
}

/** Rows first, audit rows last: those lock the chain of the root until the commit. */
async function saveUser(context: ScimContext, user: SavedUser, next: NextUser): Promise<void> {
  const { id, linked } = user
  if (linked !== null && !(next.active && linked.active)) await lockForDeprovisioning(context, id, null)
  await writeRows(context, user, next)
  if (linked?.active === false) await endFormerAccess(context, user, next)
  if (!next.active) await deprovision(context, id)
  if (isRestored(user, next)) {
    await updateActive(context.scope, context.tx, id, true)
    await applyGroupRoles(context, [id], [])
  }
  await recordUser(context, user, { id, ...next })
}

/**
 * Ends what an inactive person still has, before the provider can make the person active: keys and sessions that the operator's
 * deactivation left, and the roles too if the account at the provider is another one. Addresses are given to new people.
 */
async function endFormerAccess(
  context: ScimContext,
  { id, stored }: SavedUser,
  { externalId, active }: NextUser,
): Promise<void> {
  const isSameAccount =
    (stored !== null && stored.external_id === externalId) ||
    (externalId !== null && (await hasIdentity(context.scope, context.tx, id, externalId)))
  if (isSameAccount && !active) return
  // Otherwise the former holder could still sign in as the person.
  const unlinked = isSameAccount ? [] : await deleteIdentities(context.scope, context.tx, id)
  const entries = unlinked.map(({ issuer, subject }): AuditEntry => {
    const { actor } = context
    const common = { resourceType: 'person', resourceId: id, organization: null, person: id } as const
    const personal = { subject }
    return { action: 'person_identity_unlinked', ...common, actor, metadata: { issuer }, personal }
  })
  const roles = isSameAccount ? 'keep' : 'remove'
  await deprovisionPerson(context, id, { organization: null, roles }, entries)
}

async function writeRows({ scope, tx, at }: ScimContext, user: SavedUser, next: NextUser): Promise<void> {
  const { id, linked, stored } = user
  if (linked === null) {
    const { name, email } = next
    const inserted = await insertPerson(scope, tx, { id, name, email, workspace_admin: false })
    if (!inserted) refuseUniqueness('emails')
  } else if (isRenamed(linked, next)) {
    await updatePerson(scope, tx, id, next)
  }
  if (stored === null) await insertUser(scope, tx, id, next, at)
  else await updateUser(scope, tx, id, next, at)
}

function isRestored({ linked }: SavedUser, { active }: NextUser): boolean {
  return active && linked?.active === false
}

function isRenamed(before: PersonState, after: Pick<PersonState, 'name' | 'email'>): boolean {
  return before.name !== after.name || before.email !== after.email
}

async function recordUser(context: ScimContext, user: SavedUser, next: NextUser & Named): Promise<void> {
  const { linked, stored } = user
  if (linked === null) await recordChange(context, next, 'person_added', { workspace_admin: false })
  if (stored === null) await recordChange(context, next, 'person_scim_linked', {})
  if (linked !== null && isRenamed(linked, next)) await recordRename(context, linked, next)
  if (isRestored(user, next)) await recordRestored(context, next)
}

async function deprovision(context: ScimContext, person: PersonId): Promise<void> {
  const { withoutAdmin } = await deprovisionPerson(context, person, { organization: null, roles: 'keep' })
  context.reportLostAdmins(withoutAdmin)
}

type Named = Pick<PersonState, 'id' | 'name' | 'email'>

function recordChange(
  context: ScimContext,
  person: Named,
  action:
    | 'person_added'
    | 'person_changed'
    | 'person_reactivated'
    | 'person_scim_linked'
    | 'person_scim_unlinked',
  metadata: AuditEntry['metadata'],
  more: Partial<AuditEntry> = {},
  organizations: readonly (OrganizationId | null)[] = [null],
): Promise<unknown> {
  const { tx, scope, actor, at } = context
  const { id, name, email } = person
  const entries = organizations.map((organization): AuditEntry => {
    const personal = { name, ...(email !== null && { email }), ...more.personal }
    const common = {
      action,
      resourceType: 'person',
      resourceId: id,
      organization,
      actor,
      person: id,
    } as const
    return { metadata, ...more, ...common, personal }
  })
  return writeAuditEntries(tx, scope, entries, at)
}

function recordRename(context: ScimContext, before: PersonState, after: Named): Promise<unknown> {
  const fields = { name: before.name !== after.name, email: before.email !== after.email }
  const personal = {
    ...(fields.name && { 'before.name': before.name, 'after.name': after.name }),
    ...(fields.email && before.email !== null && { 'before.email': before.email }),
    ...(fields.email && after.email !== null && { 'after.email': after.email }),
  }
  return recordChange(context, after, 'person_changed', fields, { personal })
}

/** In the log of each organization of the person, because its admins read that one. */
async function recordRestored(context: ScimContext, person: Named): Promise<void> {
  const organizations = await readOrganizations(context.scope, context.tx, person.id)
  const changed = { before: { active: false }, after: { active: true } }
  const logs = organizations.length > 0 ? organizations : [null]
  await recordChange(context, person, 'person_reactivated', { active: true }, changed, logs)
}

async function requireUser(
  { scope, tx }: ScimContext,
  { id = '' }: Readonly<Record<string, string>>,
): Promise<UserRow> {
  const user = uuid.test(id) ? await readUser(scope, tx, id) : null
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
    name: toName(resource, userName).slice(0, MAX_NAME_LENGTH),
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
