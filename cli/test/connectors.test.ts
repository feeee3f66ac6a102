import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, runCli, runJson } from './run-cli.ts'

const secret = 'private key of the test'

interface Connector {
  readonly id: string
  readonly provider: string
  readonly mode: string
  readonly bots: readonly object[]
}

test('an organization is connected with an App, listed, and removed only with consent', () => {
  const file = join(folder, 'app.pem')
  writeFileSync(file, `${secret}\nof two lines\n`, { mode: 0o600 })
  const app = ['--app-id', '1', '--installation-id', '2', '--private-key-file', file]
  const bots = ['--bot', 'acme-review=4711', 'ours=4712:claude']
  const created = runJson<Connector>(['connect', 'github', 'meridian-platform', ...app, ...bots])
  assert.deepEqual([created.provider, created.mode], ['github', 'polling'])
  assert.deepEqual(created.bots, [
    { reviewer: 'acme-review', account_id: '4711' },
    { reviewer: 'ours', account_id: '4712', format: 'claude' },
  ])
  const list = runCli(['connectors', 'list'])
  assert.match(list.stdout, new RegExp(`^${created.id} +github\\.com +polling `, 'm'))
  assert.doesNotMatch(list.stdout + list.stderr, new RegExp(secret))

  assert.match(runCli(['connectors', 'remove', created.id, '--dry-run']).stdout, /^Would remove /)
  assert.equal(runCli(['connectors', 'remove', created.id]).code, 2, 'nobody can confirm in a pipe')
  assert.equal(runCli(['connectors', 'remove', created.id, '--yes']).code, 0)
  assert.equal(runCli(['connectors', 'remove', created.id, '--yes']).code, 5)
})

test('what is missing is said before anything is sent', () => {
  assert.match(runCli(['connect', 'gitlab', 'meridian']).stderr, /--token-file/)
  assert.match(runCli(['connect', 'github', 'meridian', '--app-id', '1']).stderr, /needs --private-key-file/)
  assert.match(
    runCli(['connect', 'github', 'meridian', '--bot', 'acme-review']).stderr,
    /numeric ID of its account/,
  )
  const token = join(folder, 'group.token')
  writeFileSync(token, 'glpat-of-the-test', { mode: 0o600 })
  const host = ['--host', 'git.example.com', '--token-file', token]
  const refused = runCli(['connect', 'gitlab', 'meridian', ...host])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /CONNECTOR_HOSTS/)
})
