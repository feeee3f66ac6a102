import type { Bus } from '../connect.ts'

const INTERVAL_MS = 1000

export interface LatestPublisher {
  /** Publishes the text, or within a second the latest one of the subject. Never throws. */
  publish(subject: string, text: string): void
  stop(): void
}

/** Publishes at most one message per subject and second. The last one of a subject is always published. */
export function createLatestPublisher(bus: Bus): LatestPublisher {
  /** Subjects of the last second, with the text that waits. */
  const recent = new Map<string, { timer: NodeJS.Timeout; waiting: string | null }>()

  function send(subject: string, text: string): void {
    const timer = setTimeout(() => {
      const waiting = recent.get(subject)?.waiting ?? null
      recent.delete(subject)
      if (waiting !== null) send(subject, waiting)
    }, INTERVAL_MS).unref()
    recent.set(subject, { timer, waiting: null })
    if (!bus.connection.isClosed()) bus.connection.publish(subject, text)
  }

  return {
    publish(subject, text) {
      const pending = recent.get(subject)
      if (pending === undefined) send(subject, text)
      else pending.waiting = text
    },
    stop() {
      for (const [subject, { timer, waiting }] of recent) {
        clearTimeout(timer)
        if (waiting !== null && !bus.connection.isClosed()) bus.connection.publish(subject, waiting)
      }
      recent.clear()
    },
  }
}
