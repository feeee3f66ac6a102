import { statement } from '../db/connect.ts'
import type { OrganizationId } from '../ids.ts'
import { toMonday } from './day.ts'
import { type MetricsReadTarget, readInStore, readUnlessMoved } from './page.ts'

const AFTER_ALL_DAYS = 'infinity'

// Whole weeks are counted; the days of the last one are read.
const selectReviewersBefore = statement(
  'metrics.reviewers-before',
  `select reviewer from unnest($3::text[]) as given (reviewer)
   where exists (select from finding_week w where w.root_id = $1 and w.week < $5::date and w.organization_id = $2
       and w.reviewer = given.reviewer and w.posted > 0)
     or exists (select from finding f where f.root_id = $1 and f.organization_id = $2 and f.counted
       and f.day >= $5::date and f.day < $4::date and f.reviewer = given.reviewer)`,
)

/** Those of the reviewers that have a finding on a pull request merged before the day; null = ever. */
export async function readReviewersBefore(
  access: Pick<MetricsReadTarget, 'stores' | 'placement' | 'scope'>,
  organization: OrganizationId,
  reviewers: readonly string[],
  day: string | null,
): Promise<ReadonlySet<string>> {
  if (reviewers.length === 0) return new Set()
  const { scope } = access
  const lastWeek = day === null ? AFTER_ALL_DAYS : toMonday(day)
  return readInStore(access, async (tx) => {
    const values = [scope.root, organization, reviewers, day ?? AFTER_ALL_DAYS, lastWeek]
    const found = await readUnlessMoved(scope, tx, () =>
      tx.query<{ readonly reviewer: string }>(selectReviewersBefore, values),
    )
    return new Set(found.map(({ reviewer }) => reviewer))
  })
}
