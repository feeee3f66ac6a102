import type { TestDatabase } from '../server/test/database.ts'
import { freePort } from '../server/test/free-port.ts'
import { type Installation, startInstallation, victims } from './ingest/installation.ts'
import { type BatchPlan, type BatchResult, countHistories, runBatch } from './reconcile/batch.ts'
import type { Comparison } from './reconcile/compare.ts'
import { cures, withFewDetections } from './reconcile/cures.ts'
import { type Ports, startForges } from './reconcile/forges.ts'
import { MovedClock } from './reconcile/moved-clock.ts'
import type { ProofOptions } from './run.ts'
import { copyWithout, type SourceCopy } from './tools/copy.ts'
import { type Measurement, report, reportWithoutCures } from './tools/report.ts'

const HISTORIES = 10_000
const MAX_MINUTES = 60
const SEEDS_OF_BATCH = 100
const batch: Omit<BatchPlan, 'seed'> = { organizations: 40, repositories: 25, cloned: 2, steps: 12, victims }
const quickBatch: Omit<BatchPlan, 'seed'> = {
  organizations: 6,
  repositories: 5,
  cloned: 2,
  steps: 12,
  victims,
}
/** Enough to notice each missing cure. */
const batchWithoutCure: Omit<BatchPlan, 'seed'> = {
  organizations: 4,
  repositories: 8,
  cloned: 0,
  steps: 16,
  victims: [],
}

/** After faults of every kind and one nightly sweep, the store equals what the forges have. */
export async function prove({ withoutCure, quick }: ProofOptions): Promise<void> {
  const seed = quick || withoutCure ? 7 : Date.now() % 2 ** 31
  if (withoutCure) return proveWithoutCures(seed)
  const copy = await copyWithout([withFewDetections])
  const plan = quick ? quickBatch : batch
  const batches = quick ? 1 : Math.ceil(HISTORIES / countHistories(plan))
  try {
    await withService(copy, batches, async (service) => {
      const results: BatchResult[] = []
      const started = performance.now()
      const getMinutes = () => (performance.now() - started) / 60_000
      for (let index = 0; index < batches && getMinutes() < MAX_MINUTES; index++) {
        results.push(await service.run({ ...plan, seed: seed + index * SEEDS_OF_BATCH }))
        printProgress(results, getMinutes())
      }
      const goal = quick ? countHistories(plan) : HISTORIES
      report(`reconcile: histories on fake forges, seed ${seed}`, [
        measureHistories(results, goal, getMinutes()),
        measureKills(service.installation, results.length),
        ...measureFaults(results),
        measureDifferences(
          'after one sweep',
          results.map(({ afterSweep }) => afterSweep),
        ),
        measureOutcomes(results),
        measureDifferences(
          'after hooks that came later',
          results.map(({ afterLateHooks }) => afterLateHooks),
        ),
      ])
    })
  } finally {
    await copy.remove()
  }
}

/** The same histories with each of the cures removed. */
async function proveWithoutCures(seed: number): Promise<void> {
  const copies: SourceCopy[] = []
  try {
    for (const { edits } of cures) copies.push(await copyWithout([withFewDetections, ...edits]))
    await withService(copies[0], cures.length, async (service) => {
      const measurements: Measurement[] = []
      for (const [index, { without }] of cures.entries()) {
        const copy = copies[index]
        if (index > 0)
          await service.installation.replaceProcesses(
            { worker: copy?.workerEntry, api: copy?.apiEntry },
            () => Promise.resolve(),
          )
        const { afterSweep, afterLateHooks } = await service.run({ ...batchWithoutCure, seed })
        measurements.push(measureDifferences(`without ${without}`, [afterSweep, afterLateHooks]))
      }
      reportWithoutCures('reconcile without its cures', measurements)
    })
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()))
  }
}

interface Service {
  readonly installation: Installation
  run(plan: BatchPlan): Promise<BatchResult>
}

/** An installation that may read as many pairs of forges as there are batches. */
async function withService(
  copy: SourceCopy | undefined,
  batches: number,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const clock = new MovedClock()
  const ports: Ports[] = []
  while (ports.length < batches) ports.push({ github: await freePort(), gitlab: await freePort() })
  const addresses = ports.flatMap(({ github, gitlab }) => [github, gitlab])
  const installation = await startInstallation({
    worker: copy?.workerEntry,
    api: copy?.apiEntry,
    settings: {
      ...clock.settings,
      // Forges send their hooks to the API process that follows a killed one.
      PORT: String(await freePort()),
      CONNECTOR_HOSTS: addresses.map((port) => `http://127.0.0.1:${port}`).join(','),
      CONNECTOR_KEYS: `test:${'cd'.repeat(32)}`,
    },
  })
  const superuser: ReturnType<TestDatabase['superuser']> = installation.database.superuser()
  try {
    await work({
      installation,
      async run(plan) {
        const next = ports.shift()
        if (next === undefined) throw new Error('There are more batches than forges.')
        const forges = await startForges(clock, next)
        const result = await runBatch({ installation, superuser, clock }, forges, plan)
        await forges.close()
        return result
      },
    })
  } finally {
    await superuser.end()
    await installation.stop()
    clock.remove()
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function printProgress(results: readonly BatchResult[], minutes: number): void {
  const histories = sum(results.map((one) => one.histories))
  const different = sum(results.map(({ afterLateHooks }) => afterLateHooks.differences.length))
  console.error(`  ${histories} histories, ${different} differences, ${minutes.toFixed(1)} minutes`)
}

function measureHistories(results: readonly BatchResult[], goal: number, minutes: number): Measurement {
  const histories = sum(results.map((one) => one.histories))
  const steps = sum(results.map((one) => one.steps))
  const rate = (histories / (minutes * 60)).toFixed(1)
  return {
    measure: `histories of a repository, ${steps} steps, ${rate} histories per second`,
    goal: `≥ ${goal}`,
    result: histories,
    met: histories >= goal,
  }
}

function measureKills({ kills }: Installation, batches: number): Measurement {
  const counts = victims.map((victim) => kills[victim])
  return {
    measure: `kill -9 of ${victims.join(', ')}`,
    goal: `${batches} each`,
    result: counts.join(', '),
    met: counts.every((count) => count === batches),
  }
}

const hookFaults = ['unsent', 'failed', 'doubled', 'reordered', 'late'] as const
const limits = ['primaryLimit', 'secondaryLimit', 'graphqlLimit', 'graphqlSecondaryLimit'] as const
const breakdowns = ['badGateway', 'serverTimeout', 'disconnect', 'truncated', 'partialResult'] as const

function measureFaults(results: readonly BatchResult[]): Measurement[] {
  const count = (kinds: readonly (keyof BatchResult['faults'])[]) =>
    kinds.map((kind) => sum(results.map(({ faults }) => faults[kind] ?? 0)))
  const measure = (name: string, counts: readonly number[]): Measurement => ({
    measure: name,
    goal: '> 0 each',
    result: counts.join(', '),
    met: counts.every((one) => one > 0),
  })
  return [
    measure(`hooks ${hookFaults.join(', ')}`, count(hookFaults)),
    measure('requests that met a limit, failed or were cut off, and expiries of all tokens', [
      sum(count(limits)),
      sum(count(breakdowns)),
      sum(count(['expiredTokens'])),
    ]),
  ]
}

function measureOutcomes(results: readonly BatchResult[]): Measurement {
  const differences = results.flatMap(({ outcomes }) => outcomes.differences)
  for (const difference of differences.slice(0, 5)) console.error(`  ${difference}`)
  const compared = sum(results.map(({ outcomes }) => outcomes.compared))
  return {
    measure: `of ${compared} outcomes in cloned repositories, others than of a first read without faults`,
    goal: '0',
    result: differences.length,
    met: differences.length === 0 && compared > 0,
  }
}

function measureDifferences(when: string, comparisons: readonly Comparison[]): Measurement {
  const differences = comparisons.flatMap((one) => one.differences)
  for (const difference of differences.slice(0, 5)) console.error(`  ${when}: ${difference}`)
  const total = (count: (one: Comparison) => number) => sum(comparisons.map(count))
  const pullRequests = total((one) => one.pullRequests)
  const compared = [
    `${pullRequests} pull requests`,
    `${total((one) => one.findings)} findings`,
    `${total((one) => one.repositories)} repositories`,
    `${total((one) => one.members)} memberships`,
  ]
  return {
    measure: `${when}, differences of ${compared.join(', ')}`,
    goal: '0',
    result: differences.length,
    met: differences.length === 0 && pullRequests > 0,
  }
}
