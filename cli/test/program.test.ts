import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cliFile, runCli } from './run-cli.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
  engines: { node: string }
}

test('help lists the commands, and every command has examples', () => {
  const { code, stdout } = runCli(['--help'], { key: null })
  assert.equal(code, 0)
  const names = [...(stdout.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([a-z-]+) {2,}\S/gm)]
  assert.ok(names.length >= 12, stdout)
  const help = runCli(['keys', 'create', '--help'], { key: null })
  assert.equal(help.code, 0)
  assert.match(help.stdout, /\nGlobal Options:\n[^]*\nExamples:\n {2}# .+\n {2}scholiast keys create /)
})

test('the version is that of the package', () => {
  assert.equal(runCli(['--version'], { key: null }).stdout, `${manifest.version}\n`)
})

test('an old Node.js is told which one is needed', () => {
  const runtimes = new URL('../../sdk/test/runtimes/node_modules/', import.meta.url)
  const node = join(fileURLToPath(runtimes), 'node-20/bin/node')
  const { status, stdout, stderr } = spawnSync(node, [cliFile, 'status'], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.equal(stdout, '')
  const needed = manifest.engines.node.replace('>=', '')
  assert.match(
    stderr,
    new RegExp(`^scholiast needs Node\\.js ${needed} or later\\. This is v20\\.[\\d.]+\\.\\n$`),
  )
})

test('wrong usage exits with 2 and points to the help', () => {
  for (const words of [[], ['nonsense'], ['status', '--nonsense'], ['keys'], ['keys', 'create']]) {
    const { code, stdout, stderr } = runCli(words, { key: null })
    assert.equal(code, 2, words.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, /--help|Usage:/)
  }
})

test('exit codes say what went wrong, and the error says what to do', () => {
  const cases: readonly (readonly [string[], string | null, Record<string, string>, number, RegExp])[] = [
    [['status'], null, { SCHOLIAST_URL: '' }, 3, /next: {2}Run "scholiast login --url URL"/],
    [['status'], null, {}, 3, /No API key is set/],
    [['keys', 'list'], 'revoked', {}, 3, /next: {2}Run "scholiast login"/],
    [['users', 'list'], 'agentic', {}, 4, /KEY_KIND_NOT_ALLOWED.*\nnext: {2}Run "scholiast status"/],
    [['roles', 'list'], 'workspace', {}, 2, /ORG_ID_REQUIRED.*\nnext: {2}Add --org ID/],
    [['roles', 'list', '--org', '1'], 'workspace', {}, 5, /next: {2}Run "scholiast organizations list"/],
    [['roles', 'show', 'nonsense'], 'user', {}, 5, /There is no role "nonsense"/],
    [['status'], 'user', { SCHOLIAST_URL: 'http://127.0.0.1:9' }, 7, /next: {2}Check the address/],
  ]
  for (const [words, key, env, expected, message] of cases) {
    const { code, stderr } = runCli(words, { key, env })
    assert.equal(code, expected, `${words.join(' ')}: ${stderr}`)
    assert.match(stderr, message)
  }
})

test('with --json, an error is a JSON object on stderr', () => {
  const { code, stdout, stderr } = runCli(['keys', 'list', '--json'], { key: 'expired' })
  assert.equal(code, 3)
  assert.equal(stdout, '')
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> }
  assert.equal(error['code'], 'UNAUTHORIZED')
  assert.equal(error['exit_code'], 3)
  assert.equal(typeof error['request_id'], 'string')
})

test('a pipe gets no colour, and --quiet no notes', () => {
  const { stdout, stderr } = runCli(['users', 'list'])
  // The escape character starts every colour.
  assert.equal(stdout.includes('\u001b'), false)
  assert.match(stderr, /users?\. Seats: /)
  assert.equal(runCli(['users', 'list', '--quiet']).stderr, '')
})
