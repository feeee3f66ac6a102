import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { makeDatabaseOn } from '../../server/test/database.ts'
import type { makeTenant } from '../../server/test/tenant.ts'
import { provideWords } from '../tools/words.ts'

/** The version before this one, in a git worktree. */
export interface PreviousVersion {
  readonly commit: string
  readonly apiEntry: string
  readonly workerEntry: string
  /** Whether a node that gets SIGTERM serves on until load balancers have noticed. */
  readonly drainsSlowly: boolean
  /** Its own helpers: they create what its migrations know. */
  readonly makeDatabaseOn: typeof makeDatabaseOn
  readonly makeTenant: typeof makeTenant
  remove(): void
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

export async function checkOutPreviousVersion(): Promise<PreviousVersion> {
  const commit = readFileSync(`${repository}scripts/previous-version`, 'utf8').trim()
  requireCommit(commit)
  const folder = `${repository}.dev/copies/${randomUUID()}`
  git('worktree', 'add', '--quiet', '--detach', folder, commit)
  const remove = () => {
    process.off('exit', remove)
    git('worktree', 'remove', '--force', folder)
  }
  process.once('exit', remove)
  linkPackages(folder)
  const server = `${folder}/server`
  symlinkSync(`${repository}server/model`, `${server}/model`)
  await provideWords(server)
  const database = (await import(`${server}/test/database.ts`)) as { makeDatabaseOn: typeof makeDatabaseOn }
  const tenant = (await import(`${server}/test/tenant.ts`)) as { makeTenant: typeof makeTenant }
  return {
    commit,
    apiEntry: `${server}/src/api.ts`,
    workerEntry: `${server}/src/worker.ts`,
    drainsSlowly: readFileSync(`${server}/src/settings/settings.ts`, 'utf8').includes('DRAIN_DELAY_SECONDS'),
    makeDatabaseOn: database.makeDatabaseOn,
    makeTenant: tenant.makeTenant,
    remove,
  }
}

/** A shallow clone lacks it. */
function requireCommit(commit: string): void {
  if (hasCommit(commit)) return
  try {
    const shallow = git('rev-parse', '--is-shallow-repository').trim() === 'true'
    git('fetch', '--quiet', ...(shallow ? ['--unshallow'] : []), 'origin')
  } catch {
    // The message below says what to do.
  }
  if (hasCommit(commit)) return
  throw new Error(
    `Commit ${commit} of scripts/previous-version is not in this clone. Clone the whole history of main (git fetch --unshallow), ` +
      'or correct the file.',
  )
}

function hasCommit(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** The packages of this version, or its own where this version lacks one that the server runs with. */
function linkPackages(folder: string): void {
  const readPackages = (root: string) =>
    (
      JSON.parse(readFileSync(`${root}/server/package.json`, 'utf8')) as {
        readonly dependencies: Readonly<Record<string, string>>
      }
    ).dependencies
  const ours = readPackages(repository)
  if (Object.entries(readPackages(folder)).every(([name, version]) => ours[name] === version)) {
    for (const modules of ['node_modules', 'server/node_modules'])
      if (existsSync(repository + modules)) symlinkSync(repository + modules, `${folder}/${modules}`)
  } else {
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', repository, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
