import { type Static, Type } from 'typebox'
import { keyKinds } from '../../access/key-format.ts'
import { adminEquivalentNote, allPermissions, type Permission } from '../../access/permissions.ts'
import { displayName } from '../../names.ts'
import { closed, optionalOrgId } from '../../shape.ts'

export const KeyPath = Type.Object(
  { key_id: Type.String({ format: 'uuid', description: 'ID of the key, as returned by the list.' }) },
  closed,
)

export const KeysQuery = Type.Object(
  {
    org_id: optionalOrgId(
      'Workspace tokens only: returns keys bound to this organization (ID assigned by the Git provider). Default: all keys ' +
        'of the workspace. Other keys ignore it.',
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Keys per page. Default 100.' }),
    ),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
  },
  closed,
)

const Permissions = Type.Unsafe<Permission[]>(
  Type.Array(Type.Union(allPermissions.map((permission) => Type.Literal(permission)))),
)

const expiresAt = Type.String({ format: 'date-time' })

export const NewKeyBody = Type.Object(
  {
    kind: Type.Union(
      [
        Type.Literal('organization'),
        Type.Literal('user'),
        Type.Literal('agentic'),
        Type.Literal('workspace'),
      ],
      { description: 'Only a workspace token can create a workspace token.', examples: ['user'] },
    ),
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
  },
  closed,
)
export type NewKeyBody = Static<typeof NewKeyBody>

export const RotationBody = Type.Object(
  {
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
  },
  closed,
)
export type RotationBody = Static<typeof RotationBody>

const nullableTimestamp = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** Fields of a key in the list and in GET /v1/keys/self. */
export const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  kind: Type.Union(keyKinds.map((kind) => Type.Literal(kind))),
  prefix: Type.String({
    description: 'First characters of the key, the same for all keys of a kind.',
    examples: ['sch_usr_'],
  }),
  last_four: Type.String({ examples: ['9fQ2'] }),
  org_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Organization that the key is bound to (ID assigned by the Git provider); null if none.',
  }),
  owner: Type.Union(
    [Type.Object({ cr_user_id: Type.String({ format: 'uuid' }), name: Type.String() }, closed), Type.Null()],
    { description: 'Person who created the key and for whom it acts. Instance keys have none.' },
  ),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: nullableTimestamp('null if the key never expires.'),
  last_used_at: nullableTimestamp('Up to one minute behind; null if the key was never used.'),
}

const ListedKey = Type.Object(
  {
    ...keyFields,
    permissions: {
      ...Permissions,
      description: 'Permissions granted to the key. The role of its owner can limit them further.',
    },
  },
  closed,
)

export const KeyList = Type.Object(
  {
    data: Type.Array(ListedKey, { description: 'Ordered by ID, which is the order of creation.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page.' }),
  },
  closed,
)

const value = {
  value: Type.Optional(
    Type.String({
      description:
        'The key itself, returned only once. A retry with the same Idempotency-Key returns the same response without it.',
    }),
  ),
}

export const CreatedKey = Type.Object({ ...ListedKey.properties, ...value }, closed)

export const RotatedKey = Type.Object(
  {
    ...ListedKey.properties,
    ...value,
    replaces: Type.Object(
      { id: Type.String({ format: 'uuid' }), ends_at: Type.String({ format: 'date-time' }) },
      { ...closed, description: 'The old key.' },
    ),
  },
  closed,
)
