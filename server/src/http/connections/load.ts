import { refuse } from '../../errors.ts'

/** Takes a place for a request and returns what gives it back; refuses when there is none. */
export type AcquireSlot = (caller: string) => () => void

/**
 * Sheds load before any work is done. One caller may hold a quarter of the places, so that a flood on one key
 * leaves room for everybody else.
 */
export function createLoadGuard(maxSlots: number): AcquireSlot {
  const slotsPerCaller = Math.max(Math.floor(maxSlots / 4), 1)
  const held = new Map<string, number>()
  let taken = 0
  return (caller) => {
    const own = held.get(caller) ?? 0
    if (taken >= maxSlots || own >= slotsPerCaller) {
      refuse('OVERLOADED', 'The service is busier than it can bear. Retry in a second.', {
        'retry-after': '1',
      })
    }
    taken += 1
    held.set(caller, own + 1)
    return () => {
      taken -= 1
      const left = (held.get(caller) ?? 1) - 1
      if (left > 0) held.set(caller, left)
      else held.delete(caller)
    }
  }
}
