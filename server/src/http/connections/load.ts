import { refuse } from '../../errors.ts'

/** Takes a slot and returns a function that releases it; refuses if no slot is free. */
export type AcquireSlot = (caller: string) => () => void

/**
 * Sheds load before any work is done. One caller may hold at most a quarter of the slots, so that a flood on one key
 * leaves capacity for the others.
 */
export function createLoadGuard(maxSlots: number): AcquireSlot {
  const slotsPerCaller = Math.max(Math.floor(maxSlots / 4), 1)
  const held = new Map<string, number>()
  let taken = 0
  return (caller) => {
    const own = held.get(caller) ?? 0
    if (taken >= maxSlots || own >= slotsPerCaller) {
      refuse('OVERLOADED', 'The server is overloaded. Retry after the time in Retry-After.', {
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
