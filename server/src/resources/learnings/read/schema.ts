import { type Static, Type } from 'typebox'
import { closed } from '../../../shape.ts'
import { LearningRecord } from './record.ts'

const MAX_VALUES = 10

const list = (of: { minLength: number; maxLength: number }, description: string) =>
  Type.Optional(Type.Array(Type.String(of), { maxItems: MAX_VALUES, description }))
const providerIds = (description: string) => list({ minLength: 1, maxLength: 200 }, description)

export const statFilters = ['total', 'active', 'never_used', 'created_this_week'] as const
export type StatFilter = (typeof statFilters)[number]

export const LearningsQuery = Type.Object(
  {
    org_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 400,
        description:
          'Workspace tokens only: organization ID assigned by the Git provider. Ignored for other keys.',
      }),
    ),
    repository_ids: providerIds('Repository IDs assigned by the Git provider, comma-separated, at most 10.'),
    user_ids: providerIds(
      'Account IDs of authors, assigned by the Git provider, comma-separated, at most 10.',
    ),
    organization_ids: providerIds(
      'Self-hosted instance keys only: organization IDs assigned by the Git provider, comma-separated, at most 10.',
    ),
    repository_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'User-scoped keys only: name of a repository, as returned by GET …/repositories. The owner of the key must have verified read access to it.',
      }),
    ),
    files: list({ minLength: 1, maxLength: 1024 }, 'Exact file paths, comma-separated, at most 10.'),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'Searches by meaning, best match first. Returns one page of at most 200 Learnings; `next_cursor` is null. The text is never logged.',
      }),
    ),
    stat_filter: Type.Optional(
      Type.Unsafe<StatFilter>({
        type: 'string',
        enum: [...statFilters],
        default: 'total',
        description:
          'active: used in the last 30 days; created_this_week: created in the last 7 days. Both periods end at the time of the first page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Learnings per page.' }),
    ),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page, unchanged.' })),
    format: Type.Optional(
      Type.Unsafe<'json' | 'csv'>({
        type: 'string',
        enum: ['json', 'csv'],
        default: 'json',
        description: 'csv: a CSV table; the next cursor is in the response header `x-next-cursor`.',
      }),
    ),
  },
  closed,
)

export type ListLearningsParams = Static<typeof LearningsQuery>

export const LearningsPage = Type.Object(
  {
    data: Type.Array(LearningRecord),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page.' }),
  },
  closed,
)
