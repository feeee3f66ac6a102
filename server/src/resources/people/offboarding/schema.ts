import { type Static, Type } from 'typebox'
import { closed, optionalOrgId } from '../../../shape.ts'

const MAX_CONFIRMED_KEYS = 1000

/** A key that was used since must be confirmed. */
export const KEY_IN_USE_DAYS = 7

const Member = Type.Union(
  [
    Type.Object(
      { email: Type.String({ minLength: 1, maxLength: 320, description: 'Not case-sensitive.' }) },
      closed,
    ),
    Type.Object(
      { cr_user_id: Type.String({ format: 'uuid', description: '`cr_user_id` of GET /v1/users.' }) },
      closed,
    ),
    Type.Object(
      {
        user_id: Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'Account at the Git provider, `user_id` of GET /v1/users. A workspace token must also pass org_id.',
        }),
      },
      closed,
    ),
  ],
  { description: 'The person to offboard.' },
)

export const OffboardingRequest = Type.Object(
  {
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
  },
  closed,
)
export type OffboardingRequest = Static<typeof OffboardingRequest>

export const PersonPath = Type.Object(
  {
    cr_user_id: Type.String({
      format: 'uuid',
      description: '`cr_user_id` of GET /v1/users with a workspace token, or of an offboarding.',
    }),
  },
  closed,
)

export const EndedSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'Number of sessions that ended.' }) },
  closed,
)

const nullable = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const Person = Type.Object(
  {
    cr_user_id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    email: nullable(Type.String()),
    active: Type.Boolean({ description: 'False once the person is offboarded from the whole tenant.' }),
  },
  closed,
)

const Key = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.String({ examples: ['user'] }),
    name: Type.String(),
    last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Stored at most a minute late. null if the key was never used.',
    }),
    ends: Type.Boolean({
      description:
        'Whether the key is revoked. False only for keys that are not bound to the organization of org_id.',
    }),
  },
  closed,
)

const Role = Type.Object(
  {
    organization_id: Type.Union([Type.String(), Type.Null()], {
      description:
        'ID of the organization, assigned by the Git provider. null for the role of a workspace admin.',
    }),
    organization: Type.Union([
      Type.Object(
        { id: Type.String({ format: 'uuid', description: 'As in GET /v1/organizations.' }) },
        closed,
      ),
      Type.Null(),
    ]),
    organization_name: nullable(Type.String()),
    user_id: nullable(Type.String({ description: 'Account at the Git provider.' })),
    role_name: Type.String({ examples: ['cr_member'] }),
    role_type: Type.Union([Type.Literal('system'), Type.Literal('custom'), Type.Literal('workspace')]),
  },
  closed,
)

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const Position = Type.Integer({ minimum: 1 })

const Receipt = Type.Object(
  {
    root_id: Type.String({
      format: 'uuid',
      description: 'The tenant, as signed heads of its chain name it.',
    }),
    at: Type.String({ format: 'date-time' }),
    previous_hash: Hash('The hash of the chain before the first row.'),
    rows: Type.Array(
      Type.Object(
        {
          id: Type.String({ format: 'uuid', description: '`id` in GET /v1/audit-logs.' }),
          action: Type.String({ examples: ['api_key_revoked'] }),
          position: Position,
          digest: Hash('SHA-256 of the `content` of the row.'),
          hash: Hash('SHA-256 of the hash before, the position in eight bytes, and the digest.'),
        },
        closed,
      ),
      { description: 'The rows of the audit log that this request wrote, in the order of the chain.' },
    ),
    head: Type.Object(
      { position: Position, hash: Hash('The hash of the last row.') },
      { ...closed, description: 'The end of the chain after this request.' },
    ),
  },
  {
    ...closed,
    description:
      'Proves off-line what was recorded; `scholiast audit verify --receipt` checks it. null in a dry run.',
  },
)
export type Receipt = Static<typeof Receipt>

export const OffboardingResult = Type.Object(
  {
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
    receipt: Type.Union([Receipt, Type.Null()]),
  },
  closed,
)
export type OffboardingResult = Static<typeof OffboardingResult>
