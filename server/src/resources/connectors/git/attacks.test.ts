import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { createZeroBlob, toFetchResult } from '../../../../test/connectors/git-pack.ts'
import { createRepositoryFolder, serveRepositories } from '../../../../test/connectors/git-server.ts'
import { GitError, type GitFailure } from './git-error.ts'
import { defaultGitLimits, type GitLimits } from './limits.ts'
import { GitRepository } from './repository.ts'
import { runGit } from './run-git.ts'
import { GitWorkspaces } from './workspaces.ts'

const MEBIBYTE = 1024 * 1024
const secret = 'c2VjcmV0LXRva2VuLW9mLXRoZS1mb3JnZQ'
const header = `Authorization: Basic ${secret}`

/** Packs that the next fetch from bomb.git gets. */
const bombs: Buffer[] = []

const folder = createRepositoryFolder()
const marker = join(folder.path, 'marker')
const elsewhere = await serveRepositories(folder.path)
const server = await serveRepositories(folder.path, ({ url = '', method, headers }, response) => {
  const [, name] = url.split('/')
  if (name === 'hanging.git') return true
  const bomb = name === 'bomb.git' && method === 'POST' ? bombs.pop() : undefined
  if (bomb !== undefined) {
    response
      .writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
      .end(toFetchResult(bomb))
    return true
  }
  if (name === 'moved.git') response.writeHead(302, { location: `${elsewhere.origin}${url}` }).end()
  else if (name === 'private.git') response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
  else if (name === 'echoing.git')
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`refused: ${headers.authorization}`)
  else return false
  return true
})
after(async () => {
  await server.close()
  await elsewhere.close()
  folder.remove()
})

interface TryOptions {
  readonly limits?: Partial<GitLimits>
  readonly header?: string | null
}

let directories = 0
async function withClone<Result>(
  url: string,
  work: (repository: GitRepository, directory: string) => Promise<Result>,
  { limits, header: line = null }: TryOptions = {},
): Promise<Result> {
  const directory = join(folder.path, `clone-${directories++}`)
  mkdirSync(directory)
  const repository = await GitRepository.create({
    directory,
    remote: { url, header: line },
    headRefs: [],
    limits: { ...defaultGitLimits, ...limits },
    allowHttp: true,
  })
  try {
    return await work(repository, directory)
  } finally {
    repository.close()
  }
}

const commitOf = (name: string, files: Parameters<ReturnType<typeof folder.create>['commit']>[0]) => {
  const repository = folder.create(name)
  const commit = repository.commit(files)
  repository.git('update-ref', 'refs/heads/main', commit)
  return commit
}
const anyCommit = commitOf('plain.git', { 'a.ts': 'a\n' })

function isFailure(...failures: GitFailure[]): (error: unknown) => boolean {
  return (error) => error instanceof GitError && failures.includes(error.failure)
}

test('hooks do not run', async () => {
  await withClone(`${server.origin}/plain.git`, async (repository, directory) => {
    assert.equal(await repository.hasCommit(anyCommit), true)
    mkdirSync(join(directory, 'hooks'))
    const hook = join(directory, 'hooks', 'reference-transaction')
    writeFileSync(hook, `#!/bin/sh\ntouch ${marker}\n`)
    chmodSync(hook, 0o755)
    await runGit({
      args: ['update-ref', 'refs/heads/hooked', anyCommit],
      directory,
      limits: defaultGitLimits,
      maxWrittenBytes: MEBIBYTE,
    })
    assert.equal(readFileSync(join(directory, 'refs/heads/hooked'), 'utf8').trim(), anyCommit)
    assert.equal(existsSync(marker), false)
  })
})

test('configuration of the machine and of the user is not read, credential helpers do not run', async (t) => {
  const config = join(folder.path, 'evil-config')
  writeFileSync(
    config,
    `[credential]\n\thelper = "!touch ${marker}; :"\n[url "${elsewhere.origin}/"]\n\tinsteadOf = "${server.origin}/"\n`,
  )
  const before = { ...process.env }
  t.after(() => {
    process.env = before
  })
  process.env['GIT_CONFIG_GLOBAL'] = config
  process.env['GIT_CONFIG_SYSTEM'] = config
  process.env['GIT_ASKPASS'] = `touch ${marker}`
  const count = elsewhere.requests.length
  await withClone(`${server.origin}/private.git`, async (repository) => {
    await assert.rejects(repository.hasCommit(anyCommit), isFailure('credential_rejected'))
  })
  assert.equal(existsSync(marker), false)
  assert.equal(elsewhere.requests.length, count)
})

test('submodules are neither fetched nor read', async () => {
  const commit = commitOf('with-submodule.git', {
    '.gitmodules': `[submodule "inner"]\n\tpath = inner\n\turl = ${elsewhere.origin}/plain.git\n`,
    inner: { mode: '160000', id: anyCommit },
  })
  const count = elsewhere.requests.length
  await withClone(`${server.origin}/with-submodule.git`, async (repository) => {
    assert.equal((await repository.readFile(commit, '.gitmodules'))?.[0], '[submodule "inner"]')
    assert.equal(await repository.readFile(commit, 'inner'), null)
    assert.equal(await repository.readFile(commit, 'inner/a.ts'), null)
  })
  assert.equal(elsewhere.requests.length, count)
})

for (const url of [
  `file://${folder.path}/plain.git`,
  `ext::sh -c "touch ${marker}"`,
  `${folder.path}/plain.git`,
  `ssh://127.0.0.1/x`,
])
  test(`the address ${url.split(/[:/]/, 1)[0] || 'path'}… is refused, by us and by git`, async () => {
    const workspaces = await GitWorkspaces.open({ directory: join(folder.path, 'work'), allowHttp: true })
    await assert.rejects(
      workspaces.withRepository('tenant', { url, header: null }, [], async () => {}),
      /must be an https URL/,
    )
    await workspaces.close()
    await withClone(url, async (repository) => {
      await assert.rejects(repository.hasCommit(anyCommit), isFailure('failed'))
    })
    assert.equal(existsSync(marker), false)
  })

test('plain http and a credential in the address are refused', async () => {
  const workspaces = await GitWorkspaces.open({ directory: join(folder.path, 'work') })
  const open = (url: string, line: string | null = null) =>
    workspaces.withRepository('tenant', { url, header: line }, [], async () => {})
  await assert.rejects(open(`${server.origin}/plain.git`), /must be an https URL/)
  await assert.rejects(open(`https://user:${secret}@example.com/plain.git`), (error: Error) => {
    assert.match(error.message, /must not contain a credential/)
    return !error.message.includes(secret)
  })
  await assert.rejects(open('https://example.com/a.git', 'X: y\nHost: other'), /malformed/)
  await workspaces.close()
})

test('a redirect is not followed', async () => {
  const count = elsewhere.requests.length
  await withClone(`${server.origin}/moved.git`, async (repository) => {
    await assert.rejects(repository.hasCommit(anyCommit), isFailure('failed'))
  })
  assert.equal(elsewhere.requests.length, count)
})

test('a file of 1 GiB that compresses to a megabyte is not read, in 300 MB of memory', async () => {
  const bomb = createZeroBlob(1024)
  const repository = folder.create('bomb.git')
  const commit = repository.commit({ 'big.txt': { mode: '100644', id: bomb.id }, 'small.txt': 'ok\n' })
  await withClone(
    `${server.origin}/bomb.git`,
    async (clone) => {
      assert.deepEqual(await clone.readFile(commit, 'small.txt'), ['ok'])
      bombs.push(bomb.pack)
      assert.equal(await clone.readFile(commit, 'big.txt'), null)
      assert.deepEqual(bombs, [], 'the file was fetched')
    },
    { limits: { memoryBytes: 300 * MEBIBYTE, timeoutMs: 300_000 } },
  )
})

test('a file that is larger than the quota of the disk is not written', async () => {
  const repository = folder.create('large.git')
  const id = repository.gitWithInput(randomBytes(8 * MEBIBYTE), 'hash-object', '-w', '--stdin')
  const commit = repository.commit({ 'large.bin': { mode: '100644', id }, 'small.txt': 'ok\n' })
  await withClone(
    `${server.origin}/large.git`,
    async (clone, directory) => {
      assert.deepEqual(await clone.readFile(commit, 'small.txt'), ['ok'])
      await assert.rejects(clone.readFile(commit, 'large.bin'), isFailure('limit', 'disk_quota'))
      assert.ok(measure(directory) <= 2 * MEBIBYTE, `${measure(directory)} bytes`)
    },
    { limits: { diskBytes: 2 * MEBIBYTE } },
  )
})

function measure(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0)
}

test('git without enough memory fails, and so does a file above the limit', async () => {
  const commit = commitOf('lines.git', { 'long.txt': 'a line\n'.repeat(1_000) })
  await withClone(
    `${server.origin}/lines.git`,
    async (repository) => assert.equal(await repository.readFile(commit, 'long.txt'), null),
    { limits: { fileBytes: 1_000 } },
  )
  await withClone(
    `${server.origin}/lines.git`,
    async (repository) => assert.rejects(repository.readFile(commit, 'long.txt'), GitError),
    { limits: { memoryBytes: 2 * MEBIBYTE } },
  )
})

test('paths are names, never options, patterns or ways out', async () => {
  const names = ['-rf', '--upload-pack=touch', ':(glob)*', '*', 'a b\n', '"quoted"', 'ünï.ts']
  const commit = commitOf('names.git', {
    'src/inner.ts': 'inner\n',
    ...Object.fromEntries(names.filter((name) => !/[\n"]/.test(name)).map((name) => [name, `${name}\n`])),
  })
  await withClone(`${server.origin}/names.git`, async (repository) => {
    for (const name of names)
      assert.deepEqual(await repository.readFile(commit, name), /[\n"]/.test(name) ? null : [name], name)
    for (const path of [
      'src/../src/inner.ts',
      '../../../etc/passwd',
      '/etc/passwd',
      'src//inner.ts',
      './src/inner.ts',
      '',
      'src/inner.ts\0',
      'src/',
    ])
      assert.equal(await repository.readFile(commit, path), null, path)
    for (const name of [
      '--all',
      'HEAD',
      'refs/heads/main',
      `${commit}\n${commit}`,
      commit.slice(0, 39),
      `${commit}^`,
    ])
      assert.equal(await repository.hasCommit(name), false, name)
  })
})

test('a symbolic link is not followed, and its target is not read as a file', async () => {
  const repository = folder.create('links.git')
  const id = repository.gitWithInput('/etc/passwd', 'hash-object', '-w', '--stdin')
  const commit = repository.commit({
    link: { mode: '120000', id },
    folder: { mode: '120000', id: repository.gitWithInput('/etc', 'hash-object', '-w', '--stdin') },
  })
  await withClone(`${server.origin}/links.git`, async (clone) => {
    assert.equal(await clone.readFile(commit, 'link'), null)
    assert.equal(await clone.readFile(commit, 'folder/passwd'), null)
  })
})

test('a secret is in no error, no command line and no file', async () => {
  await withClone(
    `${server.origin}/echoing.git`,
    async (repository, directory) => {
      const error = await repository.hasCommit(anyCommit).catch((reason: unknown) => reason)
      assert.ok(error instanceof GitError)
      assert.equal(inspect(error, { depth: 9, showHidden: true }).includes(secret), false)
      assert.equal(`${error.stack}${error.message}`.includes(secret), false)
      assertNoFileHas(directory, secret)
    },
    { header },
  )
  await withClone(
    `${server.origin}/hanging.git`,
    async (repository, directory) => {
      const fetching = repository.hasCommit(anyCommit)
      const lines = await waitFor(() => {
        const found = findProcesses(directory)
        return found.some(({ command }) => command.includes('remote-http')) ? found : null
      })
      for (const { command } of lines) assert.equal(command.includes(secret), false)
      await assert.rejects(fetching, isFailure('timeout'))
      assertNoFileHas(directory, secret)
    },
    { header, limits: { timeoutMs: 3_000 } },
  )
})

function assertNoFileHas(directory: string, text: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      assert.equal(readFileSync(join(entry.parentPath, entry.name)).includes(text), false, entry.name)
}

test('a time-out ends git and everything that git started', async () => {
  await withClone(
    `${server.origin}/hanging.git`,
    async (repository, directory) => {
      const fetching = repository.hasCommit(anyCommit)
      const started = await waitFor(() => {
        const found = findProcesses(directory)
        return found.some(({ command }) => command.includes('remote-http')) ? found : null
      })
      assert.ok(started.length >= 3, 'git, its remote helper and cat-file')
      await assert.rejects(fetching, isFailure('timeout'))
      repository.close()
      await waitFor(() => (findProcesses(directory).length === 0 ? true : null))
    },
    { limits: { timeoutMs: 3_000 } },
  )
})

/** By the directory in their environment. */
function findProcesses(directory: string): { readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        if (!environment.includes(`GIT_DIR=${directory}\0`)) return []
        return [{ command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }]
      } catch {
        return []
      }
    })
}

async function waitFor<Result>(find: () => Result | null): Promise<Result> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const found = find()
    if (found !== null) return found
    await delay(10)
  }
  throw new Error('It did not happen within 10 seconds.')
}
