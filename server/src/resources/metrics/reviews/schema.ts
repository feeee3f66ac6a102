import { type Static, Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closed } from '../../../shape.ts'
import { cursorField, formatField, limitField, NextCursor, orgIdField, windowFields } from '../request.ts'

const statuses = ['merged', 'closed', 'all'] as const

export const ReviewsQuery = Type.Object(
  {
    ...orgIdField,
    ...windowFields('merge or close day'),
    status: Type.Optional(
      Type.Unsafe<(typeof statuses)[number]>({
        type: 'string',
        enum: [...statuses],
        default: 'merged',
        description: 'Returns pull requests with this status.',
      }),
    ),
    ...limitField(1000, 'Pull requests per page.'),
    ...cursorField,
    ...formatField,
  },
  closed,
)

export type ReviewsQuery = Static<typeof ReviewsQuery>

const Text = Type.Union([Type.String(), Type.Null()])
const Time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const Count = Type.Integer({ minimum: 0 })

const scalars = {
  pr_url: Type.String({ examples: ['https://github.com/meridian/booking-api/pull/418'] }),
  author_id: Type.Union([Type.String(), Type.Null()], { description: 'ID assigned by the Git provider.' }),
  author_username: Text,
  organization_id: Type.String({ description: 'ID assigned by the Git provider.' }),
  organization_name: Type.String({ description: 'Name at the time of the write.' }),
  repository_id: Type.String({ description: 'ID assigned by the Git provider.' }),
  repository_name: Text,
  status: Type.Unsafe<'merged' | 'closed'>({ type: 'string', enum: ['merged', 'closed'] }),
  created_at: Time,
  ready_for_review_at: Time,
  first_human_review_at: Time,
  last_commit_at: Time,
  merged_at: Time,
  closed_at: Time,
  review_iterations: Type.Union([Count, Type.Null()]),
  estimated_complexity: Type.Union([Type.Integer({ minimum: 1, maximum: 5 }), Type.Null()]),
  estimated_review_minutes: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
}

const Counter = Type.Object(
  { posted: Count, accepted: Type.Integer({ minimum: 0, description: 'Findings known to be accepted.' }) },
  closed,
)

const defineCounters = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Counter])), closed)

const Review = Type.Object(
  {
    counted_on: Type.String({ format: 'date', description: 'The day that windows use, UTC.' }),
    ...scalars,
    coderabbit_comments: Type.Object(
      {
        total: Counter,
        severity: defineCounters(severities),
        category: defineCounters(categories),
      },
      {
        ...closed,
        description:
          'Counts of findings. A finding of unknown severity or category is counted only in the total.',
      },
    ),
  },
  closed,
)

export const ReviewsPage = Type.Object({ data: Type.Array(Review), next_cursor: NextCursor }, closed)

export type ReviewScalar = keyof typeof scalars
export const reviewScalars = Object.keys(scalars) as ReviewScalar[]
