import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from '../../../config.ts'

/** What a value was signed for. A value of one purpose is not valid for another. */
export type Purpose = 'sign-in' | 'passkey-registration' | 'passkey-sign-in' | 'invitation'

interface SignedContent {
  readonly expiresAt: number
}

/** Signs content for a cookie, so that an anonymous visitor costs no row. The content is not secret. */
export function signValue(ring: KeyRing, purpose: Purpose, content: SignedContent): string {
  const [newest] = ring
  if (newest === undefined) throw new Error('No key to sign with: set SIGNING_KEYS.')
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${newest.id}.${payload}.${computeMac(newest.secret, purpose, payload)}`
}

/** Returns the content, or null if the value is not one of ours or has expired. */
export function verifyValue<Content extends SignedContent>(
  ring: KeyRing,
  purpose: Purpose,
  value: string | undefined,
  at: Date,
): Content | null {
  const [id, payload = '', mac = ''] = value?.split('.') ?? []
  const key = ring.find((one) => one.id === id)
  if (key === undefined) return null
  const expected = Buffer.from(computeMac(key.secret, purpose, payload))
  const given = Buffer.from(mac)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Content
  return content.expiresAt > at.getTime() ? content : null
}

/** A secret that belongs to a value and is not stored: only holders of the signing keys can compute it. */
export function deriveSecret(ring: KeyRing, use: 'pkce' | 'nonce', value: string): string {
  const [newest] = ring
  if (newest === undefined) throw new Error('No key to derive from: set SIGNING_KEYS.')
  return createHmac('sha256', newest.secret).update(`${use} ${value}`).digest('base64url')
}

function computeMac(secret: KeyRing[number]['secret'], purpose: Purpose, payload: string): string {
  return createHmac('sha256', secret).update(`${purpose} ${payload}`).digest('base64url')
}
