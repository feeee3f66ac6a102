import { createSign } from 'node:crypto'
import { CliError } from '../exit.ts'

export interface GithubHost {
  /** As the service stores it, for example github.com. */
  readonly host: string
  readonly webUrl: string
  readonly apiUrl: string
}

const loopback = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?$/

/** GitHub's cloud, with data residency on a subdomain of ghe.com, or an Enterprise Server. Plain http is for a forge on this machine only. */
export function toGithubHost(host: string): GithubHost {
  if (host === 'github.com') return { host, webUrl: 'https://github.com', apiUrl: 'https://api.github.com' }
  if (host.endsWith('.ghe.com')) return { host, webUrl: `https://${host}`, apiUrl: `https://api.${host}` }
  const webUrl = `${loopback.test(host) ? 'http' : 'https'}://${host}`
  return { host, webUrl, apiUrl: `${webUrl}/api/v3` }
}

interface GithubRequest {
  /** A token of the App. */
  readonly token?: string
  readonly body?: object
}

export async function sendToGithub<Result>(
  { apiUrl, host }: GithubHost,
  method: string,
  path: string,
  { token, body }: GithubRequest = {},
): Promise<Result> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    redirect: 'error',
    headers: {
      accept: 'application/vnd.github+json',
      'user-agent': 'scholiast-cli',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CliError(`${host} cannot be reached.`, { next: 'Check --host and your network.' })
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new CliError(
      `${host} returned ${response.status} for ${method} ${path.replace(/\/[^/]{20,}/, '/…')}.`,
      {
        next: 'Run the command again. If the error persists, use --app-id with an App that you create yourself.',
      },
    )
  }
  return (await response.json()) as Result
}

/** What an App authenticates with: valid for nine minutes, and a minute in the past for clocks that differ. */
export function createAppToken(appId: string, privateKey: string, now = Date.now()): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const seconds = Math.floor(now / 1000)
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ iat: seconds - 60, exp: seconds + 540, iss: appId })}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`
}
