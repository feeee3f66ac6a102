import type { ClientBase } from 'pg'

/** How long a process waits for PostgreSQL before it gives up. The server's own limits are in role-settings.ts. */
export interface WaitLimits {
  /** For a free or a new connection. */
  readonly connectionMs: number
  /** For the response to a batch; the wait for its connection counts too. Then the connection is destroyed. */
  readonly responseMs: number
}

/** For requests: none waits more than 5 s for a server that does not respond. */
export const requestLimits: WaitLimits = { connectionMs: 3_500, responseMs: 4_500 }

/** For jobs: the worker's handlers and timers, and the operator's commands. */
export const jobLimits: WaitLimits = { connectionMs: 5_000, responseMs: 30_000 }

/** For locks that a job holds: the job notices a loss before the server gives the lock to another worker. */
export const lockLimits: WaitLimits = { ...jobLimits, responseMs: 8_000 }

const limitsByClient = new WeakMap<ClientBase, WaitLimits>()

export function setWaitLimits(client: ClientBase, limits: WaitLimits): void {
  limitsByClient.set(client, limits)
}

export function getWaitLimits(client: ClientBase): WaitLimits {
  return limitsByClient.get(client) ?? jobLimits
}
