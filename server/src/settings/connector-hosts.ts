/** Origins, such as `https://api.github.com`, that connectors may send requests to. */
export type ConnectorHosts = ReadonlyMap<string, { readonly network: 'public' | 'private' | 'loopback' }>

export const DEFAULT_CONNECTOR_HOSTS = 'api.github.com,github.com,gitlab.com'

/**
 * An entry is `host` or `host:port`, always https, or `http://127.0.0.1:port` or `http://localhost:port` for tests and
 * development. A host of the second list may have private addresses.
 */
export function readConnectorHosts(
  hosts: readonly string[],
  privateHosts: readonly string[],
  problems: string[],
): ConnectorHosts {
  const origins = new Map<string, { network: 'public' | 'private' | 'loopback' }>()
  for (const entry of hosts) {
    const loopback = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/.test(entry)
    const origin = loopback ? URL.parse(entry)?.origin : toHttpsOrigin(entry)
    if (origin) origins.set(origin, { network: loopback ? 'loopback' : 'public' })
    else problems.push(`CONNECTOR_HOSTS must be comma-separated hosts such as git.example.com or host:port`)
  }
  for (const entry of privateHosts) {
    const origin = toHttpsOrigin(entry)
    if (origin && origins.has(origin)) origins.set(origin, { network: 'private' })
    else
      problems.push('CONNECTOR_PRIVATE_HOSTS must be hosts that CONNECTOR_HOSTS lists, written the same way')
  }
  return origins
}

function toHttpsOrigin(entry: string): string | null {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})(?::\d{1,5})?$/.test(entry)) return null
  return URL.parse(`https://${entry}`)?.origin ?? null
}
