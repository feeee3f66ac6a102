import { base64Of, base64UrlOf, jsonWebToken } from '../encode.ts'
import { type Kind, kindsOf } from '../kind.ts'
import { mailAddress, password, userName } from '../people.ts'
import type { Random } from '../random.ts'
import { plain, secret, type Value } from '../value.ts'

const { token, bare, lines } = kindsOf('identity')

export const identityKinds: readonly Kind[] = [
  lines('session-cookie', 'session cookie', 'SESSION_COOKIE', [
    (random) => secret`Cookie: theme=dark; sessionid=${random.lower(32)}; lang=en`,
    (random) =>
      secret`Set-Cookie: connect.sid=s%3A${random.base64Url(32)}.${random.base64Url(43)}; Path=/; HttpOnly`,
    (random) => secret`Cookie: JSESSIONID=${random.hex(32).toUpperCase()}`,
    (random) => secret`curl -b 'PHPSESSID=${random.lower(26)}' https://shop.example.com/admin`,
    (random) =>
      secret`Set-Cookie: session=${plain(base64UrlOf({ user: 17 }))}.${random.base64Url(6)}.${random.base64Url(27)}; Secure`,
  ]),
  bare('auth0-client-secret', 'Auth0 client secret', 'AUTH0_CLIENT_SECRET', [
    (random) => secret`${random.base64Url(64)}`,
  ]),
  bare('okta-token', 'Okta API token', 'OKTA_API_TOKEN', [(random) => secret`00${random.base64Url(40)}`]),
  lines('okta-header', 'Okta header', 'OKTA_AUTHORIZATION', [
    (random) => secret`Authorization: SSWS 00${random.base64Url(40)}`,
  ]),
  token('bitwarden-token', 'Bitwarden access token', 'BWS_ACCESS_TOKEN', [
    (random) => secret`0.${plain(random.uuid())}.${random.base62(30)}:${random.base64(22)}==`,
  ]),
  lines('bearer-header', 'bearer header', 'AUTHORIZATION', [
    (random) => secret`Authorization: Bearer ${random.base64Url(43)}`,
    (random) => secret`authorization: bearer ${random.hex(48)}`,
    (random) => secret`Authorization: Token ${random.hex(40)}`,
    (random) => secret`-H "Authorization: Bearer ${random.base62(32)}"`,
    (random) => secret`req.Header.Set("Authorization", "Bearer ${random.base64Url(64)}")`,
  ]),
  lines('basic-auth-header', 'basic auth header', 'AUTHORIZATION', [
    (random) => secret`Authorization: Basic ${basic(random)}`,
    (random) => secret`proxy-authorization: basic ${basic(random)}`,
    (random) => secret`headers = {"Authorization": "Basic ${basic(random)}"}`,
  ]),
  token('onepassword-key', '1Password key', 'OP_SERVICE_ACCOUNT_TOKEN', [
    onePasswordSecretKey,
    (random) => secret`ops_eyJ${random.base64(301)}`,
  ]),
  token('jwt', 'JWT', 'ACCESS_JWT', [
    (random) => jsonWebToken(random, 'HS256', claims(random)),
    (random) => jsonWebToken(random, 'RS256', claims(random)),
  ]),
  token('oauth-refresh-token', 'OAuth refresh token', 'OAUTH_REFRESH_TOKEN', [
    (random) => secret`1//0${random.base64Url(99)}`,
    (random) => secret`1//03${random.base64Url(60)}-L9Ir${random.base64Url(32)}`,
  ]),
  bare('opaque-refresh-token', 'refresh token', 'REFRESH_TOKEN', [
    (random) => secret`${random.base64Url(43)}`,
    (random) => secret`${random.hex(64)}`,
  ]),
]

function basic(random: Random): string {
  return base64Of(`${userName(random)}:${password(random)}`)
}

function claims(random: Random): object {
  const issued = 1_750_000_000 + random.below(30_000_000)
  return { sub: random.digits(10), email: mailAddress(random), iat: issued, exp: issued + 3600 }
}

function onePasswordSecretKey(random: Random): Value {
  const groups = [6, 5, 5, 5, 5].map((length) => random.upper(length)).join('-')
  return secret`A3-${plain(random.upper(6))}-${groups}`
}
