const cloudHosts: ReadonlyMap<string, string> = new Map([
  ['bitbucket', 'bitbucket.org'],
  ['azure', 'dev.azure.com'],
])

/** Where a Git provider's own cloud is; meant wherever no host is said. */
export function getCloudHost(provider: string): string {
  return cloudHosts.get(provider) ?? `${provider}.com`
}
