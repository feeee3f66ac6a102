import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestDatabase } from '../../server/test/database.ts'

const adminEntry = fileURLToPath(new URL('../../server/src/admin.ts', import.meta.url))

/** Revokes a key with the operator's command, as a process of its own. */
export async function revokeByCommand(
  { urls }: TestDatabase,
  settings: Readonly<Record<string, string>>,
  { id, root }: { readonly id: string; readonly root: string },
): Promise<void> {
  const env = { PATH: process.env['PATH'], WORKER_DATABASE_URL: urls.worker, ...settings }
  await promisify(execFile)(process.execPath, [adminEntry, 'key', 'revoke', '--root', root, '--key', id], {
    env,
  })
}
