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
        description: 'Workspace tokens: the Git provider’s id of one organization. Ignored for other keys.',
      }),
    ),
    repository_ids: providerIds('Ids of repositories at the Git provider, comma separated, at most 10.'),
    user_ids: providerIds('Ids of authors at the Git provider, comma separated, at most 10.'),
    organization_ids: providerIds(
      'Self-hosted instance keys only: ids of organizations at the Git provider, comma separated, at most 10.',
    ),
    repository_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'User-scoped keys only: the name of a repository, as GET …/repositories shows it, that the owner of the key has verified read access to.',
      }),
    ),
    files: list({ minLength: 1, maxLength: 1024 }, 'Exact file paths, comma separated, at most 10.'),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'Finds by meaning, best first: one page of at most 200, `next_cursor` null. It is never logged.',
      }),
    ),
    stat_filter: Type.Optional(
      Type.Unsafe<StatFilter>({
        type: 'string',
        enum: [...statFilters],
        default: 'total',
        description:
          'active: used in the last 30 days; created_this_week: in the last 7 days, both counted from the first page on.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Learnings per page.' }),
    ),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page, unchanged.' })),
    format: Type.Optional(
      Type.Unsafe<'json' | 'csv'>({
        type: 'string',
        enum: ['json', 'csv'],
        default: 'json',
        description: 'csv: a table whose next cursor is in the header `x-next-cursor`.',
      }),
    ),
  },
  closed,
)

export type ListLearningsParams = Static<typeof LearningsQuery>

export const LearningsPage = Type.Object(
  {
    data: Type.Array(LearningRecord),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null when no more remain.' }),
  },
  closed,
)
