import { setImmediate } from 'node:timers/promises'

/** Resolves in a turn of the event loop that no other caller has. */
export type TakeTurn = () => Promise<void>

/**
 * For work of some milliseconds that every request does at once: requests that arrive together would otherwise do it in one
 * turn, and nothing else could run until the last of them is done.
 */
export function createTurns(): TakeTurn {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
