import fc from 'fast-check'
import { type Command, historyArbitrary } from './history.ts'
import { startLearningsInstallation } from './installation.ts'
import { runHistory } from './run.ts'

export interface HistoriesResult {
  readonly commands: number
  readonly differences: readonly Difference[]
  readonly seconds: number
}

export interface Difference {
  /** Its index among the histories of the seed. */
  readonly index: number
  readonly history: readonly Command[]
  readonly message: string
}

/** Runs `total` histories concurrently; each lane has its own database. */
export async function runHistories(
  total: number,
  seed: number,
  concurrency: number,
): Promise<HistoriesResult> {
  const start = performance.now()
  const histories = fc.sample(historyArbitrary, { numRuns: total, seed })
  const waiting = histories.entries()
  const differences: Difference[] = []
  async function work(): Promise<void> {
    const installation = await startLearningsInstallation()
    try {
      for (const [index, history] of waiting) {
        await runHistory(installation, history).catch((error: unknown) => {
          differences.push({
            index,
            history,
            message: error instanceof Error ? error.message : String(error),
          })
        })
      }
    } finally {
      await installation.close()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const commands = histories.reduce((sum, history) => sum + history.length, 0)
  return { commands, differences, seconds: (performance.now() - start) / 1000 }
}
