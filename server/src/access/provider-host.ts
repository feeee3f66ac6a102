const cloudHosts: ReadonlyMap<string, string> = new Map([
  ['bitbucket', 'bitbucket.org'],
  ['azure', 'dev.azure.com'],
])

/** The host of a Git provider's cloud, the default where no host is given. */
export function getCloudHost(provider: string): string {
  return cloudHosts.get(provider) ?? `${provider}.com`
}
