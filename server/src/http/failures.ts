import { Refusal } from '../errors.ts'

// PostgreSQL's classes for "not now": connection trouble, out of resources, shutting down, read-only after a fail-over, a
// statement that took too long, a lock that was not to be had, a transaction that lost against another.
const unavailable = /^(?:08|53|57P0|25006|57014|55P03|40001|40P01)/
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

/** What a caller is told about anything that was thrown. A defect tells only the id under which it was logged. */
export function asRefusal(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseAway(error)) {
    return new Refusal('OVERLOADED', 'The database cannot be reached right now. Retry in a few seconds.', {
      'retry-after': '2',
    })
  }
  return new Refusal(
    'INTERNAL_ERROR',
    `Something went wrong on our side. Tell us the request id ${requestId}.`,
  )
}

function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  if (unavailable.test(code) || socketErrors.has(code)) return true
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}
