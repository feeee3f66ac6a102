import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { cliFile, createEnvironment, demo, folder, runCli, runJson } from './run-cli.ts'

const home = (name: string) => ({ XDG_CONFIG_HOME: join(folder, name) })
const configuration = (name: string) => join(folder, name, 'scholiast', 'config.json')
const key = (name: string) => demo.keys[name] ?? ''

test('login checks the keys of the environment and stores them for the owner alone', () => {
  const env = { ...home('stored'), SCHOLIAST_INGEST_KEY: key('ingest') }
  const { code, stdout, stderr } = runCli(['login'], { env })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Signed in with user key ".+" \(sch_usr_…\w{4}\) of /)
  assert.match(stdout, /The ingest credential is valid\./)
  assert.equal(statSync(configuration('stored')).mode & 0o777, 0o600)
  assert.ok(!stdout.includes(key('user')) && !stderr.includes(key('user')), 'the key is not printed')
  // The profile is enough from now on.
  const status = runCli(['status'], { key: null, env: { ...home('stored'), SCHOLIAST_URL: '' } })
  assert.equal(status.code, 0, status.stderr)
  assert.match(status.stdout, /^Profile +default$/m)
})

test('login stores nothing if the service refuses the key', () => {
  const { code, stderr } = runCli(['login'], { key: 'revoked', env: home('refused') })
  assert.equal(code, 3)
  assert.match(stderr, /^error: .*\(401 UNAUTHORIZED\)\nnext: {2}Run "scholiast login" with a valid key\./)
  assert.equal(existsSync(configuration('refused')), false)
})

test('login reads a key file, and refuses one that others can read', () => {
  const file = join(folder, 'user.key')
  writeFileSync(file, `${key('user')}\n`, { mode: 0o644 })
  chmodSync(file, 0o644)
  const words = ['login', '--profile', 'staging', '--key-file', file]
  const refused = runCli(words, { key: null, env: home('file') })
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /Other users of this machine can read .*\nnext: {2}Run: chmod 600 /)
  chmodSync(file, 0o600)
  const stored = runJson<{ profile: string; key: { kind: string } }>(words, { key: null, env: home('file') })
  assert.deepEqual([stored.profile, stored.key.kind], ['staging', 'user'])
  const status = runCli(['status', '--profile', 'staging'], { key: null, env: home('file') })
  assert.equal(status.code, 0, status.stderr)
  const other = runCli(['status', '--profile', 'production'], { key: null, env: home('file') })
  assert.equal(other.code, 3)
  assert.match(other.stderr, /There is no profile "production".*\nnext: {2}Use one of: staging\./)
})

test('a configuration file that others can read is refused', () => {
  runJson(['login'], { env: home('open') })
  chmodSync(configuration('open'), 0o644)
  const { code, stderr } = runCli(['status'], { key: null, env: home('open') })
  assert.equal(code, 2)
  assert.match(stderr, /chmod 600/)
})

test('a key of a profile is not sent to another address', () => {
  runJson(['login'], { env: home('bound') })
  const words = ['status', '--url', 'http://127.0.0.1:9']
  const { code, stderr } = runCli(words, { key: null, env: home('bound') })
  assert.equal(code, 3)
  assert.match(stderr, /No API key is set for http:\/\/127\.0\.0\.1:9\./)
})

test('login on a terminal reads the key without showing it', async () => {
  // script(1) gives the command a terminal; what the terminal shows is its output.
  const terminal = spawn('script', ['-qec', `${process.execPath} ${cliFile} login`, '/dev/null'], {
    env: createEnvironment({ key: null, env: home('typed') }),
  })
  let shown = ''
  const answers = [
    { question: 'API key: ', answer: `${key('user')}\n` },
    { question: 'Ingest credential (Enter for none): ', answer: '\n' },
  ]
  terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += chunk
    while (answers[0] !== undefined && shown.includes(answers[0].question)) {
      terminal.stdin.write(answers.shift()?.answer ?? '')
    }
  })
  await once(terminal, 'close')
  assert.match(shown, /Signed in with user key/)
  assert.equal(shown.includes(key('user')), false)
  const stored = JSON.parse(readFileSync(configuration('typed'), 'utf8')) as {
    profiles: { default: { api_key: string } }
  }
  assert.equal(stored.profiles.default.api_key, key('user'))
})

test('status says who the key is and what it may do', () => {
  const { code, stdout } = runCli(['status', '--endpoints'], { key: 'agentic' })
  assert.equal(code, 0)
  assert.match(stdout, /^Key +agentic key /m)
  assert.match(stdout, /^GET +\/v1\/learnings +no +KEY_KIND_NOT_ALLOWED$/m)
  const self = runJson<{ kind: string; endpoints: unknown[] }>(['status'], { key: 'workspace' })
  assert.equal(self.kind, 'workspace')
})
