import { NIL_UUID } from '../../../ids.ts'
import { toMonday } from '../../../metrics-store/day.ts'
import { getOrCreate } from '../../../metrics-store/groups.ts'
import type { PullRequestChange, StoredPullRequest } from './rows.ts'
import type { WeekRow } from './sql.ts'

type Count = { -readonly [Field in keyof WeekRow]: WeekRow[Field] }

/** What the findings of these pull requests add to the counts of weeks, and what their earlier ones no longer do. */
export function countWeeks(written: readonly PullRequestChange[]): WeekRow[] {
  const counts = new Map<string, Count>()
  for (const { before, after } of written) {
    if (before !== undefined) addFindings(counts, before, -1)
    addFindings(counts, after, 1)
  }
  return [...counts.values()].filter(
    ({ posted, accepted, not_accepted }) => posted !== 0 || accepted !== 0 || not_accepted !== 0,
  )
}

function addFindings(counts: Map<string, Count>, { row, findings }: StoredPullRequest, by: 1 | -1): void {
  if (!row.counted) return
  const { organization_id } = row
  const instance_id = row.instance_id ?? NIL_UUID
  const week = toMonday(row.day)
  for (const { reviewer, severity, category, accepted } of findings) {
    const group = { week, reviewer: reviewer ?? '', severity: severity ?? '', category: category ?? '' }
    const key = [organization_id, instance_id, ...Object.values(group)].join('\n')
    const count = getOrCreate(counts, key, () => ({
      organization_id,
      instance_id,
      ...group,
      posted: 0,
      accepted: 0,
      not_accepted: 0,
    }))
    count.posted += by
    if (accepted === true) count.accepted += by
    if (accepted === false) count.not_accepted += by
  }
}
