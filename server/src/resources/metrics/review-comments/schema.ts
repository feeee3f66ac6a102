import { Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import {
  cursorField,
  limitField,
  NextCursor,
  orgIdField,
  windowFields,
} from '../../../metrics-store/request.ts'
import { closed } from '../../../shape.ts'

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

export const ChangesQuery = Type.Object(
  {
    ...orgIdField,
    ...limitField(1000, 'Changes per page.'),
    ...cursorField,
  },
  closed,
)

const Finding = Type.Object(
  {
    finding_id: Type.String(),
    ...Comment.properties,
    reviewer: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
)

const Change = Type.Object(
  {
    position: Type.Integer({ description: 'Increases with every change of a tenant. Gaps have no meaning.' }),
    kind: Type.Unsafe<string>({
      type: 'string',
      enum: ['written', 'outcome', 'removed'],
      description:
        '`written`: a pull request was written or rewritten. `outcome`: the outcome of a finding changed. `removed`: the pull request is no longer an entry.',
    }),
    pr_url: Type.String(),
    organization_id: Type.String(),
    repository_id: Type.String(),
    author_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    merged_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
    findings: Type.Optional(
      Type.Array(Finding, { description: 'With `written`: the current findings of the pull request.' }),
    ),
    finding_id: Type.Optional(Type.String()),
    accepted: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
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
