import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import type { ConnectorId, RootId } from '../../ids.ts'
import { openSecret, type SecretOwner, sealSecret } from './secrets.ts'

const toKey = (id: string, byte: string) => ({ id, secret: createSecretKey(byte.repeat(32), 'hex') })
const oldKey = toKey('k1', '01')
const newKey = toKey('k2', '02')
const owner: SecretOwner = {
  root: '00000000-0000-7000-8000-000000000001' as RootId,
  connector: '00000000-0000-7000-8000-000000000002' as ConnectorId,
  name: 'credential',
}

test('a secret decrypts with the key that encrypted it, also behind a newer one', () => {
  const sealed = sealSecret([oldKey], owner, 'a token')
  assert.equal(sealed.keyId, 'k1')
  assert.equal(openSecret([newKey, oldKey], owner, sealed), 'a token')
  assert.equal(sealSecret([newKey, oldKey], owner, 'a token').keyId, 'k2')
  assert.equal(openSecret([newKey], owner, sealed), null)
})

test('a secret does not decrypt in the row of another connector, root or column', () => {
  const sealed = sealSecret([oldKey], owner, 'a token')
  const others: SecretOwner[] = [
    { ...owner, root: '00000000-0000-7000-8000-000000000009' as RootId },
    { ...owner, connector: '00000000-0000-7000-8000-000000000009' as ConnectorId },
    { ...owner, name: 'hook_secret' },
  ]
  for (const other of others) assert.equal(openSecret([oldKey], other, sealed), null)
})

test('a changed or shortened value does not decrypt, and the same secret never looks the same', () => {
  const sealed = sealSecret([oldKey], owner, 'a token')
  for (const index of [0, 12, sealed.bytes.length - 1]) {
    const bytes = Buffer.from(sealed.bytes)
    bytes[index] = (bytes[index] ?? 0) ^ 1
    assert.equal(openSecret([oldKey], owner, { ...sealed, bytes }), null)
  }
  assert.equal(openSecret([oldKey], owner, { ...sealed, bytes: Buffer.alloc(5) }), null)
  assert.notDeepEqual(sealSecret([oldKey], owner, 'a token').bytes, sealed.bytes)
  assert.ok(!sealed.bytes.includes('token'))
})
