// GitHub Apps, their installations and tokens, and who a request comes from.
import {
  createHash,
  createPublicKey,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { Forge } from '../forge.ts'
import type { Organization, Repository } from '../model.ts'

export type Permissions = Readonly<Record<string, 'read' | 'write'>>

export interface App {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly owner: Organization
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** PEM, as GitHub sends it: PKCS#1. */
  readonly privateKey: string
  readonly publicKey: KeyObject
  webhookSecret: string
  webhookUrl: string | null
  readonly redirectUrl: string | null
  readonly setupUrl: string | null
  permissions: Permissions
  readonly events: readonly string[]
  readonly createdAt: number
}

export interface Installation {
  readonly id: number
  readonly app: App
  readonly account: Organization
  readonly createdAt: number
}

export interface NewApp {
  readonly name: string
  readonly owner: Organization
  readonly url?: string
  readonly webhookUrl?: string | null
  readonly redirectUrl?: string | null
  readonly setupUrl?: string | null
  readonly webhookSecret?: string
  readonly permissions?: Permissions
  readonly events?: readonly string[]
}

export type Caller =
  | { readonly kind: 'app'; readonly app: App }
  | { readonly kind: 'installation'; readonly installation: Installation; readonly token: string }

/** What a connector needs to read. */
export const readPermissions: Permissions = {
  metadata: 'read',
  pull_requests: 'read',
  contents: 'read',
  checks: 'read',
  issues: 'read',
  security_events: 'read',
  members: 'read',
}

const defaultEvents: readonly string[] = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'issue_comment',
  'check_run',
  'code_scanning_alert',
  'repository',
  'organization',
  'member',
  'membership',
  'team',
]

export class AuthenticationError extends Error {}

const TOKEN_LIFE_MS = 3_600_000
const MAX_JWT_LIFE_S = 600
const MANIFEST_CODE_LIFE_MS = 3_600_000

export class Apps {
  readonly apps: App[] = []
  readonly installations: Installation[] = []
  /** Called after an app was installed or uninstalled. */
  onInstallation: (installation: Installation, action: 'created' | 'deleted') => void = () => undefined
  readonly #forge: Forge
  readonly #tokens = new Map<string, { installation: Installation; expiresAt: number }>()
  readonly #manifestCodes = new Map<string, { app: App; expiresAt: number }>()

  constructor(forge: Forge) {
    this.#forge = forge
  }

  createApp(options: NewApp): App {
    const id = 1_200_001 + this.apps.length
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const app: App = {
      id,
      slug: options.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      name: options.name,
      owner: options.owner,
      url: options.url ?? 'https://example.com',
      clientId: `Iv23li${id}`,
      clientSecret: randomBytes(20).toString('hex'),
      privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }) as string,
      publicKey: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      webhookSecret: options.webhookSecret ?? randomBytes(20).toString('hex'),
      webhookUrl: options.webhookUrl ?? null,
      redirectUrl: options.redirectUrl ?? null,
      setupUrl: options.setupUrl ?? null,
      permissions: options.permissions ?? readPermissions,
      events: options.events ?? defaultEvents,
      createdAt: this.#forge.clock.now(),
    }
    this.apps.push(app)
    return app
  }

  install(app: App, account: Organization): Installation {
    const existing = this.installations.find((one) => one.app === app && one.account === account)
    if (existing !== undefined) return existing
    const id = 61_000_001 + this.installations.length
    const installation = { id, app, account, createdAt: this.#forge.clock.now() }
    this.installations.push(installation)
    this.onInstallation(installation, 'created')
    return installation
  }

  uninstall(installation: Installation): void {
    this.installations.splice(this.installations.indexOf(installation), 1)
    for (const [token, known] of this.#tokens)
      if (known.installation === installation) this.#tokens.delete(token)
    this.onInstallation(installation, 'deleted')
  }

  createManifestCode(app: App): string {
    const code = randomBytes(20).toString('hex')
    this.#manifestCodes.set(code, { app, expiresAt: this.#forge.clock.now() + MANIFEST_CODE_LIFE_MS })
    return code
  }

  /** A code works once, and for one hour. */
  takeManifestCode(code: string): App | null {
    const known = this.#manifestCodes.get(code)
    this.#manifestCodes.delete(code)
    return known === undefined || known.expiresAt <= this.#forge.clock.now() ? null : known.app
  }

  issueToken(installation: Installation): { token: string; expiresAt: number } {
    const token = `ghs_${randomBytes(18).toString('hex')}`
    const expiresAt = this.#forge.clock.now() + TOKEN_LIFE_MS
    this.#tokens.set(token, { installation, expiresAt })
    return { token, expiresAt }
  }

  /** All tokens end now, as if an hour had passed. */
  expireTokens(): void {
    this.#tokens.clear()
  }

  /** The caller of a request, null without credentials; throws AuthenticationError. */
  authenticate(authorization: string | undefined): Caller | null {
    if (authorization === undefined) return null
    const [scheme = '', value = ''] = authorization.split(' ')
    const credential =
      scheme.toLowerCase() === 'basic' ? (Buffer.from(value, 'base64').toString().split(':')[1] ?? '') : value
    if (credential.split('.').length === 3) return { kind: 'app', app: this.#verifyJwt(credential) }
    const known = this.#tokens.get(credential)
    if (known === undefined || known.expiresAt <= this.#forge.clock.now())
      throw new AuthenticationError('Bad credentials')
    return { kind: 'installation', installation: known.installation, token: credential }
  }

  #verifyJwt(jwt: string): App {
    const [header = '', payload = '', signature = ''] = jwt.split('.')
    const { iss, iat, exp } = parseClaims(payload)
    const app = this.apps.find(({ id, clientId }) => String(id) === String(iss) || clientId === iss)
    if (app === undefined)
      throw new AuthenticationError("'Issuer' claim ('iss') must be an Integer or String of the app")
    const verify = createVerify('RSA-SHA256').update(`${header}.${payload}`)
    if (!verify.verify(app.publicKey, signature, 'base64url'))
      throw new AuthenticationError('A JSON web token could not be decoded')
    const now = Math.floor(this.#forge.clock.now() / 1000)
    if (typeof exp !== 'number' || exp <= now)
      throw new AuthenticationError(
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
      )
    if (exp > now + MAX_JWT_LIFE_S)
      throw new AuthenticationError("'Expiration time' claim ('exp') is too far in the future")
    if (typeof iat !== 'number' || iat > now)
      throw new AuthenticationError(
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      )
    return app
  }
}

function parseClaims(payload: string): { iss?: unknown; iat?: unknown; exp?: unknown } {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  } catch {
    throw new AuthenticationError('A JSON web token could not be decoded')
  }
}

/** An installation reads the repositories of its account. */
export function canRead({ account }: Installation, { owner }: Repository): boolean {
  return owner === account
}

/** ETags differ between tokens, as on GitHub. */
export function toEtag(body: string, caller: Caller | null): string {
  const token = caller?.kind === 'installation' ? caller.token : ''
  return `W/"${createHash('sha256').update(`${token}\n${body}`).digest('hex')}"`
}
