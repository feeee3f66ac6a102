import { CredentialRejectedError, ForgeUnavailableError, NotFoundError } from '../forge-client.ts'
import { getNextPage, parseJson } from '../json.ts'
import type { SendRequest } from '../request.ts'
import type { GithubAddress } from './address.ts'
import { createAppJwt, type GithubCredential, githubHeaders } from './tokens.ts'

// A GitHub App of the customer's own, created by a form with a manifest. It may only read, unless somebody opts in to write back.

export interface ManifestOptions {
  /** Unique on the whole of GitHub. */
  readonly name: string
  /** Where people find this service. */
  readonly publicUrl: string
  /** GitHub sends the code here. */
  readonly redirectUrl: string
  /** null = polling. */
  readonly hookUrl: string | null
  /** Whether it may write check runs, and comments on pull requests. */
  readonly writeBack: boolean
}

const permissions = {
  metadata: 'read',
  pull_requests: 'read',
  contents: 'read',
  checks: 'read',
  issues: 'read',
  security_events: 'read',
  members: 'read',
} as const

const writePermissions = { ...permissions, checks: 'write', pull_requests: 'write' } as const

/** There is no event for reactions; `installation` events are always sent. */
const events = [
  'check_run',
  'code_scanning_alert',
  'issue_comment',
  'member',
  'membership',
  'organization',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'repository',
  'team',
] as const

/** The value of the field `manifest` of the form. */
export function buildAppManifest({ name, publicUrl, redirectUrl, hookUrl, writeBack }: ManifestOptions) {
  return {
    name,
    url: publicUrl,
    redirect_url: redirectUrl,
    public: false,
    default_permissions: writeBack ? writePermissions : permissions,
    ...(hookUrl === null
      ? { default_events: [] }
      : { hook_attributes: { url: hookUrl, active: true }, default_events: events }),
  }
}

/** Where the form is posted to. GitHub returns `state` with the code. */
export function getManifestFormUrl({ web }: GithubAddress, organization: string, state: string): string {
  const path = `/organizations/${encodeURIComponent(organization)}/settings/apps/new`
  return `${web}${path}?state=${encodeURIComponent(state)}`
}

export interface CreatedApp {
  readonly appId: string
  /** In the address where it is installed: `/apps/SLUG/installations/new`. */
  readonly slug: string
  readonly privateKey: string
  /** null = the App has no hook. */
  readonly hookSecret: string | null
}

/** A code works once and for one hour. */
export async function exchangeManifestCode(
  send: SendRequest,
  { api }: GithubAddress,
  code: string,
): Promise<CreatedApp> {
  const { host } = new URL(api)
  if (!/^[\w-]{1,200}$/.test(code)) throw new NotFoundError('This is not a code of GitHub.')
  const url = `${api}/app-manifests/${code}/conversions`
  const response = await send({ method: 'POST', url, headers: githubHeaders, body: '' })
  if (response.status === 404 || response.status === 422)
    throw new NotFoundError(
      `${host} does not know the code: it was used already, or it is older than one hour.`,
    )
  if (response.status !== 201) throw new ForgeUnavailableError(`${host} is unavailable (${response.status}).`)
  const body = parseJson<{ id: number; slug: string; pem: string; webhook_secret: string | null }>(response)
  return { appId: String(body.id), slug: body.slug, privateKey: body.pem, hookSecret: body.webhook_secret }
}

export interface InstallationInfo {
  readonly id: string
  /** Of the organization or person. */
  readonly login: string
  readonly isSuspended: boolean
}

interface InstallationBody {
  readonly id: number
  readonly account: { readonly login?: string } | null
  readonly suspended_at: string | null
}

/** Where the App is installed: to find the installation after somebody has installed it. */
export async function listInstallations(
  send: SendRequest,
  { api }: GithubAddress,
  app: Omit<GithubCredential, 'installationId'>,
  now: Date,
): Promise<InstallationInfo[]> {
  const { host } = new URL(api)
  const headers = { ...githubHeaders, authorization: `Bearer ${createAppJwt(app, now)}` }
  const found: InstallationInfo[] = []
  for (let url: string | null = `${api}/app/installations?per_page=100`; url !== null; ) {
    const response = await send({ method: 'GET', url, headers })
    if (response.status === 401 || response.status === 403 || response.status === 404)
      throw new CredentialRejectedError(`${host} does not accept the App (${response.status}).`)
    if (response.status !== 200)
      throw new ForgeUnavailableError(`${host} is unavailable (${response.status}).`)
    found.push(...parseJson<InstallationBody[]>(response).map(toInstallation))
    url = getNextPage(response)
  }
  return found
}

function toInstallation({ id, account, suspended_at }: InstallationBody): InstallationInfo {
  return { id: String(id), login: account?.login ?? '', isSuspended: suspended_at !== null }
}
