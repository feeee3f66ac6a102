import { createDatabase } from '../server/test/database.ts'
import { storeUsageEvents } from '../server/test/metrics/usage.ts'
import { startApi } from '../server/test/process.ts'
import { startCountRebuilds } from '../server/test/proofs/count-rebuilds.ts'
import { loadStoreEvents } from '../server/test/proofs/metrics-writer.ts'
import { createTestWriter, storeEvents, toReviewTarget } from '../server/test/pull-requests.ts'
import { type GroupKey } from '../server/test/statements.ts'
import { createTenant } from '../server/test/tenant.ts'
import type { ProofOptions } from './run.ts'
import { createReaders, type Filter, randomFilter } from './sums/filter.ts'
import { History } from './sums/history.ts'
import { compareReviews, compareUsage, isWithinError } from './sums/lists.ts'
import { timeMillion } from './sums/million.ts'
import { type Sum, type Sums, sumComments, sumReviews, sumSummary, toGroupName } from './sums/read.ts'
import { runConcurrently } from './tools/client.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { report } from './tools/report.ts'

const CONCURRENCY = 4

// Blocks that changed after they were counted are read with the old counts; a pull request counts once for each tool.
const withoutCures: readonly SourceEdit[] = [
  {
    file: 'resources/metrics/summary/sql.ts',
    name: 'renderStaleCte',
    by: `const renderStaleCte = (_accessPath: string) => \`stale as materialized (
      select null::uuid as organization_id, 0 as block, null::date as first_day, null::date as last_day, 0 as first_week,
        0 as last_week where false)\``,
  },
  {
    file: 'resources/metrics/mcp/summary/usage-sink.ts',
    name: 'createUsageSum',
    by: `export const createUsageSum = (week, server, tool) => ({
      week, server, tool, pullRequests: 0, calls: 0, errors: 0, get lastRow() { return 0 }, set lastRow(_row) {},
    })`,
  },
]

// So that small groups are approximated too.
const fewExact: SourceEdit = {
  file: 'resources/metrics/reviews/summary/durations.ts',
  name: 'MAX_EXACT_PULL_REQUESTS',
  by: 'export const MAX_EXACT_PULL_REQUESTS = 3',
}
const withoutFineBuckets: SourceEdit = {
  file: 'resources/metrics/reviews/summary/durations.ts',
  name: 'BUCKET_RATIO',
  by: 'const BUCKET_RATIO = 1.2',
}

interface Tally {
  events: number
  filters: number
  groups: number
  findings: number
  ofComments: number
  ofReviews: number
  ofLists: number
  listGroups: number
  reviewSummaries: number
  usageSummaries: number
  error: number
  blocks: number
  kills: number
}

/** The summaries count what the rows of the lists say, however pull requests are written, rewritten, moved and judged. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const [rounds, events, filters, listFilters] =
    quick || withoutCure ? [4, 400, 100, 40] : [10, 1_000, 1_000, 500]
  const database = await createDatabase()
  const copy = withoutCure ? await copyWithout(withoutCures) : null
  const tenant = await createTenant(database, { organizations: 3 })
  const writer = createTestWriter(database)
  const approximating = await copyWithout(withoutCure ? [fewExact, withoutFineBuckets] : [fewExact])
  const [api, approximatingApi] = await Promise.all([
    startApi(database, { LIMIT_METRICS: 'off' }, copy?.apiEntry),
    startApi(database, { LIMIT_METRICS: 'off' }, approximating.apiEntry),
  ])
  const tally: Tally = {
    events: 0,
    filters: 0,
    groups: 0,
    findings: 0,
    ofComments: 0,
    ofReviews: 0,
    ofLists: 0,
    listGroups: 0,
    reviewSummaries: 0,
    usageSummaries: 0,
    error: 0,
    blocks: 0,
    kills: 0,
  }
  const rebuilds = startCountRebuilds(database)
  try {
    const storeBatch = copy === null ? storeEvents : await loadStoreEvents(copy.apiEntry)
    const readers = await createReaders(tenant)
    const roots = [tenant.workspace, tenant.instance].map(({ root, organizations }) => ({
      root,
      history: new History(organizations.map((organization) => toReviewTarget(organization))),
    }))
    for (let round = 1; round <= rounds; round++) {
      for (const { root, history } of roots) {
        for (let sent = 0; sent < events; sent += 100) {
          const deferred = await storeBatch(writer, root, history.next(100))
          if (deferred.length > 0) throw new Error('An event was not stored.')
          const waiting = await storeUsageEvents(writer, root, history.nextUsage(30))
          if (waiting.length > 0) throw new Error('An event of MCP usage was not stored.')
          tally.events += 130
        }
      }
      await runConcurrently(filters / rounds, CONCURRENCY, `round ${round} of ${rounds}`, () =>
        compareOnce(api.url, randomFilter(readers), tally),
      )
      await runConcurrently(listFilters / rounds, CONCURRENCY, `lists in round ${round}`, () =>
        compareLists(api.url, approximatingApi.url, randomFilter(readers), tally),
      )
    }
    tally.blocks = rebuilds.counted
    tally.kills = rebuilds.killed
  } finally {
    await Promise.all([api.stop(), approximatingApi.stop(), rebuilds.stop()])
    await Promise.all([writer.close(), tenant.close()])
    await Promise.all([copy?.remove(), approximating.remove()])
    await database.drop()
  }
  reportTally(tally, filters, listFilters)
  if (!quick && !withoutCure) await reportTimes()
}

async function reportTimes(): Promise<void> {
  const times = await timeMillion()
  report(
    'sums: time of a summary of a million pull requests',
    times.map(({ name, seconds, pullRequests }) => ({
      measure: name,
      goal: '1000000 pull requests or more',
      result: `${pullRequests} in ${seconds.toFixed(1)} s`,
      met: pullRequests >= 1_000_000,
    })),
  )
}

function reportTally(tally: Tally, filters: number, listFilters: number): void {
  const { events, groups, findings, ofComments, ofReviews, blocks, kills } = tally
  report(`sums: ${events} events of pull requests written, rewritten, moved, closed, and of outcomes`, [
    {
      measure: `random filters (${groups} groups of ${findings} findings)`,
      goal: `${filters}`,
      result: tally.filters,
      met: tally.filters === filters && groups > filters,
    },
    {
      measure: 'blocks counted concurrently by a worker that is killed repeatedly',
      goal: '> 0',
      result: `${blocks}, ${kills} kills`,
      met: blocks > 0 && kills > 0,
    },
    {
      measure: 'of them: summary ≠ rows of review-comments',
      goal: '0',
      result: ofComments,
      met: ofComments === 0,
    },
    { measure: 'of them: summary ≠ counters of reviews', goal: '0', result: ofReviews, met: ofReviews === 0 },
    {
      measure: `random filters of reviews/summary and of mcp/summary (${tally.listGroups} groups)`,
      goal: `${listFilters} each`,
      result: `${tally.reviewSummaries}, ${tally.usageSummaries}`,
      met:
        tally.reviewSummaries === listFilters &&
        tally.usageSummaries === listFilters &&
        tally.listGroups > listFilters,
    },
    {
      measure: 'of them: a figure ≠ that of the rows of the list',
      goal: '0',
      result: tally.ofLists,
      met: tally.ofLists === 0,
    },
    {
      measure: 'of them, approximated from 4 pull requests on: largest error of a median or 90th percentile',
      goal: '≤ 2 %',
      result: `${(100 * tally.error).toFixed(2)} %`,
      met: tally.error > 0 && isWithinError(tally.error),
    },
  ])
}

async function compareOnce(baseUrl: string, filter: Filter, tally: Tally): Promise<void> {
  const [summary, comments, reviews] = await Promise.all([
    sumSummary(baseUrl, filter),
    sumComments(baseUrl, filter),
    sumReviews(baseUrl, filter),
  ])
  tally.filters += 1
  tally.groups += summary.size
  for (const { posted } of summary.values()) tally.findings += posted
  if (!equal(omitEmptyGroups(summary), omitEmptyGroups(comments), true)) tally.ofComments += 1
  const same = reviews.every(({ groupBy, sums }) =>
    equal(mergeGroups(summary, groupBy), omitEmptyGroups(sums), false),
  )
  if (!same) tally.ofReviews += 1
}

async function compareLists(
  baseUrl: string,
  approximatingUrl: string,
  filter: Filter,
  tally: Tally,
): Promise<void> {
  const [reviews, usage] = await Promise.all([
    compareReviews(baseUrl, approximatingUrl, filter),
    compareUsage(baseUrl, filter),
  ])
  tally.reviewSummaries += 1
  tally.usageSummaries += 1
  tally.listGroups += reviews.groups + usage.groups
  tally.ofLists += Number(!reviews.equal) + Number(!usage.equal)
  tally.error = Math.max(tally.error, reviews.error)
}

/** Groups that have findings; a total is returned even without any. */
function omitEmptyGroups(sums: Sums): Sums {
  return new Map([...sums].filter(([, { posted }]) => posted > 0))
}

/** Groups merged by fewer keys; with severity or category among them, only groups where it is known. */
function mergeGroups(sums: Sums, groupBy: readonly GroupKey[]): Sums {
  const merged: Sums = new Map()
  for (const { keys, posted, accepted, notAccepted } of omitEmptyGroups(sums).values()) {
    if (groupBy.some((key) => (key === 'severity' || key === 'category') && keys[key] === null)) continue
    const name = toGroupName(groupBy, keys)
    const sum: Sum = merged.get(name) ?? { keys, posted: 0, accepted: 0, notAccepted: 0 }
    merged.set(name, sum)
    sum.posted += posted
    sum.accepted += accepted
    sum.notAccepted += notAccepted
  }
  return merged
}

function equal(one: Sums, other: Sums, withNotAccepted: boolean): boolean {
  if (one.size !== other.size) return false
  return [...one].every(([name, sum]) => {
    const found = other.get(name)
    return (
      found !== undefined &&
      found.posted === sum.posted &&
      found.accepted === sum.accepted &&
      (!withNotAccepted || found.notAccepted === sum.notAccepted)
    )
  })
}
