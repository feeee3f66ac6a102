import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { Refusal } from '../errors.ts'

/** Turns anything thrown into an error response. A defect reveals only the request id under which it was logged. */
export function toRefusal(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseUnavailable(error)) {
    return new Refusal('OVERLOADED', 'The database is unavailable or overloaded. Retry in a few seconds.', {
      'retry-after': '2',
    })
  }
  return new Refusal(
    'INTERNAL_ERROR',
    `An internal error occurred. Report the request id ${requestId} to support.`,
  )
}
