import assert from 'node:assert/strict'
import { createSecretKey, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { KeyRing } from '../config.ts'
import type { KeyId, OrganizationId, RootId } from '../ids.ts'
import {
  type IngestCredential,
  MAX_CREDENTIAL_ORGANIZATIONS,
  signIngestCredential,
  verifyIngestCredential,
} from './ingest-credential.ts'

const older = { id: 'older', secret: createSecretKey(Buffer.alloc(32, 1)) }
const newer = { id: 'newer', secret: createSecretKey(Buffer.alloc(32, 2)) }
const ring: KeyRing = [newer, older]
const now = new Date('2026-05-01T12:00:00.000Z')

function credential(fields: Partial<IngestCredential> = {}): IngestCredential {
  const expiresAt = new Date('2026-06-01T12:00:00.000Z')
  return {
    id: randomUUID() as KeyId,
    root: randomUUID() as RootId,
    organizations: null,
    expiresAt,
    ...fields,
  }
}

test('what was signed is read back, for all organizations or for some [P2-ingest-2]', () => {
  const some = [randomUUID(), randomUUID()] as OrganizationId[]
  for (const signed of [credential(), credential({ organizations: some })]) {
    assert.deepEqual(verifyIngestCredential(ring, signIngestCredential(ring, signed), now), signed)
  }
})

test('the first key signs and all keys verify, so that a ring can be turned over', () => {
  const old = signIngestCredential([older], credential())
  assert.notEqual(verifyIngestCredential(ring, old, now), null)
  assert.equal(verifyIngestCredential([newer], old, now), null)
  const fresh = signIngestCredential(ring, credential())
  assert.notEqual(verifyIngestCredential([newer], fresh, now), null)
  assert.equal(verifyIngestCredential([older], fresh, now), null)
})

test('a key of the same id with another secret does not verify', () => {
  const stranger = { id: 'newer', secret: createSecretKey(Buffer.alloc(32, 3)) }
  assert.equal(verifyIngestCredential([stranger], signIngestCredential(ring, credential()), now), null)
})

test('it ends with the second it was signed for [P2-ingest-2]', () => {
  const value = signIngestCredential(ring, credential({ expiresAt: new Date('2026-05-01T12:00:00.900Z') }))
  assert.equal(verifyIngestCredential(ring, value, now), null)
  assert.notEqual(verifyIngestCredential(ring, value, new Date('2026-05-01T11:59:59.999Z')), null)
})

test('no single character can be altered, added or left out [P2-ingest-2]', () => {
  const value = signIngestCredential(ring, credential({ organizations: [randomUUID() as OrganizationId] }))
  const position = fc.integer({ min: 0, max: value.length - 1 })
  const character = fc.constantFrom(...'ABCDEFabcdef0123456789-_.'.split(''))
  fc.assert(
    fc.property(position, character, fc.constantFrom(0, 1), (at, put, removed) => {
      const altered = value.slice(0, at) + put + value.slice(at + removed)
      fc.pre(altered !== value)
      assert.equal(verifyIngestCredential(ring, altered, now), null)
      assert.equal(verifyIngestCredential(ring, value.slice(0, at) + value.slice(at + 1), now), null)
    }),
  )
})

test('another spelling of the same signature is refused', () => {
  const value = signIngestCredential(ring, credential())
  const decode = (text: string) => Buffer.from(text.slice(text.indexOf('.') + 1), 'base64url')
  const others = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    .split('')
    .map((last) => value.slice(0, -1) + last)
    .filter((other) => other !== value && decode(other).equals(decode(value)))
  assert.equal(others.length, 3)
  for (const other of others) assert.equal(verifyIngestCredential(ring, other, now), null)
})

test('nonsense of any kind is refused without a throw', () => {
  const forged = (payload: string) =>
    `sch_ing_${Buffer.from(payload).toString('base64url')}.${'A'.repeat(43)}`
  const nonsense = [
    '',
    'sch_ing_',
    'sch_ing_.',
    forged('null'),
    forged('[]'),
    forged('"x"'),
    forged('{'),
    forged('{}'),
  ]
  for (const value of nonsense) assert.equal(verifyIngestCredential(ring, value, now), null, value)
  fc.assert(fc.property(fc.string(), (value) => verifyIngestCredential(ring, value, now) === null))
})

test('one that names as many organizations as it may fits into a header, a longer one is refused unread', () => {
  const many = (count: number) => Array.from({ length: count }, () => randomUUID() as OrganizationId)
  const full = signIngestCredential(ring, credential({ organizations: many(MAX_CREDENTIAL_ORGANIZATIONS) }))
  assert.ok(full.length < 7_000)
  assert.notEqual(verifyIngestCredential(ring, full, now), null)
  const long = signIngestCredential(
    ring,
    credential({ organizations: many(MAX_CREDENTIAL_ORGANIZATIONS * 2) }),
  )
  assert.equal(verifyIngestCredential(ring, long, now), null)
})

test('an empty ring signs nothing', () => {
  assert.throws(() => signIngestCredential([], credential()), /INGEST_KEYS/)
})
