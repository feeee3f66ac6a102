import { Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closed } from '../../../shape.ts'
import { cursorField, limitField, NextCursor, orgIdField, windowFields } from '../request.ts'

const nullable = (values: readonly string[], description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...values, null], description })

const pageQuery = (maxRows: number) =>
  Type.Object(
    {
      ...orgIdField,
      ...windowFields('merge day'),
      ...limitField(maxRows, 'Pull requests per page. Up to 100,000 with `Accept: application/x-ndjson`.'),
      ...cursorField,
    },
    closed,
  )

export const ReviewCommentsQuery = pageQuery(1000)
export const ReviewCommentsLinesQuery = pageQuery(100_000)

const Comment = Type.Object(
  {
    url: Type.String({ description: 'URL of the posted comment. Several findings may share one comment.' }),
    severity: nullable(severities, 'null when absent or unknown.'),
    category: nullable(categories, 'Subject of the finding; null when absent or unknown.'),
    accepted: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Stored outcome: false does not prove rejection, null is unknown. It can change later.',
    }),
  },
  closed,
)

const Entry = Type.Object(
  {
    pr_url: Type.String({ examples: ['https://github.com/meridian/booking-api/pull/418'] }),
    organization_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    repository_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    author_id: Type.Union([Type.String(), Type.Null()], { description: 'ID assigned by the Git provider.' }),
    merged_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    coderabbit_comments: Type.Array(Comment, { minItems: 1 }),
  },
  closed,
)

export const ReviewCommentsPage = Type.Object({ data: Type.Array(Entry), next_cursor: NextCursor }, closed)

const changesQuery = (maxRows: number) =>
  Type.Object(
    {
      ...orgIdField,
      counted_from: Type.Optional(
        Type.String({
          format: 'date',
          description:
            'Returns only `written` records that count on this day (`counted_on`) or later; the other kinds are not ' +
            'filtered. Ignore records of keys that you do not have.',
        }),
      ),
      ...limitField(maxRows, 'Changes per page. Up to 100,000 with `Accept: application/x-ndjson`.'),
      ...cursorField,
    },
    closed,
  )

export const ChangesQuery = changesQuery(1000)
export const ChangesLinesQuery = changesQuery(100_000)

const Finding = Type.Object(
  {
    finding_id: Type.String(),
    ...Comment.properties,
    reviewer: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
)

const withWritten = (description: string) => `With \`written\`: ${description}`

const Change = Type.Object(
  {
    pull_request_key: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description:
        'Identifies the pull request in your tenant, also after its repository is transferred or its URL changes. Key ' +
        'your copy by it: two organizations may send one URL. null only on `removed` records that are older than this field.',
    }),
    position: Type.Integer({ description: 'Increases with every change of a tenant. Gaps have no meaning.' }),
    kind: Type.Unsafe<string>({
      type: 'string',
      enum: ['written', 'outcome', 'removed'],
      description:
        '`written`: a pull request was written or rewritten. `outcome`: the outcome of a finding changed. `removed`: the pull ' +
        'request is no longer an entry, or moves to another organization, URL or day; a `written` record follows if it moves.',
    }),
    pr_url: Type.String(),
    organization_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    organization_name: Type.Optional(
      Type.String({ description: withWritten('name at the time of the write.') }),
    ),
    repository_id: Type.String({ description: 'ID assigned by the Git provider.' }),
    repository_name: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: withWritten('name at the time of the write.'),
      }),
    ),
    number: Type.Optional(Type.Integer({ description: withWritten('number of the pull request.') })),
    author_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    merged_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
    counted_on: Type.Optional(
      Type.String({
        format: 'date',
        description: withWritten('the day that windows and the summary use, UTC.'),
      }),
    ),
    findings: Type.Optional(
      Type.Array(Finding, { description: withWritten('the current findings of the pull request.') }),
    ),
    finding_id: Type.Optional(Type.String({ description: 'With `outcome`.' })),
    accepted: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], { description: 'With `outcome`: the new outcome.' }),
    ),
    at: Type.String({ format: 'date-time' }),
  },
  closed,
)

export const ChangesPage = Type.Object(
  {
    data: Type.Array(Change),
    next_cursor: Type.String({ description: 'Always returned. Store it and send it with the next request.' }),
    has_more: Type.Boolean(),
  },
  closed,
)
