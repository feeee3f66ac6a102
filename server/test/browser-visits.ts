import type { CallOptions, TestResponse, TestService } from './call.ts'

/**
 * Follows redirects and keeps cookies, between the service in this process and providers on this machine. After a redirect
 * from another site, cookies that are SameSite=Strict are not sent.
 */
export interface Visits {
  /** Follows redirects to the last page of the service. */
  open(path: string): Promise<TestResponse>
  /** Follows redirects until the service would be asked for this path, and returns the address instead of asking. */
  openUntil(path: string, stopAt: string): Promise<URL>
  send(path: string, options?: CallOptions): Promise<TestResponse>
  readonly cookies: Map<string, string>
}

const MAX_REDIRECTS = 10

export function createVisits(service: Pick<TestService, 'call'>, publicUrl: string): Visits {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: URL): Map<string, string> => {
    const jar = jars.get(url.origin) ?? new Map<string, string>()
    jars.set(url.origin, jar)
    return jar
  }
  const strictNames = new Set<string>()
  const cookieHeader = (url: URL, crossSite = false) =>
    [...jarOf(url)]
      .filter(([name]) => !crossSite || !strictNames.has(name))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
  const store = (url: URL, lines: readonly string[]) => {
    for (const line of lines) {
      const [pair = ''] = line.split(';')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (/samesite=strict/i.test(line)) strictNames.add(name)
      if (value === '' || /max-age=0/i.test(line)) jarOf(url).delete(name)
      else jarOf(url).set(name, value)
    }
  }

  async function send(
    path: string,
    { headers, ...options }: CallOptions = {},
    crossSite = false,
  ): Promise<TestResponse> {
    const url = new URL(path, publicUrl)
    const response = await service.call(path, {
      ...options,
      headers: { cookie: cookieHeader(url, crossSite), ...headers },
    })
    const set = response.headers['set-cookie'] as string | readonly string[] | undefined
    store(url, typeof set === 'string' ? [set] : (set ?? []))
    return response
  }

  async function follow(
    start: string,
    stopAt: string | null,
  ): Promise<{ readonly url: URL; readonly response: TestResponse | null }> {
    let url = new URL(start, publicUrl)
    let crossSite = false
    for (let step = 0; step < MAX_REDIRECTS; step++) {
      if (url.origin === publicUrl) {
        if (stopAt !== null && url.pathname === stopAt) return { url, response: null }
        const response = await send(`${url.pathname}${url.search}`, {}, crossSite)
        if (response.status < 300 || response.status >= 400) return { url, response }
        url = new URL(response.headers['location'] ?? '', url)
        continue
      }
      crossSite = true
      const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookieHeader(url) } })
      store(url, response.headers.getSetCookie())
      const location = response.headers.get('location')
      if (location === null)
        throw new Error(`${url.href} returned ${response.status}: ${await response.text()}`)
      url = new URL(location, url)
    }
    throw new Error('Too many redirects.')
  }

  return {
    send: (path, options) => send(path, options),
    cookies: jarOf(new URL(publicUrl)),
    async open(path) {
      const { response } = await follow(path, null)
      if (response === null) throw new Error('The visit did not end at the service.')
      return response
    },
    openUntil: async (path, stopAt) => (await follow(path, stopAt)).url,
  }
}
