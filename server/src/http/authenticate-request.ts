import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../access/principal.ts'
import { runAsCaller } from '../access/refusals.ts'
import { ORGANIZATION_HEADER, SESSION_COOKIE } from '../access/session.ts'
import { refuse } from '../errors.ts'
import type { AppContext } from './app-context.ts'
import type { Endpoint } from './endpoint.ts'

/** Authenticates by the API key, or by the session cookie of a person who signed in. */
export async function authenticateRequest(
  app: Pick<AppContext, 'authenticate' | 'authenticateSession' | 'config'>,
  { method, session }: Pick<Endpoint, 'method' | 'session'>,
  headers: IncomingHttpHeaders,
): Promise<Principal> {
  const { keyHeaders, publicUrl } = app.config
  const key = readKeyHeader(keyHeaders, headers)
  const cookie = publicUrl === null ? undefined : readCookie(headers, SESSION_COOKIE)
  if (publicUrl === null || cookie === undefined) return app.authenticate(key)
  if (key !== undefined)
    refuse('INVALID_REQUEST', 'The request has both an API key and a session cookie. Send one of them.')
  const header = headers[ORGANIZATION_HEADER]
  const organization = session === 'person' ? null : typeof header === 'string' ? header : undefined
  const principal = await app.authenticateSession(cookie, organization)
  if (method !== 'GET') await runAsCaller(principal, () => refuseCrossSite(headers, publicUrl))
  return principal
}

export function readKeyHeader(names: readonly string[], headers: IncomingHttpHeaders): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

/** The value of a cookie as sent. Names are compared exactly: `__Host-` protects only that spelling. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const start = `${name}=`
  return cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length)
}

/** Browsers send cookies with requests that another site started; only those of our own pages may change something. */
export function refuseCrossSite(headers: IncomingHttpHeaders, publicUrl: URL): void {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined ? headers.origin === publicUrl.origin : site === 'same-origin'
  if (isOwn) return
  refuse(
    'CROSS_SITE_REQUEST',
    `This request was not started by a page of ${publicUrl.origin}. Open the page there and retry.`,
  )
}
