// A GitHub App made by the manifest flow: a form in the browser of the user creates it, and GitHub returns a code for its keys.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CliError } from '../exit.ts'
import { type GithubHost, sendToGithub } from './github-host.ts'

export interface GithubApp {
  readonly id: number
  readonly slug: string
  readonly html_url: string
  readonly pem: string
  readonly webhook_secret: string | null
}

interface AppRequest {
  readonly host: GithubHost
  /** Login of the organization. */
  readonly account: string
  /** Where GitHub sends hooks; null with polling. */
  readonly hookUrl: string | null
  /** Whether the App may write check runs, and comments on pull requests. */
  readonly writeBack: boolean
  /** Called with the address to open in a browser. */
  readonly onReady: (url: string) => void
}

// `issues` is for comments on a pull request as a whole.
const permissions = {
  metadata: 'read',
  pull_requests: 'read',
  contents: 'read',
  checks: 'read',
  issues: 'read',
  security_events: 'read',
  members: 'read',
} as const

// Asked for only with --write-back.
const writePermissions = { ...permissions, checks: 'write', pull_requests: 'write' } as const

const events = [
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'issue_comment',
  'check_run',
  'code_scanning_alert',
  'organization',
  'member',
  'membership',
  'team',
  'repository',
] as const

// GitHub refuses longer names.
const MAX_NAME_LENGTH = 34
// GitHub's code is valid for an hour.
const MAX_WAIT_MS = 3_600_000

/** Waits until the user has created the App in a browser on this machine. */
export async function createApp({
  host,
  account,
  hookUrl,
  writeBack,
  onReady,
}: AppRequest): Promise<GithubApp> {
  const state = randomBytes(16).toString('hex')
  let finish: (code: string) => void = () => undefined
  const created = new Promise<string>((resolve) => {
    finish = resolve
  })
  const server = createServer((request, response) => answer(request, response))
  const address = await listen(server)
  const formUrl = `${host.webUrl}/organizations/${account}/settings/apps/new?state=${state}`
  const form = renderForm(formUrl, writeBack, {
    name: `Scholiast ${account}`.slice(0, MAX_NAME_LENGTH),
    url: 'https://github.com/apps',
    redirect_url: `${address}/created`,
    public: false,
    default_permissions: writeBack ? writePermissions : permissions,
    ...(hookUrl !== null && { hook_attributes: { url: hookUrl, active: true }, default_events: events }),
  })

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', address)
    const code = url.searchParams.get('code')
    if (url.pathname === '/created' && code !== null) {
      if (!isEqual(url.searchParams.get('state') ?? '', state)) return send(response, 400, strangerPage)
      send(response, 200, createdPage)
      return finish(code)
    }
    return url.pathname === '/' ? send(response, 200, form) : send(response, 404, strangerPage)
  }

  const timeout = AbortSignal.timeout(MAX_WAIT_MS)
  const expired = new Promise<never>((_, reject) => {
    timeout.addEventListener('abort', () =>
      reject(new CliError('The App was not created within an hour.', { next: 'Run the command again.' })),
    )
  })
  try {
    onReady(`${address}/`)
    const code = await Promise.race([created, expired])
    return await sendToGithub<GithubApp>(
      host,
      'POST',
      `/app-manifests/${encodeURIComponent(code)}/conversions`,
    )
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function isEqual(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(page)
}

const renderPage = (content: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Connect GitHub</title>
<body style="font: 1rem/1.5 system-ui; max-width: 40rem; margin: 4rem auto; padding: 0 1rem">${content}</body></html>`

const createdPage = renderPage(
  '<h1>The App was created</h1><p>Go back to the terminal for the next step.</p>',
)
const strangerPage = renderPage(
  '<h1>This page does not belong to the command</h1><p>Open the address that the command printed.</p>',
)

function renderForm(action: string, writeBack: boolean, manifest: object): string {
  return renderPage(`<h1>Create a GitHub App for Scholiast</h1>
<p>GitHub shows its name and asks you to confirm. It can read pull requests, code, checks, code scanning alerts and members. ${writeBack ? 'It can also write check runs and pull requests: Scholiast writes a check run and replies to commands, in private repositories only.' : 'It cannot write anything.'}</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button>Continue at GitHub</button></form>`)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
