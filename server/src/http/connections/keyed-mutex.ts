import { refuse } from '../../errors.ts'

export type RunExclusive = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Of what has one name one works at a time on this node. The others wait here and hold no connection: in the database
 * they would each hold one, and soon all that there are, until the first has ended.
 */
export function createKeyedMutex(): RunExclusive {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const own = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, own)
    try {
      return await own
    } finally {
      if (last.get(key) === own) last.delete(key)
    }
  }
}

/** The same for callers who do not wait for ever: whose turn comes too late is refused in it, and nothing is done. */
export function withWaitLimit(runExclusive: RunExclusive, waitLimitMs = 10_000): RunExclusive {
  return (key, work) => {
    const arrived = performance.now()
    return runExclusive(key, () => {
      if (performance.now() - arrived <= waitLimitMs) return work()
      return refuse(
        'OVERLOADED',
        'Too many requests of this kind wait for one another. Retry in a few seconds.',
        { 'retry-after': '2' },
      )
    })
  }
}
