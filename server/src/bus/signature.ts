import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import type { KeyRing } from '../config.ts'

// Another client of the bus must not be able to enqueue events of a tenant, or to change queued ones. So the API signs
// what it enqueues, with the keys of ingest credentials, and the worker verifies it.

const HEADER = 'Scholiast-Signature'
const signaturePattern = /^v1 ([A-Za-z0-9_-]{1,32}) ([A-Za-z0-9_-]{43})$/

/** `unknown key` is signed with a key that is not in INGEST_KEYS. `unverified` is any message while this process has no keys. */
export type SignatureState = 'valid' | 'unsigned' | 'forged' | 'unknown key' | 'unverified' | 'not required'

export interface MessageSignatures {
  /** The headers of a message to the queue; none without keys. */
  sign(subject: string, data: string | Uint8Array): MsgHdrs
  check(subject: string, data: Uint8Array, given: MsgHdrs | undefined): SignatureState
  /** Sets the signature of a copy of a message: the same one for the same data, otherwise a new one if the old is valid. */
  copy(to: MsgHdrs, message: SignedMessage, data: string | Uint8Array): void
}

interface SignedMessage {
  /** To which it was published. */
  readonly subject: string
  readonly data: Uint8Array
  readonly headers?: MsgHdrs | undefined
}

/** The first key signs, all verify. Without keys, messages are neither signed nor verified. */
export function createSignatures(prefix: string, ring: KeyRing): MessageSignatures {
  function sign(subject: string, data: string | Uint8Array): MsgHdrs {
    const signed = headers()
    const name = toSignedName(prefix, subject)
    const [newest] = ring
    if (name === null || newest === undefined) return signed
    signed.set(HEADER, `v1 ${newest.id} ${computeMac(newest.secret, name, data).toString('base64url')}`)
    return signed
  }

  function check(subject: string, data: Uint8Array, given: MsgHdrs | undefined): SignatureState {
    const name = toSignedName(prefix, subject)
    if (name === null) return 'not required'
    if (ring.length === 0) return 'unverified'
    const values = given?.values(HEADER) ?? []
    if (values.length === 0) return 'unsigned'
    const [, id, mac] = (values.length === 1 && signaturePattern.exec(values[0] ?? '')) || []
    if (id === undefined || mac === undefined) return 'forged'
    const key = ring.find((entry) => entry.id === id)
    if (key === undefined) return 'unknown key'
    return timingSafeEqual(computeMac(key.secret, name, data), Buffer.from(mac, 'base64url'))
      ? 'valid'
      : 'forged'
  }

  return {
    sign,
    check,
    copy(to, { subject, data: signedData, headers: given }, data) {
      const value = given?.get(HEADER) ?? ''
      if (value === '') return
      const isSame = Buffer.from(signedData).equals(Buffer.from(data))
      const isValid = check(subject, signedData, given) === 'valid'
      to.set(HEADER, !isSame && isValid ? sign(subject, data).get(HEADER) : value)
    },
  }
}

/** The tenant root's name in the signature; null = messages to the subject are not signed. */
function toSignedName(prefix: string, subject: string): string | null {
  const path = subject.startsWith(`${prefix}.`) ? subject.slice(prefix.length + 1) : ''
  const root = /^queue\.([^.]+)\.[^.]+$/.exec(path)?.[1]
  return root === undefined ? null : `${prefix}.queue.${root}`
}

/** The first line differs from that of every credential, which the same keys sign. */
function computeMac(secret: KeyObject, name: string, data: string | Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`message.v1\n${name}\n`).update(data).digest()
}
