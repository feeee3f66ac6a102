import type { Get, Item } from '@scholiast/sdk'
import { apiQuery } from '../../api/query.ts'
import { readFilters } from '../../ui/filters.tsx'

export type Learning = Item<'/v1/learnings'>
export type PendingLearning = Item<'/v1/learnings/pending'>
export type Usage = 'total' | 'active' | 'never_used' | 'created_this_week'
export type Source = PendingLearning['source']

/** As many as the count in the navigation reads, so that one request serves both. */
const PENDING_PAGE = 200
const LEARNINGS_PAGE = 1000
/** Of a text, in characters. */
export const MAX_TEXT = 10_000

export const sources: Readonly<Record<Source, string>> = {
  chat: 'a chat',
  review: 'a review',
  agent: 'an agent',
  connector: 'a connector',
}

export const usages: Readonly<Record<Usage, string>> = {
  total: 'All',
  active: 'Used in the last 30 days',
  never_used: 'Never used',
  created_this_week: 'Created in the last 7 days',
}

export function readSource(search: URLSearchParams): Source | undefined {
  const source = search.get('source') ?? ''
  return isKey(sources, source) ? source : undefined
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
  return apiQuery(organization, '/v1/learnings', { query: toScopeFilters(search) })
}

export function listQuery(organization: string, search: URLSearchParams, cursor?: string) {
  return apiQuery(organization, '/v1/learnings', {
    query: { ...toListFilters(search), ...(cursor !== undefined && { cursor }) },
  })
}

export function settingsQuery(organization: string) {
  return apiQuery(organization, '/v1/settings', {})
}

export type Settings = Get<'/v1/settings'>['settings']['knowledge_base']['learnings']
