import { Type } from 'typebox'

const closed = { additionalProperties: false } as const

export const severities = ['critical', 'major', 'minor', 'trivial', 'info'] as const
export const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
] as const

const nullable = (values: readonly string[], description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...values, null], description })

const providerIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 10, description }))

const selectors = {
  org_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'Workspace tokens: the Git provider’s id of one organization. Ignored for other keys.',
    }),
  ),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
}

const pageQuery = (mostRows: number) =>
  Type.Object(
    {
      ...selectors,
      start_date: Type.String({ format: 'date', description: 'First merge day, UTC, inclusive.' }),
      end_date: Type.String({ format: 'date', description: 'Last merge day, UTC, inclusive.' }),
      repository_ids: providerIds('Ids of repositories at the Git provider, comma separated, at most 10.'),
      user_ids: providerIds('Ids of pull request authors at the Git provider, comma separated, at most 10.'),
      organization_ids: providerIds(
        'Self-hosted instance keys only: ids of organizations at the Git provider, comma separated, at most 10.',
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostRows,
          default: 1000,
          description: 'Pull requests per page. As application/x-ndjson up to 100,000.',
        }),
      ),
    },
    closed,
  )

export const ReviewCommentsQuery = pageQuery(1000)
export const ReviewCommentsLinesQuery = pageQuery(100_000)

export const NoPath = Type.Object({}, closed)

const Comment = Type.Object(
  {
    url: Type.String({ description: 'Link to the posted comment; several findings may share one.' }),
    severity: nullable(severities, 'null when absent or unknown.'),
    category: nullable(categories, 'What the finding is about; null when absent or unknown.'),
    accepted: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Stored outcome; false is no proof of rejection, null is unknown. It can change later.',
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

const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'null when no eligible pull requests remain.',
})

export const ReviewCommentsPage = Type.Object({ data: Type.Array(Entry), next_cursor: NextCursor }, closed)

export const ChangesQuery = Type.Object(
  {
    ...selectors,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Changes per page.' }),
    ),
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
    position: Type.Integer({ description: 'Grows from change to change of a tenant; gaps mean nothing.' }),
    kind: Type.Unsafe<string>({
      type: 'string',
      enum: ['written', 'outcome', 'removed'],
      description:
        'A pull request was written (again), the outcome of a finding changed, or it is no entry any more.',
    }),
    pr_url: Type.String(),
    organization_id: Type.String(),
    repository_id: Type.String(),
    author_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    merged_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
    findings: Type.Optional(
      Type.Array(Finding, { description: 'Of a written pull request: its findings as they are now.' }),
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
    next_cursor: Type.String({ description: 'Always returned: keep it, and ask again with it later.' }),
    has_more: Type.Boolean(),
  },
  closed,
)
