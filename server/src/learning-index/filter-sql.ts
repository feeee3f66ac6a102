/** Filters of an export or a search, combined with AND. */
export interface LearningFilter {
  readonly repositories?: readonly string[]
  readonly authors?: readonly string[]
  readonly files?: readonly string[]
  readonly usedSince?: Date
  readonly neverUsed?: boolean
  readonly createdSince?: Date
}

/** The condition on `learning l`; its values are six parameters, numbered from `first`. */
export const renderFilterCondition = (first: number) => `l.state = 'shared'
  and ($${first}::text[] is null or l.repository_id = any ($${first}))
  and ($${first + 1}::text[] is null or l.author_id = any ($${first + 1}))
  and ($${first + 2}::text[] is null or l.file = any ($${first + 2}))
  and ($${first + 3}::timestamptz is null or l.last_used_at >= $${first + 3})
  and (not $${first + 4}::boolean or l.usage_count = 0)
  and ($${first + 5}::timestamptz is null or l.created_at >= $${first + 5})`

/** The parameters of `renderFilterCondition`, in order. */
export function toFilterValues(filter: LearningFilter): unknown[] {
  return [
    filter.repositories ?? null,
    filter.authors ?? null,
    filter.files ?? null,
    filter.usedSince ?? null,
    filter.neverUsed ?? false,
    filter.createdSince ?? null,
  ]
}
