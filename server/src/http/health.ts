import type { DatabaseProbe } from '../db/readiness.ts'
import type { EventQueue } from './ingest/endpoint.ts'
import type { Reply } from './reply.ts'
import type { PublicPage } from './server.ts'

export interface Health {
  readonly pages: readonly PublicPage[]
  /** Makes the readiness checks fail, so that the load balancer sends no more requests. */
  startDraining(): void
}

/**
 * /healthz: the process runs. /readyz: it can serve requests, so its database can be written and it is not draining.
 * /readyz/ingest: it can accept events, which requires the bus but no database.
 */
export function createHealthPages(
  database: Pick<DatabaseProbe, 'check'>,
  queue: Pick<EventQueue, 'checkReady'>,
): Health {
  let draining = false
  const renderReadiness = async (check: () => Promise<string | null>): Promise<Reply> => {
    const reason = draining ? 'leaving' : await check()
    return reason === null ? readyReply : unreadyReply(reason)
  }
  return {
    pages: [
      { path: '/healthz', run: () => ({ status: 200, body: { json: { status: 'ok' } } }) },
      { path: '/readyz', run: () => renderReadiness(() => database.check()) },
      { path: '/readyz/ingest', run: () => renderReadiness(() => queue.checkReady()) },
    ],
    startDraining() {
      draining = true
    },
  }
}

const readyReply: Reply = { status: 200, body: { json: { status: 'ready' } } }

function unreadyReply(reason: string): Reply {
  return { status: 503, headers: { 'retry-after': '2' }, body: { json: { status: 'unavailable', reason } } }
}
