/** The time of the fake forge, in milliseconds since 1970. */
export interface Clock {
  now(): number
}

/** Moves only when a test moves it. */
export class SimulatedClock implements Clock {
  #now: number

  constructor(start: string) {
    this.#now = Date.parse(start)
  }

  now(): number {
    return this.#now
  }

  advance(ms: number): void {
    this.#now += ms
  }
}

/** GitHub reports times without milliseconds. */
export function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

export function toTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : toTime(ms)
}
