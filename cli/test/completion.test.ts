import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, runCli } from './run-cli.ts'

const script = join(folder, 'scholiast.bash')

/** What bash offers for the last word. */
function complete(...words: string[]): string[] {
  const program = `source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scholiast; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', program, 'bash', script, 'scholiast', ...words], {
    encoding: 'utf8',
  })
  return output.split('\n').filter((line) => line !== '')
}

test('bash completes commands, options and their values', () => {
  const { code, stdout } = runCli(['completion', 'bash'], { key: null })
  assert.equal(code, 0)
  writeFileSync(script, stdout)
  assert.deepEqual(complete('ke'), ['keys'])
  assert.deepEqual(complete('keys', 're'), ['revoke'])
  assert.deepEqual(complete('--profile', 'keys', 'users', 'l'), ['list'])
  assert.deepEqual(complete('seats', 'mode', 'a'), ['automatic'])
  assert.deepEqual(complete('keys', 'create', '--kind', 'w'), ['workspace'])
  assert.ok(complete('keys', 'create', '--').includes('--expires'))
  assert.deepEqual(complete('keys', 'create', '--out', ''), [], 'a file: bash completes it')
})

test('zsh and fish get scripts that name every command', () => {
  const names = complete('').filter((word) => !word.startsWith('-'))
  assert.ok(names.length >= 13)
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout } = runCli(['completion', shell], { key: null })
    assert.equal(code, 0)
    for (const name of names) assert.ok(stdout.includes(name), `${shell}: ${name}`)
  }
  assert.equal(runCli(['completion', 'tcsh'], { key: null }).code, 2)
})
