import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import type { RootId } from '../../../ids.ts'
import { closedObject, compileShape, literals } from '../../../shape.ts'

const Provider = closedObject({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
  name: Type.String({ minLength: 1, maxLength: 60 }),
  /** Entra and Google identify people in ways of their own. */
  kind: Type.Optional(literals(['oidc', 'entra', 'google'])),
  issuer: Type.String({ pattern: '^https?://' }),
  client_id: Type.String({ minLength: 1 }),
  client_secret: Type.String({ minLength: 1 }),
  scope: Type.Optional(Type.String()),
  roots: Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, uniqueItems: true }),
  domains: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { uniqueItems: true }),
  fresh_without_auth_time: Type.Optional(literals(['accept', 'refuse'])),
})
const ProvidersFile = closedObject({ providers: Type.Array(Provider) })

const validate = compileShape(ProvidersFile)

export interface IdentityProvider {
  readonly id: string
  readonly name: string
  readonly kind: 'oidc' | 'entra' | 'google'
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  /** It signs in people of these tenant roots and nobody elsewhere. */
  readonly roots: readonly RootId[]
  /** The roots that no other issuer is bound to. */
  readonly exclusiveRoots: readonly RootId[]
  /** It vouches for e-mail addresses of these domains only. */
  readonly domains: readonly string[]
  /** Whether a sign-in that was to be fresh counts as such if the provider does not say when it happened. */
  readonly freshWithoutAuthTime: 'accept' | 'refuse'
}

/** Reads the operator's file. Sign-ins are rare, so it is read each time and a change needs no restart. */
export async function readIdentityProviders(file: string | null): Promise<readonly IdentityProvider[]> {
  if (file === null) return []
  const content = parseFile(await readFile(file, 'utf8'))
  const providers = content.providers.map(
    ({ kind = 'oidc', scope = 'openid email profile', ...provider }) => ({
      id: provider.id,
      name: provider.name,
      kind,
      issuer: new URL(provider.issuer),
      clientId: provider.client_id,
      clientSecret: provider.client_secret,
      scope,
      roots: provider.roots.map((root) => root.toLowerCase() as RootId),
      domains: provider.domains,
      freshWithoutAuthTime: provider.fresh_without_auth_time ?? ('accept' as const),
    }),
  )
  return providers.map((provider) => {
    const others = providers.filter(({ issuer }) => issuer.href !== provider.issuer.href)
    const shared = new Set(others.flatMap(({ roots }) => roots))
    return { ...provider, exclusiveRoots: provider.roots.filter((root) => !shared.has(root)) }
  })
}

/** Whether the provider vouches for the domain of an e-mail address in lower case. */
export function vouchesFor({ domains }: Pick<IdentityProvider, 'domains'>, email: string): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1))
}

/** Messages name the field and never its value, which may be a secret. */
function parseFile(text: string): Static<typeof ProvidersFile> {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('IDENTITY_PROVIDERS_FILE is not valid JSON.')
  }
  if (!validate(content)) {
    const [first] = validate.errors ?? []
    throw new Error(
      `IDENTITY_PROVIDERS_FILE: ${first?.instancePath || 'the file'} ${first?.message ?? 'is not valid'}.`,
    )
  }
  const { providers } = content as Static<typeof ProvidersFile>
  const ids = providers.map(({ id }) => id)
  if (new Set(ids).size !== ids.length)
    throw new Error('IDENTITY_PROVIDERS_FILE: two providers have the same id.')
  const insecure = providers.find(({ issuer }) => !URL.canParse(issuer) || !isSecure(new URL(issuer)))
  if (insecure !== undefined)
    throw new Error(`IDENTITY_PROVIDERS_FILE: the issuer of ${insecure.id} must be an https address.`)
  return content as Static<typeof ProvidersFile>
}

/** Plain HTTP is accepted on this machine only, for development. */
function isSecure(issuer: URL): boolean {
  return issuer.protocol === 'https:' || isLoopback(issuer)
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}

/** People of such a root sign in by its provider only, so that the provider can lock them out. */
export function hasBoundIssuer(providers: readonly IdentityProvider[], root: RootId): boolean {
  return providers.some(({ roots }) => roots.includes(root))
}
