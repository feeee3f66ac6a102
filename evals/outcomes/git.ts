// A bare repository for situations.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Git {
  readonly repository: string
  run(...args: string[]): string
  /** In a work tree. */
  inTree(...args: string[]): string
  removeWorkTree(): void
  /** Writes files, or deletes those that are null. Returns a mark that later commits name as their parent. */
  commit(
    branch: string,
    message: string,
    parent: number | null,
    files: Readonly<Record<string, string | null>>,
  ): number
  /** Makes the commits; their ids by mark. */
  finishImport(): Map<number, string>
}

export function createGit(folder: string): Git {
  const repository = join(folder, 'repository.git')
  const tree = join(folder, 'tree')
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Alice',
    GIT_AUTHOR_EMAIL: 'alice@example.com',
    GIT_COMMITTER_NAME: 'Alice',
    GIT_COMMITTER_EMAIL: 'alice@example.com',
  }
  const call = (cwd: string, input: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, input, maxBuffer: 64 * 1024 ** 2 })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}${stdout.toString()}`)
    return stdout.toString().trimEnd()
  }
  mkdirSync(repository)
  call(repository, '', ['init', '--quiet', '--bare'])
  let hasTree = false
  let stream: string[] = []
  let marks = 0
  return {
    repository,
    run: (...args) => call(repository, '', args),
    inTree: (...args) => {
      if (!hasTree) call(repository, '', ['worktree', 'add', '--quiet', '--detach', tree, args.at(-1) ?? ''])
      hasTree = true
      return call(tree, '', args)
    },
    removeWorkTree: () => {
      rmSync(tree, { recursive: true, force: true })
      call(repository, '', ['worktree', 'prune'])
    },
    commit(branch, message, parent, files) {
      stream.push(
        `commit refs/heads/${branch}`,
        `mark :${++marks}`,
        `committer Alice <alice@example.com> ${1_793_000_000 + marks} +0000`,
        `data ${Buffer.byteLength(message)}\n${message}`,
        ...(parent === null ? [] : [`from :${parent}`]),
        ...Object.entries(files).map(([path, content]) =>
          content === null
            ? `D ${path}`
            : `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}`,
        ),
        '',
      )
      return marks
    },
    finishImport() {
      const file = join(repository, 'exported-marks')
      const args = ['fast-import', '--quiet', '--force', `--export-marks=${file}`]
      call(repository, stream.join('\n'), args)
      stream = []
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
      return new Map(
        lines.map((line) => {
          const [mark = '', id = ''] = line.split(' ')
          return [Number(mark.slice(1)), id]
        }),
      )
    },
  }
}
