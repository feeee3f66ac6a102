import { type Static, Type } from 'typebox'
import { keyKinds } from '../../access/key-format.ts'
import { adminEquivalentNote, allPermissions, type Permission } from '../../access/permissions.ts'
import { displayName } from '../../names.ts'
import { closedObject, literals, nullable, optionalOrgId } from '../../shape.ts'

export const KeyPath = closedObject({
  key_id: Type.String({ format: 'uuid', description: 'ID of the key, as returned by the list.' }),
})

export const KeysQuery = closedObject({
  org_id: optionalOrgId(
    'Workspace tokens only: returns keys bound to this organization (ID assigned by the Git provider). Default: all keys ' +
      'of the workspace. Other keys ignore it.',
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Keys per page. Default 100.' }),
  ),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
})

const Permissions = Type.Unsafe<Permission[]>(Type.Array(literals(allPermissions)))

const expiresAt = Type.String({ format: 'date-time' })

export const NewKeyBody = closedObject({
  kind: literals(['organization', 'user', 'agentic', 'workspace'], {
    description: 'Only a workspace token can create a workspace token.',
    examples: ['user'],
  }),
  org_id: optionalOrgId(
    'Organization that the key is bound to (ID assigned by the Git provider). Required with a workspace token unless the ' +
      'kind is workspace. Other keys ignore it and use their own organization.',
  ),
  name: Type.Optional(
    displayName(100, {
      description: 'Purpose of the key, 1 to 100 characters. Required for workspace tokens.',
      examples: ['Nightly export'],
    }),
  ),
  permissions: Type.Optional({
    ...Permissions,
    minItems: 1,
    maxItems: 100,
    description: `Must be a subset of the permissions of the calling key. Default: all of them. ${adminEquivalentNote}`,
  }),
  expires_at: Type.Optional({
    ...expiresAt,
    description:
      'Must not be later than the expiry of the calling key, which is the default. Required for workspace tokens, in 1 to ' +
      '366 days.',
  }),
})
export type NewKeyBody = Static<typeof NewKeyBody>

export const RotationBody = closedObject({
  overlap_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7,
      default: 0,
      description: 'Maximum number of days the old key stays valid; 0 revokes it immediately.',
    }),
  ),
  expires_at: Type.Optional({
    ...expiresAt,
    description:
      'Expiry of the new key, not later than that of the calling key. Default: the lifetime of the old key, limited by ' +
      'the expiry of the calling key.',
  }),
})
export type RotationBody = Static<typeof RotationBody>

/** Fields of a key in the list and in GET /v1/keys/self. */
export const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  kind: literals(keyKinds),
  prefix: Type.String({
    description: 'First characters of the key, the same for all keys of a kind.',
    examples: ['sch_usr_'],
  }),
  last_four: Type.String({ examples: ['9fQ2'] }),
  org_id: nullable(Type.String(), {
    description: 'Organization that the key is bound to (ID assigned by the Git provider); null if none.',
  }),
  owner: nullable(closedObject({ cr_user_id: Type.String({ format: 'uuid' }), name: Type.String() }), {
    description: 'Person who created the key and for whom it acts. Instance keys have none.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: nullable(Type.String({ format: 'date-time' }), {
    description: 'null if the key never expires.',
  }),
  last_used_at: nullable(Type.String({ format: 'date-time' }), {
    description: 'Up to one minute behind; null if the key was never used.',
  }),
}

const ListedKey = closedObject({
  ...keyFields,
  permissions: {
    ...Permissions,
    description: 'Permissions granted to the key. The role of its owner can limit them further.',
  },
})

export const KeyList = closedObject({
  data: Type.Array(ListedKey, { description: 'Ordered by ID, which is the order of creation.' }),
  next_cursor: nullable(Type.String(), { description: 'null on the last page.' }),
})

const value = {
  value: Type.Optional(
    Type.String({
      description:
        'The key itself, returned only once. A retry with the same Idempotency-Key returns the same response without it.',
    }),
  ),
}

export const CreatedKey = closedObject({ ...ListedKey.properties, ...value })

export const RotatedKey = closedObject({
  ...ListedKey.properties,
  ...value,
  replaces: closedObject(
    { id: Type.String({ format: 'uuid' }), ends_at: Type.String({ format: 'date-time' }) },
    { description: 'The old key.' },
  ),
})
