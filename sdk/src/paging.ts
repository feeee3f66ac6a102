import type { ListField, PagedPath, Query } from './types.ts'

const LIST_FIELDS: readonly ListField[] = ['data', 'organizations', 'repositories', 'users']

interface AnyPage {
  readonly next_cursor: string | null
  readonly has_more?: boolean
}

// Without a cursor, the audit log returns numbered pages, newest rows first. Those shift while they are read.
const firstPageQuery: { readonly [P in PagedPath]?: Query } = {
  '/v1/audit-logs': { cursor: 'start', page_size: 100 },
}

/** Requests page after page until the API says that nothing follows. */
export async function* readPages<Page>(
  path: string,
  query: Query,
  request: (query: Query) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let next: Query = { ...firstPageQuery[path as PagedPath], ...query }
  for (;;) {
    const page = await request(next)
    yield page
    const { next_cursor: cursor, has_more: hasMore } = page as AnyPage
    // Feeds always return a cursor, for the next visit; `has_more` says whether there is a next page now.
    if (cursor === null || hasMore === false) return
    next = { ...next, cursor }
  }
}

export function itemsOf(page: unknown): readonly unknown[] {
  const fields = page as Readonly<Record<string, unknown>>
  const list = LIST_FIELDS.map((name) => fields[name]).find(Array.isArray)
  if (list === undefined) throw new TypeError(`A page has none of the lists ${LIST_FIELDS.join(', ')}.`)
  return list
}
