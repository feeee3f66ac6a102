import type { LearningFilter } from '../../../learning-index/filter-sql.ts'
import { DAY_MS } from '../../../time.ts'
import type { ListLearningsParams, StatFilter } from './schema.ts'

const ACTIVE_WINDOW_MS = 30 * DAY_MS
const WEEK_MS = 7 * DAY_MS

/** `at` is the time of the first page, so that relative filters mean the same on every page. */
export function toFilter(
  query: ListLearningsParams,
  at: Date,
  namedRepositories: readonly string[] | null,
): LearningFilter {
  const { repository_ids, user_ids, files } = query
  const repositories =
    namedRepositories === null
      ? repository_ids
      : namedRepositories.filter((id) => repository_ids?.includes(id) ?? true)
  return {
    ...(repositories && { repositories }),
    ...(user_ids && { authors: user_ids }),
    ...(files && { files }),
    ...toTimeFilter(query.stat_filter ?? 'total', at),
  }
}

function toTimeFilter(filter: StatFilter, at: Date): LearningFilter {
  switch (filter) {
    case 'total':
      return {}
    case 'active':
      return { usedSince: new Date(at.getTime() - ACTIVE_WINDOW_MS) }
    case 'never_used':
      return { neverUsed: true }
    case 'created_this_week':
      return { createdSince: new Date(at.getTime() - WEEK_MS) }
  }
}
