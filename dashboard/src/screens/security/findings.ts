import type { Get, Item } from '@scholiast/sdk'

export type Finding = Item<'/v1/security/scans/code'>
export type Group = Get<'/v1/security/summary'>['data'][number]
export type State = 'open' | 'fixed' | 'dismissed' | 'all'

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export const ages = ['0-7', '8-30', '31-90', '91+'] as const
const states: readonly State[] = ['open', 'fixed', 'dismissed', 'all']

export interface Filters {
  readonly state: State
  readonly repo_id?: string
}

/** The filters, from the address: `?state=fixed&repository=620118401`. */
export function readSecurityFilters(search: URLSearchParams): Filters {
  const repository = search.get('repository')
  return {
    state: states.find((state) => state === search.get('state')) ?? 'open',
    ...(repository !== null && { repo_id: repository }),
  }
}

export function countFindings(groups: readonly Group[]): number {
  return groups.reduce((sum, { findings }) => sum + findings, 0)
}

/** When the oldest of the groups was first seen. */
export function findOldest(groups: readonly Group[]): string | null {
  return groups.reduce<string | null>(
    (oldest, { oldest_first_seen_at: at }) => (at !== null && (oldest === null || at < oldest) ? at : oldest),
    null,
  )
}

/** The most severe first; of one severity, the oldest. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    a.first_seen_at.localeCompare(b.first_seen_at)
  )
}

const DAY_MS = 86_400_000

export function countDaysSince(time: string): number {
  return Math.floor((Date.now() - Date.parse(time)) / DAY_MS)
}
