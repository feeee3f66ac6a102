import { type Static, Type } from 'typebox'
import { categories, severities } from '../../../metrics-store/findings.ts'
import { closedObject, nullable } from '../../../shape.ts'
import { choice, formatField, pageFields, windowFields } from '../request.ts'
import { AuthorId, mergedPullRequestFields, ProviderId, pageOf, Text, Time } from '../schema.ts'

export const reviewFilters = {
  ...windowFields('merge or close day'),
  status: Type.Optional(
    choice(['merged', 'closed', 'all'], {
      default: 'merged',
      description: 'Returns pull requests with this status.',
    }),
  ),
}

export const ReviewsQuery = closedObject({
  ...reviewFilters,
  ...pageFields('Pull requests per page.'),
  ...formatField('`csv` returns a table; its next cursor is in the `x-next-cursor` header.'),
})
export type ReviewsQuery = Static<typeof ReviewsQuery>

const Count = Type.Integer({ minimum: 0 })

const scalars = {
  pr_url: mergedPullRequestFields.pr_url,
  author_id: AuthorId,
  author_username: Text,
  organization_id: ProviderId,
  organization_name: Type.String({ description: 'Name at the time of the write.' }),
  repository_id: ProviderId,
  repository_name: Text,
  status: choice(['merged', 'closed']),
  created_at: Time,
  ready_for_review_at: Time,
  first_human_review_at: Time,
  last_commit_at: Time,
  merged_at: Time,
  closed_at: Time,
  review_iterations: nullable(Count),
  estimated_complexity: nullable(Type.Integer({ minimum: 1, maximum: 5 })),
  estimated_review_minutes: nullable(Type.Number({ minimum: 0 })),
}

const Counter = closedObject({
  posted: Count,
  accepted: Type.Integer({ minimum: 0, description: 'Findings known to be accepted.' }),
})

const defineCounters = (names: readonly string[]) =>
  closedObject(Object.fromEntries(names.map((name) => [name, Counter])))

export const ReviewsPage = pageOf(
  closedObject({
    counted_on: Type.String({ format: 'date', description: 'The day that windows use, UTC.' }),
    ...scalars,
    coderabbit_comments: closedObject(
      { total: Counter, severity: defineCounters(severities), category: defineCounters(categories) },
      {
        description:
          'Counts of findings. A finding of unknown severity or category is counted only in the total.',
      },
    ),
  }),
)

export type ReviewScalar = keyof typeof scalars
export const reviewScalars = Object.keys(scalars) as ReviewScalar[]
