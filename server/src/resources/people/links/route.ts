import type { SignInEndpoint } from '../../../http/sign-in.ts'
import { showLink, showUnusable, useLinkOnce } from './redeem.ts'

/** In the path and not in the fragment, so that the page works without a script. */
const path = '/auth/links/{link}'

export const linkEndpoints: readonly SignInEndpoint[] = [
  { method: 'GET', path, caller: 'browser', showRefusal: showUnusable, run: showLink },
  { method: 'POST', path, caller: 'browser', attempt: 'link', showRefusal: showUnusable, run: useLinkOnce },
]
