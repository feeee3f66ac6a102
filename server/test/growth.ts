// Judges work by how its time grows with its input, which does not depend on the speed of the machine.

const SUSPICIOUS_MS = 10
/** The clock of CPU time has steps of up to 10 ms: shorter work cannot be compared. */
const SLOW_MS = 30
const MAX_REPEATS = 3
/** 1 is linear, 4 quadratic. */
export const MAX_GROWTH = 2.5

/** CPU time of this thread in milliseconds: the best of three runs if the first is slow, because the machine may be busy. */
export function measureBest(work: () => unknown): number {
  let best = measureCpuTime(work)
  for (let run = 1; run < MAX_REPEATS && best > SUSPICIOUS_MS; run++)
    best = Math.min(best, measureCpuTime(work))
  return best
}

export interface Growth {
  readonly milliseconds: number
  /** The time divided by four times that of a quarter of the size: 1 is linear, 4 quadratic. 0 = too short to compare. */
  readonly growth: number
}

export function measureGrowth(size: number, work: (size: number) => unknown): Growth {
  const milliseconds = measureBest(() => work(size))
  if (milliseconds <= SLOW_MS) return { milliseconds, growth: 0 }
  const quarters = measureBest(() => {
    for (let run = 0; run < 4; run++) work(size / 4)
  })
  return { milliseconds, growth: milliseconds / quarters }
}

function measureCpuTime(work: () => unknown): number {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
