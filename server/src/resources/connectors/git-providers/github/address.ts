/** Where the parts of one GitHub are. */
export interface GithubAddress {
  readonly web: string
  readonly api: string
  readonly graphql: string
}

/** `host` is `github.com`, a subdomain of `ghe.com`, or the host of an Enterprise Server; `http://127.0.0.1:port` in tests. */
export function toGithubAddress(host: string): GithubAddress {
  if (host === 'github.com')
    return {
      web: 'https://github.com',
      api: 'https://api.github.com',
      graphql: 'https://api.github.com/graphql',
    }
  if (host.endsWith('.ghe.com'))
    return { web: `https://${host}`, api: `https://api.${host}`, graphql: `https://api.${host}/graphql` }
  const web = host.startsWith('http://') ? host : `https://${host}`
  return { web, api: `${web}/api/v3`, graphql: `${web}/api/graphql` }
}
