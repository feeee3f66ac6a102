import { type Static, Type } from 'typebox'
import { keyKinds } from '../../access/key-format.ts'
import { allPermissions, type Permission } from '../../access/permissions.ts'
import { closed } from '../../shape.ts'

export const KeyPath = Type.Object(
  { key_id: Type.String({ format: 'uuid', description: 'Of the key, as the list shows it.' }) },
  closed,
)

export const KeysQuery = Type.Object(
  {
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Workspace tokens only: keys that are bound to this organization, by the id of the Git provider. Without it all ' +
          'keys of the workspace are listed. Other keys ignore it.',
      }),
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
      { description: 'Workspace tokens are made with a workspace token only.', examples: ['user'] },
    ),
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The organization that the key is bound to, by the id of the Git provider. A workspace token must pass it, but ' +
          'for the kind workspace; other keys ignore it and mean their own.',
      }),
    ),
    // Bounded, and neither empty nor blank at an end, where nobody would see it.
    name: Type.Optional(
      Type.String({
        pattern: '^\\S(?:[^\\r\\n]{0,98}\\S)?$',
        description: 'What it is for, 1 to 100 characters. A workspace token needs one.',
        examples: ['Nightly export'],
      }),
    ),
    permissions: Type.Optional({
      ...Permissions,
      minItems: 1,
      maxItems: 100,
      description: 'At most those of the key that asks; all of them when nothing is said.',
    }),
    expires_at: Type.Optional({
      ...expiresAt,
      description:
        'When it ends, not later than the key that asks, and then when nothing is said. A workspace token needs one, in 1 to ' +
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
        description: 'How long the old key goes on working, at most; 0 ends it at once.',
      }),
    ),
    expires_at: Type.Optional({
      ...expiresAt,
      description:
        'When the new key ends, not later than the key that asks. Nothing said: it lives as long as the old one was made to ' +
        'live, but not longer than the key that asks.',
    }),
  },
  closed,
)
export type RotationBody = Static<typeof RotationBody>

const nullableTimestamp = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** What is told of a key, of itself and of others. */
export const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  kind: Type.Union(keyKinds.map((kind) => Type.Literal(kind))),
  prefix: Type.String({ description: 'Its first characters, the same for a kind.', examples: ['sch_usr_'] }),
  last_four: Type.String({ examples: ['9fQ2'] }),
  org_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The organization that it is bound to, by the id of the Git provider; null if to none.',
  }),
  owner: Type.Union(
    [Type.Object({ cr_user_id: Type.String({ format: 'uuid' }), name: Type.String() }, closed), Type.Null()],
    { description: 'Who made it, and whom it acts for. Instance keys have none.' },
  ),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: nullableTimestamp('null = never.'),
  last_used_at: nullableTimestamp('A minute late at most; null = not yet.'),
}

const ListedKey = Type.Object(
  {
    ...keyFields,
    permissions: {
      ...Permissions,
      description: 'What it was given. It has those of them that its owner’s role allows.',
    },
  },
  closed,
)

export const KeyList = Type.Object(
  {
    data: Type.Array(ListedKey, { description: 'By id, which grows with the time of making.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page.' }),
  },
  closed,
)

const value = {
  value: Type.Optional(
    Type.String({
      description:
        'The key itself, shown this once. A repeat with the same Idempotency-Key gives the same answer without it.',
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
