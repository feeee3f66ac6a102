import { readFileSync } from 'node:fs'
import { rootScope } from '../../../access/scope.ts'
import { SESSION_COOKIE } from '../../../access/session.ts'
import { readScoped } from '../../../db/transaction.ts'
import { Refusal } from '../../../errors.ts'
import { type Html, html } from '../../../http/docs/html.ts'
import type { Reply } from '../../../http/reply.ts'
import type { SignInContext, SignInRequest } from '../../../http/sign-in.ts'
import { toPublicPath } from '../../../public-url.ts'
import { findPerson } from '../manage.ts'
import { pageReply, renderPage } from '../sign-in/pages.ts'
import {
  NEW_PASSKEY_PATH,
  type OwnPath,
  readReturnPath,
  SIGN_IN_PATH,
  withReturnPath,
} from '../sign-in/paths.ts'
import { type IdentityProvider, readIdentityProviders } from '../sign-in/providers.ts'
import { findSignedIn } from '../sign-in/session.ts'
import { readPasskeys } from './sql.ts'

export const SCRIPT_PATH = '/auth/sign-in.js'

function renderHead(publicUrl: URL): Html {
  return html`<script type="module" src="${toPublicPath(publicUrl, SCRIPT_PATH)}"></script>
`
}

/** How to sign in, or who is signed in. The page works without the dashboard. */
export async function showSignIn(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const signedIn = await readSignedIn(context, request)
  const returnPath = readReturnPath(request.query)
  const { publicUrl } = context
  const content =
    signedIn === null
      ? await renderChoices(context, returnPath)
      : renderSignedIn(publicUrl, signedIn, returnPath)
  const title = signedIn === null ? 'Sign in' : 'Signed in'
  return pageReply(renderPage(publicUrl, title, content, renderHead(publicUrl)))
}

async function renderChoices({ app, publicUrl }: SignInContext, returnPath: OwnPath) {
  const providers = await readIdentityProviders(app.config.identityProvidersFile)
  const links = providers.map(({ id, name }) => {
    const address = toPublicPath(publicUrl, withReturnPath(`/auth/login?provider=${id}`, returnPath))
    return html`<li><a class="choice" href="${address}">Continue with ${name}</a></li>\n`
  })
  const list = links.length === 0 ? html`` : html`<ul>\n${links}</ul>\n`
  return html`${list}<button type="button" data-passkey="sign-in">Sign in with a passkey</button>
<p role="alert"></p>
<h2>No passkey yet?</h2>
<p>Ask an admin of your workspace for an invitation link.</p>`
}

/** Signing in again is for what needs a recent sign-in. */
function renderSignedIn(publicUrl: URL, { name, providers }: SignedInPerson, returnPath: OwnPath) {
  const toAddress = (path: OwnPath) => toPublicPath(publicUrl, withReturnPath(path, returnPath))
  const again = providers.map(
    (provider) =>
      html`<p><a class="choice" href="${toAddress(`/auth/login?provider=${provider.id}&fresh=1`)}">Sign in again with ${provider.name}</a></p>\n`,
  )
  const passkeys = html`<p><a href="${toAddress(NEW_PASSKEY_PATH)}">Your passkeys</a></p>
<p><button type="button" data-passkey="sign-in">Sign in again with a passkey</button></p>\n`
  return html`<p>You are signed in as <strong>${name}</strong>.</p>
<p><a class="choice" href="${toPublicPath(publicUrl, returnPath)}">Continue</a></p>
${providers.length === 0 ? passkeys : again}<button type="button" data-sign-out>Sign out</button>
<p role="alert"></p>`
}

/** Registration of a passkey, and the person's passkeys. */
export async function showNewPasskey(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { publicUrl } = context
  const returnPath = readReturnPath(request.query)
  const signedIn = await readSignedIn(context, request)
  if (signedIn === null) {
    const location = toPublicPath(publicUrl, withReturnPath(SIGN_IN_PATH, returnPath))
    return { status: 303, headers: { location }, body: null }
  }
  const { name, providers, passkeys } = signedIn
  const rows = passkeys.map(
    (passkey) => html`<li>${passkey.name} <span class="faint">added ${passkey.created_at.slice(0, 10)}</span>
<button type="button" data-remove="${passkey.id}">Remove</button></li>\n`,
  )
  const list = rows.length === 0 ? html`` : html`<h2>Your passkeys</h2>\n<ul>\n${rows}</ul>\n`
  const form =
    providers.length > 0
      ? html`<p>Your company signs in by its identity provider, so passkeys are not allowed.</p>`
      : html`<p>A passkey signs you in by your fingerprint, face or PIN. There is no password.</p>
<form data-passkey="register">
<label for="name">Name, such as the device it is on</label>
<input id="name" name="name" maxlength="100" autocomplete="off" placeholder="Passkey">
<button>Add a passkey</button>
</form>`
  const content = html`<p>You are signed in as <strong>${name}</strong>.</p>
${form}
<p role="alert"></p>
${list}<p><a href="${toPublicPath(publicUrl, returnPath)}">Done</a></p>`
  return pageReply(renderPage(publicUrl, 'Add a passkey', content, renderHead(publicUrl)))
}

interface SignedInPerson {
  readonly name: string
  /** Those by which the person's company signs in; without one, passkeys are allowed. */
  readonly providers: readonly IdentityProvider[]
  readonly passkeys: Awaited<ReturnType<typeof readPasskeys>>
}

async function readSignedIn(context: SignInContext, request: SignInRequest): Promise<SignedInPerson | null> {
  if (request.readCookie(SESSION_COOKIE) === undefined) return null
  try {
    const { root, owner } = await findSignedIn(context, request)
    const scope = rootScope(root)
    const providers = await readIdentityProviders(context.app.config.identityProvidersFile)
    const [{ name }, passkeys] = await readScoped(context.app.apiPool, scope, (tx) =>
      Promise.all([findPerson(scope, tx, owner), readPasskeys(scope, tx, owner)]),
    )
    return { name, providers: providers.filter(({ roots }) => roots.includes(root)), passkeys }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNAUTHORIZED') return null
    throw error
  }
}

/** Reads the script once; it is part of the program. */
export function createScriptHandler(): () => Promise<Reply> {
  const headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }
  return createFileHandler('sign-in.js', 'text/javascript; charset=utf-8', headers)
}

export function createStyleHandler(): () => Promise<Reply> {
  return createFileHandler('sign-in.css', 'text/css; charset=utf-8', {
    'cache-control': 'public, max-age=3600',
  })
}

function createFileHandler(name: string, type: string, headers: Reply['headers'] & {}): () => Promise<Reply> {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  const reply: Reply = { status: 200, headers, body: { text, type } }
  return () => Promise.resolve(reply)
}
