import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../errors.ts'
import { floodGuard } from './flood-guard.ts'

const overLimit = new Refusal('RATE_LIMIT_EXCEEDED', 'At most 10.', { 'retry-after': '7' })

test('the same call is refused as before for a tenth of a second, then asked again', () => {
  let now = 0
  const guard = floodGuard(() => now)
  guard.refuseAgain('key ?limit=1')
  guard.note('key ?limit=1', overLimit)
  now = 99
  assert.throws(() => guard.refuseAgain('key ?limit=1'), overLimit)
  now = 101
  guard.refuseAgain('key ?limit=1')
})

test('another key or another address is never refused by what this one did', () => {
  const guard = floodGuard(() => 0)
  guard.note('key ?limit=1', overLimit)
  guard.refuseAgain('key ?limit=2')
  guard.refuseAgain('other ?limit=1')
})

test('nothing but a limit is remembered: a refusal for another reason may be mended at once', () => {
  const guard = floodGuard(() => 0)
  guard.note('key', new Refusal('PERMISSION_DENIED', 'No.'))
  guard.note('key', new Error('a defect'))
  guard.refuseAgain('key')
})
