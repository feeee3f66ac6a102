import type { SignInEndpoint } from '../../../http/sign-in.ts'
import { asPage } from '../sign-in/pages.ts'
import { showLink, useLinkOnce } from './redeem.ts'

/** In the path and not in the fragment, so that the page works without a script. */
const path = '/auth/links/{link}'

export const linkEndpoints: readonly SignInEndpoint[] = [
  { method: 'GET', path, caller: 'browser', run: asPage(showLink) },
  { method: 'POST', path, caller: 'browser', run: asPage(useLinkOnce) },
]
