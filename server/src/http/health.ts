import { type Pool, refuseUnreachable } from '../db/connect.ts'
import type { Reply } from './reply.ts'
import type { OpenPage } from './server.ts'

export interface Health {
  readonly pages: readonly OpenPage[]
  /** From now on this node asks its balancer for no more work. */
  leave(): void
}

/** /healthz: the process lives. /readyz: it can serve, that is, it reaches its database and is not leaving. */
export function healthPages(pool: Pool): Health {
  let leaving = false
  const ready = async (): Promise<Reply> => {
    if (leaving) return unready('leaving')
    try {
      await refuseUnreachable(pool)
      return { status: 200, body: { json: { status: 'ready' } } }
    } catch {
      return unready('database unreachable')
    }
  }
  return {
    pages: [
      { path: '/healthz', run: () => ({ status: 200, body: { json: { status: 'ok' } } }) },
      { path: '/readyz', run: ready },
    ],
    leave() {
      leaving = true
    },
  }
}

function unready(reason: string): Reply {
  return { status: 503, headers: { 'retry-after': '2' }, body: { json: { status: 'unavailable', reason } } }
}
