// PostgreSQL's classes for "not now": connection trouble, out of resources, shutting down, read-only after a fail-over, a
// statement that took too long, a lock that was not to be had, a transaction that lost against another.
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

/** Whether the same work may well succeed later: the database is out of reach, or was too busy. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  if (unavailableSqlStates.test(code) || socketErrors.has(code)) return true
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}
