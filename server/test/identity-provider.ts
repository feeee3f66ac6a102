import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientMetadata, Provider } from 'oidc-provider'

/** What the provider says about an account. `sub` is the name of the account. */
export type AccountClaims = Readonly<Record<string, unknown>>

export interface TestProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The account that signs in at the next visit. */
  signInAs(account: string, claims?: AccountClaims): void
  /** What ID tokens say about the time of the sign-in until the next call: the truth, nothing, or so many seconds later. */
  sendAuthTime(what: 'true time' | 'none' | { readonly later: number }): void
  /** Responds with this status at the path, or closes the connection, until the next call. */
  fail(path: string | null, how?: number | 'hang up'): void
  /** For tokens that the provider signs by itself. */
  readonly provider: Provider
  close(): Promise<void>
}

interface PayloadSource {
  payload: (this: PayloadSource) => Promise<Record<string, unknown>>
}

const clientSecret = 'a-secret-of-the-test-provider'

/**
 * A certified OpenID Connect provider in this process. Instead of asking for a password, it signs in the account that the
 * test names.
 */
export async function startIdentityProvider(
  clientId: string,
  client: Omit<ClientMetadata, 'client_id'>,
): Promise<TestProvider> {
  const accounts = new Map<string, AccountClaims>()
  let current = ''
  let failure: { readonly path: string | null; readonly how: number | 'hang up' } = { path: null, how: 500 }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        require_auth_time: true,
        ...client,
      },
    ],
    cookies: { keys: ['test'] },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'sid', 'tid', 'oid', 'hd'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => Promise.resolve({ sub: accountId, ...accounts.get(accountId) }),
    }),
    async loadExistingGrant(context) {
      const { client: known, session } = context.oidc
      const grant = new context.oidc.provider.Grant({
        ...(known && { clientId: known.clientId }),
        ...(session?.accountId !== undefined && { accountId: session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  let authTime: Parameters<TestProvider['sendAuthTime']>[0] = 'true time'
  const { prototype: tokens } = (provider as unknown as { readonly IdToken: { prototype: PayloadSource } })
    .IdToken
  const { payload } = tokens
  tokens.payload = async function readPayload() {
    const { auth_time: time, ...claims } = await payload.call(this)
    if (time === undefined || authTime === 'none') return claims
    return { ...claims, auth_time: authTime === 'true time' ? time : Number(time) + authTime.later }
  }
  const handle = provider.callback()
  const signIn = (request: IncomingMessage, response: ServerResponse) =>
    provider.interactionFinished(request, response, { login: { accountId: current } })
  server.on('request', (request, response) => {
    if (failure.path !== null && request.url?.startsWith(failure.path)) {
      if (failure.how === 'hang up') request.socket.destroy()
      else response.writeHead(failure.how).end()
    } else if (request.url?.startsWith('/interaction/')) void signIn(request, response)
    else void handle(request, response)
  })
  return {
    issuer,
    clientId,
    clientSecret,
    provider,
    signInAs(account, claims = {}) {
      current = account
      accounts.set(account, claims)
    },
    sendAuthTime(what) {
      authTime = what
    },
    fail(path, how = 500) {
      failure = { path, how }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
