import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Checks out another revision beside this checkout, with the packages and the model of this one, for as long as the work takes. */
export async function withCheckout<Result>(
  revision: string,
  work: (checkout: string) => Promise<Result>,
): Promise<Result> {
  const checkout = `${repository}.dev/compare-${process.pid}`
  git('worktree', 'add', '--quiet', '--detach', checkout, revision)
  try {
    symlinkSync(`${repository}node_modules`, `${checkout}/node_modules`)
    symlinkSync(`${repository}server/model`, `${checkout}/server/model`)
    return await work(checkout)
  } finally {
    git('worktree', 'remove', '--force', checkout)
    rmSync(checkout, { recursive: true, force: true })
  }
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] })
}
