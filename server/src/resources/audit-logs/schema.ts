import { type Static, Type } from 'typebox'
import { closed } from '../../shape.ts'

/** Page numbers reach this far; whoever wants more reads on with a cursor. */
export const MAX_NUMBERED_ROWS = 10_000

const optionalDateOrTime = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.String({ format: 'date-time' })], { description }),
  )

const optionalNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50, description }))

export const AuditLogsQuery = Type.Object(
  {
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Workspace tokens: the Git provider’s id of one organization. Ignored for other keys.',
      }),
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of the name of the actor, in any case of letters.',
      }),
    ),
    actions: optionalNames('Values of `filter_options.actions`, comma separated, at most 50.'),
    resource_types: optionalNames('Values of `filter_options.resource_types`, comma separated, at most 50.'),
    date_from: optionalDateOrTime('First day, UTC, or first moment; inclusive.'),
    date_to: optionalDateOrTime('Last day, UTC, or last moment; inclusive.'),
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Newest rows first.' })),
    page_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 10,
        description: `page × page_size is at most ${MAX_NUMBERED_ROWS.toLocaleString('en')}: use cursor beyond it.`,
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        description:
          'Instead of page: rows in the order in which they were appended, from `next_cursor` of a reply on, or from ' +
          'the first row on with the word `start`.',
      }),
    ),
  },
  closed,
)

export type AuditLogsRequest = Static<typeof AuditLogsQuery>

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Actor = Type.Object(
  {
    name: Type.String({ description: 'As of now; of an erased person a neutral word.' }),
    subtitle: nullable('An e-mail address, or which key it is.'),
    isBot: Type.Boolean({ description: 'A key or the service itself, not a person.' }),
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
      description: 'Ids and codes; which ones depends on the action.',
    }),
    ipAddress: nullable('Where the request came from, if it was one.'),
    createdAt: Type.String({ format: 'date-time' }),
    relativeTime: Type.String({ examples: ['5 minutes ago'] }),
  },
  closed,
)

const Pagination = Type.Object(
  {
    page: Type.Integer(),
    page_size: Type.Integer(),
    total_count: Type.Integer({ description: 'With search as far as page numbers reach: at most 10,000.' }),
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
        'Always returned. It leads to what comes after: with page, to what is appended from now on.',
    }),
    has_more: Type.Optional(Type.Boolean({ description: 'With cursor: more rows are there already.' })),
    pagination: Type.Optional(Pagination),
    filter_options: Type.Optional(
      Type.Object(
        { actions: options, resource_types: options },
        { ...closed, description: 'What there is in the scope and between the dates, without cursor.' },
      ),
    ),
  },
  closed,
)
