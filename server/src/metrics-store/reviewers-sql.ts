import { statement } from '../db/connect.ts'
import type { OrganizationId } from '../ids.ts'
import { type MetricsReadTarget, readInStore, readUnlessMoved } from './page.ts'

// A tally has a list for each reviewer, which begins with the name: counts/tally.ts.
const selectReviewersBefore = statement(
  'metrics.reviewers-before',
  `select reviewer from unnest($3::text[], $4::text[]) as given (reviewer, beginning)
   where exists (select from review where root_id = $1 and organization_id = $2 and day < $5::date
     and strpos(tally, beginning) > 0)`,
)

/** Those of the reviewers that have a finding on a pull request merged before the day; `infinity` is after all days. */
export async function readReviewersBefore(
  access: Pick<MetricsReadTarget, 'stores' | 'placement' | 'scope'>,
  organization: OrganizationId,
  reviewers: readonly string[],
  day: string,
): Promise<ReadonlySet<string>> {
  if (reviewers.length === 0) return new Set()
  const { scope } = access
  const beginnings = reviewers.map((reviewer) => `[${JSON.stringify(reviewer)},`)
  return readInStore(access, async (tx) => {
    let found: readonly { readonly reviewer: string }[] = []
    await readUnlessMoved(scope, tx, async () => {
      found = await tx.query(selectReviewersBefore, [scope.root, organization, reviewers, beginnings, day])
    })
    return new Set(found.map(({ reviewer }) => reviewer))
  })
}
