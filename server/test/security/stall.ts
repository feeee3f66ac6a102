import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Stall {
  /** Longest time that the event loop was blocked. */
  readonly longestMs: number
  readonly tookMs: number
}

/** Measures how long some work blocks the event loop. */
export async function measureStall(work: () => Promise<unknown>): Promise<Stall> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  // A delay is measured from the previous tick.
  await sleep(50)
  const started = performance.now()
  await work()
  const tookMs = performance.now() - started
  await sleep(50)
  delays.disable()
  return { longestMs: delays.max / 1e6, tookMs }
}

export function describeStall({ longestMs, tookMs }: Stall): string {
  return `took ${Math.round(tookMs)} ms, longest stall ${Math.round(longestMs)} ms`
}
