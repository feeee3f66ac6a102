import { type Pool, refuseUnreachable } from '../db/connect.ts'
import type { EventQueue } from './ingest/endpoint.ts'
import type { Reply } from './reply.ts'
import type { OpenPage } from './server.ts'

export interface Health {
  readonly pages: readonly OpenPage[]
  /** From now on this node asks its balancer for no more work. */
  leave(): void
}

/**
 * /healthz: the process lives. /readyz: it can serve, that is, it reaches its database and is not leaving.
 * /readyz/ingest: it can take events, for which it needs the bus and no database.
 */
export function healthPages(pool: Pool, queue: Pick<EventQueue, 'isOpen'>): Health {
  let leaving = false
  const ready = async (): Promise<Reply> => {
    if (leaving) return unready('leaving')
    try {
      await refuseUnreachable(pool)
      return isReady
    } catch {
      return unready('database unreachable')
    }
  }
  const readyForEvents = (): Reply => {
    if (leaving) return unready('leaving')
    return queue.isOpen() ? isReady : unready('bus unreachable')
  }
  return {
    pages: [
      { path: '/healthz', run: () => ({ status: 200, body: { json: { status: 'ok' } } }) },
      { path: '/readyz', run: ready },
      { path: '/readyz/ingest', run: readyForEvents },
    ],
    leave() {
      leaving = true
    },
  }
}

const isReady: Reply = { status: 200, body: { json: { status: 'ready' } } }

function unready(reason: string): Reply {
  return { status: 503, headers: { 'retry-after': '2' }, body: { json: { status: 'unavailable', reason } } }
}
