import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EventKind } from '../../bus/ingest-event.ts'
import type { IngestContext } from '../../http/ingest/endpoint.ts'
import type { Reply } from '../../http/reply.ts'
import { createEventChecker, type Rejection } from './check-event.ts'

// Redacting a batch of long texts must not block the event loop for other requests.
const MAX_BLOCKING_MS = 20

/** Queues the valid events and lists the rejected ones. Responds after the queue has acknowledged every message. */
export function createEventAcceptor(
  kinds: readonly EventKind[],
): (context: IngestContext, items: readonly unknown[]) => Promise<Reply> {
  const check = createEventChecker(kinds)
  return async ({ credential, queue, now }, items) => {
    const at = now()
    const accepted: string[] = []
    const rejected: (Rejection & { readonly index: number })[] = []
    let sliceStart = performance.now()
    for (const [index, item] of items.entries()) {
      if (performance.now() - sliceStart > MAX_BLOCKING_MS) {
        await yieldToEventLoop()
        sliceStart = performance.now()
      }
      const checked = await check(item, at)
      if (typeof checked === 'string') accepted.push(checked)
      else rejected.push({ index, ...checked })
    }
    if (accepted.length > 0) await queue.store(credential, accepted)
    return { status: 202, body: { json: { accepted: accepted.length, rejected } } }
  }
}
