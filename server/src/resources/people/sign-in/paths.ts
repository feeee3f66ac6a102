import { refuse } from '../../../errors.ts'

/** A path of this service, without the path of PUBLIC_URL. */
export type OwnPath = `/${string}`

export const SIGN_IN_PATH = '/auth/sign-in'
export const STYLE_PATH = '/auth/style.css'
export const NEW_PASSKEY_PATH = '/auth/passkeys/new'
const DASHBOARD_PATH = '/app'

/** Where a person goes after the sign-in. Anything that a browser could read as another site is refused. */
export function readReturnPath(query: URLSearchParams): OwnPath {
  const text = query.get('return_to') ?? DASHBOARD_PATH
  const url = isOwnPath(text) ? URL.parse(text, 'https://own.invalid') : null
  // Parsing removes characters and segments, so the result is checked again: `/.//host` becomes `//host`.
  const path = `${url?.pathname}${url?.search}${url?.hash}`
  return url?.hostname === 'own.invalid' && isOwnPath(path)
    ? path
    : refuse('INVALID_REQUEST', 'return_to must be a path of this service, such as /app.')
}

/** Takes the address along to the next page of the sign-in. */
export function withReturnPath(path: OwnPath, returnPath: OwnPath): OwnPath {
  if (returnPath === DASHBOARD_PATH) return path
  return `${path}${path.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(returnPath)}`
}

function isOwnPath(text: string): text is OwnPath {
  return /^\/[^/\\]/.test(text)
}
