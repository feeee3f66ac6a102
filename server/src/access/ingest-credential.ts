import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../config.ts'
import type { KeyId, OrganizationId, RootId } from '../ids.ts'
import { decodeBase64Url } from './base64url.ts'
import { INGEST_PREFIX } from './key-format.ts'

/** What an ingest endpoint knows about a sender without the database. */
export interface IngestCredential {
  readonly id: KeyId
  readonly root: RootId
  /** null = every organization of the root. */
  readonly organizations: readonly OrganizationId[] | null
  readonly expiresAt: Date
}

interface CredentialPayload {
  readonly v: typeof VERSION
  readonly kid: string
  readonly id: KeyId
  readonly root: RootId
  readonly organizations: readonly OrganizationId[] | null
  /** Whole seconds since 1970. */
  readonly exp: number
}

const VERSION = 1
// A credential is sent in a header, and servers and proxies reject headers of more than 8 KiB.
const MAX_CREDENTIAL_LENGTH = 7_000
const credentialPattern = /^sch_ing_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

/** The maximum that still fits into a header. */
export const MAX_CREDENTIAL_ORGANIZATIONS = 100

/** Returns `sch_ing_<payload>.<mac>`, signed with the newest key of the ring. */
export function signIngestCredential(ring: KeyRing, credential: IngestCredential): string {
  const [newest] = ring
  if (newest === undefined) throw new Error('No key to sign ingest credentials with: set INGEST_KEYS.')
  const { id, root, organizations, expiresAt } = credential
  const exp = Math.floor(expiresAt.getTime() / 1000)
  const payload: CredentialPayload = { v: VERSION, kid: newest.id, id, root, organizations, exp }
  const signed = INGEST_PREFIX + Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${signed}.${computeMac(newest.secret, signed).toString('base64url')}`
}

/** Returns null if the credential is not ours, was modified or has expired. The caller checks revocation by id. */
export function verifyIngestCredential(ring: KeyRing, value: string, now: Date): IngestCredential | null {
  const parts = value.length <= MAX_CREDENTIAL_LENGTH ? credentialPattern.exec(value) : null
  if (!parts?.[1] || !parts[2]) return null
  const body = decodeBase64Url(parts[1])
  const mac = decodeBase64Url(parts[2])
  if (body === null || mac === null) return null
  const payload = parsePayload(body)
  const key = ring.find(({ id }) => id === payload?.kid)
  if (payload === null || key === undefined) return null
  if (!timingSafeEqual(computeMac(key.secret, INGEST_PREFIX + parts[1]), mac)) return null
  if (payload.v !== VERSION || isExpired(payload, now)) return null
  const { id, root, organizations, exp } = payload
  return { id, root, organizations, expiresAt: new Date(exp * 1000) }
}

function parsePayload(body: Buffer): CredentialPayload | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' ? (value as CredentialPayload) : null
  } catch {
    return null
  }
}

function isExpired({ exp }: CredentialPayload, now: Date): boolean {
  return exp * 1000 <= now.getTime()
}

function computeMac(secret: KeyObject, signed: string): Buffer {
  return createHmac('sha256', secret).update(signed).digest()
}
