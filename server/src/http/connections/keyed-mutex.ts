import { isDatabaseUnreachable } from '../../db/unavailable.ts'
import { refuse } from '../../errors.ts'

export type RunExclusive = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Runs work with the same key one at a time on this node. Waiting here instead of in the database holds no connection, so
 * that waiting requests cannot exhaust the pool. If the database was unreachable for the work before, the work that
 * waited for it fails too, because nobody waits for a silent server twice.
 */
export function createKeyedMutex(): RunExclusive {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const own = (last.get(key) ?? Promise.resolve()).then(work, (error: unknown) => {
      if (isDatabaseUnreachable(error)) throw error
      return work()
    })
    last.set(key, own)
    try {
      return await own
    } finally {
      if (last.get(key) === own) last.delete(key)
    }
  }
}

/** Limits the wait: work that would start too late is refused and does not run. */
export function withWaitLimit(runExclusive: RunExclusive, waitLimitMs = 10_000): RunExclusive {
  return (key, work) => {
    const arrived = performance.now()
    return runExclusive(key, () => {
      if (performance.now() - arrived <= waitLimitMs) return work()
      return refuse('OVERLOADED', 'Too many requests of this kind are queued. Retry in a few seconds.', {
        'retry-after': '2',
      })
    })
  }
}
