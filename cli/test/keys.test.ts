import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, runCli, runJson } from './run-cli.ts'

interface Key {
  readonly id: string
  readonly permissions: readonly string[]
  readonly value?: string
  readonly expires_at: string | null
}

test('a key is created into a private file, rotated, and revoked only with consent', () => {
  const file = join(folder, 'created.key')
  const words = ['keys', 'create', 'Test of the command line', '--permission', 'metrics:read', 'api_key:read']
  const created = runCli([...words, '--expires', '30d', '--out', file])
  assert.equal(created.code, 0, created.stderr)
  const value = readFileSync(file, 'utf8').trim()
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!created.stdout.includes(value), 'the value is in the file only')
  const id = /^ID +(\S+)$/m.exec(created.stdout)?.[1] ?? ''
  const use = (secret: string) => runCli(['status'], { key: null, env: { SCHOLIAST_API_KEY: secret } })
  assert.match(use(value).stdout, /^Permissions +metrics \(read\), api_key \(read\)$/m)

  const rotated = runJson<Key>(['keys', 'rotate', id, '--overlap-days', '0'])
  assert.equal(use(value).code, 3)
  assert.equal(use(rotated.value ?? '').code, 0)

  assert.equal(runCli(['keys', 'revoke', rotated.id]).code, 2, 'nobody can confirm in a pipe')
  assert.match(runCli(['keys', 'revoke', rotated.id, '--dry-run']).stdout, /would be revoked\.\n$/)
  assert.equal(use(rotated.value ?? '').code, 0)
  assert.equal(runCli(['keys', 'revoke', rotated.id, '--yes']).code, 0)
  assert.equal(use(rotated.value ?? '').code, 3)
  assert.equal(runCli(['keys', 'revoke', rotated.id, '--yes']).code, 5)
})

test('keys are listed without values', () => {
  const keys = runJson<Key[]>(['keys', 'list'])
  assert.ok(keys.length > 0)
  assert.ok(keys.every((key) => key.value === undefined))
  assert.match(runCli(['keys', 'list']).stdout, /^ID +NAME +KIND +KEY +OWNER +EXPIRES +LAST USED$/m)
})

test('a value that cannot be written to the file is shown, because it exists only once', () => {
  const file = join(folder, 'missing', 'new.key')
  const key = runJson<Key>(['keys', 'create', 'Without a folder', '--out', file])
  assert.match(key.value ?? '', /^sch_usr_/)
  assert.equal(runCli(['keys', 'revoke', key.id, '--yes']).code, 0)
})

test('expiries are dates, times or days', () => {
  assert.match(
    runCli(['keys', 'create', 'x', '--expires', 'soon']).stderr,
    /"soon" is not an expiry\.\nnext: /,
  )
  const key = runJson<Key>(['keys', 'create', 'Short', '--expires', '2d'])
  const days = (Date.parse(key.expires_at ?? '') - Date.now()) / 86_400_000
  assert.ok(days > 1.9 && days <= 2, String(days))
  assert.equal(runCli(['keys', 'revoke', key.id, '--yes']).code, 0)
})
