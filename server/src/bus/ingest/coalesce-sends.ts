import type { IngestCredential } from '../../access/ingest-credential.ts'
import type { KeyId } from '../../ids.ts'

/** Resolves when the events are stored. */
export type SendEvents = (credential: IngestCredential, events: readonly string[]) => Promise<void>

interface PendingSend {
  readonly events: string[]
  readonly stored: Promise<void>
}

/**
 * While events of a credential are being sent, later ones wait and are then sent together: under load one message carries
 * the events of many requests, and the bus syncs its disk once for all of them.
 */
export function coalesceSends(send: SendEvents): SendEvents {
  const inFlight = new Map<KeyId, Promise<unknown>>()
  const waiting = new Map<KeyId, PendingSend>()

  function startSend(credential: IngestCredential, events: readonly string[]): Promise<void> {
    const sending = send(credential, events)
    const finished = sending
      .catch(() => {})
      .finally(() => {
        if (inFlight.get(credential.id) === finished) inFlight.delete(credential.id)
      })
    inFlight.set(credential.id, finished)
    return sending
  }

  return (credential, events) => {
    const previous = inFlight.get(credential.id)
    if (previous === undefined) return startSend(credential, events)
    const pending = waiting.get(credential.id)
    if (pending !== undefined) {
      for (const event of events) pending.events.push(event)
      return pending.stored
    }
    const pendingEvents = [...events]
    const stored = previous.then(() => {
      waiting.delete(credential.id)
      return startSend(credential, pendingEvents)
    })
    waiting.set(credential.id, { events: pendingEvents, stored })
    return stored
  }
}
