import type { Get, Item } from '@scholiast/sdk'
import { queryOptions } from '@tanstack/react-query'
import { client, organizationHeaders } from '../../api/client.ts'
import { readChoices } from '../../ui/filters.tsx'
import { readChosenPeriod } from '../../ui/period.ts'

export type AuditRow = Item<'/v1/audit-logs'>

interface LogFilters {
  readonly search?: string
  readonly actions?: string[]
  readonly resource_types?: string[]
  readonly date_from?: string
  readonly date_to?: string
}

const PAGE_SIZE = 50
const MAX_NUMBERED_ROWS = 10_000

/** The filters, from the address. */
export function readLogFilters(search: URLSearchParams): LogFilters {
  const text = search.get('search')
  const actions = readChoices(search, 'actions')
  const types = readChoices(search, 'resource_types')
  const period = readChosenPeriod(search)
  return {
    ...(text !== null && text !== '' && { search: text }),
    ...(actions.length > 0 && { actions }),
    ...(types.length > 0 && { resource_types: types }),
    ...(period !== null && { date_from: period.start_date, date_to: period.end_date }),
  }
}

type LogPage = Omit<Get<'/v1/audit-logs'>, 'next_cursor'> & { readonly next_cursor: string | null }

/** Newest rows first. The cursor of a page is the number of the next one. */
export function logQuery(organization: string, filters: LogFilters, cursor = '1') {
  const page = Number(cursor)
  const query = { ...filters, page, page_size: PAGE_SIZE }
  return queryOptions<LogPage>({
    queryKey: [organization, '/v1/audit-logs', query],
    queryFn: async ({ signal }) => {
      const headers = organizationHeaders(organization)
      const result = await client.get('/v1/audit-logs', { query, headers, signal })
      const hasMore = result.pagination?.has_next_page === true && (page + 1) * PAGE_SIZE <= MAX_NUMBERED_ROWS
      return { ...result, next_cursor: hasMore ? String(page + 1) : null }
    },
  })
}
