import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openGit } from '../../../../test/connectors/git-server.ts'
import type { GitRepository } from './repository.ts'
import { GitWorkspaces } from './workspaces.ts'

const { folder, server, workspaces } = await openGit()

const source = folder.create('source.git')
const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
const toText = (content: readonly string[]) => content.map((line) => `${line}\n`).join('')
const first = source.commit({ 'src/a.ts': toText(lines), 'src/b.ts': 'b\n', 'old/c.ts': toText(lines) })
const changed = lines.with(4, 'changed')
const second = source.commit(
  { 'src/a.ts': toText(changed), 'src/b.ts': 'b\n', 'new/c.ts': toText(lines.with(9, 'also changed')) },
  first,
)
source.git('update-ref', 'refs/heads/main', first)
source.git('update-ref', 'refs/pull/7/head', second)

function withRepository<Result>(
  work: (repository: GitRepository) => Promise<Result>,
  headRefs: readonly string[] = [],
): Promise<Result> {
  const remote = { url: `${server.origin}/source.git`, header: null }
  return workspaces.withRepository('tenant', remote, headRefs, work)
}

test('a file of a commit is read; what is no file is absent', () =>
  withRepository(async (repository) => {
    assert.deepEqual(await repository.readFile(first, 'src/b.ts'), ['b'])
    assert.equal(await repository.readFile(first, 'src'), null)
    assert.equal(await repository.readFile(first, 'src/missing.ts'), null)
    assert.equal(await repository.readFile(first, 'src/b.ts/deeper'), null)
  }))

test('a diff has the changed lines and follows a rename', () =>
  withRepository(async (repository) => {
    assert.deepEqual(await repository.diffFile(first, second, 'src/a.ts'), {
      path: 'src/a.ts',
      hunks: [{ oldStart: 5, oldCount: 1, newStart: 5, newCount: 1 }],
    })
    assert.deepEqual(await repository.diffFile(first, second, 'src/b.ts'), { path: 'src/b.ts', hunks: [] })
    assert.deepEqual(await repository.diffFile(first, second, 'old/c.ts'), {
      path: 'new/c.ts',
      hunks: [{ oldStart: 10, oldCount: 1, newStart: 10, newCount: 1 }],
    })
    assert.deepEqual(await repository.diffFile(second, first, 'new/c.ts'), {
      path: 'old/c.ts',
      hunks: [{ oldStart: 10, oldCount: 1, newStart: 10, newCount: 1 }],
    })
  }))

test('git connects to the addresses that were checked', async () => {
  const url = `${server.origin.replace('127.0.0.1', 'forge.invalid')}/source.git`
  const read = (addresses: readonly string[]) =>
    workspaces.withRepository('tenant', { url, header: null, addresses }, [], (repository) =>
      repository.hasCommit(first),
    )
  assert.equal(await read(['127.0.0.1']), true)
  await assert.rejects(read([]), /git failed/)
})

test('a deleted file has no later path', () =>
  withRepository(async (repository) => {
    const without = source.commit({ 'src/a.ts': toText(lines) }, first)
    assert.deepEqual(await repository.diffFile(first, without, 'src/b.ts'), { path: null, hunks: [] })
  }))

test('only the files that were asked for are fetched, all of them in two requests', () =>
  withRepository(async (repository) => {
    const before = server.requests.length
    const pairs = ['src/a.ts', 'old/c.ts'].map((path) => ({ from: first, to: second, path }))
    await repository.prefetch([], pairs)
    for (const { from, to, path } of pairs) assert.notEqual(await repository.diffFile(from, to, path), null)
    assert.equal(repository.calls, 3, 'cat-file, commits, files')
    assert.equal(server.requests.slice(before).filter((url) => url.includes('info/refs')).length, 2)
    const unread = source.git('rev-parse', `${first}:src/b.ts`)
    assert.equal(JSON.stringify(await repository.readFile(first, 'src/b.ts')), '["b"]')
    assert.equal(repository.calls, 4, `${unread} was fetched now`)
  }))

test('a commit that the Git provider lost is missing, the others are there', () =>
  withRepository(async (repository) => {
    const lost = 'f'.repeat(40)
    await repository.prefetch(
      [{ commit: lost, path: 'src/a.ts' }],
      [{ from: first, to: second, path: 'src/a.ts' }],
    )
    assert.equal(await repository.hasCommit(lost), false)
    assert.equal(await repository.hasCommit(first), true)
    assert.equal(await repository.readFile(lost, 'src/a.ts'), null)
    assert.equal(await repository.diffFile(lost, second, 'src/a.ts'), null)
  }))

test('a missing commit is looked for behind the ref of the pull request', async () => {
  await withRepository(
    async (repository) => assert.equal(await repository.hasCommit('e'.repeat(40)), false),
    ['refs/pull/7/head', 'refs/pull/8/head'],
  )
  await assert.rejects(
    withRepository(async () => {}, ['refs/heads/main']),
    /malformed/,
  )
})

test('the directory of a repository is removed, also when the work fails', async () => {
  const work = join(folder.path, 'work')
  await withRepository((repository) => repository.hasCommit(first))
  await assert.rejects(
    withRepository(async (repository) => {
      await repository.hasCommit(first)
      throw new Error('stop')
    }),
    /stop/,
  )
  assert.deepEqual(
    readdirSync(work).flatMap((name) => readdirSync(join(work, name))),
    [],
  )
})

test('what a killed process left is removed at the next start, what a running one uses is not', async () => {
  const directory = join(folder.path, 'shared')
  const running = await GitWorkspaces.open({ directory })
  const [own = ''] = readdirSync(directory)
  const [namespace = '', pid = '', started = '', ...rest] = own.split('-')
  // The same process id, started at another time.
  const left = [namespace, pid, String(Number(started) - 1), ...rest].join('-')
  mkdirSync(join(directory, left, 'tenant', 'repository'), { recursive: true })
  mkdirSync(join(directory, 'no-directory-of-ours'))
  const next = await GitWorkspaces.open({ directory })
  assert.equal(existsSync(join(directory, left)), false)
  assert.equal(existsSync(join(directory, own)), true)
  assert.equal(existsSync(join(directory, 'no-directory-of-ours')), true)
  await running.close()
  await next.close()
})
