import { ScholiastError } from './error.ts'

export interface RetryOptions {
  /** How often a request is sent at most. Default 5. */
  readonly attempts?: number
  /** Milliseconds from the first attempt after which no retry starts. Default 120,000. */
  readonly budgetMs?: number
}

/** A retry that is about to be waited for. */
export interface RetryInfo {
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number
  readonly waitMs: number
  readonly status?: number
  readonly code?: string
  /** For people, for example `rate limit (429 RATE_LIMIT_EXCEEDED)`. */
  readonly reason: string
}

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 8_000
const MAX_JITTER_MS = 2_000
const retriedStatus = new Set([408, 429, 500, 502, 503, 504])
const retriedCodes = new Set(['NETWORK_ERROR', 'TIMEOUT'])

/** Failures that can pass by themselves. Whether the request may be sent again is decided by its caller. */
export function isTransient({ status, code }: ScholiastError): boolean {
  return retriedStatus.has(status) || retriedCodes.has(code)
}

/** Throws every other error again. */
export function ignoreTransient(error: unknown): void {
  if (!(error instanceof ScholiastError && isTransient(error))) throw error
}

/**
 * Never earlier than Retry-After; without it, exponential. The random part spreads clients that failed together.
 */
export function nextDelay(attempt: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined) {
    return retryAfter * 1000 + Math.random() * Math.min(MAX_JITTER_MS, 100 + retryAfter * 100)
  }
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return delay / 2 + (Math.random() * delay) / 2
}

export function describeRetry(error: ScholiastError): string {
  if (error.code === 'TIMEOUT') return 'timeout'
  if (error.status === 0) return 'network error'
  const what = error.status === 429 ? 'rate limit' : error.status === 503 ? 'unavailable' : 'server error'
  return `${what} (${error.status} ${error.code})`
}

/** Resolves after the time, or rejects with the reason of the signal. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}
