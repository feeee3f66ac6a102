import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from './free-port.ts'

// The module remembers nothing: what keeps these apart keeps those of other processes apart too.
test('a port is given away once', async () => {
  const ports = await Promise.all(Array.from({ length: 600 }, freePort))
  assert.equal(new Set(ports).size, 600)
})
