import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
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

  const again = runCli(['connect', 'github', 'meridian-platform', ...app])
  assert.equal(again.code, 6)
  assert.match(again.stderr, /CONNECTOR_EXISTS.*\nnext: {2}.*scholiast connectors remove ID/)

  assert.match(runCli(['connectors', 'remove', created.id, '--dry-run']).stdout, /^Would remove /)
  assert.equal(runCli(['connectors', 'remove', created.id]).code, 2, 'nobody can confirm in a pipe')
  assert.equal(runCli(['connectors', 'remove', created.id, '--yes']).code, 0)
  assert.equal(runCli(['connectors', 'remove', created.id, '--yes']).code, 5)
})

test('if the connector of a saved App exists already, the file with its keys is named and stays', () => {
  const account = 'meridian-terminals'
  const pem = join(folder, 'other.pem')
  writeFileSync(pem, secret, { mode: 0o600 })
  const installation = ['--installation-id', '2']
  const connect = ['connect', 'github', account, ...installation]
  const created = runJson<Connector>([...connect, '--app-id', '1', '--private-key-file', pem])
  const saved = join(folder, 'scholiast', `github-app-github.com%20${account}.json`)
  mkdirSync(join(folder, 'scholiast'), { recursive: true })
  const app = { id: 1, slug: 'saved', html_url: 'https://github.com/apps/saved', pem: secret }
  writeFileSync(saved, JSON.stringify({ ...app, webhook_secret: 'secret-of-the-hooks-of-the-test' }), {
    mode: 0o600,
  })
  const attempts = [
    {
      mode: 'polling',
      next: /If "scholiast connectors list" shows that the connector works, remove the file/,
    },
    { mode: 'hooks', next: /may get no hooks\. .*scholiast connectors remove ID/ },
  ]
  for (const { mode, next } of attempts) {
    const { code, stderr } = runCli([...connect, '--mode', mode])
    assert.equal(code, 6, stderr)
    assert.ok(stderr.includes(`already has a connector for ${account} on github.com`), stderr)
    assert.ok(stderr.includes(`The keys of the App are still in ${saved}.`), stderr)
    assert.match(stderr, next)
    assert.doesNotMatch(stderr, new RegExp(secret))
    assert.ok(existsSync(saved))
  }
  assert.equal(runCli(['connectors', 'remove', created.id, '--yes']).code, 0)
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
