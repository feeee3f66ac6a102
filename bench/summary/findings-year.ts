import { type BulkStore, growPullRequests } from '../../server/test/bulk/pull-requests.ts'
import type { TestDatabase } from '../../server/test/database.ts'

const DAYS = 400
const FINDINGS = 5
// 200,000 pull requests a year are 547 a day, also before and after the year.
const PULL_REQUESTS = Math.round((200_000 * DAYS) / 365)

/** An organization with a million findings a year, among pull requests of others of its workspace on the same days. */
export function growFindingsYear(
  database: TestDatabase,
  others: number,
  onProgress: (written: number) => void = () => {},
): Promise<BulkStore> {
  const count = others + PULL_REQUESTS
  return growPullRequests(database, {
    count,
    findings: FINDINGS,
    order: 'fresh',
    firstDay: '2025-01-01',
    days: DAYS,
    largestShare: PULL_REQUESTS / count,
    repositories: 200,
    authors: 500,
    onProgress,
  })
}
