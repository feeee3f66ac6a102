import type { TestDatabase } from '../../server/test/database.ts'
import { runAdmin } from '../tools/admin.ts'

/** Revokes a key with the operator's command, as a process of its own. */
export async function revokeByCommand(
  { urls }: TestDatabase,
  settings: Readonly<Record<string, string>>,
  { id, root }: { readonly id: string; readonly root: string },
): Promise<void> {
  const environment = { WORKER_DATABASE_URL: urls.worker, ...settings }
  await runAdmin(environment, 'key', 'revoke', '--root', root, '--key', id)
}
