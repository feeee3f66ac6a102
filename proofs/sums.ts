import { createDatabase } from '../server/test/database.ts'
import { storeUsageEvents } from '../server/test/metrics/usage.ts'
import { startApi } from '../server/test/process.ts'
import { loadStoreEvents } from '../server/test/proofs/metrics-writer.ts'
import { createTestWriter, storeEvents, toReviewTarget } from '../server/test/pull-requests.ts'
import { type GroupKey } from '../server/test/statements.ts'
import { createTenant } from '../server/test/tenant.ts'
import type { ProofOptions } from './run.ts'
import { createReaders, type Filter, randomFilter } from './sums/filter.ts'
import { History } from './sums/history.ts'
import { compareReviews, compareUsage } from './sums/lists.ts'
import { timeMillion } from './sums/million.ts'
import { type Sum, type Sums, sumComments, sumReviews, sumSummary, toGroupName } from './sums/read.ts'
import { type WriterChecks, writeConcurrently } from './sums/writers.ts'
import { runConcurrently } from './tools/client.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { report } from './tools/report.ts'

const CONCURRENCY = 4
const [EVENTS_PER_WRITE, USAGE_PER_WRITE] = [100, 30]

// The earlier findings of a pull request that is written again still count in their weeks; a pull request counts once for each tool.
const withoutCures: readonly SourceEdit[] = [
  {
    file: 'resources/metrics/write/weeks.ts',
    name: 'addFindings',
    wrap: `(addFindings, counts, pullRequest, by) => {
      if (by > 0) addFindings(counts, pullRequest, by)
    }`,
  },
  {
    file: 'resources/metrics/mcp/summary/usage-sink.ts',
    name: 'createUsageSum',
    by: `export const createUsageSum = (week, server, tool) => ({
      week, server, tool, pullRequests: 0, calls: 0, errors: 0, get lastRow() { return 0 }, set lastRow(_row) {},
    })`,
  },
]

interface Tally extends WriterChecks {
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
}

/** The summaries count what the rows of the lists say, however pull requests are written, rewritten, moved and judged. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const [rounds, events, filters, listFilters] =
    quick || withoutCure ? [4, 400, 100, 40] : [10, 1_000, 1_000, 500]
  const database = await createDatabase()
  const copy = withoutCure ? await copyWithout(withoutCures) : null
  const tenant = await createTenant(database, { organizations: 3 })
  const writer = createTestWriter(database)
  const api = await startApi(database, { LIMIT_METRICS: 'off' }, copy?.apiEntry)
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
    snapshots: 0,
    different: 0,
    kills: 0,
  }
  try {
    const storeBatch = copy === null ? storeEvents : await loadStoreEvents(copy.apiEntry)
    const readers = await createReaders(tenant)
    const roots = [tenant.workspace, tenant.instance].map(({ root, organizations }) => ({
      root,
      history: new History(organizations.map((organization) => toReviewTarget(organization))),
    }))
    for (let round = 1; round <= rounds; round++) {
      const writes = roots.flatMap(({ root, history }) =>
        Array.from({ length: events / EVENTS_PER_WRITE }, () => {
          const [reviews, usage] = [history.next(EVENTS_PER_WRITE), history.nextUsage(USAGE_PER_WRITE)]
          tally.events += reviews.length + usage.length
          return async () => {
            const deferred = await storeBatch(writer, root, reviews)
            const waiting = await storeUsageEvents(writer, root, usage)
            if (deferred.length + waiting.length > 0) throw new Error('An event was not stored.')
          }
        }),
      )
      await writeConcurrently(database, writes, tally)
      await runConcurrently(filters / rounds, CONCURRENCY, `round ${round} of ${rounds}`, () =>
        compareOnce(api.url, randomFilter(readers), tally),
      )
      await runConcurrently(listFilters / rounds, CONCURRENCY, `lists in round ${round}`, () =>
        compareLists(api.url, randomFilter(readers), tally),
      )
    }
  } finally {
    await Promise.all([api.stop(), writer.close(), tenant.close()])
    await copy?.remove()
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
  const { events, groups, findings, ofComments, ofReviews, snapshots, different, kills } = tally
  report(`sums: ${events} events of pull requests written, rewritten, moved, closed, and of outcomes`, [
    {
      measure: `snapshots during concurrent writes whose connections are killed (${kills} kills)`,
      goal: '> 0',
      result: snapshots,
      met: snapshots > 0 && kills > 0,
    },
    {
      measure: 'of them: groups of counted weeks ≠ their findings',
      goal: '0',
      result: different,
      met: different === 0,
    },
    {
      measure: `random filters (${groups} groups of ${findings} findings)`,
      goal: `${filters}`,
      result: tally.filters,
      met: tally.filters === filters && groups > filters,
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

async function compareLists(baseUrl: string, filter: Filter, tally: Tally): Promise<void> {
  const [reviews, usage] = await Promise.all([compareReviews(baseUrl, filter), compareUsage(baseUrl, filter)])
  tally.reviewSummaries += 1
  tally.usageSummaries += 1
  tally.listGroups += reviews.groups + usage.groups
  tally.ofLists += Number(!reviews.equal) + Number(!usage.equal)
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
