import { assertReachable, type Pool } from '../db/connect.ts'
import type { EventQueue } from './ingest/endpoint.ts'
import type { Reply } from './reply.ts'
import type { PublicPage } from './server.ts'

export interface Health {
  readonly pages: readonly PublicPage[]
  /** Makes the readiness checks fail, so that the load balancer sends no more requests. */
  startDraining(): void
}

/**
 * /healthz: the process runs. /readyz: it can serve requests, so its database is reachable and it is not draining.
 * /readyz/ingest: it can accept events, which requires the bus but no database.
 */
export function createHealthPages(pool: Pool, queue: Pick<EventQueue, 'isOpen'>): Health {
  let draining = false
  const checkReady = async (): Promise<Reply> => {
    if (draining) return unreadyReply('leaving')
    try {
      await assertReachable(pool)
      return readyReply
    } catch {
      return unreadyReply('database unreachable')
    }
  }
  const checkReadyForEvents = (): Reply => {
    if (draining) return unreadyReply('leaving')
    return queue.isOpen() ? readyReply : unreadyReply('bus unreachable')
  }
  return {
    pages: [
      { path: '/healthz', run: () => ({ status: 200, body: { json: { status: 'ok' } } }) },
      { path: '/readyz', run: checkReady },
      { path: '/readyz/ingest', run: checkReadyForEvents },
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
