import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { CliContext } from './context.ts'
import { CliError, exitCodes } from './exit.ts'
import { readRepositories } from './inventory.ts'

const run = promisify(execFile)

export async function git(cwd: string, words: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('git', [...words], { cwd, maxBuffer: 256 * 1024 * 1024 })
    return stdout
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new CliError(`git ${words[0]} failed: ${(stderr || message).trim().split('\n')[0]}`, {
      next: 'Run this in a Git repository with at least one commit.',
      exitCode: exitCodes.usage,
    })
  }
}

/** The ID of the repository whose name is the last part of the address of the remote. */
export async function findRepositoryId(context: CliContext): Promise<string> {
  const remote = await git(context.cwd, ['remote', 'get-url', 'origin']).catch(() => '')
  const name = /([^/:]+?)(?:\.git)?\/?$/.exec(remote.trim())?.[1]
  const next = 'Add --repo ID; "scholiast repositories list" shows the IDs.'
  if (name === undefined)
    throw new CliError('The name of the repository cannot be read from the remote "origin".', {
      next,
      exitCode: exitCodes.usage,
    })
  const found = (await readRepositories(context)).filter(
    (repository) => repository.name.split('/').at(-1) === name,
  )
  const [only] = found
  if (only === undefined || found.length > 1) {
    const problem = found.length > 1 ? 'Several repositories have' : 'No repository has'
    throw new CliError(`${problem} the name "${name}" of the remote.`, { next, exitCode: exitCodes.notFound })
  }
  return only.provider_repository_id
}
