import { fileURLToPath } from 'node:url'
import { githubLimits, type Limits } from '../fake-forge/github/limits.ts'
import { type BackfillPlan, type BackfillResult, LATENCY_MS, runBackfill } from './backfill/run-backfill.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceEdit } from './tools/copy.ts'
import { type Measurement, report, reportWithoutCures } from './tools/report.ts'

const source = fileURLToPath(new URL('../server/src', import.meta.url))

const withoutCures: readonly SourceEdit[] = [
  // Calls are counted, but never wait.
  {
    file: 'resources/connectors/git-providers/budget-sql.ts',
    name: 'reserveBudget',
    wrap: 'async (reserve, ...given) => (await reserve(...given), null)',
  },
  // The cursor is stored before the pull requests of its page.
  {
    file: 'resources/connectors/sync/read-pull-request.ts',
    name: 'applyListedSnapshot',
    wrap: 'async (apply, ...given) => void setTimeout(() => void apply(...given), 500)',
  },
]

/** Limits of an installation with 170 repositories and more: 5,000 plus 50 for each above 20, at most 12,500. */
const scaledLimits: Limits = { ...githubLimits, core: 12_500, graphql: 12_500 }
const WORKERS = 3
const MAX_LIVE_WAIT_MS = 60_000
/** What a killed worker was reading is read again from the start, after what is due earlier. Its leases end at once here. */
const MAX_INTERRUPTED_WAIT_MS = 11 * 60_000
const MAX_HEAP_GROWTH = 1.2
/** A process of the quick form is so young that it still loads code. */
const MAX_QUICK_HEAP_GROWTH = 1.5

type Plan = Omit<BackfillPlan, 'source' | 'port'>

const plans: { readonly whole: Omit<Plan, 'size' | 'liveChangeEveryMs'>; readonly quick: Plan } = {
  whole: {
    limits: scaledLimits,
    workers: WORKERS,
    kills: 20,
    liveChanges: 60,
  },
  // So few pull requests need limits that are as much smaller: calls that never wait must meet them.
  quick: {
    size: { repositories: 60, pullRequests: 150 },
    limits: { ...githubLimits, core: 250, graphql: 250 },
    workers: 2,
    kills: 3,
    liveChanges: 5,
    liveChangeEveryMs: 2 * 60_000,
  },
}

/** A backfill never meets a limit of GitHub, leaves live reads their share, and survives kills of its workers. */
export async function prove({ withoutCure, quick, pullRequests = 50_000 }: ProofOptions): Promise<void> {
  const size = { repositories: Math.ceil(pullRequests / 50), pullRequests }
  const plan =
    quick || withoutCure ? plans.quick : { ...plans.whole, size, liveChangeEveryMs: 2.4 * pullRequests }
  if (withoutCure) {
    const copy = await copyWithout(withoutCures)
    try {
      const result = await runBackfill({ ...plan, source: `${copy.folder}/src`, port: 0 })
      reportWithoutCures(
        'backfill without its cures: calls never wait, the cursor is stored before the data',
        [measureLimits(result), measureStored(result)],
      )
    } finally {
      await copy.remove()
    }
    return
  }
  const killed = await runBackfill({ ...plan, source, port: 0 })
  report(
    'backfill: earlier pull requests of an organization at GitHub, at its limits, by a simulated clock',
    [
      ...describeCosts(plan, killed),
      measureLimits(killed),
      ...measureCalls(killed),
      ...measureLive(plan, killed),
      ...measureMemory(killed, quick ? MAX_QUICK_HEAP_GROWTH : MAX_HEAP_GROWTH),
      ...measureKills(plan, killed),
      measureStored(killed),
      ...(quick ? [await compareWithUndisturbed(plan, killed)] : []),
    ],
  )
}

/** What is stored equals the organization in every run. That it also equals a run without kills is shown with the quick one. */
async function compareWithUndisturbed(
  plan: Plan,
  { port, comparison }: BackfillResult,
): Promise<Measurement> {
  const undisturbed = await runBackfill({ ...plan, source, port, kills: 0 })
  const isSame = comparison.digest === undisturbed.comparison.digest
  return {
    measure: 'the same result as without kills (digest of all that is stored)',
    goal: 'yes',
    result: isSame ? 'yes' : 'no',
    met: isSame,
  }
}

const format = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits })
const toHours = (ms: number) => format(ms / 3_600_000, 2)
const toMegabytes = (bytes: number) => format(bytes / 1_000_000)

function describe(measure: string, result: string): Measurement {
  return { measure, goal: '', result, met: true }
}

function describeCosts({ size, limits, workers }: Plan, result: BackfillResult) {
  const { spent, backfillMs, restCalls, graphqlCalls, graphqlPoints, bytes, realSeconds } = result
  return [
    describe(
      `simulated hours for ${format(size.pullRequests)} pull requests in ${format(size.repositories)} repositories`,
      toHours(backfillMs),
    ),
    describe(
      `with the sweep after it; in calls of ${LATENCY_MS} ms (${workers} workers); waiting for the limit`,
      [spent.calling + spent.waiting, spent.calling, spent.waiting].map(toHours).join('; '),
    ),
    describe(`REST calls (limit ${format(limits.core)} an hour)`, format(restCalls)),
    describe(
      `GraphQL calls; points (limit ${format(limits.graphql)} an hour)`,
      `${format(graphqlCalls)}; ${format(graphqlPoints)}`,
    ),
    describe('MB received; real seconds', `${toMegabytes(bytes)}; ${format(realSeconds)}`),
  ]
}

function measureLimits({ primaryLimitHits, secondaryLimitHits }: BackfillResult): Measurement {
  return {
    measure: 'calls that met the hourly limit, a secondary limit',
    goal: '0, 0',
    result: `${primaryLimitHits}, ${secondaryLimitHits}`,
    met: primaryLimitHits === 0 && secondaryLimitHits === 0,
  }
}

function measureCalls({ violations, maxConcurrent }: BackfillResult): Measurement[] {
  return [
    describe('calls at the same time, at most', String(maxConcurrent)),
    {
      measure: `responses of the fake outside of GitHub's description`,
      goal: '0',
      result: violations.length,
      met: violations.length === 0,
    },
  ]
}

function measureLive({ liveChanges }: Plan, { live }: BackfillResult): Measurement[] {
  const { waits, interruptedWaits } = live
  const seconds = (all: readonly number[]) => (all.length === 0 ? '–' : format(Math.max(...all) / 1000, 1))
  return [
    {
      measure: `pull requests that changed meanwhile: read after at most … s (${waits.length} of ${liveChanges})`,
      goal: `≤ ${MAX_LIVE_WAIT_MS / 1000}`,
      result: seconds(waits),
      met: waits.length > 0 && Math.max(...waits) <= MAX_LIVE_WAIT_MS,
    },
    {
      measure: `of them while a worker was killed (${interruptedWaits.length}); never read: ${live.unread}`,
      goal: `≤ ${MAX_INTERRUPTED_WAIT_MS / 1000}; 0`,
      result: `${seconds(interruptedWaits)}; ${live.unread}`,
      met: Math.max(0, ...interruptedWaits) <= MAX_INTERRUPTED_WAIT_MS && live.unread === 0,
    },
  ]
}

function measureMemory({ memory }: BackfillResult, maxGrowth: number): Measurement[] {
  const heaps = memory.map(({ heap }) => heap)
  const growth = (heaps.at(-1) ?? Number.NaN) / (heaps[0] ?? Number.NaN)
  return [
    {
      measure: `memory of a worker at 10, 50, 100 %: MB of objects (${heaps.map(toMegabytes).join(', ')}), last ÷ first`,
      goal: `≤ ${maxGrowth}`,
      result: format(growth, 2),
      met: growth <= maxGrowth,
    },
    describe('and of the process (RSS)', memory.map(({ rss }) => toMegabytes(rss)).join(', ')),
  ]
}

function measureKills({ kills: goal }: Plan, { kills, killsAmidWork }: BackfillResult) {
  return [
    {
      measure: `workers killed (SIGKILL), ${killsAmidWork} of them amid a task`,
      goal: String(goal),
      result: kills,
      met: kills === goal && killsAmidWork > 0,
    },
  ]
}

function measureStored({ comparison }: BackfillResult): Measurement {
  const { expected, findings, lost, duplicated, different } = comparison
  return {
    measure: `${format(expected)} finished pull requests with ${format(findings)} findings: lost, duplicated, different`,
    goal: '0, 0, 0',
    result: [lost, duplicated, different].map((count) => format(count)).join(', '),
    met: expected > 0 && lost === 0 && duplicated === 0 && different === 0,
  }
}
