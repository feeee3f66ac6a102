import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { demo, folder, runCli, runJson } from './run-cli.ts'

const [repository] = demo.organizations[0]?.repositories ?? []
const checkout = join(folder, 'checkout')
mkdirSync(checkout)

function git(...words: string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  execFileSync('git', [...identity, ...words], { cwd: checkout, stdio: 'pipe' })
}

test('review-context finds Learnings for the current diff', async () => {
  const words = ['review-context', '--repo', repository?.repository_id ?? '']
  assert.match(
    runCli(words, { cwd: folder }).stderr,
    /git diff failed: .*\nnext: {2}Run this in a Git repository/,
  )
  git('init', '-q', '-b', 'main')
  writeFileSync(join(checkout, 'a.txt'), 'one\n')
  git('add', '.')
  git('commit', '-qm', 'First')
  const unchanged = runCli(words, { cwd: checkout })
  assert.equal(unchanged.code, 2)
  assert.match(unchanged.stderr, /There is no change to look at\./)

  // The text of a Learning of the repository, so that it must be found.
  const learning = await readLearning()
  writeFileSync(join(checkout, 'a.txt'), `one\n// ${learning.learning}\n`)
  git('commit', '-qam', 'Second')
  const branch = runCli([...words, '--base', 'main~1'], { cwd: checkout })
  assert.equal(branch.code, 0, branch.stderr)
  const found = runJson<{ id: string }[]>([...words, '--base', 'main~1'], { cwd: checkout })
  assert.ok(found.some(({ id }) => id === learning.id))
  assert.match(branch.stdout, /^MATCH +SCORE +FILE +AUTHOR +LEARNING\n/)
})

test('the repository is found by the name of the remote', () => {
  const words = ['review-context', '--text', 'Adds a retry around a call']
  assert.match(runCli(words, { cwd: checkout }).stderr, /cannot be read from the remote "origin"\./)
  git('remote', 'add', 'origin', `git@github.com:example/${repository?.name ?? ''}.git`)
  assert.equal(runCli(words, { cwd: checkout }).code, 0)
  git('remote', 'set-url', 'origin', 'https://github.com/example/nonsense')
  const unknown = runCli(words, { cwd: checkout })
  assert.equal(unknown.code, 5)
  assert.match(unknown.stderr, /No repository has the name "nonsense"/)
})

async function readLearning(): Promise<{ id: string; learning: string }> {
  const url = `${demo.base_url}/v1/learnings?limit=1&repository_ids=${repository?.repository_id ?? ''}`
  const response = await fetch(url, { headers: { 'x-service-api-key': demo.keys['user'] ?? '' } })
  const { data } = (await response.json()) as { data: { id: string; learning: string }[] }
  return data[0] ?? assert.fail('The repository has no Learning.')
}
