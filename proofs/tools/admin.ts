import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const entry = fileURLToPath(new URL('../../server/src/admin.ts', import.meta.url))
const runProgram = promisify(execFile)

/** Runs a command of the operator; returns its fields. */
export async function runAdmin(
  environment: Readonly<Record<string, string>>,
  ...command: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await runProgram(process.execPath, [entry, ...command, '--json'], {
    env: { PATH: process.env['PATH'], ...environment },
  })
  return JSON.parse(stdout) as Record<string, unknown>
}
