import type { Usage } from './budget-state.ts'
import { ProviderUnavailableError } from './provider-client.ts'
import type { ProviderResponse } from './request.ts'

export type Json = Readonly<Record<string, unknown>>

/** Responses are as their documentation says, or we cannot work with them: types are asserted, not checked. */
export function parseJson<Body>(response: ProviderResponse): Body {
  try {
    return JSON.parse(response.body.toString('utf8')) as Body
  } catch {
    const { host } = new URL(response.url)
    throw new ProviderUnavailableError(`${host} sent a response that is not JSON (${response.status}).`)
  }
}

/** GitHub and GitLab link to the next page in the same way. */
export function getNextPage({ headers }: ProviderResponse): string | null {
  const link = headers.link
  const text = Array.isArray(link) ? link.join(', ') : (link ?? '')
  for (const part of text.split(',')) {
    const match = /^\s*<([^>]{1,4000})>\s*;(.*)$/.exec(part)
    if (match?.[1] && /\brel="?next\b/.test(match[2] ?? '')) return match[1]
  }
  return null
}

export function getHeader({ headers }: ProviderResponse, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The Git provider's own time of a response. */
export function getDate(response: ProviderResponse, fallback: Date): string {
  const time = Date.parse(getHeader(response, 'date') ?? '')
  return new Date(Number.isNaN(time) ? fallback : time).toISOString()
}

/** A whole number that is not negative. */
export function getNumber(response: ProviderResponse, name: string): number | null {
  const value = getHeader(response, name)
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null
}

/** `off` = the Git provider has no limits: self-managed ones may send no headers, or 0 of 0. */
export function readRateLimit(
  response: ProviderResponse,
  prefix: 'ratelimit-' | 'x-ratelimit-',
): Usage['limit'] {
  const points = getNumber(response, `${prefix}limit`)
  const remaining = getNumber(response, `${prefix}remaining`)
  const reset = getNumber(response, `${prefix}reset`)
  if (points === null || points === 0) return 'off'
  return remaining === null || reset === null ? null : { points, remaining, resetsAt: new Date(reset * 1000) }
}

/** null = the Git provider does not say. */
export function getRetryTime(response: ProviderResponse, now: Date): Date | null {
  const seconds = getNumber(response, 'retry-after')
  return seconds === null ? null : new Date(now.getTime() + Math.max(1, seconds) * 1000)
}

/** Git providers report whole seconds, so times within the same second are not before each other. */
export function isBefore(time: string, since: string): boolean {
  return Date.parse(time) < Math.floor(Date.parse(since) / 1000) * 1000
}
