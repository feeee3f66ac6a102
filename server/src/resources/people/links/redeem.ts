import { rootScope } from '../../../access/scope.ts'
import { readScoped } from '../../../db/transaction.ts'
import { Refusal } from '../../../errors.ts'
import { html } from '../../../http/docs/html.ts'
import type { Reply } from '../../../http/reply.ts'
import type { SignInContext, SignInRequest } from '../../../http/sign-in.ts'
import { toPublicPath } from '../../../public-url.ts'
import { findPerson } from '../list.ts'
import { continueReply, pageReply, renderPage } from '../sign-in/pages.ts'
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
  const found = await findLink(context, request)
  if (found === null) return renderUnusable(context)
  const { link } = found
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
  const found = await findLink(context, request)
  if (found === null) return renderUnusable(context)
  const { hash, link } = found
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
  try {
    const signedIn = { root, person, method: 'link', authenticatedAt: at } as const
    const cookie = await startSession(context, request, signedIn, async (scope, tx) => {
      const used = await redeemLink(scope, tx, { hash, purpose, address: request.address }, at)
      // Another request used it since it was found.
      if (used === null) throw new UsedLinkError()
      return [used.entry]
    })
    const next = purpose === 'invitation' ? withReturnPath(NEW_PASSKEY_PATH, returnPath) : returnPath
    return redirectTo(context, next, cookie)
  } catch (error) {
    if (error instanceof UsedLinkError) return renderUnusable(context)
    throw error
  }
}

class UsedLinkError extends Refusal {
  constructor() {
    super('NOT_FOUND', 'This link does not work.')
  }
}

interface FoundLink {
  readonly hash: Buffer
  readonly link: StoredLink
}

async function findLink({ app, now }: SignInContext, { params }: SignInRequest): Promise<FoundLink | null> {
  const hash = hashLink(params['link'] ?? '')
  const link = hash && (await findLinkUnscoped(app.authPool, hash, now()))
  return hash && link && { hash, link }
}

/** The browser gets the next page with GET, so that reloading it repeats nothing. */
function redirectTo({ publicUrl }: SignInContext, path: OwnPath, cookie: string): Reply {
  const location = toPublicPath(publicUrl, path)
  return { status: 303, headers: { location, 'set-cookie': cookie }, body: null }
}

/** One page for unknown, used, expired and replaced links and for deactivated people. */
function renderUnusable({ publicUrl }: SignInContext): Reply {
  const content = html`<p>It was used already, it has expired, or a newer one replaced it.</p>
<p>Ask the person who sent it for a new link.</p>`
  return pageReply(renderPage(publicUrl, 'This link does not work', content), 404)
}
