import type { IngestCredential } from '../../../access/ingest-credential.ts'
import type { IngestQueue } from '../../../bus/queue/queue.ts'
import type { KeyId } from '../../../ids.ts'
import type { SendEvents, SyncedConnector } from './context.ts'
import { QueueUnavailableError } from './errors.ts'

/** Validates and normalizes an event as POST /ingest/v1/events does. */
export type CheckEvent = (
  event: unknown,
  at: Date,
) => Promise<{ readonly text: string } | { readonly code: string; readonly message: string }>

/** An event of ours that the ingest path rejects. */
class RejectedEventError extends Error {
  override readonly name = 'RejectedEventError'
}

const NEVER = new Date('9999-01-01T00:00:00Z')

/** Events of connectors take the same path as those of senders: the same checks, limits and queue. */
export function createEventSender(
  queue: Pick<IngestQueue, 'admit' | 'store'>,
  check: CheckEvent,
  now: () => Date,
): SendEvents {
  return async (connector, events) => {
    const texts: string[] = []
    for (const event of events) {
      const checked = await check(event, now())
      // The message quotes names of fields, never a value.
      if ('code' in checked) throw new RejectedEventError(`${event.type}: ${checked.message}`)
      texts.push(checked.text)
    }
    const credential = toCredential(connector)
    try {
      queue.admit(credential)
      await queue.store(credential, texts)
    } catch (cause) {
      throw new QueueUnavailableError('The event queue does not take events.', { cause })
    }
  }
}

/** A connector speaks for its organization only. */
function toCredential({ id, root, organization }: SyncedConnector): IngestCredential {
  return { id: id as string as KeyId, root, organizations: [organization], expiresAt: NEVER }
}
