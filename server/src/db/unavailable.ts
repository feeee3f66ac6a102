// SQLSTATEs of temporary failures: connection errors, out of resources, shutting down, read-only after a failover,
// statement timeout, lock not available, serialization failure, deadlock.
const unavailableSqlStates = /^(?:08|53|57P0|25006|57014|55P03|40001|40P01)/
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Whether a retry can succeed: the database is unreachable or overloaded. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  if (unavailableSqlStates.test(code) || socketErrors.has(code)) return true
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}
