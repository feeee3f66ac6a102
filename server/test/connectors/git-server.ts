import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { parseGitPath, serveGit } from '../../../fake-forge/git-http.ts'
import { GitWorkspaces } from '../../src/resources/connectors/git/workspaces.ts'

export interface GitServer {
  readonly origin: string
  /** Paths and queries of all requests. */
  readonly requests: string[]
  close(): Promise<void>
}

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean

/** A folder of repositories, a server of them and workspaces, until the last test of the file has ended. */
export async function openGit(intercept?: Intercept) {
  const folder = createRepositoryFolder()
  const server = await serveRepositories(folder.path, intercept)
  const workspaces = await GitWorkspaces.open({ directory: join(folder.path, 'work'), allowHttp: true })
  after(async () => {
    await workspaces.close()
    await server.close()
    folder.remove()
  })
  return { folder, server, workspaces }
}

/** Serves bare repositories of a folder over HTTP with git's own backend. `intercept` answers in its stead. */
export async function serveRepositories(
  folder: string,
  intercept: Intercept = () => false,
): Promise<GitServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (!intercept(request, response)) serveRepository(folder, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, requests, close: () => closeServer(server) }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function serveRepository(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const path = parseGitPath(pathname)
  if (path === null) response.writeHead(404).end()
  else serveGit(request, response, join(folder, `${path.fullName}.git`), path.rest, searchParams.toString())
}

export interface TestRepository {
  /** Runs git in the repository and returns its output without the last line end. */
  git(...args: string[]): string
  gitWithInput(input: Buffer | string, ...args: string[]): string
  /** Commits exactly these files on top of the parents and returns the id. A content that starts with `mode:` is an entry. */
  commit(files: Readonly<Record<string, FileContent>>, ...parents: string[]): string
  readonly path: string
}

/** A text, or another entry of a tree: a link, a submodule, an object that was written before. */
export type FileContent = string | { readonly mode: string; readonly id: string }

export interface RepositoryFolder {
  readonly path: string
  create(name: string): TestRepository
  remove(): void
}

export function createRepositoryFolder(): RepositoryFolder {
  const path = mkdtempSync(join(tmpdir(), 'scholiast-git-test-'))
  return {
    path,
    create: (name) => createRepository(join(path, name)),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']

function createRepository(path: string): TestRepository {
  const gitWithInput = (input: Buffer | string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
      cwd: path,
      input,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: path, GIT_CONFIG_NOSYSTEM: '1' },
      maxBuffer: 64 * 1024 * 1024,
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`)
    return stdout.toString().trimEnd()
  }
  const git = (...args: string[]) => gitWithInput('', ...args)
  spawnSync('git', ['init', '--quiet', '--bare', path], { env: { PATH: '/usr/local/bin:/usr/bin:/bin' } })
  git('config', 'uploadpack.allowFilter', 'true')
  git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  return {
    path,
    git,
    gitWithInput,
    commit(files, ...parents) {
      const index = Object.entries(files).map(([file, content]) => {
        const entry =
          typeof content === 'string'
            ? { mode: '100644', id: gitWithInput(content, 'hash-object', '-w', '--stdin') }
            : content
        return `${entry.mode} ${entry.id}\t${file}\n`
      })
      git('read-tree', '--empty')
      gitWithInput(index.join(''), 'update-index', '--add', '--index-info')
      const tree = git('write-tree', '--missing-ok')
      return git('commit-tree', tree, '-m', 'change', ...parents.flatMap((parent) => ['-p', parent]))
    },
  }
}
