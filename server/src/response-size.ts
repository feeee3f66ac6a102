import { refuse } from './errors.ts'

const MIB = 1024 * 1024

/** The largest body of a page or a file. */
export const MAX_RESPONSE_BYTES = 16 * MIB

/** A stream has one page in memory while it is sent. */
export const STREAM_PAGE_BYTES = 4 * MIB

const defaultAdvice = 'Reduce limit, narrow the time window or add filters.'

/** The pipeline checks every complete response; a handler that builds one in parts also checks before it is complete. */
export function checkResponseSize(
  bytes: number,
  maxBytes = MAX_RESPONSE_BYTES,
  advice = defaultAdvice,
): void {
  if (bytes > maxBytes) refuseLargeResponse(advice, maxBytes)
}

export function refuseLargeResponse(advice = defaultAdvice, maxBytes = MAX_RESPONSE_BYTES): never {
  return refuse('RESPONSE_TOO_LARGE', `The response would be larger than ${maxBytes / MIB} MiB. ${advice}`)
}
