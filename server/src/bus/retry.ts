import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamApiError } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import type { Log } from '../observe/log.ts'

const RETRY_MS = 1000
const UNAVAILABLE = 503

/** Repeats work until the bus is available. Returns null if the signal aborts first. */
export async function retryUntilAvailable<Result>(
  log: Log,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | null> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await work()
    } catch (err) {
      if (!isBusUnavailable(err)) throw err
      if (attempt === 1) log.warn({ err }, 'the bus is unavailable: waiting for it')
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return null
}

/** False if a setting is wrong, such as the password or the prefix. */
function isBusUnavailable(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.apiError().code === UNAVAILABLE
  // A server that joins its cluster has no JetStream yet. The library does not export this class.
  if (error instanceof Error && error.name === 'JetStreamNotEnabled') return true
  return [
    errors.ConnectionError,
    errors.ClosedConnectionError,
    errors.TimeoutError,
    errors.NoRespondersError,
    errors.RequestError,
  ].some((kind) => error instanceof kind)
}
