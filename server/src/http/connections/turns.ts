import { refuse } from '../../errors.ts'

export type InTurn = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Of what has one name one works at a time on this node. The others wait here and hold no connection: in the database
 * they would each hold one, and soon all that there are, until the first has ended.
 */
export function turnstile(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const own = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, own)
    try {
      return await own
    } finally {
      if (last.get(name) === own) last.delete(name)
    }
  }
}

/** The same for callers who do not wait for ever: whose turn comes too late is refused in it, and nothing is done. */
export function patiently(inTurn: InTurn, patienceMs = 10_000): InTurn {
  return (name, work) => {
    const arrived = performance.now()
    return inTurn(name, () => {
      if (performance.now() - arrived <= patienceMs) return work()
      return refuse(
        'OVERLOADED',
        'Too many requests of this kind wait for one another. Retry in a few seconds.',
        { 'retry-after': '2' },
      )
    })
  }
}
