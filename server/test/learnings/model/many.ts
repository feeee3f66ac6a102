import fc from 'fast-check'
import { anyHistory, type Command } from './history.ts'
import { openLane } from './lane.ts'
import { runHistory } from './run.ts'

export interface Many {
  readonly commands: number
  readonly differences: readonly Difference[]
  readonly seconds: number
}

export interface Difference {
  /** Its place among the histories of the seed. */
  readonly place: number
  readonly history: readonly Command[]
  readonly message: string
}

/** Runs that many histories, several at a time, each lane on a database of its own. */
export async function runMany(total: number, seed: number, lanes: number): Promise<Many> {
  const start = performance.now()
  const histories = fc.sample(anyHistory, { numRuns: total, seed })
  const waiting = histories.entries()
  const differences: Difference[] = []
  async function work(): Promise<void> {
    const lane = await openLane()
    try {
      for (const [place, history] of waiting) {
        await runHistory(lane, history).catch((error: unknown) => {
          differences.push({
            place,
            history,
            message: error instanceof Error ? error.message : String(error),
          })
        })
      }
    } finally {
      await lane.close()
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  const commands = histories.reduce((sum, history) => sum + history.length, 0)
  return { commands, differences, seconds: (performance.now() - start) / 1000 }
}
