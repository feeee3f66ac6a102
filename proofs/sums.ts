import { makeDatabase } from '../server/test/database.ts'
import { startApi } from '../server/test/process.ts'
import { startCountRebuilds } from '../server/test/proofs/count-rebuilds.ts'
import { loadStoreEvents } from '../server/test/proofs/metrics-writer.ts'
import { createTestWriter, storeEvents, toReviewTarget } from '../server/test/pull-requests.ts'
import { makeTenant } from '../server/test/tenant.ts'
import type { ProofOptions } from './run.ts'
import { type Filter, type GroupKey, makeReaders, randomFilter } from './sums/filter.ts'
import { History } from './sums/history.ts'
import { type Sum, type Sums, sumComments, sumReviews, sumSummary, toGroupName } from './sums/read.ts'
import { runConcurrently } from './tools/client.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { report } from './tools/report.ts'

const CONCURRENCY = 4

// Blocks that changed after they were counted are read with the old counts.
const withoutStale: readonly SourceEdit[] = [
  {
    file: 'resources/metrics/summary/sql.ts',
    find: 'and (organization_id, period - period % ${BLOCK_DAYS}) not in (select organization_id, block from stale)',
    replace: '',
  },
  {
    file: 'resources/metrics/summary/sql.ts',
    find: '[counted, renderStaleTallies(shape), before',
    replace: '[counted, before',
  },
]

interface Tally {
  events: number
  filters: number
  groups: number
  findings: number
  ofComments: number
  ofReviews: number
  blocks: number
  kills: number
}

/** Three endpoints count the same findings, however pull requests are written, rewritten, moved and judged. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const [rounds, events, filters] = quick || withoutCure ? [4, 400, 100] : [10, 1_000, 1_000]
  const database = await makeDatabase()
  const copy = withoutCure ? await copyWithout(withoutStale) : null
  const tenant = await makeTenant(database, { organizations: 3 })
  const writer = createTestWriter(database)
  const api = await startApi(database, { LIMIT_METRICS: 'off' }, copy?.apiEntry)
  const tally: Tally = {
    events: 0,
    filters: 0,
    groups: 0,
    findings: 0,
    ofComments: 0,
    ofReviews: 0,
    blocks: 0,
    kills: 0,
  }
  const rebuilds = startCountRebuilds(database)
  try {
    const storeBatch = copy === null ? storeEvents : await loadStoreEvents(copy.apiEntry)
    const readers = await makeReaders(tenant)
    const roots = [tenant.workspace, tenant.instance].map(({ root, organizations }) => ({
      root,
      history: new History(organizations.map((organization) => toReviewTarget(organization))),
    }))
    for (let round = 1; round <= rounds; round++) {
      for (const { root, history } of roots) {
        for (let sent = 0; sent < events; sent += 100) {
          const deferred = await storeBatch(writer, root, history.next(100))
          if (deferred.length > 0) throw new Error('An event was not stored.')
          tally.events += 100
        }
      }
      await runConcurrently(filters / rounds, CONCURRENCY, `round ${round} of ${rounds}`, () =>
        compareOnce(api.url, randomFilter(readers), tally),
      )
    }
    tally.blocks = rebuilds.counted
    tally.kills = rebuilds.killed
  } finally {
    await Promise.all([api.stop(), rebuilds.stop()])
    await Promise.all([writer.close(), tenant.close()])
    await copy?.remove()
    await database.drop()
  }
  reportTally(tally, filters)
}

function reportTally(tally: Tally, filters: number): void {
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
