import { type Static, Type } from 'typebox'
import { closed, optionalOrgId } from '../../shape.ts'

/** Numbered pages end here; a cursor reads further. */
export const MAX_NUMBERED_ROWS = 10_000

const optionalDateOrTime = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.String({ format: 'date-time' })], { description }),
  )

const optionalNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, description }))

export const AuditLogsQuery = Type.Object(
  {
    org_id: optionalOrgId(
      'For workspace tokens: ID of one organization, assigned by the Git provider. Ignored for other keys.',
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of the actor’s name, case-insensitive.',
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
  },
  closed,
)

export type AuditLogsRequest = Static<typeof AuditLogsQuery>

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Actor = Type.Object(
  {
    name: Type.String({ description: 'Current name, or a neutral name if the person was erased.' }),
    subtitle: nullable('E-mail address of a person, or a description of the key.'),
    isBot: Type.Boolean({ description: 'Whether the actor is a key or the service itself.' }),
    avatarUrl: Type.Null(),
  },
  closed,
)

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

const Entry = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    action: Type.String({ examples: ['api_key_created'] }),
    actionLabel: Type.String({ examples: ['API key created'] }),
    resourceType: Type.String({ examples: ['api_key'] }),
    resourceTypeLabel: Type.String({ examples: ['API key'] }),
    resourceSummary: Type.String({ examples: ['API key nightly export of kind workspace was created'] }),
    actor: Actor,
    metadata: Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar)]), {
      ...closed,
      description: 'IDs and codes that depend on the action.',
    }),
    ipAddress: nullable('IP address of the request; null if the change was not made by a request.'),
    createdAt: Type.String({ format: 'date-time' }),
    relativeTime: Type.String({ examples: ['5 minutes ago'] }),
  },
  closed,
)

const Pagination = Type.Object(
  {
    page: Type.Integer(),
    page_size: Type.Integer(),
    total_count: Type.Integer({ description: 'Number of matching rows. With search, at most 10,000.' }),
    total_pages: Type.Integer(),
    has_next_page: Type.Boolean(),
    has_previous_page: Type.Boolean(),
  },
  closed,
)

const options = Type.Array(
  Type.Object({ value: Type.String(), label: Type.String(), count: Type.Integer() }, closed),
)

export const AuditLogsPage = Type.Object(
  {
    data: Type.Array(Entry),
    next_cursor: Type.String({
      description:
        'Always returned. Continues after this response; with page, it returns rows that are appended from now on.',
    }),
    has_more: Type.Optional(
      Type.Boolean({ description: 'With cursor: whether more rows are available now.' }),
    ),
    pagination: Type.Optional(Pagination),
    filter_options: Type.Optional(
      Type.Object(
        { actions: options, resource_types: options },
        {
          ...closed,
          description: 'Values within the scope and the dates, with their counts. Not returned with cursor.',
        },
      ),
    ),
  },
  closed,
)
