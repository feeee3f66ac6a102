import type { IngestCredential } from '../../access/ingest-credential.ts'
import type { KeyId } from '../../ids.ts'

/** Resolves when the events are stored. */
export type Gather = (credential: IngestCredential, events: readonly string[]) => Promise<void>

interface Gathering {
  readonly events: string[]
  readonly stored: Promise<void>
}

/**
 * While events of a credential are on their way, those that come after wait and then go together: under load a message
 * carries the events of many requests, and the bus syncs its disk once for all of them.
 */
export function gatherer(send: Gather): Gather {
  const underWay = new Map<KeyId, Promise<unknown>>()
  const waiting = new Map<KeyId, Gathering>()

  function begin(credential: IngestCredential, events: readonly string[]): Promise<void> {
    const sending = send(credential, events)
    const finished = sending
      .catch(() => {})
      .finally(() => {
        if (underWay.get(credential.id) === finished) underWay.delete(credential.id)
      })
    underWay.set(credential.id, finished)
    return sending
  }

  return (credential, events) => {
    const before = underWay.get(credential.id)
    if (before === undefined) return begin(credential, events)
    const gathering = waiting.get(credential.id)
    if (gathering !== undefined) {
      for (const event of events) gathering.events.push(event)
      return gathering.stored
    }
    const gathered = [...events]
    const stored = before.then(() => {
      waiting.delete(credential.id)
      return begin(credential, gathered)
    })
    waiting.set(credential.id, { events: gathered, stored })
    return stored
  }
}
