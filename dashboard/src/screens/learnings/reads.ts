import type { Get, Item } from '@scholiast/sdk'
import { queryOptions } from '@tanstack/react-query'
import { client, organizationHeaders } from '../../api/client.ts'
import { apiQuery } from '../../api/query.ts'
import { readFilters } from '../../ui/filters.tsx'

export type Learning = Item<'/v1/learnings'>
type LearningsPage = Get<'/v1/learnings'>
export type PendingLearning = Item<'/v1/learnings/pending'>
export type Usage = 'total' | 'active' | 'never_used' | 'created_this_week'
type Source = PendingLearning['source']
/** Sources that the list can be filtered by. */
type FilteredSource = Exclude<Source, 'api'>

/** As many as the count in the navigation reads, so that one request serves both. */
const PENDING_PAGE = 200
const LEARNINGS_PAGE = 1000
const MAX_LEARNINGS = 10_000
/** Maximum length of a text, in characters. */
export const MAX_TEXT = 10_000

export const filteredSources: Readonly<Record<FilteredSource, string>> = {
  chat: 'a chat',
  review: 'a review',
  agent: 'an agent',
  connector: 'a connector',
}

export const sources: Readonly<Record<Source, string>> = { ...filteredSources, api: 'an import' }

export const usages: Readonly<Record<Usage, string>> = {
  total: 'All',
  active: 'Used in the last 30 days',
  never_used: 'Never used',
  created_this_week: 'Created in the last 7 days',
}

export function readSource(search: URLSearchParams): FilteredSource | undefined {
  const source = search.get('source') ?? ''
  return isKey(filteredSources, source) ? source : undefined
}

export function readUsage(search: URLSearchParams): Usage {
  const usage = search.get('usage') ?? ''
  return isKey(usages, usage) ? usage : 'total'
}

function isKey<Key extends string>(record: Readonly<Record<Key, string>>, key: string): key is Key {
  return Object.hasOwn(record, key)
}

function readRepositories(search: URLSearchParams): { readonly repository_ids?: string[] } {
  const { repository_ids } = readFilters(search)
  return repository_ids === undefined ? {} : { repository_ids }
}

export function toPendingFilters(search: URLSearchParams) {
  const source = readSource(search)
  return { limit: PENDING_PAGE, ...readRepositories(search), ...(source !== undefined && { source }) }
}

/** Without search and use: what the figures at the top count. */
function toScopeFilters(search: URLSearchParams) {
  return { limit: LEARNINGS_PAGE, ...readRepositories(search) }
}

export function toListFilters(search: URLSearchParams) {
  const [text, usage] = [search.get('search')?.trim() ?? '', readUsage(search)]
  return {
    ...toScopeFilters(search),
    ...(text !== '' && { search: text.slice(0, 1000) }),
    ...(usage !== 'total' && { stat_filter: usage }),
  }
}

export function pendingQuery(organization: string, search: URLSearchParams, cursor?: string) {
  return apiQuery(organization, '/v1/learnings/pending', {
    query: { ...toPendingFilters(search), ...(cursor !== undefined && { cursor }) },
  })
}

export function scopeQuery(organization: string, search: URLSearchParams) {
  return learningsQuery(organization, toScopeFilters(search))
}

export function listQuery(organization: string, search: URLSearchParams) {
  return learningsQuery(organization, toListFilters(search))
}

/**
 * The newest first, or the best match of a search. The API returns those first that were shared first, so all of them are read,
 * up to a maximum; `next_cursor` is not null if there are more.
 */
function learningsQuery(organization: string, query: ReturnType<typeof toListFilters>) {
  return queryOptions<LearningsPage>({
    queryKey: [organization, '/v1/learnings', 'newest', query],
    queryFn: async ({ signal }) => {
      const options = { headers: organizationHeaders(organization), signal }
      let page = await client.get('/v1/learnings', { query, ...options })
      const learnings = [...page.data]
      while (page.next_cursor !== null && learnings.length < MAX_LEARNINGS) {
        page = await client.get('/v1/learnings', {
          query: { ...query, cursor: page.next_cursor },
          ...options,
        })
        learnings.push(...page.data)
      }
      const isSearch = 'search' in query
      return {
        ...page,
        data: isSearch ? learnings : learnings.sort((a, b) => b.created_at.localeCompare(a.created_at)),
      }
    },
  })
}

export function settingsQuery(organization: string) {
  return apiQuery(organization, '/v1/settings', {})
}

export type Settings = Get<'/v1/settings'>['settings']['knowledge_base']['learnings']
