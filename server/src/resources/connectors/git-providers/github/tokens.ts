import { createHash, createPrivateKey, sign } from 'node:crypto'
import type { Clock } from '../budget.ts'
import { parseJson } from '../json.ts'
import { CredentialRejectedError, ProviderUnavailableError } from '../provider-client.ts'
import type { SendRequest } from '../request.ts'
import type { GithubAddress } from './address.ts'

export interface GithubCredential {
  readonly appId: string
  /** PEM, as GitHub hands it out. */
  readonly privateKey: string
  readonly installationId: string
}

interface Token {
  readonly value: string
  readonly expiresAt: number
}

const EXPIRY_MARGIN_MS = 5 * 60_000
const MAX_TOKENS = 10_000

export const githubHeaders = {
  accept: 'application/vnd.github+json',
  'user-agent': 'scholiast',
  'x-github-api-version': '2022-11-28',
}

/** Installation tokens, which live for one hour. All clients of a process share them. */
export class InstallationTokens {
  readonly #send: SendRequest
  readonly #clock: Clock
  readonly #tokens = new Map<string, Promise<Token>>()

  constructor(send: SendRequest, clock: Clock) {
    this.#send = send
    this.#clock = clock
  }

  /** `rejected` is a token that GitHub did not accept: another one is returned. */
  async get(address: GithubAddress, credential: GithubCredential, rejected?: string): Promise<string> {
    // Ids of installations repeat on other servers, so everything that identifies the credential is a part of the key.
    const { appId, installationId, privateKey } = credential
    const key = [
      address.api,
      appId,
      installationId,
      createHash('sha256').update(privateKey).digest('hex'),
    ].join(' ')
    const known = await this.#tokens.get(key)?.catch(() => null)
    const isUsable = known && known.value !== rejected && known.expiresAt > this.#clock.now().getTime()
    if (isUsable) return known.value
    const token = this.#create(address, credential)
    if (this.#tokens.size >= MAX_TOKENS) this.#tokens.clear()
    this.#tokens.set(key, token)
    return (await token).value
  }

  async #create(address: GithubAddress, credential: GithubCredential): Promise<Token> {
    const { host } = new URL(address.api)
    const path = `/app/installations/${encodeURIComponent(credential.installationId)}/access_tokens`
    const response = await this.#send({
      method: 'POST',
      url: `${address.api}${path}`,
      headers: { ...githubHeaders, authorization: `Bearer ${createAppJwt(credential, this.#clock.now())}` },
      body: '',
    })
    // 404: the App is not installed any more; 403: the installation is suspended.
    if (response.status >= 400 && response.status < 500 && response.status !== 429)
      throw new CredentialRejectedError(`${host} gives no token for this installation (${response.status}).`)
    if (response.status !== 201)
      throw new ProviderUnavailableError(`${host} is unavailable (${response.status}).`)
    const { token, expires_at } = parseJson<{ token: string; expires_at: string }>(response)
    return { value: token, expiresAt: Date.parse(expires_at) - EXPIRY_MARGIN_MS }
  }
}

/** Signs as the App. GitHub accepts ten minutes at most, and clocks that differ a little. */
export function createAppJwt(
  { appId, privateKey }: Omit<GithubCredential, 'installationId'>,
  now: Date,
): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = { iss: appId, iat: seconds - 60, exp: seconds + 480 }
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  try {
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), createPrivateKey(privateKey)).toString('base64url')}`
  } catch {
    // The reason could quote the key.
    throw new CredentialRejectedError('The private key of the GitHub App is not a PEM key.')
  }
}
