// The two pages of GitHub that a person sees who makes an App from a manifest: one creates it, the other installs it.
import type { Forge } from '../forge.ts'
import type { Apps, Permissions } from './apps.ts'

export interface PageRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

export interface PageResponse {
  readonly status: number
  readonly location?: string
  readonly html?: string
}

interface Manifest {
  readonly name: string
  readonly url: string
  readonly redirect_url: string
  readonly hook_attributes?: { readonly url: string; readonly active?: boolean }
  readonly default_permissions: Permissions
  readonly default_events?: readonly string[]
}

const creation = /^\/organizations\/([^/]+)\/settings\/apps\/new$/
const installation = /^\/(?:apps|github-apps)\/([^/]+)\/installations\/new$/

/** null = not one of these pages. */
export function servePage(forge: Forge, apps: Apps, request: PageRequest): PageResponse | null {
  // A browser asks for it.
  if (request.path === '/favicon.ico') return { status: 404 }
  const owner = creation.exec(request.path)?.[1]
  if (owner !== undefined) return createFromManifest(forge, apps, owner, request)
  const slug = installation.exec(request.path)?.[1]
  return slug === undefined ? null : install(apps, slug, request)
}

function createFromManifest(forge: Forge, apps: Apps, login: string, request: PageRequest): PageResponse {
  const owner = forge.organizations.find((one) => one.login === login)
  if (owner === undefined) return { status: 404, html: '<h1>Not found</h1>' }
  const form = new URLSearchParams(request.body)
  const manifest = form.get('manifest') ?? ''
  if (request.method !== 'POST' || manifest === '') return { status: 400, html: '<h1>No manifest</h1>' }
  if (form.get('confirmed') === null) {
    const action = `${request.path}?${request.query.toString()}`
    return { status: 200, html: renderConfirmation(action, manifest) }
  }
  const { name, url, redirect_url, hook_attributes, default_permissions, default_events } = JSON.parse(
    manifest,
  ) as Manifest
  const app = apps.createApp({
    name,
    owner,
    url,
    redirectUrl: redirect_url,
    webhookUrl: hook_attributes?.active === false ? null : (hook_attributes?.url ?? null),
    permissions: default_permissions,
    events: default_events ?? [],
  })
  const target = new URL(redirect_url)
  target.searchParams.set('code', apps.createManifestCode(app))
  target.searchParams.set('state', request.query.get('state') ?? '')
  return { status: 302, location: target.href }
}

function renderConfirmation(action: string, manifest: string): string {
  return `<h1>Create GitHub App</h1><form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(manifest)}"><input type="hidden" name="confirmed" value="yes">
<button>Create GitHub App</button></form>`
}

function install(apps: Apps, slug: string, { method, path }: PageRequest): PageResponse {
  const app = apps.apps.find((one) => one.slug === slug)
  if (app === undefined) return { status: 404, html: '<h1>Not found</h1>' }
  if (method !== 'POST')
    return {
      status: 200,
      html: `<h1>Install</h1><form method="post" action="${path}"><button>Install</button></form>`,
    }
  apps.install(app, app.owner)
  return { status: 200, html: '<h1>Installed</h1>' }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
