import { rootScope } from '../../../access/scope.ts'
import { readScoped } from '../../../db/transaction.ts'
import type { Refusal } from '../../../errors.ts'
import { html } from '../../../http/docs/html.ts'
import type { Reply } from '../../../http/reply.ts'
import {
  refuseSignIn,
  type SignInAttempt,
  type SignInContext,
  type SignInRequest,
} from '../../../http/sign-in.ts'
import { toPublicPath } from '../../../public-url.ts'
import { findPerson } from '../manage.ts'
import { continueReply, pageReply, renderPage, showRefusal } from '../sign-in/pages.ts'
import {
  NEW_PASSKEY_PATH,
  type OwnPath,
  readReturnPath,
  SIGN_IN_PATH,
  withReturnPath,
} from '../sign-in/paths.ts'
import { hasBoundIssuer, readIdentityProviders } from '../sign-in/providers.ts'
import { startSession } from '../sign-in/session.ts'
import { carryInvitation } from './invitation.ts'
import { hashLink, redeemLink } from './manage.ts'
import { findLinkUnscoped, type LinkPurpose, type StoredLink } from './sql.ts'

const titles: Readonly<Record<LinkPurpose, string>> = {
  sign_in: 'Sign in',
  invitation: 'Accept your invitation',
}

/** With no-referrer, browsers send forms with "Origin: null", which is refused where they send no Sec-Fetch-Site. */
const formHeaders = { 'referrer-policy': 'same-origin' }

/** Shows a button and changes nothing: mail scanners and previews open links too. */
export async function showLink(context: SignInContext, request: SignInRequest): Promise<Reply> {
  readReturnPath(request.query)
  const { link } = await findLink(context, request)
  const scope = rootScope(link.root_id)
  const { name } = await readScoped(context.app.apiPool, scope, (tx) => findPerson(scope, tx, link.person_id))
  const content = html`<p>You continue as <strong>${name}</strong>. This link works once.</p>
<form method="post"><button>Continue</button></form>`
  return pageReply(renderPage(context.publicUrl, titles[link.purpose], content), 200, formHeaders)
}

/** Uses the link up and signs the person in. Where the company has a provider, an invitation leads there instead. */
export async function useLinkOnce(context: SignInContext, request: SignInRequest): Promise<Reply> {
  const { app, now } = context
  const returnPath = readReturnPath(request.query)
  const { hash, link } = await findLink(context, request)
  const { root_id: root, person_id: person, purpose } = link
  if (purpose === 'invitation') {
    const providers = await readIdentityProviders(app.config.identityProvidersFile)
    if (hasBoundIssuer(providers, root)) {
      const bound = providers.filter(({ roots }) => roots.includes(root))
      const next = bound.length === 1 ? (`/auth/login?provider=${bound[0]?.id}` as const) : SIGN_IN_PATH
      const path = withReturnPath(next, returnPath)
      return continueReply(context.publicUrl, path, carryInvitation(context, hash), 'Invitation accepted')
    }
  }
  const at = now()
  const signedIn = { root, person, method: 'link', authenticatedAt: at } as const
  const cookie = await startSession(context, request, signedIn, async (scope, tx) => {
    const used = await redeemLink(scope, tx, { hash, purpose, address: request.address }, at)
    // Another request used it since it was found.
    return used === null ? refuseLink({ reason: 'used_link', root, person }) : [used]
  })
  const next = purpose === 'invitation' ? withReturnPath(NEW_PASSKEY_PATH, returnPath) : returnPath
  return redirectTo(context, next, cookie)
}

interface FoundLink {
  readonly hash: Buffer
  readonly link: StoredLink
}

async function findLink({ app, now }: SignInContext, { params }: SignInRequest): Promise<FoundLink> {
  const hash = hashLink(params['link'] ?? '')
  const link = hash && (await findLinkUnscoped(app.authPool, hash, now()))
  if (hash === null || link === null) return refuseLink({ reason: 'unknown_link' })
  const { usable, active, root_id: root, person_id: person } = link
  if (!usable || !active) return refuseLink({ reason: usable ? 'inactive' : 'used_link', root, person })
  return { hash, link }
}

function refuseLink(attempt: Omit<SignInAttempt, 'method'>): never {
  return refuseSignIn({ method: 'link', ...attempt }, 'NOT_FOUND', 'This link does not work.')
}

/** The browser gets the next page with GET, so that reloading it repeats nothing. */
function redirectTo({ publicUrl }: SignInContext, path: OwnPath, cookie: string): Reply {
  const location = toPublicPath(publicUrl, path)
  return { status: 303, headers: { location, 'set-cookie': cookie }, body: null }
}

/** One page for unknown, used, expired and replaced links and for deactivated people. */
export function showUnusable(context: SignInContext, refusal: Refusal): Reply {
  if (refusal.code !== 'NOT_FOUND') return showRefusal(context, refusal)
  const { publicUrl } = context
  const content = html`<p>It was used already, it has expired, or a newer one replaced it.</p>
<p>Ask the person who sent it for a new link.</p>`
  return pageReply(renderPage(publicUrl, 'This link does not work', content), 404)
}
