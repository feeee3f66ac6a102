import { auditChange } from '../../../access/change-context.ts'
import { Refusal } from '../../../errors.ts'
import type { Reply } from '../../../http/reply.ts'
import type { ScimContext, ScimInput } from '../../../http/scim/endpoint.ts'
import { refuseScim } from '../../../http/scim/refusal.ts'
import { isUuid, newId, type PersonId, type ScimGroupId } from '../../../ids.ts'
import { applyGroupRoles } from './group-roles.ts'
import {
  addMembers,
  countKnownUsers,
  deleteGroup,
  findTakenGroupAttribute,
  type GroupRow,
  insertGroup,
  type MemberRow,
  readGroup,
  readGroups,
  readMappedRoles,
  readMembers,
  removeMembers,
  type StoredGroup,
  updateGroup,
} from './group-sql.ts'
import {
  excludes,
  listReply,
  noContent,
  type Representation,
  readComparisons,
  readProjection,
  readSlice,
  scimReply,
} from './list.ts'
import {
  applyOperations,
  expandOperation,
  isObject,
  type Operation,
  readOperations,
  type Target,
} from './patch.ts'
import { GROUP_SCHEMA, groupAttributes } from './schema.ts'
import { lockScim } from './sql.ts'

/** A group with all its members is one response. */
const MAX_MEMBERS = 10_000

const filterNames = {
  displayname: 'displayName',
  externalid: 'externalId',
  id: 'id',
  'members.value': 'member',
  members: 'member',
} as const

// Members are changed row by row, and never read into a resource: a group may have thousands.
const { members: _members, ...ownAttributes } = groupAttributes

export async function listGroups({ scope, tx, baseUrl }: ScimContext, { query }: ScimInput): Promise<Reply> {
  const slice = readSlice(query)
  const project = readProjection(query)
  const wanted = readComparisons(query, filterNames)
  const ids = wanted.get('id') ?? null
  const people = wanted.get('member') ?? null
  if ([...(ids ?? []), ...(people ?? [])].some((id) => !isUuid(id))) return listReply(slice, 0, [])
  const filter = {
    ids,
    names: wanted.get('displayName')?.map((name) => name.toLowerCase()) ?? null,
    externalIds: wanted.get('externalId') ?? null,
    members: people,
  }
  const { total, groups } = await readGroups(scope, tx, filter, slice)
  if (excludes(query, 'members')) {
    return listReply(
      slice,
      total,
      groups.map((group) => project(renderGroup(baseUrl, group, null))),
    )
  }
  const shown = limitMembers(groups)
  const members = Map.groupBy(
    await readMembers(
      scope,
      tx,
      shown.map(({ id }) => id),
    ),
    ({ group_id }) => group_id,
  )
  return listReply(
    slice,
    total,
    shown.map((group) => project(renderGroup(baseUrl, group, members.get(group.id) ?? []))),
  )
}

/** A page may be shorter than its count; it has at least one group. */
function limitMembers(groups: readonly GroupRow[]): readonly GroupRow[] {
  let members = 0
  return groups.filter(({ size }, index) => {
    members += size
    return index === 0 || members <= MAX_MEMBERS
  })
}

export async function getGroup(context: ScimContext, { params, query }: ScimInput): Promise<Reply> {
  const group = await requireGroup(context, params)
  return scimReply(200, await renderWithMembers(context, group, query))
}

export async function createGroup(context: ScimContext, { body, query }: ScimInput): Promise<Reply> {
  const { scope, tx, at } = context
  await lockScim(scope, tx)
  const operation = { op: 'replace', path: null, value: body } as const
  const group = toGroup(newId<ScimGroupId>(), applyOperations(ownAttributes, {}, [operation]))
  await refuseTaken(context, group)
  await insertGroup(scope, tx, group, at)
  const changes = readMemberChanges([operation])
  await changeMembers(context, group, changes, 'scim_group_created')
  const stored = await requireGroup(context, { id: group.id })
  const location = toLocation(context.baseUrl, group.id)
  return scimReply(201, await renderWithMembers(context, stored, query), { location })
}

/** Attributes that the request leaves out are removed, except the external id. */
export async function replaceGroup(context: ScimContext, { params, body, query }: ScimInput): Promise<Reply> {
  await lockScim(context.scope, context.tx)
  const group = await requireGroup(context, params)
  const operation = { op: 'replace', path: null, value: body } as const
  await changeGroup(context, group, [operation], [{ kind: 'clear' }, ...readMemberChanges([operation])])
  const changed = await requireGroup(context, { id: group.id })
  return scimReply(200, await renderWithMembers(context, changed, query))
}

export async function patchGroup(context: ScimContext, { params, body }: ScimInput): Promise<Reply> {
  await lockScim(context.scope, context.tx)
  const group = await requireGroup(context, params)
  const operations = readOperations(body)
  await changeGroup(context, group, operations, readMemberChanges(operations))
  return noContent
}

export async function removeGroup(context: ScimContext, { params }: ScimInput): Promise<Reply> {
  const { scope, tx } = context
  await lockScim(scope, tx)
  const group = await requireGroup(context, params)
  const roles = await readMappedRoles(scope, tx, [group.id])
  const people = await removeMembers(scope, tx, group.id, null)
  await deleteGroup(scope, tx, group.id)
  await applyGroupRoles(context, people, roles)
  await recordGroup(context, 'scim_group_deleted', toStored(group), { removed: people })
  return noContent
}

async function changeGroup(
  context: ScimContext,
  row: GroupRow,
  operations: readonly Operation[],
  changes: readonly MemberChange[],
): Promise<void> {
  const { scope, tx, at } = context
  const { externalId, displayName } = toStored(row)
  const before = { displayName, ...(externalId !== null && { externalId }) }
  const group = toGroup(row.id, applyOperations(ownAttributes, before, operations))
  await refuseTaken(context, group)
  await updateGroup(scope, tx, group, at)
  await changeMembers(context, group, changes, 'scim_group_changed')
}

/** A change of the members of a group. */
type MemberChange =
  | { readonly kind: 'add' | 'remove'; readonly ids: readonly string[] }
  | { readonly kind: 'clear' }

/** Finds the changes of members in operations with and without paths, with `members[value eq "…"]` and with a list of values. */
function readMemberChanges(operations: readonly Operation[]): MemberChange[] {
  return operations.flatMap((operation) =>
    expandOperation(operation)
      .filter(({ path }) => path.attribute === 'members' && !path.foreign)
      .flatMap((target) => toMemberChanges(operation.op, target)),
  )
}

function toMemberChanges(op: Operation['op'], { path, value }: Target): MemberChange[] {
  if (path.filter !== null) {
    if (path.filter.some(({ attribute }) => attribute !== 'value'))
      return refuseScim('invalidPath', 'Select a member by its value, such as members[value eq "id"].')
    const ids = path.filter.map(({ value: id }) => String(id))
    if (new Set(ids).size > 1) return []
    return [{ kind: op === 'remove' ? 'remove' : 'add', ids: ids.slice(0, 1) }]
  }
  const ids = value === undefined || value === null ? [] : [value].flat().map(readMemberId)
  if (op === 'remove')
    return [value === undefined || value === null ? { kind: 'clear' } : { kind: 'remove', ids }]
  return op === 'add' ? [{ kind: 'add', ids }] : [{ kind: 'clear' }, { kind: 'add', ids }]
}

function readMemberId(item: unknown): string {
  const entries = isObject(item) ? Object.entries(item) : []
  const id = typeof item === 'string' ? item : entries.find(([name]) => name.toLowerCase() === 'value')?.[1]
  return typeof id === 'string'
    ? id
    : refuseScim('invalidValue', 'A member must be an object with the id of a user in value.')
}

/** Applies the changes in order, then the roles of those who left and of all members: some may be new in an organization. */
async function changeMembers(
  context: ScimContext,
  group: StoredGroup,
  changes: readonly MemberChange[],
  action: 'scim_group_created' | 'scim_group_changed',
): Promise<void> {
  const { scope, tx } = context
  const joined = new Set<PersonId>()
  const left = new Set<PersonId>()
  for (const change of changes) {
    if (change.kind === 'add') {
      await refuseUnknownMembers(context, change.ids)
      for (const id of await addMembers(scope, tx, group.id, change.ids)) if (!left.delete(id)) joined.add(id)
    } else {
      const ids = change.kind === 'clear' ? null : change.ids.filter((id) => isUuid(id))
      for (const id of await removeMembers(scope, tx, group.id, ids)) if (!joined.delete(id)) left.add(id)
    }
  }
  const { size } = await requireGroup(context, group)
  if (size > MAX_MEMBERS)
    refuseScim('invalidValue', `A group may have at most ${MAX_MEMBERS} members. Use several groups.`)
  const roles = await readMappedRoles(scope, tx, [group.id])
  const members = roles.length > 0 ? await readMembers(scope, tx, [group.id]) : []
  const people = new Set([...members.map(({ value }) => value), ...joined, ...left])
  await applyGroupRoles(context, [...people], left.size > 0 ? roles : [])
  await recordGroup(context, action, group, { added: [...joined], removed: [...left] })
}

async function refuseUnknownMembers({ scope, tx }: ScimContext, ids: readonly string[]): Promise<void> {
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))]
  const known = distinct.every((id) => isUuid(id)) ? await countKnownUsers(scope, tx, distinct) : -1
  if (known !== distinct.length)
    refuseScim('invalidValue', 'A member is not a user of /scim/v2/Users. Create the user first.')
}

function recordGroup(
  context: ScimContext,
  action: 'scim_group_created' | 'scim_group_changed' | 'scim_group_deleted',
  group: StoredGroup,
  {
    added = [],
    removed = [],
  }: { readonly added?: readonly PersonId[]; readonly removed?: readonly PersonId[] },
): Promise<void> {
  return auditChange(context, {
    action,
    resourceId: group.id,
    organization: null,
    metadata: { added_ids: added, removed_ids: removed },
    personal: { name: group.displayName },
  })
}

async function requireGroup(
  { scope, tx }: ScimContext,
  { id = '' }: { readonly id?: string },
): Promise<GroupRow> {
  const group = isUuid(id) ? await readGroup(scope, tx, id) : null
  if (group === null)
    throw new Refusal('NOT_FOUND', 'There is no group with this id. List groups with GET /scim/v2/Groups.')
  return group
}

async function refuseTaken({ scope, tx }: ScimContext, group: StoredGroup): Promise<void> {
  const taken = await findTakenGroupAttribute(scope, tx, group)
  if (taken !== null)
    refuseScim(
      'uniqueness',
      `Another group has this value of ${taken}. Change that group, or send another value.`,
    )
}

function toGroup(
  id: ScimGroupId,
  { externalId = null, displayName }: Readonly<Record<string, unknown>>,
): StoredGroup {
  if (typeof displayName !== 'string') return refuseScim('invalidValue', 'displayName is required.')
  return { id, externalId: externalId as string | null, displayName }
}

function toStored({ id, external_id: externalId, display_name: displayName }: GroupRow): StoredGroup {
  return { id, externalId, displayName }
}

function toLocation(baseUrl: string, id: string): string {
  return `${baseUrl}/Groups/${id}`
}

async function renderWithMembers(
  { scope, tx, baseUrl }: ScimContext,
  group: GroupRow,
  query: URLSearchParams,
): Promise<Representation> {
  const members = excludes(query, 'members') ? null : await readMembers(scope, tx, [group.id])
  return readProjection(query)(renderGroup(baseUrl, group, members))
}

function renderGroup(baseUrl: string, group: GroupRow, members: readonly MemberRow[] | null): Representation {
  const { id, external_id, display_name: displayName, created_at: created, updated_at: lastModified } = group
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(external_id !== null && { externalId: external_id }),
    displayName,
    ...(members && { members: members.map(({ value, display }) => ({ value, display })) }),
    meta: { resourceType: 'Group', created, lastModified, location: toLocation(baseUrl, id) },
  }
}
