import { type Static, Type } from 'typebox'
import { ByEmail, ByPersonId } from '../../../http/named-users.ts'
import { closedObject, literals, nullable, optionalOrgId } from '../../../shape.ts'

const MAX_CONFIRMED_KEYS = 1000

/** A key that was used since must be confirmed. */
export const KEY_IN_USE_DAYS = 7

const Member = Type.Union(
  [
    ByEmail,
    ByPersonId,
    closedObject({
      user_id: Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Account at the Git provider, `user_id` of GET /v1/users. A workspace token must also pass org_id.',
      }),
    }),
  ],
  { description: 'The person to offboard.' },
)

export const OffboardingRequest = closedObject({
  member: Member,
  org_id: optionalOrgId(
    'Workspace tokens only: ID of an organization, assigned by the Git provider. Only the membership of this ' +
      'organization and the keys bound to it end. Default: everything in the workspace. Other keys ignore it.',
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Default true: returns what would end, and changes nothing. Pass false to offboard.',
    }),
  ),
  confirm_keys: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: MAX_CONFIRMED_KEYS,
      description:
        `Ids of keys that may end although they were used within ${KEY_IN_USE_DAYS} days. Without them the request ` +
        'fails with `KEY_IN_USE`. A dry run does not need them.',
    }),
  ),
})
export type OffboardingRequest = Static<typeof OffboardingRequest>

export const PersonPath = closedObject({
  cr_user_id: Type.String({
    format: 'uuid',
    description: '`cr_user_id` of GET /v1/users with a workspace token, or of an offboarding.',
  }),
})

export const EndedSessions = closedObject({
  ended: Type.Integer({ minimum: 0, description: 'Number of sessions that ended.' }),
})

const Person = closedObject({
  cr_user_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  email: nullable(Type.String()),
  active: Type.Boolean({ description: 'False once the person is offboarded from the whole tenant.' }),
})

const Key = closedObject({
  id: Type.String({ format: 'uuid' }),
  kind: Type.String({ examples: ['user'] }),
  name: Type.String(),
  last_used_at: nullable(Type.String({ format: 'date-time' }), {
    description: 'Stored at most a minute late. null if the key was never used.',
  }),
  ends: Type.Boolean({
    description:
      'Whether the key is revoked. False only for keys that are not bound to the organization of org_id.',
  }),
})

const Role = closedObject({
  organization_id: nullable(Type.String(), {
    description:
      'ID of the organization, assigned by the Git provider. null for the role of a workspace admin.',
  }),
  organization: nullable(
    closedObject({ id: Type.String({ format: 'uuid', description: 'As in GET /v1/organizations.' }) }),
  ),
  organization_name: nullable(Type.String()),
  user_id: nullable(Type.String({ description: 'Account at the Git provider.' })),
  role_name: Type.String({ examples: ['cr_member'] }),
  role_type: literals(['system', 'custom', 'workspace']),
})

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const Position = Type.Integer({ minimum: 1 })

const Receipt = closedObject(
  {
    root_id: Type.String({
      format: 'uuid',
      description: 'The tenant, as signed heads of its chain name it.',
    }),
    at: Type.String({ format: 'date-time' }),
    previous_hash: Hash('The hash of the chain before the first row.'),
    rows: Type.Array(
      closedObject({
        id: Type.String({ format: 'uuid', description: '`id` in GET /v1/audit-logs.' }),
        action: Type.String({ examples: ['api_key_revoked'] }),
        position: Position,
        digest: Hash('SHA-256 of the `content` of the row.'),
        hash: Hash('SHA-256 of the hash before, the position in eight bytes, and the digest.'),
      }),
      { description: 'The rows of the audit log that this request wrote, in the order of the chain.' },
    ),
    head: closedObject(
      { position: Position, hash: Hash('The hash of the last row.') },
      { description: 'The end of the chain after this request.' },
    ),
  },
  {
    description:
      'Proves off-line what was recorded; `scholiast audit verify --receipt` checks it. null in a dry run.',
  },
)
export type Receipt = Static<typeof Receipt>

export const OffboardingResult = closedObject({
  person: Person,
  sessions: Type.Integer({
    minimum: 0,
    description: 'Sessions that end. 0 if the request is limited to one organization.',
  }),
  keys: Type.Array(Key, { description: 'Keys of the person that are neither revoked nor expired.' }),
  seats: Type.Integer({
    minimum: 0,
    maximum: 1,
    description: 'Seats that become free. 0 if the request is limited to one organization.',
  }),
  roles: Type.Array(Role, { description: 'Memberships and roles that end.' }),
  pending_learnings: Type.Integer({
    minimum: 0,
    description: 'Learnings that the person proposed and that wait. They stay, and can be approved.',
  }),
  executed: Type.Boolean({ description: 'False in a dry run.' }),
  receipt: nullable(Receipt),
})
export type OffboardingResult = Static<typeof OffboardingResult>
