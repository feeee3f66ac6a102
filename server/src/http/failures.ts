import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { Refusal } from '../errors.ts'

/** What a caller is told about anything that was thrown. A defect tells only the id under which it was logged. */
export function toRefusal(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseUnavailable(error)) {
    return new Refusal(
      'OVERLOADED',
      'The database cannot be reached or is too busy right now. Retry in a few seconds.',
      {
        'retry-after': '2',
      },
    )
  }
  return new Refusal(
    'INTERNAL_ERROR',
    `Something went wrong on our side. Tell us the request id ${requestId}.`,
  )
}
