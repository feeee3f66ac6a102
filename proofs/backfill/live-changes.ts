import type { Installation } from './installation.ts'
import type { Timeline } from './timeline.ts'

/** A hook is acted on after 5 s, and idle workers look every second. */
const LOOK_AFTER_MS = 6000

interface Change {
  readonly at: number
  /** A worker was killed while the change waited: what it had leased waits until the lease runs out. */
  isInterrupted: boolean
}

/** Pull requests that are opened, reviewed and merged during the backfill, and how long each waits until it is read. */
export class LiveChanges {
  /** Simulated milliseconds. */
  readonly waits: number[] = []
  readonly interruptedWaits: number[] = []
  readonly #waiting = new Map<string, Change>()

  constructor(
    { organization, github }: Installation,
    timeline: Timeline,
    { liveChanges, liveChangeEveryMs }: { readonly liveChanges: number; readonly liveChangeEveryMs: number },
  ) {
    const begun = timeline.now
    for (let index = 1; index <= liveChanges; index++)
      timeline.plan(begun + index * liveChangeEveryMs, async () => {
        const { repository, number } = organization.change()
        this.#waiting.set(`${repository.id}/${number}`, { at: timeline.now, isInterrupted: false })
        await github.hooks.flush()
        timeline.lookForWork(timeline.now + LOOK_AFTER_MS)
      })
  }

  get unread(): number {
    return this.#waiting.size
  }

  noteKill(): void {
    for (const change of this.#waiting.values()) change.isInterrupted = true
  }

  readonly onRead = (repository: string, number: number, at: number): void => {
    const name = `${repository}/${number}`
    const change = this.#waiting.get(name)
    if (change === undefined) return
    this.#waiting.delete(name)
    ;(change.isInterrupted ? this.interruptedWaits : this.waits).push(at - change.at)
  }
}
