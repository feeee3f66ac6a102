import { type UseQueryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useState } from 'react'

interface PageOf<Item> {
  readonly data: Item[]
  readonly next_cursor: string | null
}

interface Pages<Page extends PageOf<unknown>> {
  /** The states of the list. What is loaded stays while the next page is read, or if it fails. */
  readonly query: Pick<UseQueryResult<Page>, 'data' | 'error' | 'isFetching' | 'refetch'>
  readonly items: readonly Page['data'][number][]
  /** Reads one more page; null if everything is loaded. */
  readonly loadMore: (() => void) | null
}

const firstPage: readonly (string | undefined)[] = [undefined]

/** A list that is read page by page. Other filters begin at the first page: pass them, or give the component a `key` of them. */
export function usePages<Item, Page extends PageOf<Item> = PageOf<Item>>(
  pageQuery: (cursor: string | undefined) => UseQueryOptions<Page>,
  filters = '',
): Pages<Page> {
  const [loaded, setLoaded] = useState({ filters, cursors: firstPage })
  const cursors = loaded.filters === filters ? loaded.cursors : firstPage
  const results = useQueries({ queries: cursors.map((cursor) => pageQuery(cursor)) })
  const [first] = results
  if (first === undefined) throw new Error('A list has at least one page.')
  const failed = results.find(({ error }) => error !== null)
  const last = results.at(-1)?.data
  const next = last?.next_cursor ?? null
  return {
    query: {
      data: first.data,
      error: failed?.error ?? null,
      isFetching: results.some(({ isFetching }) => isFetching),
      refetch: (failed ?? first).refetch,
    },
    items: results.flatMap(({ data }) => data?.data ?? []),
    loadMore: next === null ? null : () => setLoaded({ filters, cursors: [...cursors, next] }),
  }
}
