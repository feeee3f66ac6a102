import { type Static, Type } from 'typebox'
import { closed, closedObject, literals, nullable, optionalOrgId } from '../../shape.ts'

/** Numbered pages end here; a cursor reads further. */
export const MAX_NUMBERED_ROWS = 10_000

const optionalDateOrTime = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.String({ format: 'date-time' })], { description }),
  )

const optionalNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, description }))

const orgId = optionalOrgId(
  'For workspace tokens: ID of one organization, assigned by the Git provider. Ignored for other keys.',
)

export const AuditLogsQuery = closedObject({
  org_id: orgId,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the name of the actor, or of the person who owns the key. Case-insensitive.',
    }),
  ),
  actions: optionalNames('Comma-separated values of `filter_options.actions`, at most 50.'),
  resource_types: optionalNames('Comma-separated values of `filter_options.resource_types`, at most 50.'),
  date_from: optionalDateOrTime('First day (UTC) or start time, inclusive.'),
  date_to: optionalDateOrTime('Last day (UTC) or end time, inclusive.'),
  page: Type.Optional(
    Type.Integer({ minimum: 1, default: 1, description: 'Page number. Page 1 has the newest rows.' }),
  ),
  page_size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 10,
      description: `Rows per page. page × page_size must not exceed ${MAX_NUMBERED_ROWS.toLocaleString('en')}; use cursor to read further.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        'Returns rows in write order instead of pages. Pass `next_cursor` of a response, or `start` to begin with the ' +
        'first row.',
    }),
  ),
})

export type AuditLogsRequest = Static<typeof AuditLogsQuery>

const Actor = closedObject({
  name: Type.String({ description: 'Current name, or a neutral name if the person was erased.' }),
  subtitle: nullable(Type.String(), {
    description: 'E-mail address of a person, or a description of the key or SCIM credential.',
  }),
  isBot: Type.Boolean({ description: 'Whether the actor is a key or the service itself.' }),
  avatarUrl: Type.Null(),
  owner: nullable(
    closedObject({
      id: Type.String({ format: 'uuid' }),
      name: Type.String({ examples: ['Ada Lovelace'] }),
    }),
    {
      description: 'The person who owns the key. Null if the actor is not a key, or the key has no owner.',
    },
  ),
})

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const Field = Type.Union([Scalar, Type.Array(Scalar)])
const ChangedFields = Type.Record(
  Type.String(),
  Type.Union([Field, Type.Record(Type.String(), Scalar, closed)]),
  closed,
)

const Entry = closedObject({
  id: Type.String({ format: 'uuid' }),
  action: Type.String({ examples: ['api_key_created'] }),
  actionLabel: Type.String({ examples: ['API key created'] }),
  resourceType: Type.String({ examples: ['api_key'] }),
  resourceTypeLabel: Type.String({ examples: ['API key'] }),
  resourceSummary: Type.String({
    description:
      'One sentence with current names. A Learning is named by its first words if the key has `learning:read` and the ' +
      'Learning is neither private nor deleted, otherwise by its id.',
    examples: ['API key nightly export of kind workspace was created'],
  }),
  actor: Actor,
  metadata: Type.Record(Type.String(), Type.Union([Field, ChangedFields]), {
    ...closed,
    description:
      'IDs and codes that depend on the action, with `resource_id`. In rows of changes, `before` and `after` have the ' +
      'changed fields: a text as its SHA-256, an erased personal value as null.',
  }),
  ipAddress: nullable(Type.String(), {
    description: 'IP address of the request; null if the change was not made by a request.',
  }),
  createdAt: Type.String({ format: 'date-time' }),
  relativeTime: Type.String({ examples: ['5 minutes ago'] }),
  position: Type.Integer({ minimum: 1, description: 'Position in the hash chain of the tenant root.' }),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Hash of the row in the chain, in hex.' }),
  content: Type.String({
    description:
      'The JSON text whose SHA-256 is the digest of the row in `GET /v1/audit-logs/chain`. Compare with it before you ' +
      'parse it.',
  }),
  personalValues: Type.Record(Type.String(), closedObject({ salt: Type.String(), value: Type.String() }), {
    ...closed,
    description:
      'Personal values that are not erased. `content` has the SHA-256 of salt and value as `sealed`.',
  }),
})

const Pagination = closedObject({
  page: Type.Integer(),
  page_size: Type.Integer(),
  total_count: Type.Integer({ description: 'Number of matching rows. With search, at most 10,000.' }),
  total_pages: Type.Integer(),
  has_next_page: Type.Boolean(),
  has_previous_page: Type.Boolean(),
})

const options = Type.Array(
  closedObject({ value: Type.String(), label: Type.String(), count: Type.Integer() }),
)

export const AuditLogsPage = closedObject({
  data: Type.Array(Entry),
  next_cursor: Type.String({
    description:
      'Always returned. Continues after this response; with page, it returns rows that are appended from now on.',
  }),
  has_more: Type.Optional(Type.Boolean({ description: 'With cursor: whether more rows are available now.' })),
  warnings: Type.Array(
    closedObject({
      parameter: literals(['actions', 'resource_types']),
      value: Type.String(),
      message: Type.String(),
    }),
    { description: 'Values of the request that are unknown and match no row.' },
  ),
  pagination: Type.Optional(Pagination),
  filter_options: Type.Optional(
    closedObject(
      { actions: options, resource_types: options },
      {
        description: 'Values within the scope and the dates, with their counts. Not returned with cursor.',
      },
    ),
  ),
})

const MAX_CHAIN_ROWS = 10_000

export const AuditChainQuery = closedObject({
  org_id: orgId,
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999_999_999_999,
      default: 0,
      description: 'Returns rows after this position.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_CHAIN_ROWS, default: 1000, description: 'Rows per response.' }),
  ),
})

export type AuditChainRequest = Static<typeof AuditChainQuery>

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

export const AuditChain = closedObject({
  data: Type.Array(
    closedObject({
      position: Type.Integer({ minimum: 1 }),
      digest: Hash('SHA-256 of the content of the row, in hex.'),
      hash: Hash('Hash of the row in the chain, in hex.'),
    }),
    { maxItems: MAX_CHAIN_ROWS },
  ),
  heads: Type.Array(
    closedObject({
      kind: literals(['head', 'checkpoint', 'restored'], {
        description:
          'The last row at the time, the last row that retention dropped, or the last row that a restore left.',
      }),
      root: Type.String({ format: 'uuid' }),
      position: Type.Integer({ minimum: 0 }),
      hash: Hash('Hash of the row at this position.'),
      at: Type.String({ format: 'date-time' }),
      key: Type.String({ description: 'ID of the signing key, one of `public_keys`.' }),
      signature: Type.String({
        description:
          'Ed25519, in base64, of the lines `scholiast audit 1`, kind, root, position, hash, at, key.',
      }),
    }),
    { description: 'Signed heads from position `after` to the last position of `data`.' },
  ),
  public_keys: Type.Array(
    closedObject({ key: Type.String(), public_key: Type.String({ description: 'PEM.' }) }),
    { description: 'Public keys of all signers so far. Compare them with a copy that you keep.' },
  ),
})
