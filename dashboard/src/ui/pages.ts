import {
  queryOptions,
  type UseQueryOptions,
  type UseQueryResult,
  useQueries,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { client, organizationHeaders } from '../api/client.ts'
import type { QueryValues } from '../api/query.ts'

const MAX_PAGE_SIZE = 1000

interface PageOf<Item> {
  readonly data: Item[]
  readonly next_cursor: string | null
}

type PageQuery<Page> = (cursor: string | undefined) => UseQueryOptions<Page>

interface Pages<Page extends PageOf<unknown>> {
  /** The states of the list. What is loaded stays while the next page is read, or if it fails. */
  readonly query: Pick<UseQueryResult<Page>, 'data' | 'error' | 'isFetching' | 'refetch'>
  readonly items: readonly Page['data'][number][]
  /** Reads one more page; null if everything is loaded. */
  readonly loadMore: (() => void) | null
}

/** A list that is read page by page. Other filters, and other organizations, begin at the first page. */
export function usePages<Item, Page extends PageOf<Item> = PageOf<Item>>(
  pageQuery: PageQuery<Page>,
): Pages<Page> {
  const queries = useQueryClient()
  const list = JSON.stringify(pageQuery(undefined).queryKey)
  const [wanted, setWanted] = useState({ list, pages: 1 })
  const pages = wanted.list === list ? wanted.pages : 1
  // Each page begins where the page before ends now: after a change, that may be elsewhere than when it was loaded.
  const cursors: (string | undefined)[] = [undefined]
  while (cursors.length < pages) {
    const next = queries.getQueryData<Page>(pageQuery(cursors.at(-1)).queryKey)?.next_cursor
    if (next == null) break
    cursors.push(next)
  }
  const results = useQueries({ queries: cursors.map((cursor) => pageQuery(cursor)) })
  const [first] = results
  if (first === undefined) throw new Error('A list has at least one page.')
  const failed = results.find(({ error }) => error !== null)
  const hasMore = (results.at(-1)?.data?.next_cursor ?? null) !== null
  return {
    query: {
      data: first.data,
      error: failed?.error ?? null,
      isFetching: results.some(({ isFetching }) => isFetching),
      refetch: (failed ?? first).refetch,
    },
    items: results.flatMap(({ data }) => data?.data ?? []),
    loadMore: hasMore ? () => setWanted({ list, pages: cursors.length + 1 }) : null,
  }
}

/** Every item of a list, for a file. */
export async function readAllPages<Item>(
  readPage: (cursor: string | undefined) => Promise<PageOf<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await readPage(cursor)
    for (const item of page.data) items.push(item)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return items
}

/** All rows of a list as one read: every page of it, arranged for the screen. */
export function allPagesQuery<Item, Row>(
  organization: string,
  path: string,
  filters: QueryValues,
  arrange: (items: readonly Item[]) => readonly Row[],
) {
  return queryOptions<readonly Row[]>({
    queryKey: [organization, path, 'all pages', filters],
    queryFn: async ({ signal }) => {
      const headers = organizationHeaders(organization)
      const items = await readAllPages<Item>(async (cursor) => {
        const query = { ...filters, limit: MAX_PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
        const response = await client.stream('GET', path, { query, headers, signal })
        return (await response.json()) as PageOf<Item>
      })
      return arrange(items)
    },
  })
}
